import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Killed fleet runs")
struct FleetKillTests {
  @Test("after kill -9 at any moment each file is wholly old or new, and the same command changes each once")
  func killed() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? Int.random(in: 0..<1_000_000)
    let rounds = environment["SCHEMAKIT_FLEET_KILLS"].flatMap(Int.init) ?? 4
    print("killed fleet runs: seed \(seed), \(rounds) rounds")
    var random = SeededGenerator(seed: seed)
    for round in 0..<rounds {
      let scene = try FleetScene(60)
      let arguments = ["fleet", "apply", "--databases", "tenants", "--plan", "plan.json", "--yes", "--jobs", "2"]
      #expect(
        try scene.folder.run("fleet", "plan", "--databases", "tenants", "--to", "schema.sql", "--out", "plan.json")
          .status
          == 0)
      for _ in 0..<3 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandRun.schemactl)
        process.arguments = arguments
        process.currentDirectoryURL = scene.folder.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        Thread.sleep(forTimeInterval: .random(in: 0...0.6, using: &random))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        // Reading a file rolls back what was begun.
        for number in 1...60 { _ = try scene.isDone(number) }
      }
      let run = try CommandRun(arguments, in: scene.folder)
      #expect(run.status == 0, "seed \(seed), round \(round): \(run.errors)")
      for number in 1...60 { #expect(try scene.changes(number) == 1, "seed \(seed), round \(round), file \(number)") }
      let journal = try FleetReport(journal: scene.folder.url("schemactl.fleet-journal").path)
      #expect(journal.counts == [.applied: 60], "seed \(seed), round \(round)")
    }
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Online copies that are killed")
struct OnlineKillTests {
  @Test("after kill -9 at any moment the next run goes on or begins anew, and nothing of it is left")
  func killed() throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? Int.random(in: 0..<1_000_000)
    let rounds = environment["SCHEMAKIT_ONLINE_KILLS"].flatMap(Int.init) ?? 3
    print("killed online copies: seed \(seed), \(rounds) rounds")
    var random = SeededGenerator(seed: seed)
    var phases: [String: Int] = [:]
    let longest = try Self.timeOfRun()
    for round in 0..<rounds {
      let scene = try OnlineScene(rows: 20_000)
      let folder = try CommandFolder()
      try folder.write(OnlineScene.after, to: "schema.sql")
      let arguments = Self.arguments(scene)
      var isChanged = false
      for _ in 0..<3 where !isChanged {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandRun.schemactl)
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        Thread.sleep(forTimeInterval: .random(in: 0...longest, using: &random))
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        isChanged = try Self.isChanged(scene.database)
        phases[try Self.phase(scene.database), default: 0] += 1
        if isChanged { break }
        #expect(try scene.database.query("SELECT count(*) FROM t") == scene.judge.query("SELECT count(*) FROM t"))
        let (writer, other) = (try scene.database.reopened(), try scene.judge.reopened())
        for _ in 0..<random.number(0...30) {
          let sql = OnlineScene.write(&random, rows: 20_000)
          #expect(try scene.write(sql, on: writer, other), "seed \(seed), round \(round): \(sql)")
        }
        writer.close()
        other.close()
      }
      // What goes on is the same command, or one that changes the table in the usual way.
      let last =
        random.chance(70)
        ? arguments
        : arguments.map { $0 == "online" ? "rebuild" : $0 }.filter {
          !["--max-lock", "1"].contains($0)
        }
      let run = try CommandRun(last, in: folder)
      #expect(run.status == 0, "seed \(seed), round \(round): \(run.errors)")
      try scene.judge.migrate(to: OnlineScene.after, allowing: OnlineScene.policy(.rebuild))
      let differences = try scene.differences()
      #expect(differences == [], "seed \(seed), round \(round)")
    }
    print("killed online copies: \(phases)")
  }

  @Test("a run goes on where another has ended without cleaning up")
  func resumed() throws {
    let scene = try OnlineScene(rows: 3000)
    let whole = try scene.neededRoom()
    // What the plan says is what is asked for.
    let said = try scene.database.plan(to: OnlineScene.after, strategy: .online).cost?.freeBytes ?? 0
    #expect(abs(whole - Int64(said)) < 1 << 17)
    // The lock of another program ends the run where it is, and keeps it from cleaning up.
    let blocker = try scene.database.reopened()
    var most = 0
    let left = #expect(throws: ApplyError.self) {
      try scene.migrate(
        limits: { $0.logWait = .zero },
        observing: { observer in
          observer.onProgress = { progress in
            guard progress.activity == .copying, let done = progress.rowsDone, done > 1500, most == 0 else { return }
            most = done
            try? blocker.exec("BEGIN IMMEDIATE")
          }
        })
    }
    guard case .onlineCopyLeft(table: "t", _)? = left?.reason else {
      Issue.record("\(String(describing: left))")
      return
    }
    #expect(left?.description.contains("The next apply removes them.") == true)
    #expect(left?.description.contains("nothing was changed") == false)
    try blocker.exec("ROLLBACK")
    blocker.close()
    try scene.database.exec("UPDATE t SET note = 'since' WHERE id < 100")
    try scene.judge.exec("UPDATE t SET note = 'since' WHERE id < 100")
    var first: Int?
    // What is copied already needs no room any more.
    let rest = try scene.neededRoom()
    #expect(rest < whole && rest > 0)
    let report = try scene.database.migrate(to: OnlineScene.after, allowing: OnlineScene.policy()) { options in
      options.online.lock = .nanoseconds(1)
      options.freeSpace = { _ in rest }
      options.observer.onProgress = { if $0.activity == .copying { first = first ?? $0.rowsDone } }
    }
    #expect(try #require(first) >= most)
    #expect(report.notes.contains { $0.hasPrefix("The copy went on where an earlier one had ended") })
    try scene.judge.migrate(to: OnlineScene.after, allowing: OnlineScene.policy(.rebuild))
    let differences = try scene.differences()
    #expect(differences == [])
  }

  private static func arguments(_ scene: OnlineScene) -> [String] {
    [
      "apply", scene.database.path, "--to", "schema.sql", "--strategy", "online", "--max-lock", "1", "--yes",
      "--no-backup",
    ]
  }

  /// How long a run takes that nobody ends, in seconds.
  private static func timeOfRun() throws -> Double {
    let scene = try OnlineScene(rows: 20_000)
    let folder = try CommandFolder()
    try folder.write(OnlineScene.after, to: "schema.sql")
    let start = ContinuousClock.now
    _ = try CommandRun(arguments(scene), in: folder)
    return (ContinuousClock.now - start) / .seconds(1)
  }

  /// What the file says of a run: that there is none, or what it was doing.
  private static func phase(_ database: TemporaryDatabase) throws -> String {
    guard try database.query("SELECT 1 FROM sqlite_master WHERE name = '_schemakit_online'") != [] else {
      return "none"
    }
    return "\(try database.value("SELECT phase FROM _schemakit_online").map { "\($0)" } ?? "")"
  }

  private static func isChanged(_ database: TemporaryDatabase) throws -> Bool {
    try database.query("SELECT 1 FROM pragma_table_info('t') WHERE name = 'qty' AND \"notnull\"") != []
  }
}

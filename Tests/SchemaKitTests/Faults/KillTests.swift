import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A migration that is killed")
struct KillTests {
  @Test("at any statement it leaves the old file, and the next run completes", arguments: ["delete", "wal"])
  func killedAtAnyStatement(journalMode: String) throws {
    let scene = try KillScene(journalMode: journalMode)
    let (new, statementCount) = try migrated(scene)
    var crashesWithLeftovers = 0
    for number in 1...statementCount {
      let crash = try crash(scene, at: "\(number)")
      if KillScene.leftovers(of: crash.path) > 0 { crashesWithLeftovers += 1 }
      // SQLite recovers the file whoever opens it first, so each has a crashed file of its own.
      let forReader = try KillScene.copy(of: crash.path)
      #expect(try KillScene.dump(of: forReader.path) == scene.old, "killed after statement \(number)")
      #expect(try forReader.query("PRAGMA integrity_check") == [[.text("ok")]])
      try expectCompletion(of: crash, scene, new: new)
    }
    // Without changed pages on disk, a kill would prove nothing.
    #expect(crashesWithLeftovers > statementCount / 2)
  }

  @Test("when everything is written but not committed, it leaves the old file", arguments: ["delete", "wal"])
  func killedBeforeCommit(journalMode: String) throws {
    let scene = try KillScene(journalMode: journalMode)
    let (new, _) = try migrated(scene)
    let crash = try crash(scene, at: "commit")
    #expect(KillScene.leftovers(of: crash.path) > 0)
    let forReader = try KillScene.copy(of: crash.path)
    #expect(try KillScene.dump(of: forReader.path) == scene.old)
    try expectCompletion(of: crash, scene, new: new)
  }

  @Test("after the commit, it leaves the new file", arguments: ["delete", "wal"])
  func killedAfterCommit(journalMode: String) throws {
    let scene = try KillScene(journalMode: journalMode)
    let (new, _) = try migrated(scene)
    let crash = try crash(scene, at: "done")
    let forReader = try KillScene.copy(of: crash.path)
    #expect(try KillScene.dump(of: forReader.path) == new)
    let again = try KillProbe(database: crash.path, schema: scene.schemaPath).wait()
    #expect(again.words == ["unchanged", "0"])
    #expect(try KillScene.dump(of: crash.path) == new)
  }

  @Test("two at once: one applies, the other finds nothing to do", arguments: ["delete", "wal"])
  func twoAtOnce(journalMode: String) throws {
    let scene = try KillScene(journalMode: journalMode)
    let (new, statementCount) = try migrated(scene)
    for _ in 0..<5 {
      let file = try KillScene.copy(of: scene.origin.path)
      let first = try KillProbe(database: file.path, schema: scene.schemaPath)
      let second = try KillProbe(database: file.path, schema: scene.schemaPath)
      let outcomes = [try first.wait(), try second.wait()]
      #expect(outcomes.map(\.exitCode) == [0, 0], "\(outcomes.map(\.errors))")
      #expect(Set(outcomes.map(\.words)) == [["applied", "\(statementCount)"], ["unchanged", "0"]])
      #expect(try KillScene.dump(of: file.path) == new)
    }
  }

  /// The scene's file after a run that nobody kills, and how many statements that took.
  private func migrated(_ scene: KillScene) throws -> (dump: [String], statementCount: Int) {
    let file = try KillScene.copy(of: scene.origin.path)
    let outcome = try KillProbe(database: file.path, schema: scene.schemaPath).wait()
    try #require(outcome.exitCode == 0, "\(outcome.errors)")
    let plan = try scene.origin.plan(to: KillScene.after, strategy: .rebuild)
    try #require(plan.steps.count { $0.strategy == .rebuild } == 3)
    #expect(outcome.words == ["applied", "\(plan.statements.count)"])
    let dump = try KillScene.dump(of: file.path)
    #expect(dump != scene.old)
    return (dump, plan.statements.count)
  }

  /// A copy of the scene's file as a kill leaves it.
  private func crash(_ scene: KillScene, at moment: String) throws -> TemporaryDatabase {
    let file = try KillScene.copy(of: scene.origin.path)
    let outcome = try KillProbe(database: file.path, schema: scene.schemaPath, moment: moment).wait()
    try #require(outcome.wasKilled, "the probe lived on at \(moment): \(outcome)")
    return file
  }

  /// A second run over a crashed file ends as if there had been no crash.
  private func expectCompletion(of crash: TemporaryDatabase, _ scene: KillScene, new: [String]) throws {
    let again = try KillProbe(database: crash.path, schema: scene.schemaPath).wait()
    #expect(again.exitCode == 0 && again.words.first == "applied", "\(again.errors)")
    #expect(try KillScene.dump(of: crash.path) == new)
    #expect(try crash.query("PRAGMA integrity_check") == [[.text("ok")]])
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Journals of fleet runs")
struct FleetJournalTests {
  @Test("a journal must not be among the files, and nothing else may be taken for one")
  func places() throws {
    let scene = try FleetScene(3)
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    let inside = scene.folder.url("tenants/run.fleet-journal").path
    #expect(
      throws: FleetError(
        reason: .journalAmongFiles(journal: inside, folder: scene.folder.url("tenants").path))
    ) { try fleet.apply(plan, journal: inside) }
    #expect(throws: FleetError(reason: .notAJournal(scene.folder.url("schema.sql").path))) {
      try fleet.apply(plan, journal: scene.folder.url("schema.sql").path)
    }
    try scene.folder.database("other.db", "CREATE TABLE t (a)")
    #expect(throws: FleetError(reason: .notAJournal(scene.folder.url("other.db").path))) {
      try fleet.apply(plan, journal: scene.folder.url("other.db").path)
    }
    // What a link leads to is not written.
    try FileManager.default.createSymbolicLink(
      atPath: scene.journal, withDestinationPath: scene.folder.url("target").path)
    #expect(throws: FleetError(reason: .notAJournal(scene.journal))) { try fleet.apply(plan, journal: scene.journal) }
    #expect(!scene.folder.exists("target"))
    #expect(try scene.done(of: 3).isEmpty)
  }

  @Test("the journal of another run or of a newer version is refused")
  func others() throws {
    let scene = try FleetScene(3)
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    _ = try fleet.apply(plan, journal: scene.journal)
    let other = try scene.fleet(FleetScene.target + "CREATE TABLE more (a);")
    #expect(throws: FleetError(reason: .otherRun(scene.journal))) {
      try other.apply(other.plan(), journal: scene.journal)
    }
    try scene.folder.database("run.fleet-journal", "PRAGMA user_version = 9")
    #expect(throws: FleetError(reason: .newerJournal(scene.journal, format: 9))) {
      try fleet.apply(plan, journal: scene.journal)
    }
  }

  @Test("a journal is for its user alone, whatever the umask")
  func permissions() throws {
    let scene = try FleetScene(3)
    let fleet = try scene.fleet()
    _ = try fleet.apply(fleet.plan(), journal: scene.journal)
    let mode = try FileManager.default.attributesOfItem(atPath: scene.journal)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test("of two runs over the same files, one proceeds")
  func twice() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    let (second, other) = (Shared((any Error)?.none), scene.journal + "2")
    var rollout = FleetRollout()
    rollout.canaryCount = 1
    rollout.continues = { wave in
      if wave.number == 1 {
        do { _ = try fleet.apply(plan, journal: other) } catch { second.change { $0 = error } }
      }
      return true
    }
    let report = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    #expect(report.counts == [.applied: 12])
    #expect(second.value as? FleetError == FleetError(reason: .running(scene.folder.url("tenants").path)))
    #expect(!FileManager.default.fileExists(atPath: other))
  }

  @Test("files that came after the run began get a wave of their own when it goes on")
  func newFiles() throws {
    let scene = try FleetScene(4)
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    _ = try fleet.apply(plan, journal: scene.journal)
    try scene.make(5)
    let later = try scene.fleet().apply(plan, journal: scene.journal)
    #expect(later.counts == [.applied: 5])
    #expect(try scene.done(of: 5).count == 5)
  }

  @Test("what was changed and is not in the journal counts as changed by the run, once")
  func lostResults() throws {
    let scene = try FleetScene(6)
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    _ = try fleet.apply(plan, journal: scene.journal)
    try scene.folder.database("run.fleet-journal", "UPDATE files SET state = 'waiting'")
    let again = try fleet.apply(plan, journal: scene.journal)
    #expect(again.counts == [.applied: 6])
    for number in 1...6 { #expect(try scene.changes(number) == 1) }
  }

  @Test("which files a program has changed since with the same plan is told without a run")
  func status() throws {
    let scene = try FleetScene(6)
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    var rollout = FleetRollout()
    rollout.canaries = [scene.path(1)]
    rollout.continues = { _ in false }
    _ = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    let database = try SQLiteConnection(path: scene.path(2), mode: .readWrite)
    _ = try Change(over: database, to: try TemporaryDatabase.target(FleetScene.target)).apply()
    let report = try Fleet.status(ofJournal: scene.journal, plan: plan)
    #expect(report.counts == [.applied: 1, .current: 1, .waiting: 4])
    #expect(report.problems.map(\.path) == (3...6).map { scene.path($0) })
  }
}

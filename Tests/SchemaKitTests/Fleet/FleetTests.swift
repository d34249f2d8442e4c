import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Fleets")
struct FleetTests {
  @Test("a census counts the files of each schema, and names those that cannot be read")
  func census() throws {
    let scene = try FleetScene()
    var bytes = try scene.folder.bytes(scene.name(5))
    bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
    try bytes.write(to: scene.folder.url(scene.name(5)))
    let census = try scene.fleet().census()
    #expect(census.schemas.map(\.fileCount) == [7, 4])
    #expect(census.schemas.allSatisfy { !$0.isCurrent && $0.recordedCount == 0 })
    #expect(census.problems.map(\.path) == [scene.path(5)])
    #expect(census.problems.map(\.state) == [.failed])
    #expect(census.isComplete)
  }

  @Test("there is one plan for each schema, with what each file could lose")
  func plans() throws {
    let scene = try FleetScene()
    try scene.spoil(4)
    let plan = try scene.fleet().plan()
    #expect(plan.groups.map(\.fileCount) == [7, 4, 1])
    #expect(plan.groups[2].example == scene.path(4))
    #expect(plan.groups[2].hazards.map(\.hazard.code) == [.nullsUnderNotNull])
    #expect(plan.groups[2].hazards.map(\.rowCount) == [1])
    #expect(plan.fileCount == 12 && plan.currentCount == 0 && plan.problems.isEmpty)
  }

  @Test("the plan of a schema that all files but a few share is made and proved once")
  func madeOnce() throws {
    let scene = try FleetScene(40)
    for number in 1...40 where number % 4 == 0 {
      // The number of rows is no reason for another plan.
      try scene.folder.database(scene.name(number), "INSERT INTO customers (name, email) VALUES ('x', 'y')")
    }
    var fleet = try scene.fleet()
    let made = Shared(0)
    fleet.memory = PlanningMemory { made.change { $0 += 1 } }
    let plan = fleet.plan()
    #expect(plan.groups.map(\.fileCount) == [27, 13])
    #expect(made.value == 2)
  }

  @Test("a plan survives its JSON, and one that was edited is refused")
  func json() throws {
    let scene = try FleetScene()
    try scene.spoil(4)
    let plan = try scene.fleet().plan(allowing: .everything)
    let json = plan.json()
    let read = try FleetPlan(json: Data(json.utf8))
    #expect(read.json() == json)
    #expect(read.groups.map(\.plan.statements) == plan.groups.map(\.plan.statements))
    #expect(read.extents == plan.extents && !read.extents.isEmpty)
    for (old, new) in [("\"files\" : 7", "\"files\" : 8"), ("\"rows\" : 1", "\"rows\" : 9"), ("lossy", "SK104")] {
      let edited = json.replacingOccurrences(of: old, with: new)
      #expect(edited != json)
      #expect(throws: SavedPlanError.self, "\(old)") { try FleetPlan(json: Data(edited.utf8)) }
    }
    #expect(throws: SavedPlanError.self) { try FleetPlan(json: Data(plan.groups[0].saved.json().utf8)) }
  }

  @Test("files are changed in waves, each with its history, and a second run changes nothing")
  func waves() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    var rollout = FleetRollout()
    rollout.canaryCount = 2
    rollout.growth = 2
    let waves = Shared([FleetReport.Wave]())
    rollout.continues = { wave in
      waves.change { $0.append(wave) }
      return true
    }
    let report = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    #expect(report.counts == [.applied: 12])
    #expect(report.problems.isEmpty && report.ending == .complete)
    #expect(waves.value.map(\.files) == [2, 4, 6])
    #expect(try scene.done() == Array(1...12))
    let again = try fleet.apply(plan, journal: scene.journal)
    #expect(again.counts == [.applied: 12] && again.processedCount == 0)
    for number in 1...12 { #expect(try scene.changes(number) == 1) }
    // A new run finds nothing to do.
    let other = try fleet.apply(plan, journal: scene.journal + "2")
    #expect(other.counts == [.current: 12])
  }

  @Test("one file of each schema is among the canaries")
  func canaries() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    var rollout = FleetRollout()
    rollout.canaryCount = 2
    rollout.continues = { _ in false }
    let report = try fleet.apply(fleet.plan(), journal: scene.journal, rollout: rollout)
    #expect(report.ending == .stopped(reason: ""))
    #expect(report.counts == [.applied: 2, .waiting: 10])
    let done = try scene.done()
    #expect(done.count == 2)
    #expect(Set(done.map { $0 % 3 == 0 }) == [true, false])
    // Named ones come first instead.
    let second = try FleetScene()
    var named = rollout
    named.canaries = [second.path(7)]
    let fleet2 = try second.fleet()
    _ = try fleet2.apply(fleet2.plan(), journal: second.journal, rollout: named)
    #expect(try second.done() == [7])
  }

  @Test("a file that holds more than was planned for is left out, and so is one of another schema")
  func leftOut() throws {
    let scene = try FleetScene()
    let drop = "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    let fleet = Fleet(try scene.files(), target: try TemporaryDatabase.target(drop), models: nil)
    let plan = fleet.plan(allowing: .everything)
    try scene.folder.database(scene.name(2), "INSERT INTO customers (name, email) VALUES ('late', 'l@example.org')")
    try scene.folder.database(scene.name(3), "CREATE TABLE extra (a)")
    let before = try (scene.folder.bytes(scene.name(2)), scene.folder.bytes(scene.name(3)))
    let report = try fleet.apply(plan, journal: scene.journal)
    #expect(report.counts == [.applied: 10, .refused: 1, .stale: 1])
    #expect(
      Dictionary(uniqueKeysWithValues: report.problems.map { ($0.path, $0.state) })
        == [scene.path(2): .refused, scene.path(3): .stale])
    #expect(report.problems[0].message.contains("SK102 customers.email concerned 1 row, now 2 rows"))
    #expect(try scene.folder.bytes(scene.name(2)) == before.0)
    #expect(try scene.folder.bytes(scene.name(3)) == before.1)
  }

  @Test("a file without consent is left out, and the others are changed")
  func refused() throws {
    let scene = try FleetScene()
    try scene.spoil(4)
    let fleet = try scene.fleet()
    let report = try fleet.apply(fleet.plan(), journal: scene.journal)
    #expect(report.counts == [.applied: 11, .refused: 1])
    #expect(try scene.done() == [1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12])
    // Once its rows are right, the same run goes on.
    try scene.folder.database(scene.name(4), "DELETE FROM customers WHERE email IS NULL")
    let again = try fleet.apply(fleet.plan(), journal: scene.journal + "2")
    #expect(again.counts == [.applied: 1, .current: 11])
  }

  @Test("a locked file is tried once more at the end, and told if it stays locked")
  func locked() throws {
    let scene = try FleetScene()
    let holder = try RawSQLite(scene.path(6))
    try holder.exec("BEGIN EXCLUSIVE")
    var fleet = try scene.fleet()
    fleet.options.busyTimeout = 0.01
    let plan = fleet.plan()
    #expect(plan.problems.map(\.state) == [.busy])
    let report = try fleet.apply(plan, journal: scene.journal)
    #expect(report.counts == [.applied: 11, .busy: 1])
    #expect(report.problems.map(\.path) == [scene.path(6)])
    try holder.exec("ROLLBACK")
    holder.close()
    let again = try fleet.apply(plan, journal: scene.journal)
    #expect(again.counts == [.applied: 12])
  }

  @Test("more failures than are allowed stop the run, but for files that the plan knows to be damaged")
  func failures() throws {
    let scene = try FleetScene()
    func damage(_ number: Int) throws {
      var bytes = try scene.folder.bytes(scene.name(number))
      bytes.replaceSubrange(100..<200, with: Data(repeating: 0xFF, count: 100))
      try bytes.write(to: scene.folder.url(scene.name(number)))
    }
    try damage(1)
    var fleet = try scene.fleet()
    fleet.options.jobs = 1
    let plan = fleet.plan()
    try damage(7)
    var rollout = FleetRollout()
    rollout.canaries = [scene.path(1)]
    let report = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    #expect(report.ending == .tooManyFailures)
    #expect(report.problems.map(\.path) == [scene.path(1), scene.path(7)])
    #expect(report.problems.allSatisfy { $0.state == .failed })
    #expect(report.counts[.waiting, default: 0] > 0)
    rollout.failureLimit = .share(0.5)
    let rest = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    #expect(rest.ending == .complete)
    #expect(rest.counts == [.applied: 10, .failed: 2])
  }

  @Test("files that vanish or are replaced after they were found are told, and not touched")
  func replaced() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    try FileManager.default.removeItem(atPath: scene.path(2))
    // The new file is made before the old one goes, so that it cannot have its inode.
    try scene.folder.database("new.db", "CREATE TABLE t (a)")
    #expect(rename(scene.folder.url("new.db").path, scene.path(3)) == 0)
    var rollout = FleetRollout()
    rollout.failureLimit = .count(5)
    let report = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    #expect(report.counts == [.applied: 10, .failed: 2])
    #expect(!FileManager.default.fileExists(atPath: scene.path(2)))
    #expect(report.problems[1].message.contains("is another file than the one"))
    #expect(try scene.folder.rows(of: scene.name(3), "SELECT name FROM sqlite_schema").count == 1)
  }

  @Test("a run is undone, but for files that something else has changed since")
  func undo() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    var rollout = FleetRollout()
    rollout.canaryCount = 4
    _ = try fleet.apply(fleet.plan(), journal: scene.journal, rollout: rollout)
    let canaries = try FleetJournal(at: scene.journal, mayCreate: false, isReader: true).entries(wave: 1).map(\.path)
    let first = try #require(canaries.first)
    let number = try #require((1...12).first { scene.path($0) == first })
    try scene.folder.database(scene.name(number), "ALTER TABLE customers ADD COLUMN fax TEXT")
    let report = try FleetUndo(journal: scene.journal).apply(wave: 1)
    #expect(report.counts == [.applied: 9, .undone: 3])
    #expect(report.problems.map(\.path) == [first])
    #expect(report.problems.map(\.state) == [.stale])
    #expect(try scene.done().count == 9)
    #expect(throws: FleetError(reason: .noWave(scene.journal, wave: 7))) {
      try FleetUndo(journal: scene.journal).apply(wave: 7)
    }
    let rest = try FleetUndo(journal: scene.journal).apply()
    #expect(rest.counts == [.applied: 1, .undone: 11])
    #expect(try scene.done() == [number])
  }

  @Test("copies stay until they are pruned, and those of unfinished files beyond that")
  func copies() throws {
    let scene = try FleetScene()
    let drop = "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
    let fleet = Fleet(try scene.files(), target: try TemporaryDatabase.target(drop), models: nil)
    let report = try fleet.apply(fleet.plan(allowing: .everything), journal: scene.journal)
    #expect(report.counts == [.applied: 12])
    let copies = try FleetCopies(of: fleet.files, journals: [scene.journal])
    #expect(copies.copies.count == 12 && copies.kept.isEmpty)
    #expect(copies.due(over: copies.copies[0].size * 5).count == 7)
    #expect(copies.due(before: 1).isEmpty)
    #expect(copies.due().count == 12)
    // The journal says that one file is not done.
    try scene.folder.database("run.fleet-journal", "UPDATE files SET state = 'waiting' WHERE path LIKE '%t05.db'")
    let rest = try FleetCopies(of: fleet.files, journals: [scene.journal])
    #expect(rest.kept.map(\.database) == [scene.path(5)])
    #expect(try rest.remove(rest.due()).isEmpty)
    #expect(try FleetCopies(of: fleet.files).copies.map(\.database) == [scene.path(5)])
    // A copy is the database as it was.
    #expect(
      try scene.folder.rows(
        of: "tenants/" + URL(fileURLWithPath: rest.kept[0].path).lastPathComponent, "SELECT email FROM customers")
        == [[.text("a@example.org")]])
  }

  @Test("what a killed program left of a copy is pruned after an hour")
  func unfinishedCopies() throws {
    let scene = try FleetScene(2)
    for (name, age) in [
      ("t01.db.before-1a2b3c4d.db.part-5e6f7a8b", 7200), ("t02.db.before-1a2b3c4d.db.part-5e6f7a8b", 60),
    ] {
      try scene.folder.write("half", to: "tenants/\(name)")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -Double(age))],
        ofItemAtPath: scene.folder.url("tenants/\(name)").path)
    }
    let copies = try FleetCopies(of: scene.files())
    #expect(copies.copies.map(\.database) == [scene.path(1)])
    #expect(try copies.remove(copies.due()).isEmpty)
    #expect(!scene.folder.exists("tenants/t01.db.before-1a2b3c4d.db.part-5e6f7a8b"))
    #expect(scene.folder.exists("tenants/t02.db.before-1a2b3c4d.db.part-5e6f7a8b"))
  }
}

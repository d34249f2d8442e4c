import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// What must not happen to the files of a fleet, whatever else does.
@Suite("Guarantees for fleets")
struct FleetGuaranteeTests {
  private static let small = "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"

  @Test("a file that is only called like a copy is never removed")
  func strangers() throws {
    let scene = try FleetScene(2)
    for name in ["t01.db.before-upgrade.db", "t01.db.before-2019-01-01.db"] {
      try scene.folder.database("tenants/\(name)", "CREATE TABLE t (a)")
    }
    let fleet = Fleet(try scene.files(), target: try TemporaryDatabase.target(Self.small), models: nil)
    #expect(fleet.files.files.count == 4)
    let named = Fleet(
      try scene.files("tenants/t01.db", "tenants/t02.db"), target: fleet.target, models: nil)
    _ = try named.apply(named.plan(allowing: .everything), journal: scene.journal)
    let copies = try FleetCopies(of: named.files)
    #expect(copies.copies.count == 2)
    #expect(copies.copies.allSatisfy { !$0.path.contains("before-upgrade") && !$0.path.contains("2019") })
  }

  @Test("texts that Swift takes for equal are different schemas and different files")
  func canonicalEquivalents() throws {
    let scene = try FleetScene(1)
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    for (file, name) in [("a", composed), ("b", decomposed)] {
      try scene.folder.database("tenants/\(file).db", "CREATE TABLE \"\(name)\" (x)")
    }
    let target = try TemporaryDatabase.target("CREATE TABLE \"\(composed)\" (x);")
    var fleet = Fleet(try scene.files("tenants/a.db", "tenants/b.db"), target: target, models: nil)
    fleet.options.jobs = 1
    #expect(fleet.census().schemas.map(\.isCurrent) == [true, false])
    // Of two files with such names, each keeps its own counts.
    for (name, rows) in [(composed, 1), (decomposed, 5)] {
      try scene.folder.database(
        "tenants/\(name).db",
        "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, old TEXT);"
          + String(repeating: "INSERT INTO customers (name, old) VALUES ('a', 'b');", count: rows))
    }
    let both = Fleet(
      try FleetFiles(
        at: [], paths: [composed, decomposed].map { scene.folder.url.path + "/tenants/\($0).db" }),
      target: try TemporaryDatabase.target(Self.small), models: nil)
    #expect(both.files.files.count == 2)
    let plan = both.plan(allowing: .everything)
    #expect(plan.extents.count == 2)
    try scene.folder.database("tenants/\(composed).db", "INSERT INTO customers (name, old) VALUES ('late', 'b')")
    let report = try both.apply(plan, journal: scene.journal)
    #expect(report.counts == [.applied: 1, .refused: 1])
  }

  @Test("a resumed run works on nothing but the files that are named")
  func namedFilesOnly() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    var rollout = FleetRollout()
    rollout.continues = { _ in false }
    _ = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    let one = Fleet(try scene.files("tenants/t09.db"), target: fleet.target, models: nil)
    let report = try one.apply(plan, journal: scene.journal)
    #expect(report.processedCount == 1)
    #expect(try scene.done().count == 2)
    #expect(try scene.isDone(9))
  }

  @Test("what stopped a run after a wave is asked again before the run goes on")
  func vetoIsKept() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    var rollout = FleetRollout()
    rollout.canaryCount = 3
    rollout.continues = { _ in false }
    for _ in 0..<3 { _ = try fleet.apply(plan, journal: scene.journal, rollout: rollout) }
    #expect(try scene.done().count == 3)
    // A call for one file of a later wave does not speak for the rest of it.
    rollout.growth = 3
    let one = Fleet(try scene.files("tenants/t11.db"), target: fleet.target, models: nil)
    rollout.continues = { _ in true }
    _ = try one.apply(plan, journal: scene.journal, rollout: rollout)
    let asked = Shared(0)
    rollout.continues = { _ in
      asked.change { $0 += 1 }
      return true
    }
    let report = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    #expect(report.counts == [.applied: 12])
    #expect(asked.value >= 1)
  }

  @Test("a canary outside the fleet is refused, and one inside is found under any of its names")
  func canaries() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    var rollout = FleetRollout()
    rollout.canaries = [scene.folder.url("schema.sql").path]
    let plan = fleet.plan()
    #expect(throws: FleetError(reason: .noCanary(rollout.canaries[0]))) {
      try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    }
    #expect(try scene.done().isEmpty)
    rollout.canaries = [scene.folder.url.path + "/tenants/../tenants/t05.db"]
    rollout.continues = { _ in false }
    _ = try fleet.apply(plan, journal: scene.journal + "2", rollout: rollout)
    #expect(try scene.done() == [5])
  }

  @Test("runs over a folder and over one that it holds do not go on together")
  func overlapping() throws {
    let scene = try FleetScene(3)
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    let other = try FleetLock(folders: [scene.folder.url.path])
    #expect(throws: FleetError.self) { try fleet.apply(plan, journal: scene.journal) }
    withExtendedLifetime(other) {}
    #expect(throws: FleetError.self) {
      try FleetLock(folders: Fleet.lockable([scene.folder.url.path + "/tenants/../tenants"]))
    }
    #expect(
      Fleet.lockable([scene.folder.url.path + "/tenants/..", scene.folder.url("tenants").path]).count == 1)
    let below = try FleetScene(1)
    let inner = try FleetLock(folders: [below.folder.url("tenants").path])
    #expect(throws: FleetError.self) { try FleetLock(folders: [below.folder.url.path]) }
    // Beside each other they do.
    let beside = try FleetScene(1)
    _ = try FleetLock(folders: [beside.folder.url("tenants").path])
    withExtendedLifetime(inner) {}
  }

  @Test("undo takes back what a killed run changed, and a killed undo goes on")
  func undoOfLostResults() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    _ = try fleet.apply(plan, journal: scene.journal)
    try scene.folder.database(
      "run.fleet-journal", "UPDATE files SET state = 'waiting' WHERE path LIKE '%t1_.db'")
    _ = try FleetUndo(journal: scene.journal).apply()
    #expect(try scene.done().isEmpty)
    try scene.folder.database(
      "run.fleet-journal", "UPDATE files SET state = 'applied' WHERE path LIKE '%t0_.db'")
    let again = try FleetUndo(journal: scene.journal).apply()
    #expect(again.counts == [.undone: 12])
    #expect(again.problems.isEmpty)
    // The same command makes the changes again, and they can be undone again.
    #expect(try fleet.apply(plan, journal: scene.journal).counts == [.applied: 12])
    #expect(try scene.done().count == 12)
    #expect(try FleetUndo(journal: scene.journal).apply().counts == [.undone: 12])
    #expect(try scene.done().isEmpty)
  }

  @Test("a plan that adds a column is not taken for a file whose rows have a field more than their table has columns")
  func leftoverFields() throws {
    let scene = try FleetScene(3)
    // Like the others by its catalog alone.
    try scene.folder.database(
      scene.name(2),
      """
      ALTER TABLE orders ADD COLUMN old INTEGER; UPDATE orders SET old = 7; PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, ', old INTEGER', '') WHERE name = 'orders';
      PRAGMA schema_version = 99
      """)
    let fleet = try scene.fleet()
    #expect(try fleet.apply(fleet.plan(), journal: scene.journal).counts == [.applied: 3])
    for number in 1...3 {
      #expect(try RawSQLite(scene.path(number)).rows("SELECT paid FROM orders") == [[.int(0)]], "\(number)")
    }
  }

  @Test("undo has no problem with a file that failed in the run and still cannot be read")
  func undoPassesOver() throws {
    let scene = try FleetScene(3)
    let page = try FileHandle(forWritingTo: scene.folder.url(scene.name(2)))
    try page.seek(toOffset: 100)
    try page.write(contentsOf: Array("junk".utf8))
    try page.close()
    let fleet = try scene.fleet()
    var rollout = FleetRollout()
    rollout.failureLimit = .share(1)
    let run = try fleet.apply(fleet.plan(), journal: scene.journal, rollout: rollout)
    #expect(run.counts == [.applied: 2, .failed: 1])
    let undo = try FleetUndo(journal: scene.journal).apply()
    #expect(undo.counts == [.undone: 2, .failed: 1])
    #expect(undo.problems.isEmpty)
  }

  @Test("undo asks before it takes back what the journal does not know of, and tells of files that were changed since")
  func undoAsks() throws {
    let scene = try FleetScene(3)
    let fleet = try scene.fleet()
    _ = try fleet.apply(fleet.plan(), journal: scene.journal)
    try scene.folder.database("run.fleet-journal", "UPDATE files SET state = 'waiting'")
    #expect(try scene.folder.run("fleet", "undo", "--journal", "run.fleet-journal").status == 64)
    #expect(try scene.done(of: 3).count == 3)
    let connection = try SQLiteConnection(path: scene.path(2), mode: .readWrite)
    let later = FleetScene.target + "CREATE TABLE more (a);"
    _ = try Change(over: connection, to: try TemporaryDatabase.target(later)).apply()
    let report = try FleetUndo(journal: scene.journal).apply()
    #expect(report.problems.map(\.path) == [scene.path(2)])
    #expect(try scene.done(of: 3) == [2])
  }

  @Test("a new file with the inode of one that is gone is a new file")
  func reusedInode() throws {
    let scene = try FleetScene(3)
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    _ = try fleet.apply(plan, journal: scene.journal)
    try scene.make(4)
    // What a file system does by itself that gives inodes out again.
    let status = try #require(FileIdentity(ofFileAt: scene.path(4)))
    try FileManager.default.removeItem(atPath: scene.path(1))
    try scene.folder.database(
      "run.fleet-journal", "UPDATE files SET inode = \(status.inode) WHERE path LIKE '%t01.db'")
    let report = try scene.fleet().apply(plan, journal: scene.journal)
    #expect(report.processedCount == 1)
    #expect(try scene.isDone(4))
  }

  @Test("copies are not removed while a run works on the files")
  func pruneDuringRun() throws {
    let scene = try FleetScene(2)
    let fleet = Fleet(try scene.files(), target: try TemporaryDatabase.target(Self.small), models: nil)
    _ = try fleet.apply(fleet.plan(allowing: .everything), journal: scene.journal)
    let copies = try FleetCopies(of: fleet.files)
    let run = try FleetLock(folders: [scene.folder.url("tenants").path])
    #expect(throws: FleetError.self) { try copies.remove(copies.due()) }
    withExtendedLifetime(run) {}
    #expect(try FleetCopies(of: fleet.files).copies.count == 2)
  }

  @Test("a database that is destroyed after the plan fails, and so does a run that it belongs to")
  func destroyed() throws {
    let scene = try FleetScene()
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    var bytes = try scene.folder.bytes(scene.name(4))
    bytes.replaceSubrange(0..<100, with: Data(count: 100))
    try bytes.write(to: scene.folder.url(scene.name(4)))
    var rollout = FleetRollout()
    rollout.failureLimit = .count(1)
    let report = try fleet.apply(plan, journal: scene.journal, rollout: rollout)
    #expect(report.counts == [.applied: 11, .failed: 1])
    #expect(fleet.census().problems.map(\.state) == [.skipped])
  }

  @Test("a locked file leaves no copies behind")
  func copiesOfLockedFiles() throws {
    let scene = try FleetScene(2)
    var fleet = Fleet(try scene.files(), target: try TemporaryDatabase.target(Self.small), models: nil)
    fleet.options.busyTimeout = 0.01
    let plan = fleet.plan(allowing: .everything)
    let holder = try RawSQLite(scene.path(2))
    try holder.exec("BEGIN IMMEDIATE")
    let report = try fleet.apply(plan, journal: scene.journal)
    #expect(report.counts == [.applied: 1, .busy: 1])
    #expect(try FleetCopies(of: fleet.files).copies.map(\.database) == [scene.path(1)])
    try holder.exec("ROLLBACK")
    holder.close()
  }

  @Test("a journal is no database of the fleet, whatever its name")
  func journalsAmongFiles() throws {
    let scene = try FleetScene(2)
    let fleet = try scene.fleet()
    let plan = fleet.plan()
    _ = try fleet.apply(plan, journal: scene.folder.url("run.db").path)
    let all = Fleet(try scene.files("run.db", "tenants"), target: fleet.target, models: nil)
    let census = all.census()
    #expect(census.problems.map(\.state) == [.skipped])
    try FileManager.default.createDirectory(at: scene.folder.url("j"), withIntermediateDirectories: true)
    let report = try all.apply(all.plan(allowing: .everything), journal: scene.folder.url("j/second").path)
    #expect(report.counts == [.current: 2, .skipped: 1])
  }

  @Test("a share of failures is counted exactly", arguments: [29, 57, 58, 1, 100])
  func shares(percent: Int) {
    let limit = FleetRollout.FailureLimit.share(Double(percent) / 100)
    #expect(!limit.isExceeded(by: percent, of: 100))
    #expect(limit.isExceeded(by: percent + 1, of: 100))
  }

  @Test("a file that was offline is changed by the plan when a program opens it, or not at all")
  func pullOnOpen() throws {
    let schema = ModelSchema { PetTwo.self }
    let scene = try FleetScene(1)
    let old = "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    for name in ["planned", "late"] { try scene.folder.database("\(name).db", old) }
    try scene.folder.database("other.db", "CREATE TABLE pets (id INTEGER PRIMARY KEY, nick TEXT)")
    let fleet = try Fleet(FleetFiles(at: [scene.folder.url("planned.db").path]), schema: schema)
    let plan = try FleetPlan(json: Data(fleet.plan().json().utf8))
    for name in ["planned", "late", "new"] {
      _ = try Session(at: scene.folder.url("\(name).db").path, schema: schema) { $0.migration = .fleet(plan) }
      #expect(try scene.folder.rows(of: "\(name).db", "SELECT count(*) FROM _schemakit_history") == [[.int(1)]])
    }
    let before = try scene.folder.bytes("other.db")
    #expect(throws: FleetRefusal.self) {
      try Session(at: scene.folder.url("other.db").path, schema: schema) { $0.migration = .fleet(plan) }
    }
    #expect(try scene.folder.bytes("other.db") == before)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The copy of a file before a change")
struct ChangeCopyTests {
  private static let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"
  private static let checked = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> ''));"

  /// A file that is open for a change, the copy that the change makes, and what is asked of it.
  private struct Scene {
    let file: TemporaryDatabase
    let connection: SQLiteConnection
    let copy: FileCopy
    var request = ChangeRequest(allowing: .destructive)

    init(
      _ file: TemporaryDatabase? = nil, setup: String = "", begin: String = "", path: String? = nil,
      _ policy: (TemporaryDatabase) -> BackupPolicy = { _ in .beforeLoss }
    ) throws {
      self.file =
        try file
        ?? TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO t (a) VALUES ('x')")
      try self.file.exec(setup)
      let path = path ?? self.file.path
      connection = try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: 0.1)
      try connection.execute(begin)
      copy = FileCopy(of: path, on: connection, policy(self.file))
      request.copy = copy
    }

    func change(to sql: String = target) throws -> Change {
      try Change(over: connection, to: TemporaryDatabase.target(sql), request)
    }

    func copies() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: file.folder.path).filter { $0.contains(".before-") }
    }

    /// The rows of a query on the copy, once the change is over.
    func inCopy(_ sql: String) throws -> [[RawValue]] {
      try connection.close()
      return try RawSQLite(#require(copy.made).path).rows(sql)
    }
  }

  @Test("a loss that another program makes due while the change waits for the lock is copied before it")
  func dueUnderTheLock() throws {
    var scene = try Scene()
    let file = scene.file
    var plans = 0
    scene.request.observer.onPlan = { plan in
      plans += 1
      guard plans == 1 else { return }
      #expect(!plan.replacesValues)
      try file.exec("UPDATE t SET b = 'new'")
    }
    #expect(try scene.change().apply().outcome == .applied)
    #expect(plans == 2)
    #expect(try scene.inCopy("SELECT a, b FROM t") == [[.text("x"), .text("new")]])
    #expect(try file.query("SELECT * FROM t") == [[.int(1), .text("x")]])
    let recorded = try file.value(
      "SELECT json_extract(undo, '$.copy') FROM _schemakit_history ORDER BY id DESC LIMIT 1")
    #expect(try recorded == .text(URL(fileURLWithPath: #require(scene.copy.made).path).lastPathComponent))
  }

  @Test("rows that another program writes after the copy was made are in the copy")
  func renewed() throws {
    var scene = try Scene(setup: "UPDATE t SET b = 'old'")
    let copy = scene.copy
    scene.request.observer.onLocked = { #expect(copy.made != nil) }
    let change = try scene.change()
    try copy.make(before: change.plan())
    try scene.file.exec("INSERT INTO t (a, b) VALUES ('y', 'late')")
    _ = try change.apply()
    #expect(try scene.inCopy("SELECT b FROM t ORDER BY id") == [[.text("old")], [.text("late")]])
  }

  @Test("the copy is removed again if another program has made the change meanwhile")
  func discarded() throws {
    let scene = try Scene(setup: "UPDATE t SET b = 'old'")
    let change = try scene.change()
    try scene.copy.make(before: change.plan())
    #expect(try scene.copies().count == 1)
    try scene.file.migrate(to: Self.target, allowing: .destructive)
    #expect(try change.apply().outcome == .unchanged)
    try scene.connection.close()
    #expect(try scene.copies().isEmpty)
    #expect(scene.copy.made == nil)
  }

  @Test("a change that is rolled back at the end, and one of an empty file, make no copy", arguments: [true, false])
  func notDue(isDryRun: Bool) throws {
    var scene = try Scene(isDryRun ? nil : TemporaryDatabase()) { .beforeChange($0.path + ".copy") }
    scene.request.isDryRun = isDryRun
    #expect(try scene.change().apply().outcome == (isDryRun ? .rehearsed : .applied))
    try scene.connection.close()
    #expect(!FileManager.default.fileExists(atPath: scene.file.path + ".copy"))
  }

  // MARK: - Several changes, and tables copied online

  @Test(
    "one copy serves a run of changes and stays as it was before the first", arguments: [StrategyChoice.auto, .online])
  func severalChanges(strategy: StrategyChoice) throws {
    var scene = try Scene(setup: "PRAGMA journal_mode = WAL; UPDATE t SET b = 'old'")
    scene.request.plan.policy.strategy = strategy
    let first = try scene.change(to: Self.checked).apply()
    #expect(first.plan.steps.contains { $0.strategy == .online } == (strategy == .online))
    let indexed = Self.checked + "CREATE INDEX i ON t (a);"
    #expect(try scene.change(to: indexed).apply().outcome == .applied)
    #expect(try scene.change(to: indexed).apply().outcome == .unchanged)
    // One that is made again when the tables are copied would have what copies them.
    let ours = "SELECT count(*) FROM sqlite_master WHERE name GLOB '_schemakit_online*'"
    #expect(try scene.inCopy("SELECT b, (\(ours)) FROM t") == [[.text("old"), .int(0)]])
    #expect(try scene.copies().count == 1)
  }

  @Test("what another program writes before writes are logged is copied before an online copy drops it")
  func dueAtTheSecondLook() throws {
    var scene = try Scene(setup: "PRAGMA journal_mode = WAL")
    scene.request.plan.policy.strategy = .online
    let file = scene.file
    var plans = 0
    scene.request.observer.onPlan = { plan in
      plans += 1
      guard plans == 1 else { return }
      #expect(!plan.replacesValues)
      try file.exec("UPDATE t SET b = 'new'")
    }
    #expect(try scene.change(to: Self.checked).apply().plan.steps.map(\.strategy) == [.online])
    #expect(try scene.inCopy("SELECT b FROM t") == [[.text("new")]])
  }

  @Test("no step of a run copies a file that had nothing before it")
  func nothingBefore() throws {
    let scene = try Scene(TemporaryDatabase()) { .beforeChange($0.path + ".copy") }
    _ = try scene.change().apply()
    #expect(try scene.change(to: Self.target + "; CREATE INDEX i ON t (a);").apply().outcome == .applied)
    try scene.connection.close()
    #expect(!FileManager.default.fileExists(atPath: scene.file.path + ".copy"))
  }

  // MARK: - Whose transaction, and which name

  @Test("rows that a caller has not committed yet are in no copy, so that a loss of them is refused")
  func uncommitted() throws {
    let scene = try Scene(begin: "BEGIN IMMEDIATE; UPDATE t SET b = 'mine'")
    let error = #expect(throws: SQLiteError.self) { _ = try scene.change().apply() }
    #expect(error?.isBusy == true)
    try scene.connection.execute("COMMIT")
    try scene.connection.close()
    #expect(try scene.copies().isEmpty)
    #expect(try scene.file.query("SELECT b FROM t") == [[.text("mine")]])
  }

  @Test("the history names a copy in the folder of its database alone, also where a link leads to the folder")
  func name() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY)")
    let link = file.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.folder)
    let path = link.appendingPathComponent(URL(fileURLWithPath: file.path).lastPathComponent).path
    let scene = try Scene(file, path: path) { _ in .beforeChange(link.path + "/copy.db") }
    try scene.copy.make(before: scene.change().plan())
    #expect(scene.copy.name == "copy.db")
    let elsewhere = try #require(scene.copy.made).name(beside: "/somewhere/else.db")
    #expect(elsewhere.hasSuffix("/copy.db") && elsewhere.hasPrefix("/"))
    try scene.connection.close()
  }
}

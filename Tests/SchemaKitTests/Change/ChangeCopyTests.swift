import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The copy of a file before a change")
struct ChangeCopyTests {
  private static let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)"

  private func file() throws -> TemporaryDatabase {
    try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO t (a) VALUES ('x')")
  }

  private func copies(of file: TemporaryDatabase) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: file.folder.path).filter { $0.contains(".before-") }
  }

  private func migrate(
    _ file: TemporaryDatabase, with connection: SQLiteConnection, onPlan: @escaping (MigrationPlan) throws -> Void
  ) throws -> (report: ApplyReport, copy: FileCopy) {
    let copy = FileCopy(of: file.path, on: connection, .beforeLoss)
    var request = ChangeRequest(allowing: .destructive)
    request.copy = copy
    request.observer.onPlan = onPlan
    let target = try TemporaryDatabase.target(Self.target)
    return (try Change(over: connection, to: target, request).apply(), copy)
  }

  @Test("a loss that another program makes due while the change waits for the lock is copied before it")
  func dueUnderTheLock() throws {
    let file = try file()
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    var plans = 0
    let (report, copy) = try migrate(file, with: connection) { plan in
      plans += 1
      if plans == 1 {
        #expect(!plan.replacesValues)
        try file.exec("UPDATE t SET b = 'new'")
      }
    }
    try connection.close()
    #expect(plans == 2)
    #expect(report.outcome == .applied)
    let made = try #require(copy.made)
    #expect(try RawSQLite(made.path).rows("SELECT a, b FROM t") == [[.text("x"), .text("new")]])
    #expect(try file.query("SELECT * FROM t") == [[.int(1), .text("x")]])
    let recorded = try file.value(
      "SELECT json_extract(undo, '$.copy') FROM _schemakit_history ORDER BY id DESC LIMIT 1")
    #expect(recorded == .text(URL(fileURLWithPath: made.path).lastPathComponent))
  }

  @Test("rows that another program writes after the copy was made are in the copy")
  func renewed() throws {
    let file = try file()
    try file.exec("UPDATE t SET b = 'old'")
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let copy = FileCopy(of: file.path, on: connection, .beforeLoss)
    var request = ChangeRequest(allowing: .destructive)
    request.copy = copy
    request.observer.onLocked = { #expect(copy.made != nil) }
    let target = try TemporaryDatabase.target(Self.target)
    let change = Change(over: connection, to: target, request)
    try copy.make(before: change.plan())
    try file.exec("INSERT INTO t (a, b) VALUES ('y', 'late')")
    _ = try change.apply()
    try connection.close()
    let made = try #require(copy.made)
    #expect(try RawSQLite(made.path).rows("SELECT b FROM t ORDER BY id") == [[.text("old")], [.text("late")]])
  }

  @Test("the copy is removed again if another program has made the change meanwhile")
  func discarded() throws {
    let file = try file()
    try file.exec("UPDATE t SET b = 'old'")
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let copy = FileCopy(of: file.path, on: connection, .beforeLoss)
    var request = ChangeRequest(allowing: .destructive)
    request.copy = copy
    let target = try TemporaryDatabase.target(Self.target)
    let change = Change(over: connection, to: target, request)
    try copy.make(before: change.plan())
    #expect(try copies(of: file).count == 1)
    try file.migrate(to: Self.target, allowing: .destructive)
    #expect(try change.apply().outcome == .unchanged)
    try connection.close()
    #expect(try copies(of: file).isEmpty)
    #expect(copy.made == nil)
  }

  @Test("a change that is rolled back at the end, and one of an empty file, make no copy", arguments: [true, false])
  func notDue(isDryRun: Bool) throws {
    let file = isDryRun ? try file() : try TemporaryDatabase()
    let connection = try SQLiteConnection(path: file.path, mode: .readWriteCreate)
    var request = ChangeRequest(allowing: .destructive)
    request.isDryRun = isDryRun
    request.copy = FileCopy(of: file.path, on: connection, .beforeChange(file.path + ".copy"))
    let target = try TemporaryDatabase.target(Self.target)
    let report = try Change(over: connection, to: target, request).apply()
    #expect(report.outcome == (isDryRun ? .rehearsed : .applied))
    try connection.close()
    #expect(!FileManager.default.fileExists(atPath: file.path + ".copy"))
  }

  // MARK: - Several changes, and tables copied online

  @Test(
    "one copy serves a run of changes and stays as it was before the first", arguments: [StrategyChoice.auto, .online])
  func severalChanges(strategy: StrategyChoice) throws {
    let file = try file()
    try file.exec("PRAGMA journal_mode = WAL; UPDATE t SET b = 'old'")
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let copy = FileCopy(of: file.path, on: connection, .beforeLoss)
    var request = ChangeRequest(allowing: .destructive)
    request.copy = copy
    request.plan.policy.strategy = strategy
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> ''));"
    let first = try Change(over: connection, to: TemporaryDatabase.target(table), request).apply()
    #expect(first.plan.steps.contains { $0.strategy == .online } == (strategy == .online))
    let indexed = try TemporaryDatabase.target(table + "CREATE INDEX i ON t (a);")
    #expect(try Change(over: connection, to: indexed, request).apply().outcome == .applied)
    #expect(try Change(over: connection, to: indexed, request).apply().outcome == .unchanged)
    try connection.close()
    let made = try #require(copy.made)
    #expect(try copies(of: file).count == 1)
    #expect(try RawSQLite(made.path).rows("SELECT b FROM t") == [[.text("old")]])
  }

  @Test("what another program writes before writes are logged is copied before an online copy drops it")
  func dueAtTheSecondLook() throws {
    let file = try file()
    try file.exec("PRAGMA journal_mode = WAL")
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let copy = FileCopy(of: file.path, on: connection, .beforeLoss)
    var request = ChangeRequest(allowing: .destructive)
    request.copy = copy
    request.plan.policy.strategy = .online
    var plans = 0
    request.observer.onPlan = { plan in
      plans += 1
      guard plans == 1 else { return }
      #expect(!plan.replacesValues)
      try file.exec("UPDATE t SET b = 'new'")
    }
    let target = try TemporaryDatabase.target("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (a <> ''))")
    let report = try Change(over: connection, to: target, request).apply()
    try connection.close()
    #expect(report.plan.steps.map(\.strategy) == [.online])
    let made = try #require(copy.made)
    #expect(try RawSQLite(made.path).rows("SELECT b FROM t") == [[.text("new")]])
  }

  @Test("no step of a run copies a file that had nothing before it")
  func nothingBefore() throws {
    let file = try TemporaryDatabase()
    let connection = try SQLiteConnection(path: file.path, mode: .readWriteCreate)
    var request = ChangeRequest()
    request.copy = FileCopy(of: file.path, on: connection, .beforeChange(file.path + ".copy"))
    _ = try Change(over: connection, to: TemporaryDatabase.target(Self.target), request).apply()
    let indexed = try TemporaryDatabase.target(Self.target + "; CREATE INDEX i ON t (a);")
    #expect(try Change(over: connection, to: indexed, request).apply().outcome == .applied)
    try connection.close()
    #expect(!FileManager.default.fileExists(atPath: file.path + ".copy"))
  }

  // MARK: - Whose transaction, and which name

  @Test("rows that a caller has not committed yet are in no copy, so that a loss of them is refused")
  func uncommitted() throws {
    let file = try file()
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite, busyTimeout: 0.1)
    try connection.execute("BEGIN IMMEDIATE; UPDATE t SET b = 'mine'")
    var request = ChangeRequest(allowing: .destructive)
    request.copy = FileCopy(of: file.path, on: connection, .beforeLoss)
    let target = try TemporaryDatabase.target(Self.target)
    let error = #expect(throws: SQLiteError.self) { _ = try Change(over: connection, to: target, request).apply() }
    #expect(error?.isBusy == true)
    try connection.execute("COMMIT")
    try connection.close()
    #expect(try copies(of: file).isEmpty)
    #expect(try file.query("SELECT b FROM t") == [[.text("mine")]])
  }

  @Test("the history names a copy in the folder of its database alone, also where a link leads to the folder")
  func name() throws {
    let file = try file()
    let link = file.folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file.folder)
    let path = link.appendingPathComponent(URL(fileURLWithPath: file.path).lastPathComponent).path
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    let copy = FileCopy(of: path, on: connection, .beforeChange(link.path + "/copy.db"))
    try copy.make(before: Change(over: connection, to: TemporaryDatabase.target(Self.target)).plan())
    #expect(copy.name == "copy.db")
    let elsewhere = try #require(copy.made).name(beside: "/somewhere/else.db")
    #expect(elsewhere.hasSuffix("/copy.db") && elsewhere.hasPrefix("/"))
    try connection.close()
  }
}

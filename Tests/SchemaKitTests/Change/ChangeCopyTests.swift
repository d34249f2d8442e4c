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
}

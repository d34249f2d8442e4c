import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("PlanExamination")
struct PlanExaminationTests {
  private static let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, a); INSERT INTO t VALUES (1, 'x'), (2, 'y');"
  private static let new = "CREATE TABLE t (id INTEGER PRIMARY KEY, a NOT NULL);"

  /// Shows a plan over one connection and carries it out over another; returns the tables that were examined then.
  private func examinedTables(
    of database: TemporaryDatabase, meanwhile work: () throws -> Void = {}
  ) throws -> [String] {
    let target = try TemporaryDatabase.target(Self.new)
    var request = ChangeRequest()
    let looking = try SQLiteConnection.openedForInspection(path: database.path)
    request.examination = try Change(over: looking, to: target).examine()
    try work()
    var tables: [String] = []
    request.observer.onRowCheck = { name, _, _ in tables.append(name) }
    let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
    _ = try Change(over: connection, to: target, request).apply()
    return tables
  }

  @Test("rows that were examined to show a plan are not examined again", arguments: ["delete", "wal"])
  func oneLook(journal: String) throws {
    let database = try TemporaryDatabase("PRAGMA journal_mode = \(journal);" + Self.old)
    #expect(try examinedTables(of: database) == [])
    #expect(try database.query("SELECT \"notnull\" FROM pragma_table_info('t') WHERE name = 'a'") == [[.int(1)]])
  }

  @Test("rows are examined again where somebody has written since", arguments: ["delete", "wal"])
  func secondLook(journal: String) throws {
    let database = try TemporaryDatabase("PRAGMA journal_mode = \(journal);" + Self.old)
    #expect(try examinedTables(of: database) { try database.exec("INSERT INTO t VALUES (3, 'z')") } == ["t"])
    #expect {
      let other = try TemporaryDatabase(Self.old)
      _ = try examinedTables(of: other) { try other.exec("INSERT INTO t VALUES (3, NULL)") }
    } throws: {
      guard case .refused(_, let hazards) = ($0 as? PlanError)?.reason else { return false }
      return hazards.map(\.code) == [.nullsUnderNotNull]
    }
  }

  @Test("what was examined is current until somebody writes, and once it is used no more")
  func current() throws {
    let database = try TemporaryDatabase(Self.old)
    let target = try TemporaryDatabase.target(Self.new)
    let looking = try SQLiteConnection.openedForInspection(path: database.path)
    let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
    let (first, second) = (
      try Change(over: looking, to: target).examine(),
      try Change(over: connection, to: target).examine()
    )
    #expect(try first.isCurrent(over: connection) && first.isCurrent(over: connection))
    #expect(try second.take(over: connection) != nil && !second.isCurrent(over: connection))
    try database.exec("INSERT INTO t VALUES (3, 'z')")
    #expect(try !first.isCurrent(over: connection))
  }

  @Test("a plan is carried out over the connection that examined the rows, without another look at them")
  func sameConnection() throws {
    let database = try TemporaryDatabase(Self.old)
    let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
    let target = try TemporaryDatabase.target(Self.new)
    var request = ChangeRequest()
    request.examination = try Change(over: connection, to: target).examine()
    var tables: [String] = []
    request.observer.onRowCheck = { name, _, _ in tables.append(name) }
    let report = try Change(over: connection, to: target, request).apply()
    #expect(report.outcome == .applied)
    #expect(tables == [])
  }

  @Test("what was examined in one file says nothing of another")
  func otherFile() throws {
    let (first, second) = (try TemporaryDatabase(Self.old), try TemporaryDatabase(Self.old))
    let target = try TemporaryDatabase.target(Self.new)
    let examination = try Change(over: try SQLiteConnection(path: first.path), to: target).examine()
    #expect(try examination.take(over: try SQLiteConnection(path: second.path)) == nil)
  }
}

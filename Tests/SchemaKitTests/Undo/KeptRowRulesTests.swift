import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Kept rows that break the rules of their table")
struct KeptRowRulesTests {
  static let cases: [(rule: String, row: String, code: HazardCode, sentence: String)] = [
    ("CHECK (a > 0)", "-2, 5", .failingCheck, "1 row of t fails the new CHECK (a > 0)."),
    ("CHECK (t.'b' <> 5)", "2, 5", .failingCheck, "1 row of t fails the new CHECK (t.'b' <> 5)."),
    ("CHECK (a NOTNULL)", "NULL, 5", .failingCheck, "1 row of t fails the new CHECK (a NOTNULL)."),
  ]

  @Test("keep the table from coming back where the catalog cannot be edited, with their number", arguments: cases)
  func refused(rule: String, row: String, code: HazardCode, sentence: String) throws {
    let other = "CREATE TABLE o (x);"
    let file = try TemporaryDatabase(
      """
      \(other) CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, b INT, \(rule));
      PRAGMA ignore_check_constraints = ON; INSERT INTO t VALUES (1, 1, 1), (2, \(row)), (3, 3, NULL);
      """)
    let rows = try file.query("SELECT * FROM t")
    try file.migrate(to: other, allowing: .keepingEverything)
    let bytes = try file.bytes
    let undo = try MigrationUndo(over: DistantEngine(path: file.path))
    let error = #expect(throws: PlanError.self) { try undo.apply(allowing: .everything) }
    guard case .refused(_, let hazards) = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.code) == [code])
    #expect(hazards.map(\.message) == [sentence])
    #expect(hazards.first?.count == 1 && hazards.first?.table == "t")
    #expect(try file.bytes == bytes)
    guard Engine.has(.catalogReset) else { return }
    // An edit of the catalog brings back what was there.
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.query("SELECT * FROM t") == rows)
  }

  @Test("rows for which a CHECK is NULL, or which pass it, come back")
  func passing() throws {
    let other = "CREATE TABLE o (x);"
    let file = try TemporaryDatabase(
      "\(other) CREATE TABLE t (id INTEGER PRIMARY KEY, a INT, CHECK (a > 0)); INSERT INTO t VALUES (1, 1), (2, NULL);")
    try file.migrate(to: other, allowing: .keepingEverything)
    try MigrationUndo(over: DistantEngine(path: file.path)).apply(allowing: .everything)
    #expect(try file.query("SELECT a FROM t") == [[.int(1)], [.null]])
  }
}

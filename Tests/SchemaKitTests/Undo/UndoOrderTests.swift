import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The order of columns after an undo")
struct UndoOrderTests {
  private func file() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase("CREATE TABLE t (a, b, c); INSERT INTO t VALUES (1, 2, 3)")
    try file.migrate(to: "CREATE TABLE t (a, c)", allowing: .destructive)
    return file
  }

  private func columns(_ file: TemporaryDatabase) throws -> [String?] {
    try file.query("SELECT name FROM pragma_table_info('t') ORDER BY cid").map { $0[0].string }
  }

  @Test("a column that comes back is the last one, and the plan says so")
  func last() throws {
    let file = try file()
    let undo = try MigrationUndo(at: file.path)
    #expect(try undo.plan().steps.map(\.motive?.code) == [.addedColumnsComeLast])
    try undo.apply()
    #expect(try columns(file) == ["a", "c", "b"])
  }

  @Test("a strict order puts it in its former place")
  func strict() throws {
    let file = try file()
    var undo = try MigrationUndo(at: file.path)
    undo.isOrderStrict = true
    try undo.apply()
    #expect(try columns(file) == ["a", "b", "c"])
    #expect(try file.query("SELECT a, b, c FROM t") == [[.int(1), .null, .int(3)]])
  }
}

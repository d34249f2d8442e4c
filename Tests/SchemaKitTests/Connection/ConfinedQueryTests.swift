import Testing

@testable import SchemaKit

@Suite("Queries that can only read")
struct ConfinedQueryTests {
  let database: SQLiteConnection

  init() throws {
    database = try SQLiteConnection.memory()
    try database.execute("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'), (2, NULL)")
  }

  @Test("rows come with the names of their columns, which are known without a row too")
  func rows() throws {
    let result = try database.confinedRows("WITH c AS (SELECT a, upper(b) AS \"B b\" FROM t) SELECT * FROM c")
    #expect(result.columns == ["a", "B b"])
    #expect(result.rows == [[.integer(1), .text("X")], [.integer(2), .null]])
    let none = try database.confinedRows("SELECT a AS n FROM t WHERE 0")
    #expect(none.columns == ["n"] && none.rows == [])
    #expect(try database.confinedRows("WITH c AS (SELECT 1) SELECT count(*) AS n FROM c").rows == [[.integer(1)]])
  }

  @Test(
    "everything else is refused, and changes nothing",
    arguments: [
      "DELETE FROM t", "WITH c AS (SELECT 1) INSERT INTO t SELECT 1, 2 FROM c", "UPDATE t SET a = 3", "DROP TABLE t",
      "CREATE TEMP TABLE u (x)", "PRAGMA user_version = 7", "PRAGMA user_version", "ATTACH ':memory:' AS o", "BEGIN",
      "SELECT load_extension('x')", "VACUUM", "EXPLAIN DELETE FROM t",
    ])
  func refused(sql: String) throws {
    #expect(throws: QueryRefusal.doesMore) { try database.confinedRows(sql) }
    #expect(try database.integer("SELECT sum(a) FROM t") == 3 && !database.isInTransaction)
    #expect(try database.integer("PRAGMA user_version") == 0)
  }

  @Test("the catalog of the connection is not read", arguments: ["sqlite_schema", "pragma_table_info('t')"])
  func catalog(table: String) throws {
    let error = #expect(throws: QueryRefusal.self) { try database.confinedRows("SELECT name FROM \(table)") }
    guard case .readsCatalog = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try database.value("SELECT name FROM sqlite_master") == .text("t"))
  }

  @Test("values from outside, and more than one statement, are refused")
  func others() throws {
    #expect(throws: QueryRefusal.takesValues) { try database.confinedRows("SELECT a FROM t WHERE a = ?") }
    #expect(throws: SQLiteError.self) { try database.confinedRows("SELECT 1; DELETE FROM t") }
    #expect(try database.integer("SELECT count(*) FROM t") == 2)
  }

  @Test("an endless query is stopped by its operations, and by time where one operation takes long")
  func endless() throws {
    let endless = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) FROM c"
    var few = QueryAllowance()
    few.operations = 50_000
    #expect(throws: QueryRefusal.goesOn) { try database.confinedRows(endless, within: few) }
    var short = QueryAllowance()
    short.operations = .max - 10_000
    short.duration = .milliseconds(20)
    #expect(throws: QueryRefusal.goesOn) { try database.confinedRows(endless, within: short) }
    // The connection is as before.
    #expect(try database.confinedRows("SELECT a FROM t").rows.count == 2)
    try database.execute("DELETE FROM t")
  }

  @Test("too many rows, and too large a value, end the query")
  func size() throws {
    var allowance = QueryAllowance()
    allowance.rows = 1
    allowance.valueSize = 1_000
    #expect(throws: QueryRefusal.tooManyRows(1)) { try database.confinedRows("SELECT a FROM t", within: allowance) }
    #expect(try database.confinedRows("SELECT a FROM t WHERE a = 1", within: allowance).rows.count == 1)
    #expect(throws: SQLiteError.self) { try database.confinedRows("SELECT zeroblob(2000)", within: allowance) }
    #expect(try database.rows("SELECT length(zeroblob(2000))") == [[.integer(2000)]])
  }
}

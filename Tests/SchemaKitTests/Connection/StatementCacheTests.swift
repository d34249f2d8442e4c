import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The statement cache")
struct StatementCacheTests {
  let database: SQLiteConnection

  init() throws {
    database = try SQLiteConnection.memory()
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3)")
  }

  @Test("a statement is compiled once for the same text")
  func reuse() throws {
    let first = try database.withStatement("SELECT x FROM t") { $0.handle }
    let second = try database.withStatement("SELECT x FROM t") { $0.handle }
    #expect(first == second)
  }

  @Test("the same query can run inside its own rows")
  func reentrancy() throws {
    var pairs: [[Int64]] = []
    try database.forEachRow("SELECT x FROM t WHERE x <> ? ORDER BY x", [.integer(2)]) { outer in
      try database.forEachRow("SELECT x FROM t WHERE x <> ? ORDER BY x", [.integer(1)]) { inner in
        pairs.append([outer[0].integer ?? 0, inner[0].integer ?? 0])
      }
    }
    #expect(pairs == [[1, 2], [1, 3], [3, 2], [3, 3]])
  }

  @Test("a query given up half-way holds no lock and starts anew")
  func thrownInRow() throws {
    struct Enough: Error {}
    #expect(throws: Enough.self) { try database.forEachRow("SELECT x FROM t", []) { _ in throw Enough() } }
    var statement = sqlite3_next_stmt(database.handle, nil)
    while let current = statement {
      #expect(sqlite3_stmt_busy(current) == 0)
      statement = sqlite3_next_stmt(database.handle, current)
    }
    try database.execute("DROP TABLE t")
    try database.execute("CREATE TABLE t (x, y)")
    try database.run("INSERT INTO t VALUES (7, 8)")
    #expect(try database.rows("SELECT * FROM t") == [[.integer(7), .integer(8)]])
  }

  @Test("a kept statement sees columns added later")
  func schemaChange() throws {
    #expect(try database.rows("SELECT * FROM t LIMIT 1") == [[.integer(1)]])
    try database.execute("ALTER TABLE t ADD COLUMN y DEFAULT 'n'")
    #expect(try database.rows("SELECT * FROM t LIMIT 1") == [[.integer(1), .text("n")]])
  }

  @Test("bound values do not survive into the next run")
  func bindingsCleared() throws {
    _ = try database.rows("SELECT ?", [.text("secret")])
    let left = try database.withStatement("SELECT ?") { statement in
      _ = try statement.step()
      return try statement.sqlValue(at: 0)
    }
    #expect(left == .null)
  }

  @Test("it keeps a bounded number, and those used last")
  func bounded() throws {
    for number in 0..<200 {
      #expect(try database.integer("SELECT \(number)") == Int64(number))
      #expect(try database.integer("SELECT 'kept' IS NOT NULL") == 1)
    }
    #expect(database.cache.count == 64)
    #expect(database.cache.take("SELECT 'kept' IS NOT NULL") != nil)
    #expect(database.cache.take("SELECT 0") == nil)
    #expect(database.cache.take("SELECT 199") != nil)
  }

  @Test("a PRAGMA is never kept, since it may have read its value while it was compiled")
  func pragmas() throws {
    for value: Int64 in [1, 0, 1] {
      try database.run(" PRAGMA foreign_keys = \(value)")
      #expect(try database.integer("/* now */ PRAGMA foreign_keys") == value)
    }
    #expect(!StatementCache.canKeep("PRAGMA foreign_keys"))
    #expect(!StatementCache.canKeep("\n pragma foreign_keys"))
    #expect(!StatementCache.canKeep("-- a\nPRAGMA foreign_keys"))
    #expect(StatementCache.canKeep("\n  select 1"))
  }
}

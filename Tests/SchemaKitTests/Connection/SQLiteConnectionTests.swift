import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("A connection's statements")
struct SQLiteConnectionTests {
  let database: SQLiteConnection

  init() throws { database = try SQLiteConnection.memory() }

  @Test(
    "every value comes back as it was bound",
    arguments: [
      SQLValue.null, .integer(.min), .integer(.max), .real(-0.5), .real(.infinity), .text(""), .text("a\0b"),
      .text("é 🦊"), .text(String(repeating: "long", count: 5_000)), .blob([]), .blob([0, 255, 0]),
    ])
  func roundTrip(value: SQLValue) throws {
    #expect(try database.rows("SELECT ?, typeof(?1)", [value]) == [[value, .text(value.storageClass)]])
    try database.execute("CREATE TABLE t (x)")
    try database.run("INSERT INTO t VALUES (?)", [value])
    #expect(try database.value("SELECT x FROM t") == value)
  }

  @Test("text that is not UTF-8 is repaired")
  func invalidText() throws {
    #expect(try database.value("SELECT CAST(x'61FF62' AS TEXT)") == .text("a\u{FFFD}b"))
  }

  @Test("text of a UTF-16 database has its whole length")
  func utf16() throws {
    try database.execute("PRAGMA encoding = 'UTF-16'; CREATE TABLE t (x); INSERT INTO t VALUES ('grüße')")
    #expect(try database.value("SELECT x FROM t") == .text("grüße"))
  }

  @Test("the wrong number of values is an error", arguments: [[], [.null], [.null, .null, .null]] as [[SQLValue]])
  func wrongCount(values: [SQLValue]) {
    let error = #expect(throws: SQLiteError.self) { try database.run("SELECT ?, ?", values) }
    #expect(error?.message == "the statement takes 2 values, but \(values.count) were given")
  }

  @Test("run returns the rows that the statement itself changed")
  func changes() throws {
    #expect(try database.run("CREATE TABLE t (x)") == 0)
    #expect(try database.run("INSERT INTO t VALUES (1), (2), (3)") == 3)
    #expect(try database.run("CREATE TABLE u (x)") == 0)
    #expect(try database.run("SELECT 1") == 0)
    #expect(try database.run("UPDATE t SET x = 0 WHERE x > 1") == 2)
    #expect(try database.run("DELETE FROM t WHERE x = 9") == 0)
    try database.execute("CREATE TRIGGER r AFTER INSERT ON u BEGIN INSERT INTO t VALUES (8), (9); END")
    #expect(try database.run("INSERT INTO u VALUES (7)") == 1)
    #expect(database.lastInsertRowID == 1)
    #expect(database.changes == 1)
  }

  @Test("a script runs all its statements and skips comments")
  func script() throws {
    try database.execute(
      """
      -- first; comment
      CREATE TABLE t (x); /* and ; more */ ;;
      INSERT INTO t VALUES (';'), ('--'); CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM t; SELECT 1; END;
      -- last
      """)
    #expect(try database.integer("SELECT count(*) FROM t") == 2)
    #expect(try database.integer("SELECT count(*) FROM sqlite_master") == 2)
  }

  @Test("the statements before a mistake in a script stay done, and the mistake is shown alone")
  func scriptError() throws {
    let error = #expect(throws: SQLiteError.self) {
      try database.execute("CREATE TABLE t (x);\n INSERT INTO u VALUES (1)")
    }
    #expect(error?.sql == "INSERT INTO u VALUES (1)")
    #expect(try database.texts("SELECT name FROM sqlite_master") == ["t"])
  }

  @Test("more than one statement is refused where one is expected")
  func moreThanOne() throws {
    for sql in ["SELECT 1; SELECT 2", "SELECT 1; nonsense", "SELECT 1 /* a */;; -- b\n SELECT 2"] {
      for call in [{ _ = try database.run(sql) }, { _ = try database.rows(sql) }, { try database.prepareOnly(sql) }] {
        let error = #expect(throws: SQLiteError.self, performing: call)
        #expect(error?.message.contains("more than one SQL statement") == true)
      }
    }
    #expect(try database.integer(" /* a */ SELECT 1 ; -- rest\n ; /* open") == 1)
  }

  @Test("a text without a statement is refused where one is expected", arguments: ["", "  ;", "-- only a comment"])
  func none(sql: String) throws {
    let error = #expect(throws: SQLiteError.self) { try database.run(sql) }
    #expect(error?.message == "the text holds no SQL statement")
    try database.execute(sql)
  }

  @Test("a NUL in SQL text is refused instead of hiding what follows")
  func nulInSQL() {
    #expect(throws: SQLiteError.self) { try database.run("SELECT 1\0; DROP TABLE t") }
    #expect(throws: SQLiteError.self) { try database.execute("SELECT 1\0") }
  }

  @Test("compiling only finds mistakes and runs nothing")
  func prepareOnly() throws {
    try database.prepareOnly("CREATE TABLE t (x)")
    #expect(try database.integer("SELECT count(*) FROM sqlite_master") == 0)
    #expect(throws: SQLiteError.self) { try database.prepareOnly("SELECT * FROM t") }
  }

  @Test("the engine describes itself")
  func engine() {
    let parts = SQLiteConnection.engineVersion.split(separator: ".").compactMap { Int($0) }
    #expect(database.engineVersionNumber == parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2])
    #expect(SQLiteConnection.engineSourceID == String(cString: sqlite3_sourceid()))
    #expect(SQLiteConnection.compileOptions.contains { $0.hasPrefix("THREADSAFE") })
  }

  @Test("PRAGMA values are read and read back")
  func pragmas() throws {
    #expect(try database.pragmaInteger("user_version") == 0)
    #expect(try database.setPragma("user_version", to: 7) == 7)
    #expect(try database.pragmaInteger("no_such_pragma") == nil)
    #expect(try database.transaction { try database.setPragma("foreign_keys", to: 1) } == 0)
    #expect(try database.setPragma("foreign_keys", to: 1) == 1)
  }
}

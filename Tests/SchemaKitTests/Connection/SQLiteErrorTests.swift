import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Errors of SQLite")
struct SQLiteErrorTests {
  let database: SQLiteConnection

  init() throws { database = try SQLiteConnection.memory() }

  @Test("a constraint's error names its extended code and the column, and no bound value")
  func constraint() throws {
    try database.execute("CREATE TABLE t (x UNIQUE)")
    try database.run("INSERT INTO t VALUES (?)", [.text("secret")])
    let error = #expect(throws: SQLiteError.self) {
      try database.run("INSERT INTO t VALUES (?)", [.text("secret")])
    }
    #expect(error?.isConstraint == true)
    #expect(error?.resultCode == 19)
    #expect(error?.codeName == "SQLITE_CONSTRAINT_UNIQUE")
    #expect(
      error?.description
        == "UNIQUE constraint failed: t.x (SQLITE_CONSTRAINT_UNIQUE) in: INSERT INTO t VALUES (?)")
  }

  @Test("a mistake in SQL has its place, where SQLite knows it")
  func offset() throws {
    let error = #expect(throws: SQLiteError.self) { try database.run("SELECT 1, nonsense") }
    #expect(error?.message == "no such column: nonsense")
    #expect(error?.offset == (database.engineVersionNumber >= 3_038_000 ? 10 : nil))
    #expect(error?.isBusy == false)
  }

  @Test("a long statement is shortened in the description, not in the error")
  func shortened() {
    let sql = "SELECT " + String(repeating: "x,   ", count: 500)
    let error = SQLiteError(code: 1, message: "no", sql: sql)
    #expect(error.sql == sql)
    #expect(error.description.count < 340)
    #expect(error.description.hasPrefix("no (SQLITE_ERROR) in: SELECT x, x, x,"))
  }

  @Test(
    "codes have the names that SQLite's pages use",
    arguments: [
      (517, "SQLITE_BUSY_SNAPSHOT"), (5, "SQLITE_BUSY"), (1299, "SQLITE_CONSTRAINT_NOTNULL"),
      (787, "SQLITE_CONSTRAINT_FOREIGNKEY"), (3091, "SQLITE_CONSTRAINT_DATATYPE"), (516, "SQLITE_ABORT_ROLLBACK"),
      (8202, "SQLITE_IOERR_DATA"), (8458, "SQLITE_IOERR_CORRUPTFS"), (1544, "SQLITE_READONLY_DIRECTORY"),
      (526, "SQLITE_CANTOPEN_ISDIR"),
      (26, "SQLITE_NOTADB"), (65_029, "SQLITE_BUSY, extended code 65029"), (77, "code 77"),
    ] as [(Int32, String)])
  func names(code: Int32, name: String) {
    #expect(SQLiteError(code: code, message: "").codeName == name)
  }
}

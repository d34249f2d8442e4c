import Foundation
import SchemaKitRemote
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("libSQL: schemas, changes and values", .enabled(if: SqldServer.isWanted))
struct LibSQLMigrationTests {
  @Test("a schema is read, changed and checked as in a file")
  func migrates() throws {
    let server = try SqldServer()
    let connection = try server.connection()
    try connection.execute(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT, seen DATETIME, gone BOOLEAN);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE, at TEXT);
      CREATE INDEX by_name ON parent (name);
      CREATE TRIGGER seen AFTER INSERT ON child BEGIN UPDATE parent SET gone = 2 WHERE id = new.parent; END;
      INSERT INTO parent VALUES (1, 'one', 2460000.5, 'yes'), (2, 'two', NULL, NULL);
      INSERT INTO child VALUES (1, 1, 'x'), (2, 2, 'y');
      """)
    #expect(
      try connection.rows("SELECT * FROM parent ORDER BY id DESC") == [
        [.integer(2), .text("two"), .null, .integer(2)], [.integer(1), .text("one"), .real(2460000.5), .integer(2)],
      ])
    let schema = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ''), seen DATETIME, gone BOOLEAN);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE, at TEXT);
      CREATE INDEX by_name ON parent (name);
      CREATE TRIGGER seen AFTER INSERT ON child BEGIN UPDATE parent SET gone = 2 WHERE id = new.parent; END;
      """
    let target = try SchemaSource.sql(schema, source: "schema.sql").load().target
    let report = try RemoteDatabase(over: connection).migrate(to: target, ChangeRequest())
    #expect(report.outcome == .applied)

    let again = try server.connection()
    #expect(try Change(over: again, to: target).plan().isEmpty)
    #expect(try again.integer("SELECT count(*) FROM child") == 2)
    #expect(try again.integer("SELECT count(*) FROM parent") == 2)
    #expect(try Ledger(connection: again).entries().count == 1)
  }

  @Test("values go there and come back as they are")
  func values() throws {
    let server = try SqldServer()
    let connection = try server.connection()
    var random = SeededGenerator(seed: 11)
    var values: [SQLValue] = [
      .null, .integer(.min), .integer(.max), .integer(0), .integer(-1), .real(.infinity), .real(-.infinity),
      .real(-0.0), .real(.leastNonzeroMagnitude), .real(.greatestFiniteMagnitude), .text(""), .text("a\0b"),
      .text("\0"),
      .text("ü\u{1F600}\u{10FFFF}\u{FEFF}"), .text("a\u{301}"), .blob([]), .blob([0, 0xff]),
    ]
    for _ in 0..<2_000 {
      let number = Double(bitPattern: .random(in: 0...(.max), using: &random))
      if !number.isNaN { values.append(.real(number)) }
    }
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, v)")
    for start in stride(from: 0, to: values.count, by: 200) {
      let part = Array(values[start..<min(start + 200, values.count)])
      let marks = part.indices.map { "(\(start + $0), ?\($0 + 1))" }.joined(separator: ", ")
      #expect(try connection.run("INSERT INTO t VALUES \(marks)", part) == part.count)
    }
    let back = try connection.rows("SELECT v FROM t ORDER BY id").map { $0[0] }
    #expect(back.count == values.count)
    func isSame(_ left: SQLValue, _ right: SQLValue) -> Bool {
      switch (left, right) {
      case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
      case (.text(let left), .text(let right)): left.utf8.elementsEqual(right.utf8)
      default: left == right
      }
    }
    for (sent, read) in zip(values, back) where !isSame(sent, read) { Issue.record("\(sent) became \(read)") }
    // SQLite knows no such number.
    #expect(try connection.rows("SELECT typeof(?1)", [.real(.nan)]) == [[.text("null")]])
    #expect(connection.lastInsertedRowID == Int64(values.count - 1))
    #expect(try connection.rows("INSERT INTO t (v) VALUES (7) RETURNING id, v").first?.last == .integer(7))
    #expect(connection.lastInsertedRowID == Int64(values.count))
    // A text that is not UTF-8 is not sent by the server, and nothing is put in its place.
    let refused = #expect(throws: RemoteError.self) { try connection.rows("SELECT CAST(X'61ff62' AS TEXT)") }
    guard case .refused(500, _) = refused?.reason else {
      Issue.record("another reason")
      return
    }
    #expect(try connection.rows("SELECT CAST(CAST(X'61ff62' AS TEXT) AS BLOB)") == [[.blob([0x61, 0xff, 0x62])]])
  }

  @Test("an answer of any size comes, and errors are those of SQLite")
  func answers() throws {
    let server = try SqldServer()
    let connection = try server.connection()
    try connection.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a BLOB NOT NULL, b UNIQUE)")
    try connection.execute(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 40) INSERT INTO t SELECT i, randomblob(1000000), i FROM n"
    )
    let rows = try connection.rows("SELECT id, a FROM t ORDER BY id")
    #expect(rows.count == 40)
    #expect(rows.allSatisfy { $0.count == 2 && $0[1] != .null })
    try connection.transaction {
      #expect(try connection.rows("SELECT a FROM t").count == 40)
      try connection.run("DELETE FROM t WHERE id > 1")
    }
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    func code(_ sql: String, _ bindings: [SQLValue] = []) -> Int32? {
      do {
        try connection.forEachRow(sql, bindings) { _ in }
        return nil
      } catch {
        return (error as? SQLiteError)?.extendedCode
      }
    }
    #expect(code("INSERT INTO t VALUES (1, X'', 3)") == 2067)
    #expect(code("SELECT * FROM missing") == 1)
    #expect(code("SELEC 1") == 1)
    #expect(code("SELECT ?1, ?2", [.null]) == 25)
    #expect(code("SELECT 1; SELECT 2") == 21)
    #expect(code("SELECT sum(a) FROM (SELECT 9223372036854775807 a UNION ALL SELECT 1)") == 1)
    let missing = #expect(throws: SQLiteError.self) { try connection.prepareOnly("SELECT * FROM missing") }
    #expect(missing?.isMissingName == true)
    let function = #expect(throws: SQLiteError.self) { try connection.run("SELECT 'ü', missing_function(1)") }
    #expect(function?.isMissingElsewhere == true)
    // A statement that does not parse leaves the transaction as it is.
    try connection.execute("BEGIN; DELETE FROM t")
    #expect(code("SELEC 1") == 1)
    #expect(connection.isInTransaction)
    try connection.execute("ROLLBACK")
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    #expect(throws: RemoteError.self) { try connection.execute("ATTACH 'x' AS y") }
    #expect(try connection.rows("PRAGMA ignore_check_constraints") == [])
    #expect(try connection.rows("PRAGMA data_version") == [])
  }
}

import Foundation
import SchemaKit
import Testing

@Suite("SQL at hand")
struct SQLAtHandTests {
  typealias Tag = SavingModels.Tag

  let session: Session

  init() throws {
    session = try Session(inMemory: SavingModels.schema)
    try session.save((1...5).map { Tag(name: "t\($0)", weight: $0) })
  }

  private func names(_ sql: SQL, _ values: [(any ColumnValue)?] = []) throws -> [String?] {
    try session.query(sql, values).map { $0[0]?.text }
  }

  private func did(_ sql: SQL) throws -> [Int64?] {
    let result = try session.execute(sql)
    return [Int64(result.changes), result.lastInsertedID]
  }

  @Test("values by position, by name and by interpolation")
  func binding() throws {
    #expect(try names("SELECT name FROM tags WHERE weight = ? OR name = ? ORDER BY 1", [2, "t4"]) == ["t2", "t4"])
    #expect(try names("SELECT name FROM tags WHERE weight = \(3)") == ["t3"])
    let row = try session.query("SELECT :a AS a, @b AS b, $c AS c, :a AS d", ["a": 1, "b": nil, "c": "x"])[0]
    #expect(row.values == [.integer(1), .null, .text("x"), .integer(1)])
    let led = try session.query("SELECT :a AS a, @a AS b", [":a": 1, "@a": 2])[0]
    #expect(led.values == [.integer(1), .integer(2)])
    #expect(try session.query("SELECT ?2 AS a, ?1 AS b", [1, 2])[0].values == [.integer(2), .integer(1)])
    let nothing: String? = nil
    #expect(try session.query("SELECT \(nothing) AS a, typeof(\(nothing)) AS b")[0].values == [.null, .text("null")])
  }

  @Test("values are stored in the class of their type")
  func types() throws {
    let date = Date(timeIntervalSince1970: 1.5)
    let row = try session.query(
      "SELECT \(1) a, \(1.0) b, \("1") c, \(Data([1])) d, \(true) e, \(date) f, \([1, 2]) g, \(Int64.min) h")[0]
    #expect(
      row.values == [
        .integer(1), .real(1), .text("1"), .blob([1]), .integer(1), .real(1.5), .text("[1,2]"), .integer(.min),
      ])
    #expect(throws: RecordError.self) { try session.query("SELECT \(Double.nan)") }
    #expect(throws: RecordError.self) { try session.query("SELECT ?", [UInt64.max]) }
  }

  @Test("a wrong number of values or an unknown name is an error, and nothing runs")
  func wrongValues() throws {
    #expect(throws: (any Error).self) { try names("SELECT name FROM tags WHERE weight = ?") }
    #expect(throws: (any Error).self) { try names("SELECT name FROM tags WHERE weight = ?", [1, 2]) }
    #expect(throws: (any Error).self) { try names("SELECT name FROM tags", [1]) }
    #expect(throws: (any Error).self) { try session.execute("DELETE FROM tags WHERE weight = ?", [1, 2]) }
    #expect(throws: (any Error).self) { try session.execute("DELETE FROM tags; SELECT ?", [1]) }
    #expect(throws: RecordReason.parameters) { try reasoned { try session.query("SELECT :a", ["b": 1]) } }
    #expect(throws: RecordReason.parameters) { try reasoned { try session.query("SELECT :a", ["a": 1, "b": 1]) } }
    #expect(throws: RecordReason.parameters) { try reasoned { try session.query("SELECT :a, ?", ["a": 1]) } }
    #expect(throws: RecordReason.parameters) { try reasoned { try session.query("SELECT :a, \(5)", ["a": 1]) } }
    #expect(throws: RecordReason.parameters) {
      try reasoned { try session.execute("DELETE FROM tags WHERE weight = :a", [:]) }
    }
    #expect(try session.count(Tag.self) == 5)
  }

  @Test("the error of a wrong number of values is a RecordError")
  func wrongValuesReason() throws {
    #expect(throws: RecordReason.parameters) { try reasoned { try names("SELECT ?", [1, 2]) } }
  }

  @Test("a statement with a parameter does not run without its value")
  func missingValue() throws {
    #expect(throws: (any Error).self) { try session.execute("UPDATE tags SET weight = weight + 1, name = name || ?") }
    #expect(throws: (any Error).self) { try session.execute("INSERT INTO log (id, text) VALUES (?, 'x')") }
    #expect(try session.query("SELECT count(*) FROM log")[0][0] == .integer(0))
    #expect(try session.count(Tag.self) == 5)
  }

  @Test("interpolated and positional values together are bound in the order of the text, or refused")
  func mixedValues() throws {
    let found = try? names("SELECT name FROM tags WHERE name = ? AND weight = \(2)", ["t2"])
    #expect(found == nil || found == ["t2"])
  }

  @Test("an interpolated value is never SQL, and a name is always a name")
  func injection() throws {
    let evil = "x'); DROP TABLE tags; --"
    try session.execute("INSERT INTO tags (name, weight) VALUES (\(evil), \(9))")
    #expect(try names("SELECT name FROM tags WHERE weight = \(9)") == [evil])
    let column = "a\"; DROP TABLE tags; --"
    #expect(throws: SQLiteError.self) { try session.query("SELECT * FROM \(id: column) WHERE \(id: column) = \(1)") }
    try session.execute("ALTER TABLE events ADD COLUMN \(id: column) TEXT")
    #expect(try session.columnNames(of: "events") == ["name", "size", column])
    let part: SQL = "weight > \(3) AND name <> \(evil)"
    #expect(try names("SELECT name FROM tags WHERE \(sql: part) AND weight < \(5)") == ["t4"])
    #expect(throws: (any Error).self) { try session.query("SELECT name FROM tags WHERE name = '\("t1")'") }
    #expect(throws: SQLiteError.self) { try session.query("SELECT 1; DELETE FROM tags") }
    #expect(throws: SQLiteError.self) { try session.query("") }
    #expect(throws: SQLiteError.self) { try session.execute("SELECT 1 \u{0}; DELETE FROM tags") }
    #expect(try session.count(Tag.self) == 6)
  }

  @Test("a quoted name of a column that is not there is an error, and never a text")
  func unknownNames() throws {
    // SQLite takes a quoted name that names nothing for a text, which is greater than any number.
    #expect(throws: SQLiteError.self) { try session.execute("DELETE FROM tags WHERE \(id: "wieght") > \(3)") }
    #expect(try session.count(Tag.self) == 5)
  }

  @Test("texts that Swift calls equal are different statements")
  func equivalentTexts() throws {
    let composed = try session.query(SQL(raw: "SELECT length('\u{E9}') AS n"))[0]["n"]
    let decomposed = try session.query(SQL(raw: "SELECT length('e\u{301}') AS n"))[0]["n"]
    #expect(composed == .integer(1))
    #expect(decomposed == .integer(2))
  }

  @Test("what a statement did: its changes and the row it inserted")
  func results() throws {
    #expect(try did("UPDATE tags SET weight = 0 WHERE weight > 3") == [2, nil])
    #expect(try did("DELETE FROM tags WHERE weight = 99") == [0, nil])
    #expect(try did("INSERT INTO log (text) VALUES ('a'), ('b')") == [2, 2])
    #expect(try did("SELECT 1") == [0, nil])
    #expect(try did("INSERT INTO tokens VALUES ('k', 'n')") == [1, nil])
    #expect(try did("INSERT OR IGNORE INTO tags (name, weight) VALUES ('t1', 1)") == [0, nil])
    let guest = try session.execute("INSERT INTO guests (name) VALUES (:name)", ["name": "a"])
    #expect(guest.changes == 1 && guest.lastInsertedID == 1)
    #expect(try did("") == [0, nil])
    #expect(try did("  -- nothing\n;;") == [0, nil])
  }

  @Test("a script runs statement after statement up to the first error")
  func scripts() throws {
    try session.execute(
      """
      -- a comment; with a semicolon
      CREATE TEMP TABLE scratch (x);
      INSERT INTO scratch VALUES ('a;b'), ('c''d');
      CREATE TEMP TRIGGER scratched AFTER DELETE ON scratch BEGIN INSERT INTO scratch VALUES (1); SELECT 1; END;
      DELETE FROM scratch WHERE x = 'a;b' /* end */;
      """)
    #expect(try session.query("SELECT x FROM scratch ORDER BY rowid").map { $0[0] } == [.text("c'd"), .integer(1)])
    #expect(throws: SQLiteError.self) {
      try session.execute("DELETE FROM scratch; INSERT INTO nowhere VALUES (1); DELETE FROM tags")
    }
    #expect(try session.query("SELECT count(*) FROM tags")[0][0] == .integer(5))
  }

  @Test("columns with one name: the first by name, all by position")
  func duplicateColumns() throws {
    let row = try session.query("SELECT 1 AS a, 2 AS A, 3 AS a, 4")[0]
    #expect(row.columnNames == ["a", "A", "a", "4"])
    #expect(row["a"] == .integer(1) && row["A"] == .integer(2) && row[2] == .integer(3) && row["4"] == .integer(4))
    #expect(row.dictionary.count == 3 && row.dictionary["a"] == .integer(1))
    #expect(try row.get(1, as: Int.self) == 2)
    #expect(try session.query("SELECT name FROM tags WHERE 0").isEmpty)
  }

  @Test("objects from SQL by the names of the columns, in any order, with others among them")
  func objects() throws {
    let tags = try session.query(Tag.self, "SELECT 7 AS x, weight * 2 AS weight, NAME FROM tags WHERE weight = ?", [2])
    #expect(tags == [Tag(name: "t2", weight: 4)])
    #expect(throws: RecordReason.missingColumn("weight")) {
      try reasoned { try session.query(Tag.self, "SELECT name FROM tags") }
    }
    #expect(throws: RecordReason.typeMismatch(column: "weight")) {
      try reasoned { try session.query(Tag.self, "SELECT name, 'heavy' AS weight FROM tags") }
    }
  }

  @Test("names of tables, columns and indexes")
  func catalog() throws {
    let session = try Session(inMemory: FilterModels.schema)
    let tables = try session.tableNames()
    #expect(
      tables.filter { !$0.hasPrefix("sample_search") } == ["parts", "places", "samples", FilterModels.Odd.table.name])
    #expect(try session.hasTable("SAMPLES") && !session.hasTable("sample"))
    #expect(try session.hasTable("sample_search") == Engine.has(.fts5))
    #expect(try session.columnNames(of: "samples").count == 13 && session.columnNames(of: "none").isEmpty)
    #expect(try session.indexNames(of: FilterModels.Odd.table.name).count == 1)
    #expect(try self.session.columnNames(of: "accounts").contains("initial"))
    try session.execute("CREATE TEMP TABLE passing (x)")
    #expect(try !session.hasTable("passing"))
  }
}

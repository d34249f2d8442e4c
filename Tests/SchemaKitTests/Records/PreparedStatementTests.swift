import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Prepared statements")
struct PreparedStatementTests {
  typealias Tag = SavingModels.Tag

  let session: Session

  init() throws { session = try Session(inMemory: SavingModels.schema) }

  @Test("one is run many times with new values, and none of them stays")
  func loop() throws {
    let insert = try session.prepare("INSERT INTO tags (name, weight) VALUES (?, ?)")
    for number in 1...5 {
      let result = try insert.execute(["t\(number)", number])
      #expect(result.changes == 1)
    }
    let find = try session.prepare("SELECT name FROM \(id: "tags") WHERE weight >= ? ORDER BY weight")
    #expect(try find.query([4]).map { $0["name"] } == [.text("t4"), .text("t5")])
    #expect(try find.query([nil]).isEmpty)
    #expect(try find.value([2]) == "t2")
    #expect(try find.value([9], as: String.self) == nil)
    var names: [String] = []
    try find.forEach([5]) { names.append(try $0.get(0)) }
    #expect(names == ["t5"])
    #expect(try session.prepare("SELECT max(weight) FROM tags").value() == 5)
  }

  @Test("a value of a statement that writes comes only when the row is committed")
  func valueOfWrite() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE children (id INTEGER PRIMARY KEY, p REFERENCES parents DEFERRABLE INITIALLY DEFERRED);
      """)
    let session = try Session(at: file.path, schema: ModelSchema {})
    guard session.connection.engineVersionNumber >= 3_035_000 else { return }
    let insert = try session.prepare("INSERT INTO children (p) VALUES (?) RETURNING id")
    #expect(throws: (any Error).self) { try insert.value([7], as: Int.self) }
    #expect(try insert.value([nil], as: Int.self) == 1)
    #expect(try file.value("SELECT count(*) FROM children") == .int(1))
  }

  @Test("values by name, for each run anew")
  func named() throws {
    let statement = try session.prepare("SELECT :a AS a, @b AS b, :a AS c")
    #expect(statement.parameterNames == [":a", "@b"])
    #expect(try statement.query(["a": 1, "b": nil])[0].values == [.integer(1), .null, .integer(1)])
    #expect(try statement.query([":a": "x", "@b": 2.5])[0].values == [.text("x"), .real(2.5), .text("x")])
    try session.prepare("INSERT INTO tags (name, weight) VALUES (:n, :w)").execute(["n": "x", "w": 3])
    #expect(try session.count(Tag.self) == 1)
  }

  @Test("a wrong number or name of values is an error, and the statement is usable afterwards")
  func wrongValues() throws {
    let statement = try session.prepare("SELECT ?, :a")
    for values in [[], [1], [1, 2, 3]] as [[(any ColumnValue)?]] {
      #expect(throws: RecordError.self) { try statement.query(values) }
    }
    #expect(throws: RecordError.self) { try statement.query(["a": 1]) }
    #expect(throws: RecordError.self) { try session.prepare("SELECT :a").query(["a": 1, "b": 2]) }
    #expect(try statement.query([1, 2])[0].values == [.integer(1), .integer(2)])
  }

  @Test("what cannot be one statement is refused when it is prepared")
  func refused() throws {
    #expect(throws: RecordError.self) { try session.prepare("SELECT \(5)") }
    #expect(throws: SQLiteError.self) { try session.prepare("SELECT 1; SELECT 2") }
    #expect(throws: SQLiteError.self) { try session.prepare("") }
    #expect(throws: SQLiteError.self) { try session.prepare("SELECT nothing FROM nowhere") }
  }

  @Test("it is compiled once, and again by SQLite after a change of the schema")
  func schemaChange() throws {
    let statement = try session.prepare("SELECT * FROM tags")
    try session.save(Tag(name: "a", weight: 1))
    #expect(try statement.query()[0].columnNames == ["name", "weight"])
    try session.execute("ALTER TABLE tags ADD COLUMN more DEFAULT 'x'")
    let row = try statement.query()[0]
    #expect(row.columnNames == ["name", "weight", "more"])
    #expect(row["more"] == .text("x"))
    try session.execute("ALTER TABLE tags RENAME TO others")
    #expect(throws: SQLiteError.self) { try statement.query() }
    try session.execute("ALTER TABLE others RENAME TO tags")
    #expect(try statement.query().count == 1)
  }

  @Test("it can run inside its own rows, and after a body that gave up")
  func reentrancy() throws {
    struct Enough: Error {}
    try session.save((1...3).map { Tag(name: "t\($0)", weight: $0) })
    let statement = try session.prepare("SELECT weight FROM tags WHERE weight <> ? ORDER BY 1")
    var pairs: [[Int]] = []
    try statement.forEach([2]) { outer in
      try statement.forEach([1]) { inner in pairs.append([try outer.get(0), try inner.get(0)]) }
    }
    #expect(pairs == [[1, 2], [1, 3], [3, 2], [3, 3]])
    #expect(throws: Enough.self) { try statement.forEach([0]) { _ in throw Enough() } }
    #expect(try statement.query([0]).count == 3)
    try session.execute("DROP TABLE tags")
  }

  @Test("an error of SQLite leaves it usable")
  func constraint() throws {
    let insert = try session.prepare("INSERT INTO tags (name, weight) VALUES (?, 1)")
    try insert.execute(["a"])
    let error = #expect(throws: SQLiteError.self) { try insert.execute(["a"]) }
    #expect(error?.isConstraint == true)
    #expect(try insert.execute(["b"]).lastInsertedID != nil || session.count(Tag.self) == 2)
    #expect(try session.count(Tag.self) == 2)
  }

  @Test("a PRAGMA does its work at each run")
  func pragma() throws {
    let statement = try session.prepare("PRAGMA user_version")
    #expect(try statement.value() == 0)
    try session.execute("PRAGMA user_version = 5")
    #expect(try statement.value() == 5)
  }

  @Test("it keeps no database open, and throws after the end of its session")
  func outlived() throws {
    let file = try TemporaryDatabase()
    let path = file.sibling("new.db")
    var session: Session? = try Session(at: path, schema: SavingModels.schema)
    let statement = try #require(try session?.prepare("SELECT count(*) FROM tags"))
    #expect(try statement.value() == 0)
    session = nil
    #expect(try file.files == ["new.db", "test.db"])
    #expect(throws: SQLiteConnectionError.closed(path: nil)) { try statement.value(as: Int.self) }
  }

  @Test("a database lends one to a loop in a transaction, and a reader prepares queries alone")
  func database() async throws {
    let file = try TemporaryDatabase()
    let db = try await Database(at: file.sibling("new.db"), schema: SavingModels.schema)
    try await db.transaction { session in
      let insert = try session.prepare("INSERT INTO tags (name, weight) VALUES (?, ?)")
      for number in 1...100 { try insert.execute(["t\(number)", number]) }
    }
    let sum = try await db.read { reader in
      let statement = try reader.prepare("SELECT weight FROM tags WHERE name = ?")
      #expect(throws: SQLiteError.self) { try reader.prepare("DELETE FROM tags").execute() }
      return try (1...100).reduce(0) { $0 + (try statement.value(["t\($1)"]) ?? 0) }
    }
    #expect(sum == 5_050)
  }
}

import Foundation
import SchemaKit
import Testing

private struct Entry: Codable, Hashable {
  enum State: String, Codable { case open, done }
  struct Style: Codable, Hashable {
    var font: String
    var size: Int
  }

  var id: Int64?
  var title: String
  var state: State
  var tags: [String]
  var style: Style?
  var made: Date
  var token: UUID
  var bytes: Data
  var price: Decimal
  var isRead: Bool

  static let sample = Entry(
    id: nil, title: "a", state: .done, tags: ["x", "y"], style: Style(font: "Mono", size: 9),
    made: Date(timeIntervalSince1970: 1.5), token: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
    bytes: Data([0, 255]), price: Decimal(string: "1.10") ?? 0, isRead: true)
}

@Suite("Rows of Codable types")
struct CodableRowTests {
  private let file: TemporaryDatabase
  private let session: Session

  init() throws {
    file = try TemporaryDatabase(
      """
      CREATE TABLE entries (
        id INTEGER PRIMARY KEY, title TEXT NOT NULL, state TEXT NOT NULL DEFAULT 'open', tags TEXT, style TEXT,
        made REAL, token TEXT, bytes BLOB, price TEXT, isRead INTEGER NOT NULL DEFAULT 0,
        size INTEGER GENERATED ALWAYS AS (length(title)));
      CREATE TABLE pairs (a INTEGER, b TEXT, note TEXT, PRIMARY KEY (b, a)) WITHOUT ROWID;
      CREATE TABLE plain (x);
      """)
    session = try Session(at: file.path, schema: ModelSchema { PetOne.self })
  }

  @Test("a row is stored as columns of a model would be, and read back the same")
  func roundTrip() throws {
    let result = try session.insert(Entry.sample, into: "entries")
    #expect(result.lastInsertedID == 1 && result.changes == 1)
    var expected = Entry.sample
    expected.id = 1
    #expect(try session.query("SELECT * FROM entries", as: Entry.self) == [expected])
    #expect(
      try file.query("SELECT state, tags, style, made, token, bytes, price, isRead FROM entries") == [
        [
          .text("done"), .text(#"["x","y"]"#), .text(#"{"font":"Mono","size":9}"#), .real(1.5),
          .text("01020304-0506-0708-090a-0b0c0d0e0f10"), .blob([0, 255]), .text("1.1"), .int(1),
        ]
      ])
  }

  @Test("single columns, other letters in names, and aliases")
  func shapes() throws {
    struct Total: Decodable, Equatable {
      let author: String
      let notes: Int
    }
    #expect(
      try session.query("SELECT 'Ada' AS AUTHOR, 3 AS notes, 9 AS other WHERE 1 = \(1)", as: Total.self)
        == [Total(author: "Ada", notes: 3)])
    #expect(try session.query("SELECT 1 UNION SELECT 2 ORDER BY 1", as: Int.self) == [1, 2])
    #expect(try session.query("SELECT ? AS x", [nil], as: Int?.self) == [nil])
    #expect(try session.query("SELECT 'done'", as: Entry.State.self) == [.done])
    #expect(try session.query("SELECT 1 AS a, 2.5 AS b", as: [String: Double].self) == [["a": 1, "b": 2.5]])
    #expect(try session.query("SELECT 1 WHERE 0", as: Total.self) == [])
  }

  @Test("what does not fit is an error that names the column")
  func mismatches() throws {
    struct Row: Decodable {
      let title: String
      let size: Int?
    }
    struct Styled: Decodable { let style: Entry.Style }
    struct Stated: Decodable { let state: Entry.State }
    #expect(throws: RecordReason.missingColumn("size")) {
      try reasoned { try session.query("SELECT 'a' AS title", as: Row.self) }
    }
    let cases: [(SQL, (SQL) throws -> Void, String, String)] = [
      ("SELECT 1 AS title, 2 AS size", { _ = try session.query($0, as: Row.self) }, "title", "integer"),
      ("SELECT NULL AS title, 2 AS size", { _ = try session.query($0, as: Row.self) }, "title", "null"),
      ("SELECT 'a' AS title, 2.5 AS size", { _ = try session.query($0, as: Row.self) }, "size", "real"),
      ("SELECT '[1' AS style", { _ = try session.query($0, as: Styled.self) }, "style", "text"),
      ("SELECT 'secret' AS state", { _ = try session.query($0, as: Stated.self) }, "state", "text"),
    ]
    for (sql, query, column, found) in cases {
      let error = #expect(throws: ColumnValueError.self) { try query(sql) }
      #expect(error?.column == column && error?.found == found, "\(sql.text): \(String(describing: error))")
      #expect(error?.description.contains("secret") == false)
    }
    #expect(throws: RecordError.self) { try session.query("SELECT 1 AS a, 2 AS b", as: Int.self) }
    #expect(throws: RecordReason.parameters) { try reasoned { try session.query("SELECT ?", as: Int.self) } }
  }

  @Test("nil is NULL, and the default of a column that takes none")
  func nils() throws {
    struct Part: Encodable {
      var title = "a"
      var state: String?
      var style: String?
    }
    try session.insert(Part(), into: "ENTRIES")
    #expect(
      try file.query("SELECT state, style, isRead FROM entries") == [[.text("open"), .null, .int(0)]])
    struct Change: Encodable {
      var id: Int64
      var title: String
      var style: String?
    }
    try session.update(Change(id: 1, title: "b", style: "s"), in: "entries")
    try session.update(Change(id: 1, title: "c", style: nil), in: "entries")
    #expect(try file.query("SELECT title, style, state FROM entries") == [[.text("c"), .null, .text("open")]])
  }

  @Test("tables and columns that are not there, and values that are missing, are named")
  func writing() throws {
    struct Wrong: Encodable {
      var title = "a"
      var colour = "red"
    }
    struct Empty: Encodable { var state = "open" }
    struct Sized: Encodable {
      var title = "a"
      var size = 3
    }
    #expect(throws: RecordReason.other(.noTable("missing"))) {
      try reasoned { try session.insert(Entry.sample, into: "missing") }
    }
    let unknown = #expect(throws: RecordError.self) { try session.insert(Wrong(), into: "entries") }
    #expect(unknown?.description.contains("Wrong has a value for colour, and entries has no such column") == true)
    #expect(throws: RecordReason.other(.noValue(type: "Empty", table: "entries", column: "title"))) {
      try reasoned { try session.insert(Empty(), into: "entries") }
    }
    #expect(throws: RecordReason.generatedColumn("size")) {
      try reasoned { try session.insert(Sized(), into: "entries") }
    }
    #expect(throws: RecordError.self) { try session.insert(5, into: "entries") }
    #expect(throws: RecordError.self) { try session.insert([Wrong()], into: "entries") }
    #expect(throws: RecordReason.noPrimaryKey("plain")) { try reasoned { try session.update(["x": 1], in: "plain") } }
    #expect(try file.value("SELECT count(*) FROM entries") == .int(0))
  }

  @Test("an update finds the row by its whole key, and says when there is none")
  func updates() throws {
    struct Pair: Codable, Hashable {
      var a: Int
      var b: String
      var note: String?
    }
    try session.insert(
      contentsOf: [Pair(a: 1, b: "x", note: "n"), Pair(a: 2, b: "x", note: nil)], into: "pairs")
    try session.update(Pair(a: 2, b: "x", note: "m"), in: "pairs")
    #expect(try file.query("SELECT note FROM pairs ORDER BY a") == [[.text("n")], [.text("m")]])
    #expect(throws: RecordReason.notFound("pairs", [.text("x"), .integer(3)])) {
      try reasoned { try session.update(Pair(a: 3, b: "x", note: nil), in: "pairs") }
    }
    #expect(throws: RecordReason.other(.noValue(type: "Dictionary<String, Int>", table: "pairs", column: "b"))) {
      try reasoned { try session.update(["a": 1], in: "pairs") }
    }
    let error = #expect(throws: RecordError.self) {
      try session.insert(contentsOf: [Pair(a: 9, b: "y", note: nil), Pair(a: 1, b: "x", note: nil)], into: "pairs")
    }
    guard case .constraint(.primaryKey, "pairs", ["b", "a"], _)? = error?.reason else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(try file.value("SELECT count(*) FROM pairs") == .int(2))
  }

  @Test("a base class shares the row of its subclass")
  func inheritance() throws {
    class Base: Codable { var title = "a" }
    final class Derived: Base {
      var state = "done"
      private enum CodingKeys: CodingKey { case state }
      override init() { super.init() }
      required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        state = try container.decode(String.self, forKey: .state)
        try super.init(from: container.superDecoder())
      }
      override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(state, forKey: .state)
        try super.encode(to: container.superEncoder())
      }
    }
    try session.insert(Derived(), into: "entries")
    let read = try session.query("SELECT * FROM entries", as: Derived.self)
    #expect(read.map(\.title) == ["a"] && read.map(\.state) == ["done"])
  }

  @Test("a column that a model stores by a coding is neither written nor read without the model")
  func codings() throws {
    struct Bill: Model, Hashable {
      let id: Int64
      var total: Decimal
      var due: Date?
      var note: String
      static let table = ModelTable("bills", as: Self.init) {
        Column("id", \.id).primaryKey()
        Column("total", \.total, storing: .scaled(digits: 2))
        Column("due", \.due, storing: .millisecondsSince1970)
        Column("note", \.note)
      }
    }
    struct Plain: Codable, Equatable {
      var id: Int64
      var total: Decimal
      var note = ""
    }
    struct Stored: Codable, Equatable {
      var id: Int64
      var total: Int
      var note = ""
    }
    struct Due: Codable {
      var id: Int64
      var due: Date?
    }
    let path = file.sibling("bills.db")
    let session = try Session(at: path, schema: ModelSchema { Bill.self })
    let refused = RecordReason.other(
      .codedColumn(table: "bills", column: "total", model: "Bill", coding: ".scaled(digits: 2)", type: "Decimal"))
    #expect(throws: refused) { try reasoned { try session.insert(Plain(id: 1, total: 12), into: "bills") } }
    #expect(throws: RecordError.self) { try session.insert(Plain(id: 1, total: 12), into: "BILLS") }
    try session.insert(Stored(id: 1, total: 1200), into: "bills")
    #expect(throws: refused) { try reasoned { try session.update(Plain(id: 1, total: 3), in: "bills") } }
    #expect(throws: RecordError.self) { try session.update(Due(id: 1, due: Date()), in: "bills") }
    try session.update(Due(id: 1, due: nil), in: "bills")

    let again = try Session(at: path, schema: ModelSchema { Bill.self })
    #expect(try again.all(Bill.self) == [Bill(id: 1, total: 12, due: nil, note: "")])
    #expect(try again.query("SELECT * FROM bills", as: Stored.self) == [Stored(id: 1, total: 1200)])
    try Engine.require(.columnMetadata)
    #expect(throws: refused) { try reasoned { try again.query("SELECT * FROM bills", as: Plain.self) } }
    #expect(throws: refused) {
      try reasoned { try again.query("SELECT b.total AS x FROM bills AS b", as: Decimal.self) }
    }
    #expect(try again.query("SELECT id, CAST(total AS TEXT) AS total, note FROM bills", as: Plain.self).count == 1)
    #expect(throws: refused) { try reasoned { try again.query("SELECT total FROM bills", as: Decimal?.self) } }
    // Another table of that name has nothing to do with it.
    try again.execute("CREATE TEMP TABLE bills (id INTEGER, total TEXT, note TEXT)")
    try again.execute("INSERT INTO temp.bills VALUES (1, '0.5', '')")
    #expect(try again.query("SELECT * FROM temp.bills", as: Plain.self) == [Plain(id: 1, total: 0.5)])
  }

  @Test("a text that a model stores as another text is read as it is stored")
  func textCodings() throws {
    struct User: Model, Hashable {
      let id: Int64
      var email: String
      static let table = ModelTable("users", as: Self.init) {
        Column("id", \User.id).primaryKey()
        Column(
          "email", \User.email,
          storing: ColumnCoding(
            type: .text, encode: { .text($0.lowercased()) }, decode: { try String(sqlValue: $0) }))
      }
    }
    let path = file.sibling("users.db")
    let session = try Session(at: path, schema: ModelSchema { User.self })
    try session.save(User(id: 1, email: "A@x"))
    #expect(try session.query("SELECT email FROM users", as: String.self) == ["a@x"])
  }

  @Test("the actor reads and writes them too")
  func database() async throws {
    let database = try await Database(at: file.path, schema: ModelSchema { PetOne.self })
    try await database.insert(Entry.sample, into: "entries")
    try await database.update(["id": 1, "isRead": 0], in: "entries")
    #expect(try await database.query("SELECT isRead FROM entries", as: Bool.self) == [false])
  }
}

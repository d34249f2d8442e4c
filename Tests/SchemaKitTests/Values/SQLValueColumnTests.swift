import SchemaKit
import Testing

@Suite("Columns of any value")
struct SQLValueColumnTests {
  private struct Entry: Model, Equatable {
    let id: Int64?
    var day: SQLValue
    var remark: SQLValue?

    static let table = ModelTable("entries", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("day", \.day).type("DATE")
      Column("remark", \.remark)
    }
  }

  private static let schema = ModelSchema { Entry.self }

  @Test("the column has no type and no affinity, unless one is given")
  func declaration() throws {
    let sql = try Self.schema.declaration().statements.map(\.sql).joined()
    #expect(sql.contains(#""day" DATE NOT NULL"#))
    #expect(sql.contains("\"remark\"\n"))
  }

  @Test(
    "a value comes back as it is stored, whatever its kind",
    arguments: [.integer(20_251_101), .real(2.5), .text("2025-11-01"), .text("x"), .blob([0, 255])] as [SQLValue])
  func roundTrip(value: SQLValue) throws {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: Self.schema)
    #expect(try session.save(Entry(id: nil, day: value, remark: value)).day == value)
    try session.save(Entry(id: nil, day: value, remark: nil))
    #expect(try session.all(Entry.self).map(\.remark) == [value, nil])
    #expect(try session.count(Entry.self, where: { $0.remark == value }) == 1)
    #expect(
      try file.query("SELECT typeof(day) FROM entries").map { $0[0].string }
        == Array(repeating: value.storageClass, count: 2))
  }

  @Test("values that are there are read whatever their kind, and written back unchanged")
  func existing() throws {
    let file = try TemporaryDatabase("CREATE TABLE entries (id INTEGER PRIMARY KEY, day DATE NOT NULL, remark)")
    try file.exec(
      "INSERT INTO entries VALUES (1, '2025-11-01', 1), (2, 1762000000, 'x'), (3, 2460980.5, NULL), (4, x'00', x'')")
    let before = try file.query("SELECT *, typeof(day), typeof(remark) FROM entries")
    let session = try Session(at: file.path, schema: Self.schema)
    let entries = try session.all(Entry.self)
    #expect(entries.map(\.day) == [.text("2025-11-01"), .integer(1_762_000_000), .real(2_460_980.5), .blob([0])])
    for entry in entries { try session.update(entry) }
    #expect(try file.query("SELECT *, typeof(day), typeof(remark) FROM entries") == before)
  }

  @Test("NULL is refused where the property is not optional")
  func null() throws {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: Self.schema)
    #expect(throws: RecordError.self) { try session.save(Entry(id: nil, day: .null, remark: nil)) }
  }
}

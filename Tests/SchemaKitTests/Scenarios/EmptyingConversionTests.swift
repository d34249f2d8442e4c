import SchemaKit
import Testing

/// A note whose colour was an archive of four bytes, and is a text from now on.
private struct Note: Model {
  let id: Int64?
  var colour: String

  static let table = ModelTable("notes", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("colour", \.colour).default("#000000")
      .converting(sql: "CASE WHEN length(colour) = 4 THEN '#' || substr(hex(colour), 1, 6) END")
  }
}

@Suite("Conversions that give NULL")
struct EmptyingConversionTests {
  private static let schema = ModelSchema { Note.self }
  private static let table = "CREATE TABLE notes (id INTEGER PRIMARY KEY, colour BLOB);"

  @Test("a value for which the conversion gives NULL is not hidden by the default: it needs consent and is named")
  func needsConsent() throws {
    let file = try TemporaryDatabase(
      Self.table + "INSERT INTO notes VALUES (1, x'FF0000FF'), (2, x'62706C697374'), (3, NULL)")
    let error = try #require(throws: PlanError.self) { try Session(at: file.path, schema: Self.schema) }
    #expect(error.description.contains("SK103") && error.description.contains("notes.colour, 1 row (key 2)"))
    #expect(error.description.contains("a PlanPolicy that allows SK103:notes.colour"))
    #expect(try file.value("SELECT hex(colour) FROM notes WHERE id = 2") == .text("62706C697374"))
    _ = try Session(at: file.path, schema: Self.schema) {
      $0.migration = .automatic(PlanPolicy(allowing: [.init(.code(.lossyConversion))]))
    }
    #expect(
      try file.query("SELECT colour FROM notes ORDER BY id")
        == [[.text("#FF0000")], [.text("#000000")], [.text("#000000")]])
  }

  @Test("values that the conversion keeps, and NULL that takes the default, need none")
  func keepsSilence() throws {
    let file = try TemporaryDatabase(Self.table + "INSERT INTO notes VALUES (1, x'FF0000FF'), (3, NULL)")
    _ = try Session(at: file.path, schema: Self.schema)
    #expect(try file.query("SELECT colour FROM notes ORDER BY id") == [[.text("#FF0000")], [.text("#000000")]])
  }
}

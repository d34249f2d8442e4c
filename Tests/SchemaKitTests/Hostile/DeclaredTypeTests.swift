import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// What the fuzzers found about declared types: SQLite keeps comments inside them, and cuts words off their ends.
@Suite("Declared types that look like something else")
struct DeclaredTypeTests {
  @Test(
    "a type is read as SQLite reads it",
    arguments: [
      ("long /* x */ int", "integer"), ("varchar /* y */ (3)", "text"), ("decimal /* no text */ (10, 2)", "text"),
      ("oftenandalways", "numeric"), ("x always", "numeric"), ("mygeneratedalways", "numeric"),
      ("unsigned big int generated aiways", "integer"), ("unsigned big int gted always", "integer"),
      ("unsigned big int generated always", "integer"), ("big\u{FEFF} int", "integer"), ("big\n--c\nint", "integer"),
      ("generated always", "blob"), ("character generated", "text"),
    ])
  func types(type: String, affinity: String) throws {
    if type == "generated always" { try Engine.require(.typesWithoutGenerated) }
    for constraint in ["", " AS (1)"] {
      let file = try TemporaryDatabase("CREATE TABLE t(a \(type)\(constraint), b)")
      let schema = try SchemaReader.read(SQLiteConnection(path: file.path, mode: .readOnly))
      #expect(schema.table("t")?.columns[0].affinity.rawValue.lowercased() == affinity, "\(type)")
      // What SQLite itself does with a value shows the affinity.
      try file.exec(constraint.isEmpty ? "INSERT INTO t(a) VALUES ('12')" : "INSERT INTO t(b) VALUES (1)")
      let stored = try file.value("SELECT typeof(a) FROM t")?.string
      if constraint.isEmpty { #expect((stored == "text") == ["text", "blob"].contains(affinity), "\(type)") }
    }
  }

  @Test("deeply nested parentheses take no more time than long texts do")
  func nesting() throws {
    let term = String(repeating: "(", count: 20_000) + "a" + String(repeating: ")", count: 20_000)
    guard
      case .index(let index) = try SQLParser.create("CREATE INDEX i ON t(\(term) COLLATE nocase COLLATE rtrim DESC)")
    else { return }
    #expect(index.columns[0].column == "a")
    #expect(index.columns[0].collation == "rtrim")
    #expect(index.columns[0].order == .descending)
    #expect(index.columns[0].expression.canonical() == ["a"])
  }
}

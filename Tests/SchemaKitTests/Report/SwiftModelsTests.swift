import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("Models written from schemas")
struct SwiftModelsTests {
  @Test(
    "they compile, and make the schema that they were written from",
    arguments: ModelSource.allCases.filter { $0.isExpected })
  func roundTrip(source: ModelSource) throws {
    let compiled = try CompiledModels.shared.get()
    let (original, made) = try #require(compiled.schemas["\(source)"])
    let seed = Comment(rawValue: source.seed.map { "seed \($0)" } ?? "")
    let report = DiffReport(from: ("file", original), to: ("models", made), isOrderStrict: true)
    #expect(report.isEmpty, "\(seed) \(report.text())")
    #expect(SchemaDiff(from: made, to: original, isOrderStrict: true).isEmpty, seed)
    #expect(made.objectCount == original.objectCount, seed)
    #expect(compiled.stepCounts["\(source)"] == 0, seed)
  }

  @Test("constraints keep the names that they were given")
  func constraintNames() throws {
    let compiled = try CompiledModels.shared.get()
    let made = try #require(compiled.schemas["everything"]).made
    let statements = made.creationStatements.joined()
    for name in ["has_name", "one_email", "book_key", "once", "written", "code_key"] {
      #expect(statements.contains("CONSTRAINT \"\(name)\""), "\(name)")
    }
    let text = try models(of: ModelSource.everything.sql()).text
    #expect(text.contains("/// The name is_there of a constraint of value is left out."))
  }

  @Test("what no model can say stands as SQL, and is named with the reason")
  func notes() throws {
    let models = try models(of: ModelSource.asSQL.sql())
    let named = models.notes.map { $0.split(separator: " ")[1] }
    #expect(named == ["visits", "folded", "upside_down", "matched", "broken", "nameless"])
    #expect(models.text.components(separatedBy: "SQLObject(").count == 1 + 7)
    #expect(models.text.contains("struct Ordinary: Model"))
    #expect(models.text.contains(#".references("folded", column: "name")"#))
    #expect(models.text.contains("// matched has no model, because its foreign key to folded has MATCH."))
    for source in ModelSource.allCases
    where ![.asSQL, .proj].contains(source) && source.seed == nil && source.isExpected {
      #expect(try self.models(of: source.sql()).notes == [], "\(source)")
    }
  }

  @Test("a parent that a model may not refer to is referred to by the name of its table")
  func parentsByName() throws {
    let text = try models(
      of: """
        CREATE TABLE people (id INTEGER PRIMARY KEY, code TEXT UNIQUE, name TEXT);
        CREATE TABLE tasks (
          a INTEGER REFERENCES people, b TEXT REFERENCES people, c TEXT REFERENCES people (code),
          d TEXT REFERENCES people (name), e REAL REFERENCES people (id), f REFERENCES people
        );
        """
    ).text
    for (column, reference) in [
      ("a", "Person.self"), ("b", #""people""#), ("c", #"Person.self, column: \.code"#),
      ("d", #""people", column: "name""#), ("e", #"Person.self, column: \.id"#), ("f", "Person.self"),
    ] {
      let line = #"Column("\#(column)", \.\#(column)).references(\#(reference))"#
      #expect(text.replacing("People.self", with: "Person.self").contains(line), "\(line) in \(text)")
    }
  }

  @Test("most tables of random schemas become models")
  func sketches() throws {
    var models = 0
    var notes = 0
    for seed in 20_261_200..<20_261_220 {
      let schema = try SchemaSource.sql(SchemaPair.make(seed: seed).oldScript, source: "\(seed)").load().target.schema
      let written = SwiftModels(schema)
      models += written.text.components(separatedBy: ": Model {").count - 1
      notes += written.notes.count
    }
    #expect(notes < models, "\(models) models, \(notes) tables in SQL")
  }

  @Test("a table becomes a type, a column a property, and both are names of Swift")
  func names() throws {
    let tables = [
      ("order_items", "OrderItem"), ("Books", "Book"), ("ORDERS", "Order"), ("noteTags", "NoteTag"),
      ("status", "Status"),
      ("categories", "Categories"), ("addresses", "Addresses"), ("news", "News"), ("id_cards", "IDCard"),
      ("indexes", "Indexes"), ("sessions", "SessionRow"), ("data", "DataRow"), ("2024 logs", "_2024Log"),
      ("%", "Unnamed"),
    ]
    var names = SwiftNames()
    for (table, type) in tables { #expect(names.type(for: table) == type, "\(table)") }
    #expect(names.type(for: "book") == "Book2")
    let columns = [
      ("author_id", "authorID"), ("ID", "id"), ("URL", "url"), ("cover_url", "coverURL"), ("createdAt", "createdAt"),
      ("HTTPServer", "httpServer"), ("STREET_NAME", "streetName"), ("a b-c", "aBC"), ("class", "`class`"),
      ("self", "self_"), ("Größe", "größe"), ("1st", "_1st"), ("?", "column13"), ("street name", "streetName2"),
    ]
    var properties = SwiftNames()
    for (index, (column, property)) in columns.enumerated() {
      #expect(properties.property(for: column, at: index) == property, "\(column)")
    }
  }

  @Test("no model hides a type of the library")
  func reservedTypes() throws {
    let pattern =
      /^(?:@\w+(?:\([^)]*\))? )*public (?:final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/
    for file in try SourceTree.swiftFiles(in: "Sources/SQLiteSchema") + SourceTree.swiftFiles(in: "Sources/SchemaKit") {
      for line in file.code.split(separator: "\n") {
        guard let name = line.firstMatch(of: pattern)?.output.1 else { continue }
        #expect(SwiftNames.reservedTypes.contains(String(name)), "\(name) of \(file.path) is missing in SwiftNames")
      }
    }
  }

  @Test(
    "a property reads whatever its column holds by its declared type",
    arguments: [
      ("INTEGER", "Int64?"), ("BIGINT", "Int64?"), ("UNSIGNED BIG INT", "Int64?"), ("INT8", "Int64?"),
      ("TINYINT(1) NOT NULL", "Int64"), ("POINT", "SQLValue?"), ("FLOATING POINT", "SQLValue?"), ("REAL", "Double?"),
      ("DOUBLE PRECISION", "Double?"), ("TEXT NOT NULL", "String"), ("NVARCHAR(10)", "String?"), ("BLOB", "Data?"),
      ("", "SQLValue?"), ("DATE", "SQLValue?"), ("DATETIME NOT NULL", "SQLValue"), ("TIMESTAMP", "SQLValue?"),
      ("DECIMAL(10, 2)", "SQLValue?"), ("NUMERIC", "SQLValue?"), ("BOOLEAN", "Bool?"), ("JSON", "SQLValue?"),
    ])
  func types(declared: String, type: String) throws {
    let text = try models(of: "CREATE TABLE t (x \(declared))").text
    #expect(text.contains("  var x: \(type)\n"))
  }

  @Test("hints of the schema, and what only a program knows, are not lost")
  func hints() throws {
    let sql = """
      CREATE TABLE orders ( -- schemakit: renamed from old_orders
        id INTEGER PRIMARY KEY,
        placed TEXT, -- schemakit: renamed from date
        note TEXT COLLATE german
      );
      """
    let target = try SchemaSource.sql(sql, source: "orders.sql").load().target
    let text = SwiftModels(target.schema, name: "shop", hints: target.hints).text
    #expect(text.contains(#"Column("placed", \.placed).renamed(from: "date")"#))
    #expect(text.contains(#".renamed(from: "old_orders")"#))
    #expect(text.contains(#".collate("german")"#))
    #expect(text.contains(#"ModelSchema(name: "shop") {"#))
  }

  /// The models of a schema given as SQL.
  private func models(of sql: String) throws -> SwiftModels {
    SwiftModels(try SchemaSource.sql(sql, source: "test.sql").load().target.schema)
  }
}

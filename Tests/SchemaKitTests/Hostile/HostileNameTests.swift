import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

/// Names are data: whatever SQLite takes for one is quoted wherever it is written.
@Suite("Hostile names")
struct HostileNameTests {
  static let names = [
    "a \"b\"", "\"", "a`b", "a]b", "[a]", "it's", "'", "line\nbreak", "tab\tand\r\nreturn", "select", "ROWID",
    "_rowid_",
    "🦀 crab", "\u{202E}desrever\u{200F}", "sqlitesque", "sqlite", "", " ", "a--b", "/* a */", "*/", "a;DROP TABLE log;",
    "a\\b", "%s", "?1", ":a", "é", "e\u{301}", "İ", "\u{FEFF}bom", "\u{0B}", "main", "temp", "pragma_table_xinfo",
    "pragma_table_list", "pragma_module_list", "schemakit_new", "1", "1e5", "x'00'", "true", "NULL", "end",
    String(repeating: "n", count: 5000),
  ]

  private static func quoted(_ name: String) -> String { SQLQuoting.identifier(name) }

  private static func schema(_ name: String, column: String, extra: String = "") -> String {
    let (table, field) = (quoted(name), quoted(name))
    return """
      CREATE TABLE \(table)(id INTEGER PRIMARY KEY, \(field) \(column)\(extra));
      CREATE TABLE log(what);
      CREATE INDEX \(quoted(name + "i")) ON \(table)(\(field) DESC) WHERE \(field) <> '';
      CREATE VIEW \(quoted(name + "v")) AS SELECT \(field) AS \(quoted(name + "c")) FROM \(table);
      CREATE TRIGGER \(quoted(name + "t")) AFTER UPDATE OF \(field) ON \(table) BEGIN
        INSERT INTO log VALUES (new.\(field)); END;
      """
  }

  static let ways = [StrategyChoice.auto: MigrationStep.Strategy.update, .rebuild: .rebuild]

  @Test(
    "tables, columns, indexes, views and triggers of any name are rebuilt with their rows, or updated",
    arguments: names,
    ways)
  func rebuilt(name: String, way: (key: StrategyChoice, value: MigrationStep.Strategy)) throws {
    let table = Self.quoted(name)
    let file = try TemporaryDatabase(
      Self.schema(name, column: "TEXT")
        + "INSERT INTO \(table) VALUES (1, 'one'), (2, NULL), (3, 'a' || char(0) || 'b');")
    let target = Self.schema(name, column: "TEXT NOT NULL DEFAULT 'none'", extra: ", extra INT")
    var policy = PlanPolicy.lossless
    policy.strategy = way.key
    let report = try file.migrate(to: target, allowing: policy)
    #expect(report.plan.steps.contains { $0.strategy == way.value })
    #expect(
      try file.query("SELECT id, hex(\(table)), extra FROM \(table)") == [
        [.int(1), .text("6F6E65"), .null], [.int(2), .text("6E6F6E65"), .null], [.int(3), .text("610062"), .null],
      ])
    try file.exec("UPDATE \(table) SET \(table) = 'two' WHERE id = 2")
    #expect(try file.query("SELECT what FROM log") == [[.text("two")]])
    #expect(try file.query("SELECT count(\(Self.quoted(name + "c"))) FROM \(Self.quoted(name + "v"))") == [[.int(3)]])
    #expect(try file.plan(to: target).isEmpty)
  }

  @Test("what is printed of any name loads as the same schema", arguments: names)
  func printed(name: String) throws {
    let file = try TemporaryDatabase(Self.schema(name, column: "TEXT"))
    let schema = try SchemaReader.read(SQLiteConnection(path: file.path, mode: .readOnly))
    let loaded = try SchemaSource.sql(SchemaReport.sql(schema), source: "printed").load()
    #expect(SchemaDiff(from: schema, to: loaded.target.schema, isOrderStrict: true).isEmpty)
    #expect(Fingerprint.of(schema) == loaded.target.fingerprint)
  }

  @Test("a table of any name is renamed, and all that mention it follow", arguments: names)
  func renamed(name: String) throws {
    let table = Self.quoted(name)
    let file = try TemporaryDatabase(
      "CREATE TABLE \(table)(a); INSERT INTO \(table) VALUES (7); CREATE VIEW v1 AS SELECT a FROM \(table);")
    var hints = MigrationHints()
    hints.tables["plain", default: TableHints()].renamedFrom = [SQLName(name)]
    try file.migrate(
      to: "CREATE TABLE plain(a); CREATE VIEW v1 AS SELECT a FROM plain;", hints: hints)
    #expect(try file.query("SELECT a FROM v1") == [[.int(7)]])
    #expect(try file.query("SELECT name FROM sqlite_master WHERE tbl_name = 'plain'") == [[.text("plain")]])
  }

  @Test("SQL text with a NUL is refused, not cut short")
  func nul() throws {
    #expect(throws: SchemaError.self) {
      try SchemaSource.sql("CREATE TABLE t(a)\0; CREATE TABLE u(b)", source: "x").load()
    }
    let connection = try SQLiteConnection.memory()
    #expect(throws: SQLiteError.self) { try connection.execute("CREATE TABLE t(a);\0 CREATE TABLE u(b)") }
    #expect(try connection.integer("SELECT count(*) FROM sqlite_master") == 0)
  }
}

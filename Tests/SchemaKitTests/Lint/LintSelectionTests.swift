import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("What lint passes over")
struct LintSelectionTests {
  private static let sql = """
    -- A shop.
    CREATE TABLE IF NOT EXISTS main.customers (
      id INT PRIMARY KEY,
      name STRING
    );
    CREATE TABLE orders (
      id INTEGER PRIMARY KEY,
      customer INT REFERENCES customers (id),
      note STRING,
      CHECK (length(note) < 100)
    );
    CREATE INDEX by_note ON orders (note); CREATE INDEX by_note_too ON orders (note);
    """

  private func codes(_ sql: String, _ change: (inout LintSelection) throws -> Void = { _ in }) throws -> [String] {
    try LintScene(sql, selecting: change).findings.map { "\($0.code) \($0.object)" }
  }

  @Test("findings have the line of the definition")
  func lines() throws {
    let scene = try LintScene(Self.sql)
    #expect(scene.lines("SL101") == [8])
    #expect(scene.lines("SL106") == [3])
    #expect(scene.lines("SL201") == [12])
    #expect(scene.lines("SL301") == [4, 9])
    #expect(scene.lines("SL403") == [10])
    #expect(scene.findings.filter { $0.file != "s.sql" } == [])
  }

  @Test("a rule, an exception for a table, for a column and for an index")
  func options() throws {
    #expect(try codes(Self.sql) { try $0.add(rule: "sl301") } == ["SL301 customers.name", "SL301 orders.note"])
    #expect(
      try codes(Self.sql) {
        try $0.add(skip: "SL301:orders.note")
        try $0.add(skip: "sl403")
        try $0.add(skip: "SL106:CUSTOMERS")
        try $0.add(skip: "SL201:by_note_too")
      } == ["SL301 customers.name", "SL101 orders.customer"])
  }

  @Test("an exception that nothing needed is told")
  func idle() throws {
    var selection = LintSelection()
    try selection.add(skip: "SL301:orders")
    try selection.add(skip: "SL301:nowhere")
    let idle = try SchemaLint.findings(in: LintScene(Self.sql).schema, selection: selection).idle
    #expect(idle.map(\.text) == ["SL301:nowhere"])
  }

  @Test("what is neither a code nor an object is refused", arguments: ["SL999", "", "SL301:", "SL301:a.b.c", "SK102"])
  func unknown(_ text: String) {
    var selection = LintSelection()
    let error = #expect(throws: LintOptionError.self) { try selection.add(skip: text) }
    #expect(error?.description.contains("--skip \(text)") == true)
  }

  @Test("a comment passes over what begins on its line, or the whole object, or the whole file")
  func comments() throws {
    func lint(_ replaced: String, _ with: String) throws -> [String] {
      #expect(Self.sql.contains(replaced))
      return try codes(Self.sql.replacing(replaced, with: with)).filter {
        $0.hasPrefix("SL301") || $0.hasPrefix("SL403")
      }
    }
    let all = ["SL301 customers.name", "SL301 orders.note", "SL403 orders"]
    #expect(try lint("note STRING,", "note STRING,") == all)
    #expect(try lint("note STRING,", "note STRING, -- schemakit: ignore SL301") == [all[0], all[2]])
    #expect(try lint("< 100)", "< 100) -- schemakit: ignore SL403, SL301") == [all[0], all[1]])
    #expect(try lint("orders (\n", "orders ( -- schemakit: ignore SL301\n") == [all[0], all[2]])
    #expect(try lint("-- A shop.", "-- schemakit: ignore SL301") == [all[2]])
    // Another code than the one that is found.
    #expect(try lint("note STRING,", "note STRING, -- schemakit: ignore SL101") == all)
  }

  @Test("a comment in a view, trigger or index speaks of it")
  func commentsInObjects() throws {
    let sql = """
      CREATE TABLE t (a);
      CREATE VIEW v AS
        SELECT b FROM t; -- schemakit: ignore SL501
      CREATE VIEW w AS SELECT b FROM t;
      CREATE TRIGGER g AFTER INSERT ON t BEGIN -- schemakit: ignore SL502
        DELETE FROM gone;
      END;
      CREATE INDEX i ON t (a);
      CREATE INDEX j ON t (a); -- schemakit: ignore SL201
      """
    #expect(try codes(sql) == ["SL501 w"])
  }

  @Test("a comment with an unknown code, or on a line where nothing begins, is an error with its line")
  func badComments() throws {
    for (sql, problem) in [
      ("CREATE TABLE t (\n  a -- schemakit: ignore SL999\n);", "there is no rule \"SL999\""),
      ("CREATE TABLE t (\n  a TEXT\n  NOT NULL -- schemakit: ignore SL301\n);", "no column or constraint of t begins"),
      ("CREATE TABLE t (a -- schemakit: ignore\n);", "is not a hint"),
    ] {
      let error = #expect(throws: SchemaError.self) { try LintScene(sql) }
      #expect(error.map { "\($0)" }?.contains(problem) == true, "\(error.map { "\($0)" } ?? "")")
    }
  }

  @Test("a plan takes no notice of what lint passes over")
  func plansAreTheSame() throws {
    let database = try TemporaryDatabase("CREATE TABLE t (a STRING);")
    #expect(try database.plan(to: "CREATE TABLE t (a STRING -- schemakit: ignore SL301\n);").isEmpty)
  }
}

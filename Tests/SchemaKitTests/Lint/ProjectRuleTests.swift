import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("Rules that a project has of its own")
struct ProjectRuleTests {
  private static let schema = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, fullName TEXT);
    CREATE TABLE log (
      day TEXT,
      entry TEXT
    );
    CREATE VIEW open AS SELECT entry FROM log;
    CREATE INDEX by_entry ON log (entry);
    CREATE TRIGGER logged AFTER INSERT ON log BEGIN SELECT 1; END;
    """

  private static func rule(
    _ select: String, _ sentence: String = "found", id: String = "own", with others: [ProjectRule.Field: String] = [:]
  ) throws -> ProjectRule {
    let texts: [ProjectRule.Field: String] = [.id: id, .level: "warning", .sentence: sentence, .select: select]
    return try ProjectRule(texts.merging(others) { $1 })
  }

  private func findings(
    _ rules: ProjectRule..., in sql: String = schema, select: (inout LintSelection) throws -> Void = { _ in },
    allowance: QueryAllowance = QueryAllowance()
  ) throws -> [Finding] {
    let target = try SchemaSource.sql(sql, source: "s.sql").load().target
    var selection = LintSelection(projectRules: rules)
    try selection.add(ignores: target.hints.ignores)
    try select(&selection)
    return try SchemaLint.findings(
      in: target.schema, selection: selection, locators: [LintLocator(sql, file: "s.sql")], allowance: allowance
    ).kept.filter { LintCode(rawValue: $0.code) == nil }
  }

  private func problem(_ select: String, _ sentence: String = "found", allowance: QueryAllowance = .init()) -> String {
    do {
      _ = try findings(Self.rule(select, sentence), allowance: allowance)
      return ""
    } catch {
      return "\(error)"
    }
  }

  @Test("each row is a finding, with the values of its columns in the sentence")
  func sentence() throws {
    let rule = try Self.rule(
      "SELECT name AS object, NOT has_primary_key AS Missing, NULL AS none, 1.5 AS half, x'00' AS bytes FROM schema_tables "
        + "WHERE NOT has_primary_key", "{{{object}}} lacks {missing} {none} {half} {bytes} }}{{")
    let found = try findings(rule)
    #expect(found.map(\.message) == ["{log} lacks 1 NULL 1.5 1 bytes }{"])
    #expect(found.map(\.code) == ["own"] && found.map(\.severity) == [.warning])
    #expect(found.first?.title == "rule of this project" && found.first?.fix.contains("--skip own:OBJECT") == true)
  }

  @Test("a finding stands where its object and column are declared")
  func places() throws {
    let rule = try Self.rule(
      """
      VALUES ('log', 'ENTRY'), ('LOG', NULL), ('log', 'none'), ('open', 'entry'), ('by_entry', NULL), ('logged', NULL),
      ('missing', NULL), (NULL, NULL), (NULL, NULL)
      """)
    #expect(throws: ProjectRuleError.self) { try findings(rule) }
    let named = try Self.rule("WITH c (object, column) AS (\(rule.select)) SELECT * FROM c")
    let found = try findings(named)
    let places = found.map { "\($0.kind) \($0.object) \($0.line.map { "\($0)" } ?? "-")" }
    #expect(
      Set(places) == [
        "column log.entry 4", "table log 2", "view open 6", "index by_entry 7", "trigger logged 8", "table missing -",
        "file  -",
      ])
    // Equal findings are one, and those of a table stand together.
    #expect(found.count == 7 && found.map(\.table).prefix(4) == ["log", "log", "log", "log"])
  }

  @Test("what a rule says of itself is in its findings")
  func texts() throws {
    let found = try findings(
      Self.rule(
        "SELECT 'log' AS object",
        with: [.title: "named badly", .fix: "Rename it.", .page: "https://example.org/x", .level: "error"]))
    #expect(found.map(\.title) == ["named badly"] && found.map(\.fix) == ["Rename it."])
    #expect(found.map(\.page) == ["https://example.org/x"] && found.map(\.severity) == [.error])
  }

  @Test("line feeds around a text are left out, and a sentence that comes out empty is the title")
  func blanks() throws {
    let found = try findings(
      Self.rule(
        "SELECT 'log' AS object, '' AS blank", "\n{blank}\n", with: [.title: "a\n b ", .fix: "\nMend it.\n"]))
    #expect(found.map(\.message) == ["a b"] && found.map(\.title) == ["a b"] && found.map(\.fix) == ["Mend it."])
  }

  @Test("ids choose, skip and ignore as codes do, in whichever case")
  func selection() throws {
    let rules = [
      try Self.rule("SELECT name AS object FROM schema_tables", id: "all-tables"),
      try Self.rule("SELECT table_name AS object, name AS column FROM schema_columns", id: "Columns"),
    ]
    func objects(_ sql: String = Self.schema, _ select: (inout LintSelection) throws -> Void = { _ in }) throws
      -> [String]
    {
      try findings(rules[0], rules[1], in: sql, select: select).map { "\($0.code) \($0.object)" }
    }
    #expect(try objects().count == 6)
    #expect(try objects { try $0.add(rule: "ALL-TABLES") } == ["all-tables customers", "all-tables log"])
    #expect(try objects { try $0.add(rule: "SL101") } == [])
    #expect(
      try objects {
        try $0.add(skip: "columns:log")
        try $0.add(skip: "COLUMNS:customers.id")
        try $0.add(skip: "all-tables")
      } == ["Columns customers.fullName"])
    let commented =
      "CREATE TABLE t ( -- schemakit: ignore all-tables\n  a, -- schemakit: ignore SL101, COLUMNS\n  b\n);"
    #expect(try objects(commented) == ["Columns t.b"])
    #expect(try objects("-- schemakit: ignore \"all-tables\", columns\nCREATE TABLE t (a);") == [])
  }

  @Test("a rule that is passed over is not asked")
  func unasked() throws {
    let broken = try Self.rule("SELECT nothing FROM nowhere")
    #expect(throws: ProjectRuleError.self) { try findings(broken) }
    #expect(try findings(broken) { try $0.add(rule: "SL101") } == [])
  }

  @Test("an id that no rule has is an error of lint where a comment names it, and of nothing else")
  func unknownIgnore() throws {
    let sql = "CREATE TABLE t (a); -- schemakit: ignore own-rule"
    let target = try SchemaSource.sql(sql, source: "s.sql").load().target
    var selection = LintSelection()
    let error = #expect(throws: SchemaError.self) { try selection.add(ignores: target.hints.ignores) }
    #expect(error?.description.hasPrefix("s.sql:1:21: there is no rule \"own-rule\" to ignore") == true)
    for code in ["SL999", "sk-", "own rule", "ä", "1a", ""] where code != "sk-" {
      #expect(throws: SchemaError.self, "\(code)") {
        try SchemaSource.sql("CREATE TABLE t (a); -- schemakit: ignore SL101, \(code)", source: "s.sql").load()
      }
    }
  }

  @Test("a rule that cannot be understood says what is wrong, and what to write")
  func misunderstood() throws {
    func problem(_ change: [ProjectRule.Field: String?]) -> String {
      var texts: [ProjectRule.Field: String] = [
        .id: "own", .level: "note", .sentence: "x", .select: "SELECT 1 AS object",
      ]
      for (field, text) in change { texts[field] = text }
      do {
        _ = try ProjectRule(texts)
        return ""
      } catch {
        return "\(error)"
      }
    }
    #expect(problem([:]) == "")
    for field in ProjectRule.Field.allCases where field.isRequired {
      #expect(problem([field: nil]).contains("\(field.rawValue) is missing; "), "\(field)")
    }
    #expect(problem([.id: "SL101"]).contains("looks like a code of schemactl"))
    #expect(problem([.id: "sk9-x"]).contains("looks like a code of schemactl"))
    #expect(problem([.id: "slug"]) == "")
    for id in ["9a", "a b", "a:b", "", "é", String(repeating: "a", count: 65)] {
      #expect(problem([.id: id]).contains("is not a name"), "\(id)")
    }
    #expect(problem([.level: "warn"]) == "rule own: level cannot be \"warn\"; there are error, warning and note.")
    #expect(problem([.level: "x"]).contains("there are error, warning and note."))
    for sentence in ["{object", "object}", "{}", "{a{b}", "{"] {
      #expect(problem([.sentence: sentence]).contains("brace that is not closed"), "\(sentence)")
    }
    #expect(problem([.page: "docs/x.md"]).contains("begins with https://"))
    #expect(problem([.select: "-- nothing"]).contains("select is empty"))
    #expect(problem([.select: "SELECT 1; SELECT 2"]).contains("select holds 2 statements"))
    #expect(problem([.select: "SELECT 1 AS object;"]) == "")
    #expect(problem([.select: "DROP TABLE t"]).contains("select begins with DROP"))
    #expect(problem([.select: "SELECT 'a"]).contains("SQLite cannot run its select"))
  }

  @Test("a rule that SQLite or its columns do not answer says so, with what there is")
  func unanswerable() throws {
    #expect(
      problem("SELECT name AS object FROM tables").contains("no such table: tables. The tables are schema_tables, "))
    #expect(
      problem("SELECT nam AS object FROM schema_views").contains("no such column: nam. schema_views has name and sql."))
    #expect(problem("SELECT name FROM schema_tables").contains("gives no column called object"))
    #expect(
      problem("SELECT name AS object FROM schema_tables", "{nam}").contains("sentence has {nam}, and select gives no"))
    #expect(problem("SELECT name AS object FROM sqlite_master").contains("select reads sqlite_master"))
    #expect(problem("WITH a AS (SELECT 1) DELETE FROM schema_tables").contains("select does more than read"))
    #expect(problem("SELECT ?1 AS object").contains("select takes a value from outside"))
    #expect(problem("SELECT abs(-9223372036854775808) AS object").contains("integer overflow"))
    var allowance = QueryAllowance()
    allowance.operations = 20_000
    let endless = "WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) AS object FROM c"
    #expect(problem(endless, allowance: allowance).contains("select does not end: it was stopped"))
    allowance.rows = 1
    #expect(problem("SELECT name AS object FROM schema_tables", allowance: allowance).contains("more than 1 rows"))
  }

  @Test("a rule may read JSON, as the list of names that a team knows")
  func json() throws {
    let select = """
      SELECT name AS object FROM schema_tables WHERE name NOT IN (SELECT value FROM json_each('["log"]'))
      """
    #expect(try findings(Self.rule(select)).map(\.object) == ["customers"])
  }
}

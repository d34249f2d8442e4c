import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("CREATE INDEX, VIEW, TRIGGER and VIRTUAL TABLE parser")
struct SQLParserObjectTests {
  private func index(_ sql: String) throws -> CreateIndexStatement? {
    guard case .index(let index) = try SQLParser.create(sql) else { return nil }
    return index
  }

  private func trigger(_ sql: String) throws -> CreateTriggerStatement? {
    guard case .trigger(let trigger) = try SQLParser.create(sql) else { return nil }
    return trigger
  }

  @Test("an index keeps its terms, their order and collation, and its predicate")
  func indexes() throws {
    let sql = """
      CREATE UNIQUE INDEX IF NOT EXISTS main."i x" ON [t]
        (a, "b" COLLATE nocase DESC, lower(c) ASC) WHERE a > 0 ;
      """
    let index = try #require(try index(sql))
    #expect(index.isUnique && index.name == "i x" && index.table == "t")
    #expect(index.columns.map(\.column) == ["a", "b", nil])
    #expect(index.columns.map(\.collation) == [nil, "nocase", nil])
    #expect(index.columns.map(\.order) == [nil, .descending, .ascending])
    #expect(index.columns.map(\.expression.text) == ["a", "\"b\"", "lower(c)"])
    #expect(index.predicate?.text == "a > 0")
  }

  @Test(
    "COLLATE leaves a term only as its outermost operator",
    arguments: [
      ("a || b COLLATE nocase", "a || b COLLATE nocase", nil),
      ("(a || b) COLLATE nocase", "a || b", "nocase"),
      ("lower(a) COLLATE nocase", "lower(a)", "nocase"),
      ("-a COLLATE nocase", "-a", "nocase"),
      ("a COLLATE x COLLATE y", "a", "y"),
      ("((a) COLLATE nocase)", "a", "nocase"),
      ("CASE WHEN a THEN b COLLATE x END", "CASE WHEN a THEN b COLLATE x END", nil),
      ("CASE WHEN a THEN b END COLLATE x", "CASE WHEN a THEN b END", "x"),
      ("(a || b)", "(a || b)", nil),
      ("NOT a COLLATE x", "NOT a COLLATE x", nil),
    ] as [(String, String, SQLName?)]
  )
  func collations(term: String, expression: String, collation: SQLName?) throws {
    let index = try #require(try index("CREATE INDEX i ON t(\(term) DESC)"))
    #expect(index.columns[0].expression.text == expression)
    #expect(index.columns[0].collation == collation)
    #expect(index.columns[0].order == .descending)
  }

  @Test("columns may be named like the words that order them")
  func orderWords() throws {
    let index = try #require(try index("CREATE INDEX i ON t(desc, asc DESC, a + desc)"))
    #expect(index.columns.map(\.expression.text) == ["desc", "asc", "a + desc"])
    #expect(index.columns.map(\.order) == [nil, .descending, nil])
  }

  @Test("a view keeps its column names and its query")
  func views() throws {
    let sql = "CREATE TEMPORARY VIEW v (a, \"B c\") AS\n SELECT 1 /* ) */, ')' FROM t; -- done"
    guard case .view(let view) = try SQLParser.create(sql) else {
      Issue.record("no view")
      return
    }
    #expect(view.isTemporary && view.name == "v" && view.columns == ["a", "b C"])
    #expect(view.body.text == "SELECT 1 /* ) */, ')' FROM t")
    guard case .view(let plain) = try SQLParser.create("CREATE VIEW v AS VALUES (1)") else {
      Issue.record("no view")
      return
    }
    #expect(plain.columns == nil)
  }

  @Test("a trigger ends at the END behind its last statement")
  func triggers() throws {
    let sql = """
      CREATE TRIGGER IF NOT EXISTS tr INSTEAD OF UPDATE OF a, "b" ON main.v FOR EACH ROW
      WHEN new.begin = 1 AND CASE begin WHEN 1 THEN 2 END BEGIN
        UPDATE t SET a = CASE WHEN b THEN 1 ELSE 2 END; SELECT 'END;';
      END;
      """
    let trigger = try #require(try trigger(sql))
    #expect(trigger.timing == .insteadOf && trigger.event == .update(of: ["a", "b"]))
    #expect(trigger.table == "v" && trigger.qualifiedTableSpan.end - trigger.qualifiedTableSpan.start == 6)
    #expect(trigger.condition?.text == "new.begin = 1 AND CASE begin WHEN 1 THEN 2 END")
    #expect(trigger.body.text == "UPDATE t SET a = CASE WHEN b THEN 1 ELSE 2 END; SELECT 'END;';")
  }

  @Test("a trigger may leave out its timing and be named like a keyword")
  func shortTriggers() throws {
    let trigger = try #require(try trigger("create temp trigger after delete on t begin delete from x; end"))
    #expect(trigger.name == "after" && trigger.timing == nil && trigger.event == .delete && trigger.isTemporary)
    #expect(throws: SQLSyntaxError.self) {
      try SQLParser.create("CREATE TRIGGER a DELETE ON t BEGIN SELECT 1; END; SELECT 1; END")
    }
    #expect(throws: SQLSyntaxError.self) { try SQLParser.create("CREATE TRIGGER a DELETE ON t BEGIN END") }
  }

  @Test("a virtual table's arguments may hold semicolons, as SQLite lets them")
  func virtualTableWithSemicolons() throws {
    guard case .virtualTable(let table) = try SQLParser.create("CREATE VIRTUAL TABLE r USING x(a;b, f(;), c);") else {
      Issue.record("no virtual table")
      return
    }
    #expect(table.arguments == ["a;b", "f(;)", "c"])
  }

  @Test("a virtual table's arguments are cut at top-level commas and trimmed")
  func virtualTables() throws {
    let sql = """
      CREATE VIRTUAL TABLE IF NOT EXISTS "f" USING fts5( title , body, tokenize = "porter x", f(a, b) /* c */ ,)
      """
    guard case .virtualTable(let table) = try SQLParser.create(sql) else {
      Issue.record("no virtual table")
      return
    }
    #expect(table.module == "FTS5")
    #expect(table.arguments == ["title", "body", #"tokenize = "porter x""#, "f(a, b)"])
    guard case .virtualTable(let plain) = try SQLParser.create("CREATE VIRTUAL TABLE a.b USING c") else {
      Issue.record("no virtual table")
      return
    }
    #expect(plain.arguments.isEmpty && plain.name == "b")
  }
}

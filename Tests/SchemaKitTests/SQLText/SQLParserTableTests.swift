import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("CREATE TABLE parser")
struct SQLParserTableTests {
  private func table(_ sql: String) throws -> CreateTableStatement {
    guard case .table(let table) = try SQLParser.create(sql) else {
      throw SQLSyntaxError("this is no CREATE TABLE", at: 0, in: [])
    }
    return table
  }

  private func part(_ span: Span, of sql: String) -> String {
    String(decoding: Array(sql.utf8)[span.start..<span.end], as: UTF8.self)
  }

  @Test("names and prefixes are read with their places")
  func names() throws {
    let sql = "create temp table if not exists \"ma in\".[t x] (a) ;"
    let table = try table(sql)
    #expect(table.name == "T X")
    #expect(table.isTemporary)
    #expect(part(table.nameSpan, of: sql) == "[t x]")
    #expect(part(table.qualifiedNameSpan, of: sql) == "\"ma in\".[t x]")
  }

  @Test("tabs, escaped quotes, comments, backticks and brackets lose no column")
  func trickyTexts() throws {
    let sql = """
      CREATE TABLE "my ""t""able" (
      \t`id`\tINTEGER PRIMARY KEY, -- the key, with a comma (and a parenthesis
      \t[two words]\tVARCHAR ( 10 , -5 ) DEFAULT 'a,b)''c',
      \t/* not, a, column */ 'single' TEXT CHECK (single <> ')' AND "x,y" IS NULL),
      \t"x,y" /* in between */ BIG/**/INT,
      \tplain,
      \tkey "odd type" NOT NULL,
      \tgrößé TEXT COLLATE "nocase"
      );
      """
    let table = try table(sql)
    #expect(table.name.text == "my \"t\"able")
    #expect(
      table.columns.map(\.name.text) == ["id", "two words", "single", "x,y", "plain", "key", "größé"]
    )
    #expect(
      table.columns.map(\.type)
        == ["INTEGER", "VARCHAR ( 10 , -5 )", "TEXT", "BIG INT", nil, "\"odd type\"", "TEXT"]
    )
    #expect(part(table.columns[1].span, of: sql) == "[two words]\tVARCHAR ( 10 , -5 ) DEFAULT 'a,b)''c'")
    #expect(part(table.columns[3].nameSpan, of: sql) == "\"x,y\"")
  }

  @Test("every column constraint is read with its name, conflict clause and place")
  func columnConstraints() throws {
    let sql = """
      CREATE TABLE t(a INTEGER CONSTRAINT pk PRIMARY KEY DESC ON CONFLICT REPLACE AUTOINCREMENT
        CONSTRAINT nn NOT NULL ON CONFLICT abort NULL UNIQUE ON CONFLICT IGNORE
        CHECK (a > (0)) ON CONFLICT FAIL COLLATE rtrim CONSTRAINT dangling)
      """
    let constraints = try table(sql).columns[0].constraints
    #expect(constraints.map(\.name) == ["pk", "nn", nil, nil, nil, nil])
    #expect(constraints[0].kind == .primaryKey(order: .descending, conflict: .replace, isAutoincrement: true))
    #expect(constraints[1].kind == .notNull(conflict: .abort))
    #expect(constraints[2].kind == .null(conflict: nil))
    #expect(constraints[3].kind == .unique(conflict: .ignore))
    guard case .check(let check, conflict: .fail) = constraints[4].kind else {
      Issue.record("another kind of constraint was read")
      return
    }
    #expect(check.text == "a > (0)")
    #expect(constraints[5].kind == .collate("RTRIM"))
    #expect(part(constraints[1].span, of: sql) == "CONSTRAINT nn NOT NULL ON CONFLICT abort")
  }

  @Test("a constraint name with nothing behind it is tolerated")
  func danglingNames() throws {
    let table = try table("CREATE TABLE t(a CONSTRAINT x, b CONSTRAINT y CONSTRAINT z UNIQUE, CONSTRAINT v)")
    #expect(table.columns[0].constraints.isEmpty)
    #expect(table.columns[1].constraints.map(\.name) == ["z"])
    #expect(table.constraints.isEmpty)
    let next = try self.table("CREATE TABLE t(a, CONSTRAINT v CONSTRAINT w CHECK(1), CONSTRAINT u, UNIQUE(a))")
    #expect(next.constraints.map(\.name) == ["w", nil])
  }

  @Test(
    "every form of default is kept as written",
    arguments: [
      "1", "+1", "-1", "- 1.5", "'x'", "\"x\"", "word", "(1 + (2))", "( /* c */ 'a)' )", "NULL", "TRUE",
      "CURRENT_TIMESTAMP", "x'00'", "-0x1F", "[x]", "`x`", "1e3", "replace", "-NULL", "+'x'",
    ]
  )
  func defaults(_ text: String) throws {
    let column = try table("CREATE TABLE t(a TEXT DEFAULT \(text) NOT NULL, b)").columns[0]
    #expect(column.type == "TEXT")
    #expect(column.constraints.count == 2)
    guard case .defaultValue(let value) = column.constraints[0].kind else {
      Issue.record("another kind of constraint was read")
      return
    }
    #expect(value.text == text)
    #expect(column.constraints[1].kind == .notNull(conflict: nil))
  }

  @Test("generated columns are told apart from types in all their forms")
  func generatedColumns() throws {
    let columns = try table(
      """
      CREATE TABLE t(a INTEGER GENERATED ALWAYS AS (b + 1) STORED, b AS (1), c GENERATED ALWAYS AS (2) VIRTUAL,
        d VARCHAR(3) NOT NULL GENERATED ALWAYS AS ('x') STORED UNIQUE, e generated, f always TEXT AS ((1)))
      """
    ).columns
    #expect(columns.map(\.type) == ["INTEGER", nil, nil, "VARCHAR(3)", "generated", "always TEXT"])
    let generated = columns.map { column in
      column.constraints.compactMap { constraint -> String? in
        guard case .generated(let expression, let isStored) = constraint.kind else { return nil }
        return expression.text + (isStored ? " stored" : "")
      }
    }
    #expect(generated == [["b + 1 stored"], ["1"], ["2"], ["'x' stored"], [], ["(1)"]])
  }

  @Test("foreign keys keep their actions, and of repeated clauses the last one counts")
  func foreignKeys() throws {
    let table = try table(
      """
      CREATE TABLE t(a REFERENCES "P q"(x) ON DELETE SET NULL ON UPDATE NO ACTION MATCH full ON DELETE CASCADE
        NOT DEFERRABLE INITIALLY DEFERRED, b REFERENCES p NOT NULL DEFERRABLE INITIALLY DEFERRED, c,
        CONSTRAINT fk FOREIGN KEY (a, "b") REFERENCES r(c, d) ON UPDATE SET DEFAULT DEFERRABLE)
      """
    )
    guard case .references(let first) = table.columns[0].constraints[0].kind,
      case .references(let second) = table.columns[1].constraints[0].kind,
      case .foreignKey(let columns, let third) = table.constraints[0].kind
    else {
      Issue.record("another kind of constraint was read")
      return
    }
    #expect(first.table == "p Q" && first.columns == ["x"] && first.match == "full")
    #expect(first.onDelete == .cascade && first.onUpdate == .noAction)
    #expect(first.deferral == Deferral(isDeferrable: false, isInitiallyDeferred: true))
    #expect(second.columns.isEmpty && second.onDelete == nil)
    #expect(second.deferral == Deferral(isDeferrable: true, isInitiallyDeferred: true))
    #expect(table.constraints[0].name == "fk" && columns == ["a", "b"] && third.columns == ["c", "d"])
    #expect(third.onUpdate == .setDefault && third.deferral == Deferral(isDeferrable: true))
  }

  @Test("table constraints need no comma between them")
  func tableConstraints() throws {
    let sql = """
      CREATE TABLE t(a, b, CONSTRAINT pk PRIMARY KEY (a COLLATE nocase DESC, "b") ON CONFLICT ROLLBACK
        UNIQUE (b) CHECK (a <> b) CONSTRAINT c CHECK (1) FOREIGN KEY (a) REFERENCES t)
      """
    let constraints = try table(sql).constraints
    #expect(constraints.map(\.name) == ["pk", nil, nil, "c", nil])
    guard case .primaryKey(let key, conflict: .rollback, isAutoincrement: false) = constraints[0].kind else {
      Issue.record("another kind of constraint was read")
      return
    }
    #expect(key.map(\.column) == ["a", "b"])
    #expect(key.map(\.collation) == ["nocase", nil])
    #expect(key.map(\.order) == [.descending, nil])
    #expect(part(constraints[3].span, of: sql) == "CONSTRAINT c CHECK (1)")
    guard
      case .primaryKey(_, conflict: nil, isAutoincrement: true) =
        try table("CREATE TABLE t(a INTEGER, PRIMARY KEY (a AUTOINCREMENT))").constraints[0].kind
    else {
      Issue.record("another kind of constraint was read")
      return
    }
  }

  @Test("table options come in any order", arguments: ["STRICT, WITHOUT ROWID", "without rowid,strict", "STRICT", ""])
  func options(_ options: String) throws {
    let table = try table("CREATE TABLE t(a INT PRIMARY KEY)\(options)")
    #expect(table.isStrict == options.lowercased().contains("strict"))
    #expect(table.isWithoutRowID == options.lowercased().contains("rowid"))
  }

  @Test(
    "what is not a CREATE statement is an error with its place",
    arguments: [
      ("CREATE TABLE t(a b\n, c d e (10) FOO)", "line 2, column 14: expected \")\" but found \"FOO\""),
      ("CREATE TABLE t(a", "line 1, column 17: expected \")\" but the text ends"),
      (
        "CREATE TABLE t(a) x",
        "line 1, column 19: expected STRICT, WITHOUT ROWID or the end of the statement but found \"x\""
      ),
      ("CREATE TABLE t(a); SELECT 1", "line 1, column 20: expected the end of the statement but found \"SELECT\""),
      ("CREATE TABLE t(a,)", "line 1, column 18: expected a column name but found \")\""),
      ("CREATE TABLE select(a)", "line 1, column 14: expected a name for the table but found \"select\""),
      ("CREATE TABLE t(a CHECK ())", "line 1, column 25: expected an expression but found \")\""),
      ("CREATE TEMP INDEX i ON t(a)", "line 1, column 13: expected TABLE, VIEW or TRIGGER but found \"INDEX\""),
      ("DROP TABLE t", "line 1, column 1: expected CREATE but found \"DROP\""),
      ("", "line 1, column 1: expected CREATE but the text ends"),
    ]
  )
  func errors(sql: String, message: String) {
    let error = #expect(throws: SQLSyntaxError.self) { try SQLParser.create(sql) }
    #expect(error?.description == message)
  }

  @Test("CREATE TABLE AS is refused by name")
  func createTableAs() {
    let error = #expect(throws: SQLSyntaxError.self) { try SQLParser.create("CREATE TABLE t AS SELECT 1") }
    #expect(error?.message.contains("CREATE TABLE ... AS") == true)
  }

  @Test("a type in quotes is what the quotes enclose")
  func quotedTypes() throws {
    let columns = try table("CREATE TABLE t(a \"INTEGER\" big, b [x y], c \"\", d INT, e)").columns
    #expect(columns.map(\.type) == ["\"INTEGER\" big", "[x y]", "\"\"", "INT", nil])
    #expect(columns.map(\.effectiveType) == ["INTEGER", "x y", "", "INT", nil])
  }

  @Test("a type that begins with brackets or quotes loses what SQLite takes from it, in its affinity too")
  func typesBehindQuotes() throws {
    try Engine.require(.typesBehindBrackets)
    let types = [
      "[x y] INT", "[x] [y]", "[INT]", "[x] TEXT", "[x] /* ' */ INT", "[x] /* c */ INT", "[] INT", "[VARCHAR] (3)",
      "[x] GENERATED ALWAYS", "'' x", "[x] é",
    ]
    for type in types {
      let sql = "CREATE TABLE t(a \(type))"
      let database = try SQLiteConnection.memory()
      try database.execute(sql)
      let said = try database.rows("SELECT CAST(type AS BLOB) FROM pragma_table_xinfo('t')")[0][0]
      try database.execute("INSERT INTO t VALUES ('5')")
      let isText = try database.texts("SELECT typeof(a) FROM t") == ["text"]
      let column = try table(sql).columns[0]
      let wanted = SQLValue.blob(Array((column.effectiveType ?? "").utf8))
      // Between the words SQLite keeps comments, and a broken character is one of ours.
      if !type.contains("/*"), !type.contains("é") { #expect(said == wanted, "\(type)") }
      let affinity = Affinity(declaredType: column.affinityType, isStrict: false)
      #expect((affinity == .text) == isText, "\(type)")
    }
  }
}

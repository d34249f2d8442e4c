import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SQL scripts")
struct SQLScriptTests {
  @Test("a semicolon among the arguments of a virtual table ends no statement")
  func virtualTable() throws {
    let statements = try SQLScript.statements(in: "CREATE VIRTUAL TABLE r USING x(a;b, f(;)); CREATE TABLE t (a);")
    #expect(statements.map(\.text) == ["CREATE VIRTUAL TABLE r USING x(a;b, f(;))", "CREATE TABLE t (a)"])
  }

  @Test("statements come with their text, line and place")
  func statements() throws {
    let script = "\n-- head\nSELECT 1 ;;\n  ; SELECT\n';' -- tail\n; SELECT 3"
    let statements = try SQLScript.statements(in: script)
    #expect(statements.map(\.text) == ["SELECT 1", "SELECT\n';'", "SELECT 3"])
    #expect(statements.map(\.line) == [3, 4, 6])
    #expect(statements.map(\.comments.count) == [0, 1, 0])
    for statement in statements {
      let piece = Array(script.utf8)[statement.span.start..<statement.span.end]
      #expect(String(decoding: piece, as: UTF8.self) == statement.text)
    }
  }

  @Test("a trigger is one statement")
  func triggers() throws {
    let script = """
      CREATE TEMP TRIGGER a DELETE ON t BEGIN SELECT 1; SELECT CASE 1 WHEN 1 THEN 2 END; END; SELECT 2;
      CREATE TABLE trigger(a); EXPLAIN QUERY PLAN CREATE TRIGGER b INSERT ON t BEGIN SELECT 1; END
      """
    let statements = try SQLScript.statements(in: script)
    #expect(statements.map { $0.tokens.count } == [21, 2, 6, 14])
    #expect(statements[0].text.hasSuffix("END; END"))
  }

  @Test("a comment on the line of a statement's end belongs to it")
  func comments() throws {
    let script = """
      CREATE TABLE t( -- schemakit: renamed from s
        a -- schemakit: renamed from b
      ); -- schemakit: removed c
      -- nobody's
      CREATE TABLE u(a) -- u's
      -- nobody's
      """
    let comments = try SQLScript.statements(in: script).map { $0.comments.map(\.text) }
    #expect(
      comments == [
        ["-- schemakit: renamed from s", "-- schemakit: renamed from b", "-- schemakit: removed c"], ["-- u's"],
      ]
    )
  }

  @Test("commands of the shell are left out, and only where a statement could start")
  func dotCommands() throws {
    let script = ".mode 'list\n.headers on\nSELECT t\n.a;\n.quit \"\n"
    #expect(try SQLScript.statements(in: script).map(\.text) == ["SELECT t\n.a"])
  }

  @Test("nothing gives nothing, and a broken text gives an error")
  func edges() throws {
    #expect(try SQLScript.statements(in: " ;; /* a */ ; -- b").isEmpty)
    let error = #expect(throws: SQLSyntaxError.self) { try SQLScript.statements(in: "SELECT 1;\n SELECT 'x") }
    #expect(error?.line == 2 && error?.column == 9)
  }

  @Test("stretches of a text are replaced and the rest stays")
  func editing() {
    #expect(SQLEditing.replacing(Span(start: 3, end: 4), in: "é b c", with: "ü") == "é ü c")
    let edits = [
      SQLEditing.Edit(span: Span(start: 4, end: 5), replacement: "long"),
      SQLEditing.Edit(span: Span(start: 0, end: 1), replacement: ""),
    ]
    #expect(SQLEditing.applying(edits, to: "a b c") == " b long")
  }
}

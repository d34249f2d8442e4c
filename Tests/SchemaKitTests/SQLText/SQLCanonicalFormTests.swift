import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Canonical form")
struct SQLCanonicalFormTests {
  private func expression(_ text: String) throws -> SQLExpression {
    let tokens = try SQLLexer.tokens(of: text)
    return SQLExpression(tokens: tokens, text: text, span: Span(start: 0, end: text.utf8.count))
  }

  private func canonical(_ text: String, table: SQLName? = nil, columns: Set<SQLName>? = nil) throws -> [String] {
    try expression(text).canonical(droppingQualifier: table, columns: columns)
  }

  @Test(
    "texts that mean the same are equal",
    arguments: [
      ("a>0", "A /* c */ > 0"), ("(a > 0)", "a > 0"), ("((a > 0))", "a > 0"), ("[a] = `B`", "\"A\" == b"),
      ("a <> 1", "a != 1"), ("0x10", "16"), ("1.0", "1.00"), ("1.0", "1e0"), (".5", "0.50"), ("x'ab'", "X'AB'"),
      ("\"lower\"(a)", "LOWER(a)"), ("\"key\" > 0", "key > 0"), ("0xFFFFFFFFFFFFFFFF", "0xffffffffffffffff"),
      ("1_000", "1000"), ("1.", "1.0"),
    ]
  )
  func equal(left: String, right: String) throws {
    #expect(try canonical(left) == canonical(right))
  }

  @Test(
    "texts that mean different things are not",
    arguments: [
      ("1", "1.0"), ("'a'", "'A'"), ("'a'", "a"), ("\"current_timestamp\"", "current_timestamp"), ("\"true\"", "true"),
      ("(a) + (b)", "a) + (b"), ("\"(\"", "("), ("\"a b\"", "a b"), ("9223372036854775808", "9223372036854775807"),
      ("a = 1", "a = 2"), ("é", "É"), ("\"null\"", "NULL"), ("a.b", "b"),
    ]
  )
  func different(left: String, right: String) throws {
    #expect(try canonical(left) != canonical(right))
  }

  @Test("a name in double quotes that is not a column is a text")
  func legacyStrings() throws {
    #expect(try canonical("a = \"x\"", columns: ["a"]) == canonical("a = 'x'", columns: ["a"]))
    #expect(try canonical("a = \"x\"", columns: ["a", "X"]) == canonical("a = x", columns: ["a", "X"]))
    #expect(try canonical("a = [x]", columns: ["a"]) != canonical("a = 'x'", columns: ["a"]))
    #expect(try canonical("a COLLATE \"nocase\"", columns: ["a"]) == canonical("a collate NOCASE", columns: ["a"]))
    #expect(try canonical("\"rowid\" > 0", columns: ["a"]) == canonical("rowid > 0", columns: ["a"]))
  }

  @Test("the table's own name in front of a column can be dropped")
  func qualifiers() throws {
    #expect(try canonical("\"T\".a > t.[b]", table: "t") == canonical("a > b"))
    #expect(try canonical("u.a > t", table: "t") == ["u", ".", "a", ">", "t"])
    #expect(try canonical("t.\"x\"", table: "t", columns: ["a"]) == ["x"])
  }

  @Test(
    "defaults that give the same value are equal",
    arguments: [
      ("1", "+1"), ("1", "(1)"), ("((1))", "1"), ("TRUE", "1"), ("false", "0"), ("- 1", "-1"), ("(-1)", "-1"),
      ("word", "'word'"), ("\"word\"", "'word'"), ("[word]", "'word'"), ("('x')", "'x'"), ("-0x10", "-16"),
      ("null", "NULL"), ("current_timestamp", "CURRENT_TIMESTAMP"), ("(a+1)", "(( A + 1 ))"), ("-0", "0"),
      ("+'x'", "'x'"), ("(- -1)", "1"), ("-9223372036854775808", "(-9223372036854775808)"), ("-1.0", "-1.00"),
      ("\"true\"", "'true'"),
    ]
  )
  func equalDefaults(left: String, right: String) throws {
    #expect(try expression(left).defaultCanonical() == expression(right).defaultCanonical())
  }

  @Test(
    "defaults that give other values are not",
    arguments: [
      ("1", "-1"), ("1", "'1'"), ("1", "1.0"), ("word", "'Word'"), ("NULL", "'NULL'"), ("\"true\"", "true"),
      ("CURRENT_DATE", "'CURRENT_DATE'"), ("x'00'", "'00'"), ("(1 - 2)", "-1"),
    ]
  )
  func differentDefaults(left: String, right: String) throws {
    #expect(try expression(left).defaultCanonical() != expression(right).defaultCanonical())
  }

  @Test("names that need quotes are known")
  func quoting() {
    for name in ["order", "Key", "a b", "1a", "", "true", "current_date", "a-b", "$a", "within"] {
      #expect(SQLKeywords.needsQuoting(name), "\(name)")
    }
    for name in ["a", "größe", "_x1", "a$b", "orders"] { #expect(!SQLKeywords.needsQuoting(name), "\(name)") }
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("SQL lexer")
struct SQLLexerTests {
  private func texts(_ sql: String) throws -> [String] { try SQLLexer.tokens(of: sql).map(\.text) }
  private func kinds(_ sql: String) throws -> [SQLToken.Kind] { try SQLLexer.tokens(of: sql).map(\.kind) }

  @Test("white space of every kind, comments and a byte order mark are no tokens")
  func whiteSpace() throws {
    #expect(try texts("\u{FEFF}a\tb\nc\u{0C}d\r\ne \u{0B}f") == ["a", "b", "c", "d", "e", "f"])
    #expect(try texts("a -- b\nc /* d */ e /* * / f") == ["a", "c", "e"])
    #expect(try texts("a--b") == ["a"])
    #expect(try texts("a/**/b/***/c") == ["a", "b", "c"])
    #expect(try texts("a/*/b*/c") == ["a", "c"])
    #expect(try texts("a /*") == ["a", "/", "*"])
  }

  @Test("comments come with their text and place")
  func comments() throws {
    let comments = try SQLLexer.tokensAndComments(of: "é -- schemakit: renamed from x\n/* two */ b").comments
    #expect(comments.map(\.text) == ["-- schemakit: renamed from x", "/* two */"])
    #expect(comments.map(\.span) == [Span(start: 3, end: 31), Span(start: 32, end: 41)])
  }

  @Test("every form of quotes is one token and gives the name inside")
  func quotes() throws {
    let tokens = try SQLLexer.tokens(of: #"'it''s' "a""b" `c``d` [e "f] "" ''"#)
    #expect(tokens.map(\.unquotedText) == ["it's", "a\"b", "c`d", "e \"f", "", ""])
    #expect(tokens.map(\.kind) == [.string, .quotedName, .quotedName, .quotedName, .quotedName, .string])
  }

  @Test("numbers follow SQLite's rules")
  func numbers() throws {
    #expect(try kinds("1 0xFF 007 1_000") == [.integer, .integer, .integer, .integer])
    #expect(try kinds("1.5 .5 1. 1e10 1E-3 1.e5 .5e+3") == Array(repeating: .float, count: 7))
    #expect(try texts("1.5.5") == ["1.5", ".5"])
    #expect(try texts("a.b") == ["a", ".", "b"])
    for bad in ["1a", "0xZ", "1e", "1e+", "0xFFg", "1__0", "1_", "1.5x", "12$"] {
      #expect(throws: SQLSyntaxError.self, "\(bad)") { try SQLLexer.tokens(of: bad) }
    }
  }

  @Test("blobs need pairs of digits, and x alone is a word")
  func blobs() throws {
    #expect(try kinds("x'' X'0aFF' x xyz") == [.blob, .blob, .word, .word])
    for bad in ["x'0'", "x'0g'", "x'00"] {
      #expect(throws: SQLSyntaxError.self, "\(bad)") { try SQLLexer.tokens(of: bad) }
    }
  }

  @Test("parameters of every form are one token")
  func variables() throws {
    let all = ["?", "?12", ":a", "@b1", "$c", "$d::e", "$f(g)", ":h$i", "#1", "#j"]
    #expect(try texts(all.joined(separator: " ")) == all)
    #expect(try kinds(all.joined(separator: " ")) == Array(repeating: .variable, count: all.count))
    for bad in [":", "@ a", "$f(g", "# a"] {
      #expect(throws: SQLSyntaxError.self, "\(bad)") { try SQLLexer.tokens(of: bad) }
    }
  }

  @Test("the longest operator wins")
  func operators() throws {
    #expect(
      try texts("a||b->c->>d==e<>f!=g<=h>=i<<j>>k|l-m<n>o")
        == "a || b -> c ->> d == e <> f != g <= h >= i << j >> k | l - m < n > o".split(separator: " ").map(String.init)
    )
    #expect(throws: SQLSyntaxError.self) { try SQLLexer.tokens(of: "a ! b") }
    #expect(throws: SQLSyntaxError.self) { try SQLLexer.tokens(of: "a ^ b") }
  }

  @Test("words may hold dollars and any character beyond ASCII")
  func words() throws {
    #expect(try texts("a$b _c größe 表 ünï") == ["a$b", "_c", "größe", "表", "ünï"])
    #expect(try SQLLexer.tokens(of: "croß").first?.isKeyword("CROSS") == false)
    #expect(try SQLLexer.tokens(of: "cRoSs").first?.isKeyword("CROSS") == true)
  }

  @Test("spans count UTF-8 bytes")
  func spans() throws {
    let tokens = try SQLLexer.tokens(of: "é 'ü' x")
    #expect(tokens.map(\.span) == [Span(start: 0, end: 2), Span(start: 3, end: 7), Span(start: 8, end: 9)])
  }

  @Test("an error says where and what")
  func errors() throws {
    let error = #expect(throws: SQLSyntaxError.self) { try SQLLexer.tokens(of: "a\nü 'open") }
    #expect(error?.offset == 5)
    #expect(error?.description == "line 2, column 3: a quoted text starts here but its closing ' is missing")
  }
}

/// Reads the statements that make schema objects.
///
/// Where SQLite needs a whole grammar for expressions and queries, this parser keeps them as they are: it only has to
/// find their ends. The rest it reads by the rules of SQLite's grammar, tolerances included.
package struct SQLParser {
  package let bytes: [UInt8]
  package let tokens: [SQLToken]
  /// The index of the token to read next.
  package var position = 0

  package init(_ text: String) throws(SQLSyntaxError) {
    var lexer = SQLLexer(text)
    tokens = try lexer.remainder().tokens
    bytes = lexer.bytes
  }

  /// Reads a text that holds one CREATE statement and nothing else but a semicolon at its end.
  package static func create(_ text: String) throws(SQLSyntaxError) -> CreateStatement {
    var parser = try SQLParser(text)
    let statement = try parser.createStatement()
    while parser.take(symbol: ";") {}
    guard parser.current == nil else { throw parser.unexpected("the end of the statement") }
    return statement
  }

  private mutating func createStatement() throws(SQLSyntaxError) -> CreateStatement {
    try expect("CREATE")
    let isTemporary = take("TEMP") || take("TEMPORARY")
    if take("TABLE") { return .table(try createTable(isTemporary: isTemporary)) }
    if take("VIEW") { return .view(try createView(isTemporary: isTemporary)) }
    if take("TRIGGER") { return .trigger(try createTrigger(isTemporary: isTemporary)) }
    guard !isTemporary else { throw unexpected("TABLE, VIEW or TRIGGER") }
    if take("INDEX") { return .index(try createIndex(isUnique: false)) }
    if take("UNIQUE") {
      try expect("INDEX")
      return .index(try createIndex(isUnique: true))
    }
    if take("VIRTUAL") {
      try expect("TABLE")
      return .virtualTable(try createVirtualTable())
    }
    throw unexpected("TABLE, INDEX, VIEW, TRIGGER or VIRTUAL TABLE")
  }
}

// MARK: - The cursor

extension SQLParser {
  package var current: SQLToken? { position < tokens.count ? tokens[position] : nil }

  /// True if the token `distance` places ahead is the given keyword, which must be in capitals.
  package func at(_ keyword: String, ahead distance: Int = 0) -> Bool {
    position + distance < tokens.count && tokens[position + distance].isKeyword(keyword)
  }

  package func at(symbol: String) -> Bool { position < tokens.count && tokens[position].isSymbol(symbol) }

  /// Steps over the keyword if it is next.
  package mutating func take(_ keyword: String) -> Bool {
    guard at(keyword) else { return false }
    position += 1
    return true
  }

  /// Steps over two keywords if both are next.
  package mutating func take(_ first: String, _ second: String) -> Bool {
    guard at(first), at(second, ahead: 1) else { return false }
    position += 2
    return true
  }

  package mutating func take(symbol: String) -> Bool {
    guard at(symbol: symbol) else { return false }
    position += 1
    return true
  }

  package mutating func expect(_ keyword: String) throws(SQLSyntaxError) {
    guard take(keyword) else { throw unexpected(keyword) }
  }

  package mutating func expect(symbol: String) throws(SQLSyntaxError) {
    guard take(symbol: symbol) else { throw unexpected("\"\(symbol)\"") }
  }

  /// The error for a token that is not what the grammar wants here.
  package func unexpected(_ expected: String) -> SQLSyntaxError {
    guard let current else {
      return SQLSyntaxError("expected \(expected) but the text ends", at: tokens.last?.span.end ?? 0, in: bytes)
    }
    let found = current.kind == .symbol || current.kind == .word ? "\"\(current.text)\"" : current.text
    return SQLSyntaxError("expected \(expected) but found \(found)", at: current.span.start, in: bytes)
  }

  /// The place from one token to the token before the next one to read.
  package func span(from first: Int) -> Span {
    Span(start: tokens[first].span.start, end: tokens[position - 1].span.end)
  }
}

// MARK: - Names

extension SQLParser {
  /// A name of a schema object, with or without the schema it lies in.
  package struct ObjectName {
    package var name: SQLName
    package var span: Span
    package var qualifiedSpan: Span
  }

  /// Reads one name and where it stands.
  package mutating func name(_ what: String = "a name") throws(SQLSyntaxError) -> (name: SQLName, span: Span) {
    guard let token = current, token.isName, let name = token.name else { throw unexpected(what) }
    position += 1
    return (name, token.span)
  }

  /// Reads `name` or `schema.name`.
  package mutating func objectName(_ what: String) throws(SQLSyntaxError) -> ObjectName {
    let first = try name(what)
    guard take(symbol: ".") else {
      return ObjectName(name: first.name, span: first.span, qualifiedSpan: first.span)
    }
    let second = try name(what)
    let whole = Span(start: first.span.start, end: second.span.end)
    return ObjectName(name: second.name, span: second.span, qualifiedSpan: whole)
  }

  /// Steps over IF NOT EXISTS.
  package mutating func skipIfNotExists() throws(SQLSyntaxError) {
    guard at("IF"), at("NOT", ahead: 1) else { return }
    position += 2
    try expect("EXISTS")
  }

  /// Reads a list of names in parentheses.
  ///
  /// Old files may have COLLATE and an order behind a name, which SQLite reads and ignores.
  package mutating func nameList() throws(SQLSyntaxError) -> [SQLName] {
    try expect(symbol: "(")
    var names: [SQLName] = []
    repeat {
      names.append(try name("a column name").name)
      if take("COLLATE") { _ = try name("a collation") }
      _ = take("ASC") || take("DESC")
    } while take(symbol: ",")
    try expect(symbol: ")")
    return names
  }
}

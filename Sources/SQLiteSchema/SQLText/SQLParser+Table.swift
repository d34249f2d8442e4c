extension SQLParser {
  /// Reads a CREATE TABLE statement from its name on.
  package mutating func createTable(isTemporary: Bool) throws(SQLSyntaxError) -> CreateTableStatement {
    try skipIfNotExists()
    let table = try objectName("a name for the table")
    if at("AS") {
      throw unexpected("the columns of the table, which CREATE TABLE ... AS does not declare,")
    }
    try expect(symbol: "(")
    var statement = CreateTableStatement(
      name: table.name,
      nameSpan: table.span,
      qualifiedNameSpan: table.qualifiedSpan,
      isTemporary: isTemporary,
      columns: [],
      constraints: [],
      isStrict: false,
      isWithoutRowID: false
    )
    try readColumns(into: &statement)
    try expect(symbol: ")")
    try readOptions(into: &statement)
    return statement
  }

  private mutating func readColumns(into table: inout CreateTableStatement) throws(SQLSyntaxError) {
    repeat {
      if !table.columns.isEmpty, startsTableConstraint {
        try readTableConstraints(into: &table)
        return
      }
      try readColumn(into: &table)
    } while take(symbol: ",")
  }

  private mutating func readColumn(into table: inout CreateTableStatement) throws(SQLSyntaxError) {
    let first = position
    let name = try name("a column name")
    let type = try columnType()
    let column = ColumnDefinition(
      name: name.name, type: type?.spelled, storedType: type?.stored, constraints: [], span: name.span,
      nameSpan: name.span)
    table.columns.append(column)
    try readColumnConstraints(into: &table)
    table.columns[table.columns.count - 1].span = span(from: first)
  }

  private mutating func readOptions(into table: inout CreateTableStatement) throws(SQLSyntaxError) {
    guard current != nil, !at(symbol: ";") else { return }
    repeat {
      if take("STRICT") {
        table.isStrict = true
      } else if take("WITHOUT") {
        try expect("ROWID")
        table.isWithoutRowID = true
      } else {
        throw unexpected("STRICT, WITHOUT ROWID or the end of the statement")
      }
    } while take(symbol: ",")
  }
}

// MARK: - Types

extension SQLParser {
  /// Reads the declared type of a column: words, and one or two numbers in parentheses behind them.
  private mutating func columnType() throws(SQLSyntaxError) -> (spelled: String, stored: String)? {
    let first = position
    while let token = current, token.isTypeWord { position += 1 }
    guard position > first else { return nil }
    if at(symbol: "(") {
      position += 1
      try skipSignedNumber()
      if take(symbol: ",") { try skipSignedNumber() }
      try expect(symbol: ")")
    }
    let stored = expression(first..<position).text
    let spelled = spelling(first..<position)
    // To SQLite's grammar GENERATED ALWAYS are words of the type as well; it cuts them off the text afterwards, even where
    // they are the end of a longer word, if the text is long enough to hold both.
    guard stored.utf8.count >= 16 else { return (spelled, stored) }
    let type = Self.withoutGeneratedAlways(spelled)
    return type.isEmpty ? nil : (type, Self.withoutGeneratedAlways(stored))
  }

  /// A type without the words that newer versions of SQLite cut off its end.
  package static func withoutGeneratedAlways(_ type: String) -> String {
    var bytes = type.utf8[...]
    func cut(_ word: String) -> Bool {
      guard SQLName.fold(String(bytes.suffix(word.utf8.count)) ?? "") == word else { return false }
      bytes = bytes.dropLast(word.utf8.count)
      while let last = bytes.last, SQLLexer.isSpace(last) { bytes.removeLast() }
      return true
    }
    guard cut("always") else { return type }
    _ = cut("generated")
    return String(bytes) ?? type
  }

  private mutating func skipSignedNumber() throws(SQLSyntaxError) {
    _ = take(symbol: "+") || take(symbol: "-")
    guard current?.kind == .integer || current?.kind == .float else { throw unexpected("a number") }
    position += 1
  }

  /// The tokens with one space wherever something stands between two of them.
  private func spelling(_ range: Range<Int>) -> String {
    var text = ""
    for index in range {
      if index > range.lowerBound, tokens[index].span.start > tokens[index - 1].span.end { text += " " }
      text += tokens[index].text
    }
    return text
  }
}

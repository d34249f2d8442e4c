/// Cuts the statement for an entry of the history where an engine takes none that long.
enum HistoryText {
  /// How many bytes of a text stand in one statement, at most; quotes may double them.
  private static let pieceBytes = 30_000

  /// A statement, or the same with its long texts shortened and what adds the rest to the newest entry.
  static func parts(of sql: String, maximumBytes: Int?) throws -> [String] {
    guard let maximumBytes, sql.utf8.count > maximumBytes else { return [sql] }
    let tokens = try SQLLexer.tokens(of: sql)
    guard let first = tokens.firstIndex(where: { $0.isSymbol("(") }),
      let last = tokens[first...].firstIndex(where: { $0.isSymbol(")") }),
      let values = tokens[last...].firstIndex(where: { $0.isKeyword("VALUES") })
    else { return [sql] }
    let columns = tokens[(first + 1)..<last].compactMap(\.name)
    var shortened: [(span: Span, text: String)] = []
    var rest: [String] = []
    var (depth, number) = (0, 0)
    for token in tokens[(values + 1)...] {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if token.isSymbol(","), depth == 1 { number += 1 }
      guard depth == 1, token.text.hasPrefix("'"), token.text.utf8.count > pieceBytes, columns.indices.contains(number)
      else { continue }
      let pieces = pieces(of: String(token.text.dropFirst().dropLast()).replacing("''", with: "'"))
      shortened.append((span: token.span, text: SQLQuoting.literal(pieces[0])))
      let column = columns[number].quoted
      rest += pieces.dropFirst().map { piece in
        "UPDATE main._schemakit_history SET \(column) = \(column) || \(SQLQuoting.literal(piece)) "
          + "WHERE id = (SELECT max(id) FROM main._schemakit_history)"
      }
    }
    let statement = shortened.reversed().reduce(sql) { SQLEditing.replacing($1.span, in: $0, with: $1.text) }
    return [statement] + rest
  }

  private static func pieces(of text: String) -> [String] {
    var pieces: [String] = [""]
    for scalar in text.unicodeScalars {
      if pieces[pieces.count - 1].utf8.count >= pieceBytes { pieces.append("") }
      pieces[pieces.count - 1].unicodeScalars.append(scalar)
    }
    return pieces
  }
}

/// The statements by which a script writes into the history of the database that it changes, and the history that it must
/// find there.
package struct HistoryScript: Sendable, Hashable {
  /// The history that the plan was made with.
  package enum Former: Sendable, Hashable {
    /// Not known: of a dump that lacks its rows.
    case unknown
    /// There was none.
    case none
    /// The fingerprint that it has for the schema; nil if it has none.
    case fingerprint(String?, schema: String)
  }

  package var former = Former.unknown
  package var statements: [String] = []

  package init() {}
}

/// Cuts a statement that writes into the history where an engine takes none that long.
enum HistoryText {
  /// A statement, or the same with its long texts shortened and what adds the rest to the row.
  static func parts(of sql: String, maximumBytes: Int?) throws -> [String] {
    guard let maximumBytes, sql.utf8.count > maximumBytes else { return [sql] }
    let tokens = try SQLLexer.tokens(of: sql)
    guard let table = tokens.first(where: { $0.text.hasPrefix("_schemakit_") })?.text,
      let first = tokens.firstIndex(where: { $0.isSymbol("(") }),
      let last = tokens[first...].firstIndex(where: { $0.isSymbol(")") }),
      let values = tokens[last...].firstIndex(where: { $0.isKeyword("VALUES") })
    else { return [sql] }
    let columns = tokens[(first + 1)..<last].compactMap(\.name)
    // A row of the history has three long texts at most.
    let pieceBytes = maximumBytes / 6
    let row =
      table == LedgerShape.history.name
      ? "id = (SELECT max(id) FROM main.\(table))" : "\(columns[0].quoted) = \(tokens[values + 2].text)"
    var shortened: [(span: Span, text: String)] = []
    var rest: [String] = []
    var (depth, number) = (0, 0)
    for token in tokens[(values + 1)...] {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if token.isSymbol(","), depth == 1 { number += 1 }
      guard depth == 1, token.text.hasPrefix("'"), token.text.utf8.count > pieceBytes, columns.indices.contains(number)
      else { continue }
      let pieces = pieces(of: String(token.text.dropFirst().dropLast()).replacing("''", with: "'"), pieceBytes)
      shortened.append((span: token.span, text: SQLQuoting.literal(pieces[0])))
      let column = columns[number].quoted
      rest += pieces.dropFirst().map { piece in
        "UPDATE main.\(table) SET \(column) = \(column) || \(SQLQuoting.literal(piece)) WHERE \(row)"
      }
    }
    let statement = shortened.reversed().reduce(sql) { SQLEditing.replacing($1.span, in: $0, with: $1.text) }
    return [statement] + rest
  }

  /// - Parameter bytes: The approximate number of bytes of a piece as a literal.
  private static func pieces(of text: String, _ bytes: Int) -> [String] {
    var pieces: [String] = [""]
    var count = 0
    for scalar in text.unicodeScalars {
      if count >= bytes {
        pieces.append("")
        count = 0
      }
      pieces[pieces.count - 1].unicodeScalars.append(scalar)
      count += scalar == "'" ? 2 : scalar.utf8.count
    }
    return pieces
  }
}

extension SQLName {
  /// Reads `NAME` or `NAME.NAME` with SQL's quoting; nil for anything else.
  package static func path(in text: String) -> [SQLName]? {
    guard let tokens = try? SQLLexer.tokens(of: text) else { return nil }
    switch tokens.count {
    case 1: return tokens[0].name.map { [$0] }
    case 3 where tokens[1].isSymbol("."):
      guard let first = tokens[0].name, let second = tokens[2].name else { return nil }
      return [first, second]
    default: return nil
    }
  }
}

extension SQLName {
  /// The name of a column behind that of its table, as messages write it.
  package func dotted(_ column: SQLName) -> String { "\(quotedIfNeeded).\(column.quotedIfNeeded)" }
}

extension [SQLName] {
  /// The names in a list, as SQL writes them.
  package var commaSeparated: String { map(\.quotedIfNeeded).joined(separator: ", ") }
}

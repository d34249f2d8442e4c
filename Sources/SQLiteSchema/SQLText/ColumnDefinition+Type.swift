extension ColumnDefinition {
  /// The declared type as SQLite reports it and acts on it: another than `type` only when that starts with a quote.
  ///
  /// SQLite then takes what the first pair of quotes encloses for the whole type: `"INTEGER" big` is INTEGER. Where
  /// there is no other quote it takes away the first and the last byte, whatever that is: `[x y] INT` is `x y] IN`.
  package var effectiveType: String? { type.map { unquoted($0) } }

  /// The text that SQLite works out the affinity of, comments and all.
  package var affinityType: String? { storedType.map { unquoted($0) } }

  private func unquoted(_ type: String) -> String {
    guard let first = try? SQLLexer.tokens(of: type).first, first.kind == .quotedName || first.kind == .string else {
      return type
    }
    // Comments count: SQLite looks at the text as it is stored.
    let inner = (storedType ?? type).utf8.dropFirst().dropLast()
    if inner.contains(where: { Self.quotes.contains($0) }) { return first.unquotedText }
    return String(decoding: type.utf8.dropFirst().dropLast(), as: UTF8.self)
  }

  /// The bytes with which a quoted name can begin.
  private static let quotes = Array("\"'`[".utf8)
}

extension ColumnDefinition {
  /// The declared type as SQLite reports it and acts on it: another than `type` only when that starts with a quote.
  ///
  /// SQLite then takes what the first pair of quotes encloses for the whole type: `"INTEGER" big` is INTEGER.
  var effectiveType: String? { Self.unquoted(type) }

  /// The text that SQLite works out the affinity of, comments and all.
  var affinityType: String? { Self.unquoted(storedType) }

  private static func unquoted(_ type: String?) -> String? {
    guard let type, let first = try? SQLLexer.tokens(of: type).first else { return type }
    return first.kind == .quotedName || first.kind == .string ? first.unquotedText : type
  }

  /// Whether the type makes a single-column primary key an alias of the rowid.
  var isIntegerType: Bool { effectiveType.map { SQLName($0) == "INTEGER" } ?? false }
}

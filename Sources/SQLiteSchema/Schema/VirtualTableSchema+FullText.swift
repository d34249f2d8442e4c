extension VirtualTableSchema {
  /// The table or view whose text a full-text index covers; nil for any other virtual table, and for one that holds its
  /// text itself or none at all.
  ///
  /// See [External Content Tables](https://sqlite.org/fts5.html#external_content_tables) and
  /// [FTS4](https://sqlite.org/fts3.html#_external_content_fts4_tables_).
  package var externalContent: SQLName? { content.flatMap { $0.text.isEmpty ? nil : $0 } }

  /// Whether the table neither stores text nor reads it from elsewhere.
  package var isContentless: Bool { content?.text.isEmpty ?? false }

  /// The value of `content=`; nil if it is not given.
  private var content: SQLName? {
    guard ["fts5", "fts4"].contains(module.folded) else { return nil }
    return arguments.lazy.compactMap { argument -> SQLName? in
      guard let tokens = try? SQLLexer.tokens(of: argument), (2...3).contains(tokens.count), tokens[1].isSymbol("="),
        tokens[0].name == "content"
      else { return nil }
      return tokens.count == 3 ? tokens[2].name : ""
    }.first
  }
}

import OrderedCollections

extension MigrationHints {
  /// The hints without the conversions that have been done: those that stand in the stored text of their table already.
  ///
  /// A conversion is written for the values that were there before it. Done again, at the next change of the column, it
  /// would take its own results for them. Tables keep the comments of the text that they were made from.
  func withoutSpentConversions(in source: DatabaseSchema) -> MigrationHints {
    var hints = self
    for (name, table) in tables where table.columns.values.contains(where: { $0.conversion != nil }) {
      let stored = ([name] + table.renamedFrom).compactMap { source.tables[$0]?.sql }
      let done = Set(stored.flatMap(Self.conversions))
      for (column, hint) in table.columns where hint.conversion.map(done.contains) ?? false {
        hints.tables[name]?.columns[column]?.conversion = nil
      }
    }
    return hints
  }

  /// The expressions of the hints `convert EXPR` in the text of a table.
  private static func conversions(in sql: String) -> [String] {
    guard sql.contains(":"), let comments = try? SQLLexer.tokensAndComments(of: sql).comments else { return [] }
    return comments.compactMap { comment in
      var text = comment.text[...]
      if text.hasPrefix("--") || text.hasPrefix("/*") { text = text.dropFirst(2) }
      if text.hasSuffix("*/") { text = text.dropLast(2) }
      text = text.trimmed
      for word in ["schemakit:", "convert "] {
        guard text.lowercased().hasPrefix(word) else { return nil }
        text = text.dropFirst(word.count).trimmed
      }
      return String(text)
    }
  }
}

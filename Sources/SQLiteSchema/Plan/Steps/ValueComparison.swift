// Conditions on values that a declaration cannot answer, worded once.
extension RowProjection {
  /// The condition that a value is NULL. SQLite answers `IS NULL` of a NOT NULL column without a look, a comparison needs the
  /// column's collation, which this program may lack, and 3.33 looks a bare column up in a unique index, NOT INDEXED or not.
  package static func isNull(_ value: String) -> String { "+\(value) IS (SELECT NULL) COLLATE BINARY" }

  /// The condition that of two values that are equal one is an integer and one a real; only numbers can differ so.
  package static func isOtherNumber(_ value: String, _ other: String) -> String {
    "(+\(value) < '' COLLATE BINARY AND typeof(\(value)) <> typeof(\(other)))"
  }
}

extension ColumnSchema {
  /// True for a computed column without a type whose words GENERATED ALWAYS older versions of SQLite take for one.
  package var isTypedByItsWords: Bool { wordsOfType != nil }

  /// These words as they are written: with a comment between them they are a type to all versions.
  package var wordsOfType: String? {
    guard generation != nil, type == nil, let tokens = try? SQLLexer.tokens(of: definition),
      let start = tokens.first(where: { $0.isKeyword("GENERATED") }),
      let end = tokens.first(where: { $0.isKeyword("ALWAYS") })
    else { return nil }
    return SQLEditing.text(at: Span(start: start.span.start, end: end.span.end), in: definition)
  }
}

/// A piece of SQL together with the form that decides whether two pieces mean the same.
package struct CanonicalSQL: Sendable {
  /// The piece as its author wrote it.
  package let text: String

  /// The canonical tokens, joined: equal for pieces that differ only in spelling.
  package let key: String

  package init(text: String, tokens: [String]) {
    self.text = text
    key = tokens.joined(separator: " ")
  }
}

extension CanonicalSQL: Hashable {
  /// Byte by byte, as SQLite compares texts: two ways of writing é are two texts to it, and one to Swift.
  package static func == (left: CanonicalSQL, right: CanonicalSQL) -> Bool {
    left.key.utf8.elementsEqual(right.key.utf8)
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(key) }
}

extension CanonicalSQL {
  /// The piece in parentheses, closed on a line of its own in case the piece ends with a comment.
  ///
  /// A text in double quotes is only in the canonical form what it is in a schema:
  /// https://sqlite.org/quirks.html#double_quoted_string_literals_are_accepted
  package var enclosed: String { "(\(text.contains("\"") ? key : text)\n)" }

  /// The piece as a term of GROUP BY, which takes a number for
  /// [the place of a result](https://sqlite.org/lang_select.html#generation_of_the_set_of_result_rows).
  package var grouped: String { "CASE WHEN 1 THEN \(enclosed) END" }
}

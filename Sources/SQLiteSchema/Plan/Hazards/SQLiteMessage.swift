/// A limit of SQLite that a statement exceeds, so that neither the rows nor an expression is at fault.
///
/// See [Limits](https://sqlite.org/limits.html).
package enum SQLiteLimit {
  /// The beginning of SQLite's message, and the corresponding limit with its default.
  private static let messages = [
    ("too many columns", "2,000 columns in a table or a query"),
    ("Expression tree is too large", "expressions 1,000 levels deep"),
    ("parser stack overflow", "the depth of its parser"),
    ("too many terms in compound SELECT", "500 queries joined by UNION"),
    ("too many arguments on function", "127 arguments of a function"),
    ("at most 64 tables in a join", "64 tables in a join"),
    ("string or blob too big", "1,000,000,000 bytes in a value or statement"),
    ("too many SQL variables", "32,766 parameters of a statement"),
  ]

  /// The limit that an error is about, as text; nil if it is about something else.
  package static func words(for problem: String) -> String? { messages.first { problem.hasPrefix($0.0) }?.1 }

  /// The recommended action.
  package static let remedy: Remedy =
    "Change fewer columns at a time, or use a SQLite that was built with a higher limit."
}

/// Reads SQLite's message about an expression that cannot be evaluated, since nothing else tells the cause.
package enum SQLiteMessage {
  /// The column that does not exist; nil if the message is about something else.
  package static func missingColumn(in problem: String) -> SQLName? {
    problem.firstMatch(of: /^no such column: (\w+)$/).map { SQLName(String($0.output.1)) }
  }
}

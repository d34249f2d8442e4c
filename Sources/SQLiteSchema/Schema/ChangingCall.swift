/// Calls that give another value each time, or on each machine.
enum ChangingCall {
  private static let dates: Set = ["date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff"]

  /// The first such call in a text; nil if there is none.
  ///
  /// See [Deterministic SQL Functions](https://sqlite.org/deterministic.html).
  static func first(in sql: String) -> String? {
    guard let tokens = try? SQLLexer.tokens(of: sql) else { return nil }
    let closers = SQLToken.closers(in: tokens[...])
    for (index, token) in tokens.enumerated() {
      if ["CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains(where: token.isKeyword) { return token.text }
      guard let name = token.name?.folded, index + 1 < tokens.count, tokens[index + 1].isSymbol("("),
        let end = closers[index + 1]
      else { continue }
      if ["random", "randomblob", "last_insert_rowid", "changes", "total_changes"].contains(name) {
        return "\(name)()"
      }
      let arguments = tokens[(index + 2)..<end]
      let readsClock =
        arguments.count <= (name == "strftime" ? 1 : 0)
        || arguments.contains { $0.kind == .string && SQLName.fold($0.unquotedText) == "now" }
      if dates.contains(name), readsClock { return "\(name)()" }
    }
    return nil
  }
}

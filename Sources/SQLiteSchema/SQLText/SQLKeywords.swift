/// The words that SQLite's grammar knows, and which of them may still serve as names.
///
/// The lists follow [SQLite Keywords](https://sqlite.org/lang_keywords.html) and the fallback rule of its grammar: most
/// keywords turn into plain names where no keyword fits.
package enum SQLKeywords {
  /// Keywords that are never names without quotes.
  package static let reserved: Set<String> = [
    "add", "all", "alter", "and", "as", "autoincrement", "between", "case", "check", "collate", "commit", "constraint",
    "create", "default", "deferrable", "delete", "distinct", "drop", "else", "escape", "except", "exists", "foreign",
    "from", "group", "having", "in", "index", "insert", "intersect", "into", "is", "isnull", "join", "limit", "not",
    "nothing", "notnull", "null", "on", "or", "order", "primary", "references", "returning", "select", "set", "table",
    "then", "to", "transaction", "union", "unique", "update", "using", "values", "when", "where",
  ]

  /// Keywords that name things but are never a type or a bare default.
  package static let joinWords: Set<String> = [
    "cross", "full", "indexed", "inner", "left", "natural", "outer", "right",
  ]

  /// Keywords that an expression or a query gives a meaning of its own, though they can be names as well.
  package static let contextual: Set<String> = [
    "asc", "by", "cast", "current", "current_date", "current_time", "current_timestamp", "desc", "do", "end", "exclude",
    "filter", "first", "following", "glob", "groups", "ignore", "last", "like", "match", "materialized", "nulls",
    "offset", "others", "over", "partition", "preceding", "raise", "range", "recursive", "regexp", "rollback", "rows",
    "ties", "unbounded", "window", "with", "within", "without", "abort", "fail", "no", "replace",
  ]

  /// Keywords that are nothing but names inside an expression.
  package static let harmless: Set<String> = [
    "action", "after", "always", "analyze", "attach", "before", "begin", "cascade", "column", "conflict", "database",
    "deferred", "detach", "each", "exclusive", "explain", "for", "generated", "if", "immediate", "initially",
    "instead", "key", "of", "plan", "pragma", "query", "reindex", "release", "rename", "restrict", "row", "savepoint",
    "temp", "temporary", "trigger", "vacuum", "view", "virtual",
  ]

  /// True if a word is a keyword of any kind.
  package static func contains(_ word: String) -> Bool {
    let word = SQLName.fold(word)
    return reserved.contains(word) || joinWords.contains(word) || contextual.contains(word) || harmless.contains(word)
  }

  /// True if a word can never be a name without quotes.
  package static func isReserved(_ word: String) -> Bool { reserved.contains(SQLName.fold(word)) }

  /// True if the bare word means something else than the same word in quotes, inside an expression.
  package static func hasMeaningInExpressions(_ word: String) -> Bool {
    let word = SQLName.fold(word)
    return reserved.contains(word) || joinWords.contains(word) || contextual.contains(word) || word == "true"
      || word == "false"
  }

  /// True if a name must be put in quotes to be read back as itself wherever a name can stand.
  package static func needsQuoting(_ name: String) -> Bool {
    if !isPlainIdentifier(name) || contains(name) { return true }
    let folded = SQLName.fold(name)
    return folded == "true" || folded == "false"
  }

  /// True if the lexer would read the text as one bare word.
  package static func isPlainIdentifier(_ text: String) -> Bool {
    guard let first = text.utf8.first, SQLLexer.startsWord(first), !text.hasPrefix("\u{FEFF}") else { return false }
    return text.utf8.allSatisfy(SQLLexer.continuesWord)
  }
}

extension SQLToken {
  /// True if this can stand where SQLite's grammar wants a name.
  package var isName: Bool {
    switch kind {
    case .word: !SQLKeywords.isReserved(text)
    case .quotedName, .string: true
    default: false
    }
  }

  /// True if this can be one of the words of a column type.
  package var isTypeWord: Bool { isName && !(kind == .word && SQLKeywords.joinWords.contains(SQLName.fold(text))) }
}

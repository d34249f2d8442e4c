/// One statement of a script.
///
/// All spans count from the start of the script; take `span.start` off for places in `text`.
package struct ScriptStatement: Sendable, Hashable {
  /// The statement from its first token to its last, without the semicolon that ends it.
  package var text: String
  /// The tokens of the statement, without the semicolon that ends it.
  package var tokens: [SQLToken]
  /// The comments inside the statement, and those behind it on the line on which it ends.
  package var comments: [SQLComment]
  package var span: Span
  /// The line on which the statement starts, counted from 1.
  package var line: Int
}

/// Cuts a script into its statements, as the SQLite shell does.
package struct SQLScript {
  private var lexer: SQLLexer
  private var statements: [ScriptStatement] = []
  private var tokens: [SQLToken] = []
  private var comments: [SQLComment] = []
  /// Where the last statement ends, its semicolon included, as long as its line goes on.
  private var openEnd: Int?
  private var line = 1
  private var countedTo = 0

  private init(_ text: String) { lexer = SQLLexer(text) }

  /// The statements of a script in their order, empty ones left out.
  ///
  /// A semicolon inside a trigger's body or among the arguments of a virtual table ends nothing. A line that starts with a dot
  /// where a statement could start is a command for the SQLite shell, one that starts with # a comment; both are left out.
  ///
  /// - Throws: `SQLSyntaxError` also for a command by which the shell reads something that is not in the script.
  package static func statements(in text: String) throws(SQLSyntaxError) -> [ScriptStatement] {
    var script = SQLScript(text)
    try script.read()
    return script.statements
  }

  private mutating func read() throws(SQLSyntaxError) {
    while true {
      lexer.skipWhiteSpace()
      while tokens.isEmpty, isCommandOfShell {
        if let command = readingCommand {
          throw SQLSyntaxError(
            ".\(command) has the sqlite3 shell read something else, and nothing here does: write out what it stands for",
            at: lexer.position, in: lexer.bytes)
        }
        lexer.skipLine()
        lexer.skipWhiteSpace()
      }
      guard let lexeme = try lexer.next() else { break }
      switch lexeme {
      case .comment(let comment): add(comment)
      case .token(let token) where token.isSymbol(";") && !isInsideTrigger && !isInsideVirtualTable:
        finish(end: token.span.end)
      case .token(let token):
        if tokens.isEmpty { openEnd = nil }
        tokens.append(token)
      }
    }
    finish(end: tokens.last?.span.end ?? lexer.bytes.count)
  }

  /// True where a line starts with a dot, or in its first column with #: the shell takes these for a command and a comment.
  private var isCommandOfShell: Bool {
    let position = lexer.position
    if lexer[position] == UInt8(ascii: ".") { return true }
    return lexer[position] == UInt8(ascii: "#") && (position == 0 || lexer[position - 1] == UInt8(ascii: "\n"))
  }

  /// The command of the shell that starts here, if statements or rows come by it. The shell takes the beginning of a name too.
  /// See [Special commands](https://sqlite.org/cli.html#special_commands_to_sqlite3_dot_commands_).
  private var readingCommand: String? {
    guard lexer[lexer.position] == UInt8(ascii: ".") else { return nil }
    let rest = lexer.bytes[(lexer.position + 1)...]
    let name = String(
      decoding: rest.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }, as: UTF8.self)
    return ["read", "import", "restore", "open"].first { name.utf8.count >= 3 && $0.hasPrefix(name) }
  }

  private mutating func add(_ comment: SQLComment) {
    if !tokens.isEmpty {
      comments.append(comment)
    } else if let end = openEnd, !statements.isEmpty, isOneLine(end, comment.span.start) {
      statements[statements.count - 1].comments.append(comment)
    }
  }

  private mutating func finish(end: Int) {
    defer {
      tokens = []
      comments = []
    }
    guard let first = tokens.first, let last = tokens.last else { return }
    let span = Span(start: first.span.start, end: last.span.end)
    // Without a semicolon the comments behind the last token stand outside, save those on its line.
    let comments = comments.filter { $0.span.start < end || isOneLine(end, $0.span.start) }
    line += lexer.bytes[countedTo..<span.start].count { $0 == UInt8(ascii: "\n") }
    countedTo = span.start
    let text = String(decoding: lexer.bytes[span.start..<span.end], as: UTF8.self)
    statements.append(ScriptStatement(text: text, tokens: tokens, comments: comments, span: span, line: line))
    openEnd = end
  }

  private func isOneLine(_ start: Int, _ end: Int) -> Bool {
    !lexer.bytes[start..<end].contains(UInt8(ascii: "\n"))
  }

  /// True if the tokens so far are a CREATE VIRTUAL TABLE whose arguments are still open: any token may stand there.
  private var isInsideVirtualTable: Bool {
    guard tokens.count > 3, tokens[0].isKeyword("CREATE"), tokens[1].isKeyword("VIRTUAL") else { return false }
    return tokens.reduce(0) { $0 + ($1.isSymbol("(") ? 1 : $1.isSymbol(")") ? -1 : 0) } > 0
  }

  /// True if the tokens so far are a CREATE TRIGGER whose body is still open, by the rule of `sqlite3_complete`.
  private var isInsideTrigger: Bool {
    var start = 0
    if tokens.first?.isKeyword("EXPLAIN") == true {
      start = 1
      if tokens.count > 3, tokens[1].isKeyword("QUERY"), tokens[2].isKeyword("PLAN") { start = 3 }
    }
    guard start < tokens.count, tokens[start].isKeyword("CREATE") else { return false }
    var next = start + 1
    if next < tokens.count, tokens[next].isKeyword("TEMP") || tokens[next].isKeyword("TEMPORARY") { next += 1 }
    guard next < tokens.count, tokens[next].isKeyword("TRIGGER") else { return false }
    return !(tokens[tokens.count - 1].isKeyword("END") && tokens[tokens.count - 2].isSymbol(";"))
  }
}

extension [ScriptStatement] {
  /// The sign that a dump is not whole, with its line: after an error the sqlite3 shell ends a dump with ROLLBACK, and one
  /// that was cut short has no COMMIT. Nil for a script that is whole.
  package var incompleteness: (line: Int?, problem: String)? {
    let verbs = map { $0.tokens.first?.text.uppercased() ?? "" }
    guard let begin = verbs.firstIndex(of: "BEGIN") else { return nil }
    if let rollback = indices.first(where: {
      verbs[$0] == "ROLLBACK" && !self[$0].tokens.contains { $0.isKeyword("TO") }
    }) {
      return (self[rollback].line, "the dump is incomplete: it ends with ROLLBACK")
    }
    let isWhole = verbs[begin...].contains { $0 == "COMMIT" || $0 == "END" }
    return isWhole ? nil : (nil, "the dump is incomplete: COMMIT is missing at its end")
  }
}

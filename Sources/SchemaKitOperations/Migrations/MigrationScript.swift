/// The work of a recorded step on rows: statements, and work of the program that it refers to.
struct MigrationScript {
  /// A part of the script.
  enum Part {
    case statement(ScriptStatement)
    /// Work in Swift, `-- schemakit: run NAME`.
    case work(String, line: Int)
  }

  private let text: String
  let source: String

  init(_ text: String, source: String) {
    self.text = text
    self.source = source
  }

  /// The parts in order, each of which changes rows and nothing else.
  ///
  /// - Throws: `SchemaError` with the line of any other statement.
  func parts() throws(SchemaError) -> [Part] {
    let (script, comments): ([ScriptStatement], [SQLComment])
    do {
      script = try SQLScript.statements(in: text)
      comments = try SQLLexer.tokensAndComments(of: text).comments
    } catch {
      throw SchemaError(source: source, line: error.line, column: error.column, problem: error.message)
    }
    var parts: [(start: Int, part: Part)] = []
    for statement in script {
      let verb = statement.tokens.first?.text.uppercased() ?? ""
      guard ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(verb) else {
        throw SchemaError(
          source: source, line: statement.line,
          problem:
            "\(verb) does not belong here: this file works on rows, with INSERT, UPDATE and DELETE. What changes "
            + "the schema belongs in the step itself; a transaction is there already")
      }
      parts.append((statement.span.start, .statement(statement)))
    }
    for comment in comments {
      guard let words = MigrationDirectives.words(of: comment.text) else { continue }
      let line = text.utf8.prefix(comment.span.start).count { $0 == 10 } + 1
      let isInside = script.contains { $0.span.start < comment.span.start && comment.span.start < $0.span.end }
      guard words.lowercased().hasPrefix("run "), !isInside else {
        throw SchemaError(
          source: source, line: line,
          problem: isInside
            ? "\"\(words)\" stands inside of a statement; put it on a line between two"
            : "\"\(words)\" is not a directive for a file beside a step; the only one is run NAME, for work in Swift")
      }
      parts.append((comment.span.start, .work(String(words.dropFirst("run ".count).trimmed), line: line)))
    }
    return parts.sorted { $0.start < $1.start }.map(\.part)
  }

  /// The names of the work in Swift.
  func workNames() throws(SchemaError) -> [String] {
    try parts().compactMap { if case .work(let name, _) = $0 { name } else { nil } }
  }

  /// The statements in order.
  func statements() throws(SchemaError) -> [String] {
    try parts().compactMap { if case .statement(let statement) = $0 { statement.text } else { nil } }
  }

  /// Compiles the statements against the schema that they would work on.
  ///
  /// Tables that do not exist may be those that the recorded steps ignore; only a database shows whether it has them.
  ///
  /// - Throws: `SchemaError` for a statement that SQLite refuses.
  func compile(on database: SQLiteConnection) throws {
    for case .statement(let statement) in try parts() {
      do {
        try database.stubbing { try database.prepareOnly(statement.text) }
      } catch let error as SQLiteError {
        if error.isMissingTableOrModule { continue }
        // True if a function of the program exists, and is an aggregate, only the program knows.
        let text = statement.text.lowercased()
        if database.stubbedNames.contains(where: { text.contains($0.lowercased()) }) { continue }
        throw SchemaError(source: source, line: error.line(from: statement.line), problem: error.message)
      }
    }
  }

  /// Runs everything in the open transaction.
  ///
  /// - Parameter work: Finds the work with a name.
  func run(on connection: SQLiteConnection, work: (String) -> (() throws -> Void)?) throws {
    try refuseWhatNeverRuns()
    for part in try parts() {
      switch part {
      case .statement(let statement):
        try run(at: statement.line, "") {
          try connection.denyingDangerousStatements {
            _ = try connection.confiningToRows { try connection.run(statement.text) }
          }
        }
      case .work(let name, let line):
        guard let body = work(name) else { throw MigrationError(.unknownWork(name, source: source)) }
        try run(at: line, "\(name): ") { try connection.savepoint(body) }
        guard connection.isInTransaction else {
          throw problem(at: line, "\(name): it ended the transaction of the step")
        }
      }
    }
  }

  private func run(at line: Int, _ name: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SQLiteError {
      if error.isInterrupted || error.isBusy || error.isFull || error.isDiskFailure { throw error }
      throw problem(at: name.isEmpty ? error.line(from: line) : line, name + error.message)
    } catch {
      throw problem(at: line, name + "\(error)")
    }
  }

  private func problem(at line: Int, _ text: String) -> SchemaError {
    SchemaError(
      source: source, line: line, problem: "\(text.clause). The step was rolled back; nothing of it was changed")
  }

  /// Rejects statements that no database can run as a part of a step.
  ///
  /// - Throws: `SchemaError` with the line of the first one.
  func refuseWhatNeverRuns() throws {
    for case .statement(let statement) in try parts() {
      if let problem = statement.neverRuns {
        throw SchemaError(source: source, line: statement.line, problem: problem)
      }
    }
  }

  /// Rejects statements that depend on the order of columns: the position of an added column depends on how a database
  /// got it, since ALTER TABLE adds it at the end.
  ///
  /// - Throws: `SchemaError` for an INSERT that does not name its columns, or uses the result of `*`.
  func refusePositions() throws {
    for case .statement(let statement) in try parts() where statement.goesByPosition {
      throw SchemaError(
        source: source, line: statement.line,
        problem: "this INSERT goes by the order of columns, which is not the same in every database; name them, in the "
          + "INSERT and in place of *")
    }
  }
}

extension ScriptStatement {
  /// Returns the reason that no database can run the statement as a part of a step; nil if one may.
  fileprivate var neverRuns: String? {
    if let parameter = tokens.first(where: { $0.kind == .variable }) {
      return "\(parameter.text) is a parameter, and nothing gives it a value here; write the value"
    }
    return tokens.filter { $0.kind != .string }.compactMap(\.name).first(where: \.isReserved).map { name in
      "\(name) belongs to SchemaKit; a file beside a step works on rows of the program"
    }
  }

  fileprivate var goesByPosition: Bool {
    guard let into = tokens.firstIndex(where: { $0.isKeyword("INTO") }) else { return false }
    var index = into + 2
    if index < tokens.count, tokens[index].isSymbol(".") { index += 2 }
    if index < tokens.count, tokens[index].isKeyword("AS") { index += 2 }
    guard index < tokens.count else { return false }
    if tokens[index].isKeyword("DEFAULT") { return false }
    return !tokens[index].isSymbol("(") || tokens.indices.dropFirst(index).contains(where: isStar)
  }

  /// True if a token stands for all columns, rather than for a multiplication or in a count.
  private func isStar(at index: Int) -> Bool {
    guard tokens[index].isSymbol("*") else { return false }
    let before = tokens[index - 1]
    return [".", ","].contains(where: before.isSymbol)
      || ["SELECT", "DISTINCT", "ALL"].contains(where: before.isKeyword)
  }
}

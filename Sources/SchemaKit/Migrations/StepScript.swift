/// The statements of a recorded step that work on rows.
struct StepScript {
  private let text: String
  private let source: String

  init(_ text: String, source: String) {
    self.text = text
    self.source = source
  }

  /// The statements, each of which changes rows and nothing else.
  ///
  /// - Throws: `SchemaError` with the line of any other.
  func statements() throws(SchemaError) -> [ScriptStatement] {
    let script: [ScriptStatement]
    do {
      script = try SQLScript.statements(in: text)
    } catch {
      throw SchemaError(source: source, line: error.line, column: error.column, problem: error.message)
    }
    for statement in script {
      let verb = statement.tokens.first?.text.uppercased() ?? ""
      guard ["INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(verb) else {
        throw SchemaError(
          source: source, line: statement.line,
          problem:
            "\(verb) does not belong here: this file works on rows, with INSERT, UPDATE and DELETE. What changes "
            + "the schema belongs in the step itself; a transaction is there already")
      }
    }
    return script
  }

  /// Runs the statements in the open transaction.
  func run(on connection: SQLiteConnection) throws {
    for statement in try statements() {
      do {
        try connection.denyingDangerousStatements {
          try connection.denyingTransactionControl { try connection.run(statement.text) }
        }
      } catch let error as SQLiteError where !error.isInterrupted && !error.isBusy {
        throw SchemaError(
          source: source, line: statement.line,
          problem: "\(error.message). The step was rolled back; nothing of it was changed")
      }
    }
  }
}

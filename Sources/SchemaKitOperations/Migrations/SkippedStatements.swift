/// The statements of a script that say nothing of the schema.
struct SkippedStatements {
  let source: String
  /// The lines of the statements by their first words, in the order of the text.
  private var lines: [(verb: String, lines: [Int])] = []
  private var syntax: StatementSyntax?

  init(source: String) { self.source = source }

  /// Adds a statement that neither creates, alters nor drops an object.
  ///
  /// - Throws: `SchemaError` if it could change the schema by other means, or SQLite cannot read it: what it has swallowed
  ///   may declare something.
  mutating func add(_ statement: ScriptStatement) throws(SchemaError) {
    let verb = statement.tokens.first?.text.uppercased() ?? ""
    func refuse(_ problem: String) -> SchemaError {
      SchemaError(source: source, line: statement.line, problem: problem)
    }
    switch verb {
    case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA", "ANALYZE", "REINDEX", "VACUUM":
      if statement.isTooLong { throw refuse("\(verb) goes on behind its end; is a semicolon missing?") }
    case "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "SELECT", "VALUES", "EXPLAIN":
      if let catalog = statement.editedCatalog {
        throw refuse("\(verb) edits \(catalog) itself, which cannot be replayed; write it as CREATE, ALTER or DROP")
      }
      let fault: SQLiteError?
      do {
        let syntax = try self.syntax ?? StatementSyntax()
        self.syntax = syntax
        fault = syntax.fault(in: statement.tokens[...])
      } catch {
        throw refuse("\(error)")
      }
      if let fault { throw refuse("SQLite cannot read this \(verb): \(fault.message)") }
    default:
      throw refuse(
        "expected CREATE, ALTER or DROP but found \"\(statement.tokens.first?.text ?? "")\"; it cannot be skipped either"
      )
    }
    if ["BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE"].contains(verb) { return }
    if let index = lines.firstIndex(where: { $0.verb == verb }) {
      lines[index].lines.append(statement.line)
    } else {
      lines.append((verb, [statement.line]))
    }
  }

  /// One note for the file; none if nothing was skipped.
  var notes: [String] {
    guard !lines.isEmpty else { return [] }
    let parts = lines.map { verb, lines in
      if lines.count > 5 { return "\(lines.count) \(verb) from line \(lines[0]) on" }
      return "\(verb) on line\(lines.count == 1 ? "" : "s") \(Wording.list(lines.map(String.init)))"
    }
    return ["\(source): skipped \(parts.joined(separator: "; ")); only the schema is read."]
  }
}

extension ScriptStatement {
  /// The table of SQLite's own that holds the schema, if the statement writes to it.
  fileprivate var editedCatalog: SQLName? {
    let words: [String]
    switch tokens.first?.text.uppercased() {
    case "INSERT", "REPLACE": words = ["INTO"]
    case "UPDATE": words = ["UPDATE"]
    case "DELETE": words = ["FROM"]
    case "WITH": words = ["INTO", "UPDATE"]
    default: return nil
    }
    guard let word = tokens.firstIndex(where: { token in words.contains(where: token.isKeyword) }) else { return nil }
    var index = word + 1
    if index < tokens.count, tokens[index].isKeyword("OR") { index += 2 }
    if index + 1 < tokens.count, tokens[index + 1].isSymbol(".") { index += 2 }
    guard index < tokens.count, let name = tokens[index].name else { return nil }
    return ["sqlite_schema", "sqlite_master"].contains(name) ? name : nil
  }
}

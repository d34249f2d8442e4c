/// The statements of another tool's migration that say nothing of the schema.
struct SkippedStatements {
  let source: String
  /// The lines of the statements by their first words, in the order of the text.
  private var lines: [(verb: String, lines: [Int])] = []

  init(source: String) { self.source = source }

  /// Adds a statement that neither creates, alters nor drops an object.
  ///
  /// - Throws: `SchemaError` if it could change the schema by other means.
  mutating func add(_ statement: ScriptStatement) throws(SchemaError) {
    let verb = statement.tokens.first?.text.uppercased() ?? ""
    switch verb {
    case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE": return
    case "INSERT", "REPLACE", "UPDATE", "DELETE", "WITH", "SELECT", "VALUES", "PRAGMA", "ANALYZE", "REINDEX", "VACUUM",
      "EXPLAIN":
      break
    default:
      throw SchemaError(
        source: source, line: statement.line,
        problem: "\"\(verb)\" cannot be replayed in memory; only the schema of the file itself can")
    }
    if let catalog = statement.editedCatalog {
      throw SchemaError(
        source: source, line: statement.line,
        problem: "\(verb) edits \(catalog) itself, which cannot be replayed; write it as CREATE, ALTER or DROP")
    }
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
      "\(verb) on line\(lines.count == 1 ? "" : "s") \(Wording.list(lines.map(String.init)))"
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

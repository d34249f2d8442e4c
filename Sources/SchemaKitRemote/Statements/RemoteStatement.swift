import SQLiteSchema
import SchemaKit

/// A statement as a server has to be given it.
///
/// dqlite has one request for statements with rows and one for those without, and each does harm with the other's. Some
/// statements end a server, or are carried out on one node only; these are never sent.
struct RemoteStatement {
  /// The engine that speaks the protocol at the other end.
  enum Engine: Hashable {
    case dqlite
    case libSQL

    /// The most values of a statement; nil where only SQLite has a limit.
    var mostValues: Int? { self == .dqlite ? 255 : nil }
  }

  enum Effect: Hashable {
    /// Reads rows and changes nothing.
    case read
    /// Says to what a statement is compiled.
    case explain
    /// A PRAGMA that returns its value.
    case pragma
    /// Makes a setting of the connection, which may return its value.
    case setting
    /// Changes rows.
    case change
    /// Changes the database in another way.
    case definition
    /// Begins a transaction.
    case begin
    case savepoint
    case release
    /// Makes a transaction permanent.
    case commit
    case rollback
    /// Goes back to a savepoint.
    case rollbackTo
  }

  let text: String
  /// The text with a number in the place of each parameter's name: values are sent by their places.
  let numberedText: String
  let effect: Effect
  let engine: Engine
  /// The number of values that the statement takes.
  let parameterCount: Int
  /// The name of the PRAGMA, or of the savepoint; empty for all else.
  private(set) var name = ""
  /// True if the PRAGMA has a value or an argument.
  private(set) var hasValue = false

  /// - Throws: ``RemoteError`` for a statement that must not be sent.
  init(_ statement: ScriptStatement, on engine: Engine) throws(RemoteError) {
    text = statement.text
    self.engine = engine
    (parameterCount, numberedText) = Self.parameters(of: statement)
    let tokens = statement.tokens[...]
    guard let first = tokens.first else { throw RemoteError(reason: .malformed) }
    let verb = first.text.uppercased()
    switch verb {
    case "SELECT", "VALUES": effect = .read
    case "EXPLAIN":
      try Self.checkExplained(tokens.dropFirst())
      effect = .explain
    case "WITH": effect = Self.isRead(tokens) ? .read : .change
    case "INSERT", "REPLACE", "UPDATE", "DELETE": effect = .change
    case "BEGIN": effect = .begin
    case "COMMIT", "END": effect = .commit
    case "ROLLBACK": effect = tokens.contains { $0.isKeyword("TO") } ? .rollbackTo : .rollback
    case "SAVEPOINT": effect = .savepoint
    case "RELEASE": effect = .release
    case "PRAGMA":
      (name, hasValue) = Self.pragma(tokens.dropFirst())
      effect = try Self.effect(ofPragma: name, hasValue: hasValue, on: engine)
    case "VACUUM", "ATTACH", "DETACH": throw RemoteError(reason: .unsupported(.statement(verb)))
    default: effect = .definition
    }
    if [.savepoint, .release, .rollbackTo].contains(effect) { name = tokens.last?.name?.text.lowercased() ?? "" }
    // A word that is not a keyword there is refused too, but for one in quotes.
    if engine == .dqlite, effect == .change, tokens.contains(where: { $0.isKeyword("RETURNING") }) {
      throw RemoteError(reason: .unsupported(.statement("RETURNING")))
    }
    // FTS3 and FTS4 write with this function.
    let writes = zip(tokens, tokens.dropFirst()).contains { $0.isKeyword("OPTIMIZE") && $1.isSymbol("(") }
    if effect == .read, writes { throw RemoteError(reason: .unsupported(.statement("optimize()"))) }
  }

  /// The statements of a script.
  static func all(in sql: String, on engine: Engine) throws -> [RemoteStatement] {
    do {
      return try SQLScript.statements(in: sql).map { try RemoteStatement($0, on: engine) }
    } catch let error as SQLSyntaxError {
      throw SQLiteError(code: 1, message: "\(error)", sql: sql)
    }
  }

  /// The statement of a text that must hold exactly one.
  static func single(in sql: String, on engine: Engine) throws -> RemoteStatement {
    let statements = try all(in: sql, on: engine)
    guard statements.count == 1 else {
      throw SQLiteError(code: 21, message: "one statement is expected, and there are \(statements.count)", sql: sql)
    }
    return statements[0]
  }

  /// Refuses values that a server would bind in another way: dqlite takes at most 255, and NULL for what is missing.
  func check(_ bindings: [SQLValue]) throws {
    guard bindings.count == parameterCount else {
      throw SQLiteError(
        code: 25, message: "\(parameterCount) values are expected, and there are \(bindings.count)", sql: text)
    }
    if let most = engine.mostValues, bindings.count > most {
      throw RemoteError(reason: .unsupported(.values(bindings.count)))
    }
  }

  /// True if the statement can change how many columns a query has.
  var changesColumns: Bool { [.definition, .rollback, .rollbackTo].contains(effect) }

  /// A PRAGMA is asked for while it is compiled: those that end a server do so too.
  private static func checkExplained(_ tokens: ArraySlice<SQLToken>) throws(RemoteError) {
    let rest = tokens.drop { $0.isKeyword("QUERY") || $0.isKeyword("PLAN") }
    let verbs = ["SELECT", "VALUES", "WITH", "INSERT", "REPLACE", "UPDATE", "DELETE"]
    guard let verb = rest.first, verbs.contains(where: verb.isKeyword) else {
      throw RemoteError(reason: .unsupported(.statement("EXPLAIN \(rest.first?.text ?? "")")))
    }
  }

  /// True if what follows the common table expressions is a query.
  private static func isRead(_ tokens: ArraySlice<SQLToken>) -> Bool {
    var depth = 0
    for token in tokens {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      guard depth == 0 else { continue }
      if token.isKeyword("SELECT") || token.isKeyword("VALUES") { return true }
      if ["INSERT", "REPLACE", "UPDATE", "DELETE"].contains(where: token.isKeyword) { return false }
    }
    return true
  }

  /// See [Parameters](https://sqlite.org/lang_expr.html#parameters).
  private static func parameters(of statement: ScriptStatement) -> (count: Int, numberedText: String) {
    let start = statement.tokens.first?.span.start ?? 0
    var count = 0
    var numbers: [String: Int] = [:]
    var edits: [SQLEditing.Edit] = []
    for token in statement.tokens where token.kind == .variable {
      if token.text == "?" {
        count += 1
      } else if token.text.hasPrefix("?") {
        count = max(count, Int(token.text.dropFirst()) ?? 0)
      } else {
        let number = numbers[token.text] ?? count + 1
        numbers[token.text] = number
        count = max(count, number)
        let span = Span(start: token.span.start - start, end: token.span.end - start)
        edits.append(SQLEditing.Edit(span: span, replacement: "?\(number)"))
      }
    }
    return (count, edits.isEmpty ? statement.text : SQLEditing.applying(edits, to: statement.text))
  }

  // MARK: - PRAGMA

  private static func pragma(_ tokens: ArraySlice<SQLToken>) -> (name: String, hasValue: Bool) {
    var tokens = tokens
    if tokens.dropFirst().first?.isSymbol(".") == true { tokens = tokens.dropFirst(2) }
    return (tokens.first?.name?.text.lowercased() ?? "", tokens.count > 1)
  }

  /// Returns the effect of a PRAGMA, and throws for one that is not known to be harmless.
  private static func effect(
    ofPragma name: String, hasValue: Bool, on engine: Engine
  ) throws(RemoteError) -> Effect {
    if queries.contains(name) { return .pragma }
    if settings.contains(name) { return hasValue ? .setting : .pragma }
    if fields.contains(name) { return hasValue ? .definition : .pragma }
    // A libSQL server refuses by itself what it does not know.
    if !hasValue, readable.contains(name) || engine == .libSQL && name != "optimize" { return .pragma }
    if name == "optimize" { return .definition }
    throw RemoteError(reason: .unsupported(.statement("PRAGMA \(name)")))
  }

  /// PRAGMAs whose value says what is looked at.
  private static let queries: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "foreign_key_check", "integrity_check", "quick_check", "collation_list", "compile_options", "function_list",
    "module_list", "pragma_list", "database_list",
  ]

  /// Settings that belong to a connection.
  private static let settings: Set<String> = [
    "foreign_keys", "defer_foreign_keys", "ignore_check_constraints", "legacy_alter_table", "recursive_triggers",
    "reverse_unordered_selects", "case_sensitive_like", "cache_size", "threads", "cell_size_check", "trusted_schema",
    "automatic_index", "analysis_limit", "secure_delete", "count_changes",
  ]

  /// Numbers in the header of the database.
  private static let fields: Set<String> = ["user_version", "application_id"]

  /// The PRAGMAs that can be read and, on a server, not be set.
  private static let readable: Set<String> = [
    "page_size", "page_count", "freelist_count", "max_page_count", "auto_vacuum", "encoding", "schema_version",
    "data_version", "synchronous", "journal_mode", "locking_mode", "query_only", "writable_schema", "mmap_size",
    "full_column_names", "short_column_names",
  ]
}

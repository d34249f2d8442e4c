import SQLiteSchema
import SchemaKit

/// A statement as a dqlite server has to be given it.
///
/// The server has one request for statements with rows and one for those without, and each does harm with the other's. Some
/// statements end it, or are carried out on one node only; these are never sent.
struct DqliteStatement {
  enum Effect: Hashable {
    /// Reads rows and changes nothing.
    case read
    /// A PRAGMA that returns its value.
    case pragma
    /// Makes a setting of the connection, which may return its value.
    case setting
    /// Changes the database.
    case change
    /// Begins a transaction, or a savepoint where there is none.
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
  let effect: Effect
  /// The setting of the connection that the statement makes, which another connection has to be given as well.
  var setting: String?

  /// - Throws: ``RemoteError`` for a statement that must not be sent.
  init(_ statement: ScriptStatement) throws(RemoteError) {
    text = statement.text
    var tokens = statement.tokens[...]
    guard let first = tokens.first else { throw RemoteError(reason: .malformed) }
    switch first.text.uppercased() {
    case "SELECT", "VALUES", "EXPLAIN": effect = .read
    case "WITH": effect = Self.isRead(tokens) ? .read : .change
    case "BEGIN": effect = .begin
    case "COMMIT", "END": effect = .commit
    case "ROLLBACK": effect = tokens.contains { $0.isKeyword("TO") } ? .rollbackTo : .rollback
    case "SAVEPOINT": effect = .savepoint
    case "RELEASE": effect = .release
    case "PRAGMA":
      tokens = tokens.dropFirst()
      if tokens.dropFirst().first?.isSymbol(".") == true { tokens = tokens.dropFirst(2) }
      let name = tokens.first?.name?.text.lowercased() ?? ""
      let hasValue = tokens.count > 1 && !Self.queries.contains(name)
      guard !Self.forbidden.contains(name) || !hasValue && !Self.actions.contains(name) else {
        throw RemoteError(reason: .unsupported(.statement("PRAGMA \(name)")))
      }
      if hasValue, Self.settings.contains(name) { setting = name }
      effect = setting != nil ? .setting : hasValue || name == "optimize" ? .change : .pragma
    case "VACUUM", "ATTACH", "DETACH":
      throw RemoteError(reason: .unsupported(.statement(first.text.uppercased())))
    default: effect = .change
    }
    // A word that is not a keyword there is refused too, but for one in quotes.
    if effect == .change, !first.isKeyword("CREATE"), !first.isKeyword("PRAGMA"),
      statement.tokens.contains(where: { $0.isKeyword("RETURNING") })
    {
      throw RemoteError(reason: .unsupported(.statement("RETURNING")))
    }
  }

  /// Whether what follows the common table expressions is a query.
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

  /// PRAGMAs whose value, in parentheses or after a sign of equality, says what is looked at.
  private static let queries: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "foreign_key_check", "integrity_check", "quick_check",
  ]

  /// Settings that belong to a connection.
  private static let settings: Set<String> = [
    "foreign_keys", "defer_foreign_keys", "ignore_check_constraints", "legacy_alter_table", "recursive_triggers",
    "reverse_unordered_selects", "case_sensitive_like", "cache_size", "threads", "cell_size_check", "trusted_schema",
    "automatic_index", "analysis_limit", "secure_delete", "count_changes", "full_column_names", "short_column_names",
  ]

  /// Settings that end a server when they are made, take the file away from it, or are its own to make.
  private static let forbidden: Set<String> = [
    "journal_mode", "locking_mode", "wal_checkpoint", "wal_autocheckpoint", "page_size", "auto_vacuum",
    "incremental_vacuum", "writable_schema", "synchronous", "journal_size_limit", "mmap_size", "encoding",
    "schema_version", "temp_store", "temp_store_directory", "read_uncommitted", "query_only", "max_page_count",
  ]

  /// Those among them that act without a value.
  private static let actions: Set<String> = ["wal_checkpoint", "incremental_vacuum"]
}

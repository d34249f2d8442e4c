import CSQLite

@testable import SQLiteSchema
@testable import SchemaKit

/// What an engine refuses and how long things may be there, put on a local connection while a script runs.
///
/// The rules of D1 are those of workerd's authorizer (src/workerd/util/sqlite.c++, 2026-08-22), those of libSQL of its
/// server (libsql-server/src/query_analysis.rs, 2026-08-11), those of dqlite of src/vfs.c (2026-06-19).
final class EngineRules {
  private let name: EngineProfile.Name

  init(_ name: EngineProfile.Name) { self.name = name }

  /// Whether the engine enforces foreign keys before a script says anything.
  var enforcesForeignKeys: Bool { name != .rqlite }

  /// Whether it refuses BEGIN, because it begins a transaction itself.
  var beginsTransaction: Bool { ![.libsql, .dqlite].contains(name) }

  /// Runs a script as the engine would: all of it or nothing.
  func run(_ script: String, on database: RawSQLite) throws {
    try database.exec("PRAGMA foreign_keys = \(enforcesForeignKeys ? "ON" : "OFF")")
    if beginsTransaction { try database.exec("BEGIN") }
    if [.inTransaction, .d1].contains(name) { database.makeDefensive() }
    let limits: KeyValuePairs<Int32, Int32> = [
      SQLITE_LIMIT_SQL_LENGTH: 100_000, SQLITE_LIMIT_COLUMN: 100, SQLITE_LIMIT_EXPR_DEPTH: 100,
      SQLITE_LIMIT_COMPOUND_SELECT: 5, SQLITE_LIMIT_FUNCTION_ARG: 32, SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 50,
      SQLITE_LIMIT_TRIGGER_DEPTH: 10, SQLITE_LIMIT_ATTACHED: 0,
    ]
    for (limit, value) in limits where name == .d1 { sqlite3_limit(database.pointer, limit, value) }
    sqlite3_set_authorizer(
      database.pointer,
      { context, action, first, second, schema, _ in
        guard let context else { return SQLITE_DENY }
        let rules = Unmanaged<EngineRules>.fromOpaque(context).takeUnretainedValue()
        let text = { (pointer: UnsafePointer<CChar>?) in pointer.map { String(cString: $0) } ?? "" }
        return rules.allows(action, text(first), text(second), in: text(schema)) ? SQLITE_OK : SQLITE_DENY
      }, Unmanaged.passUnretained(self).toOpaque())
    defer { sqlite3_set_authorizer(database.pointer, nil, nil) }
    do {
      try database.exec(script)
    } catch {
      sqlite3_set_authorizer(database.pointer, nil, nil)
      try? database.exec("ROLLBACK")
      throw error
    }
    sqlite3_set_authorizer(database.pointer, nil, nil)
    if beginsTransaction { try database.exec("COMMIT") }
  }

  private func allows(_ action: Int32, _ first: String, _ second: String, in schema: String) -> Bool {
    switch action {
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT: return !beginsTransaction
    case SQLITE_ATTACH, SQLITE_DETACH: return false
    case SQLITE_PRAGMA: return allows(pragma: first.lowercased(), isSet: !second.isEmpty)
    case SQLITE_CREATE_TEMP_TABLE, SQLITE_CREATE_TEMP_INDEX, SQLITE_CREATE_TEMP_TRIGGER, SQLITE_CREATE_TEMP_VIEW:
      return [.inTransaction, .rqlite, .dqlite].contains(name)
    case SQLITE_ANALYZE: return name != .libsql
    case SQLITE_FUNCTION:
      let missing = [
        "unistr", "if", "json_pretty", "json_error_position", "sqlite_version", "sqlite_source_id", "sqlite_offset",
        "subtype", "load_extension",
      ]
      return name != .d1 || !missing.contains(second.lowercased())
    default: return true
    }
  }

  private func allows(pragma: String, isSet: Bool) -> Bool {
    switch name {
    case .inTransaction: return pragma != "writable_schema"
    case .d1:
      return [
        "data_version", "page_size", "table_list", "case_sensitive_like", "foreign_keys", "defer_foreign_keys",
        "ignore_check_constraints", "legacy_alter_table", "recursive_triggers", "reverse_unordered_selects",
        "table_info", "table_xinfo", "foreign_key_list", "index_info", "index_list", "index_xinfo",
        "foreign_key_check", "quick_check", "optimize",
      ].contains(pragma)
    case .rqlite:
      return !["journal_mode", "wal_autocheckpoint", "wal_checkpoint", "synchronous", "query_only"].contains(pragma)
    case .libsql:
      let reading = ["legacy_alter_table", "application_id", "recursive_triggers", "schema_version", "query_only"]
      let always = [
        "foreign_keys", "defer_foreign_keys", "user_version", "foreign_key_check", "foreign_key_list",
        "integrity_check",
        "quick_check", "table_info", "table_xinfo", "table_list", "index_info", "index_list", "index_xinfo",
      ]
      return always.contains(pragma) || (!isSet && reading.contains(pragma))
    case .dqlite:
      return ![
        "journal_mode", "page_size", "wal_autocheckpoint", "synchronous", "wal_checkpoint", "busy_timeout",
        "read_uncommitted", "locking_mode",
      ].contains(pragma)
    }
  }
}

/// Asks a database for its catalog. Every query that introspection makes stands here, so that an engine for which
/// other forms are cheaper (a remote one, say) needs a change in one place only.
///
/// *Cost:* reads the catalog, never a row of a table.
struct CatalogReader {
  /// One row of the catalog table.
  struct Entry {
    var type: String
    var name: String
    var table: String
    var sql: String?
  }

  /// One row of `PRAGMA table_xinfo`.
  struct ColumnRow {
    var name: String
    var type: String
    var isNotNull: Bool
    var keyOrdinal: Int
    /// 0 for an ordinary column, 1 for a hidden one, 2 and 3 for VIRTUAL and STORED generated ones.
    var hidden: Int
  }

  /// One row of `PRAGMA index_list`.
  struct IndexRow {
    var name: String
    var isUnique: Bool
    /// `c` for CREATE INDEX, `u` for UNIQUE, `pk` for PRIMARY KEY.
    var origin: String
    var isPartial: Bool
  }

  /// One key term of `PRAGMA index_xinfo`.
  struct IndexTermRow {
    /// Nil for an expression or the rowid.
    var column: String?
    var isDescending: Bool
    var collation: String
  }

  let connection: any SQLConnection

  private var capabilities: Capabilities {
    Capabilities(version: SQLiteVersion(number: connection.engineVersionNumber))
  }

  /// The rows of `sqlite_schema` in the order of creation. See [The Schema Table](https://sqlite.org/schematab.html).
  func entries() throws -> [Entry] {
    var entries: [Entry] = []
    try connection.forEachRow("SELECT type, name, tbl_name, sql FROM main.sqlite_master ORDER BY rowid", []) { row in
      entries.append(
        Entry(type: row[0].text ?? "", name: row[1].text ?? "", table: row[2].text ?? "", sql: row[3].text))
    }
    return entries
  }

  /// The names of shadow tables, as far as their modules are loaded.
  /// See [PRAGMA table_list](https://sqlite.org/pragma.html#pragma_table_list).
  func shadowTables() throws -> Set<SQLName> {
    guard capabilities.hasTableList else { return [] }
    return Set(
      try connection.texts("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'shadow'").map {
        SQLName($0)
      })
  }

  /// The names of the virtual table modules that this connection has.
  func modules() throws -> Set<SQLName> {
    Set(try connection.texts("SELECT name FROM pragma_module_list").map { SQLName($0) })
  }

  /// The columns of a table, generated ones included: `table_info` would hide them.
  /// See [PRAGMA table_xinfo](https://sqlite.org/pragma.html#pragma_table_xinfo).
  func columns(of table: SQLName) throws -> [ColumnRow] {
    var columns: [ColumnRow] = []
    let sql = "SELECT name, type, \"notnull\", pk, hidden FROM pragma_table_xinfo(?1, 'main') ORDER BY cid"
    try connection.forEachRow(sql, [.text(table.text)]) { row in
      columns.append(
        ColumnRow(
          name: row[0].text ?? "", type: row[1].text ?? "", isNotNull: row[2].integer != 0,
          keyOrdinal: Int(row[3].integer ?? 0), hidden: Int(row[4].integer ?? 0)))
    }
    return columns
  }

  /// The indexes of a table, those of constraints included.
  /// See [PRAGMA index_list](https://sqlite.org/pragma.html#pragma_index_list).
  func indexes(of table: SQLName) throws -> [IndexRow] {
    var indexes: [IndexRow] = []
    let sql = "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?1, 'main')"
    try connection.forEachRow(sql, [.text(table.text)]) { row in
      indexes.append(
        IndexRow(
          name: row[0].text ?? "", isUnique: row[1].integer != 0, origin: row[2].text ?? "",
          isPartial: row[3].integer != 0))
    }
    return indexes
  }

  /// The key terms of an index.
  /// See [PRAGMA index_xinfo](https://sqlite.org/pragma.html#pragma_index_xinfo).
  func terms(of index: String) throws -> [IndexTermRow] {
    var terms: [IndexTermRow] = []
    let sql = "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?1, 'main') WHERE key = 1 ORDER BY seqno"
    try connection.forEachRow(sql, [.text(index)]) { row in
      terms.append(IndexTermRow(column: row[0].text, isDescending: row[1].integer != 0, collation: row[2].text ?? ""))
    }
    return terms
  }

  /// How many foreign keys a table has.
  /// See [PRAGMA foreign_key_list](https://sqlite.org/pragma.html#pragma_foreign_key_list).
  func foreignKeys(of table: SQLName) throws -> [(columns: [String], parent: String)] {
    var keys: [(columns: [String], parent: String)] = []
    let sql = "SELECT seq, \"table\", \"from\" FROM pragma_foreign_key_list(?1, 'main') ORDER BY id, seq"
    try connection.forEachRow(sql, [.text(table.text)]) { row in
      if row[0].integer == 0 { keys.append((columns: [], parent: row[1].text ?? "")) }
      keys[keys.count - 1].columns.append(row[2].text ?? "")
    }
    return keys
  }
}

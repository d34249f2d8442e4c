/// Reads the catalog of a database. Every query that introspection makes is in this type, so that an engine for which
/// other queries are cheaper (a remote one, say) needs a change in one place only.
///
/// Pragmas are run as statements: a table or view of the file that is called `pragma_table_list` would hide the
/// table-valued function of that name.
///
/// *Cost:* reads the catalog, never a row of a table.
struct CatalogReader {
  /// A row of the catalog table.
  struct Entry {
    var type: String
    var name: String
    var table: String
    var sql: String?
  }

  /// A row of `PRAGMA table_xinfo`.
  struct ColumnRow {
    var name: String
    var type: String
    var isNotNull: Bool
    var keyOrdinal: Int
    /// 0 for an ordinary column, 1 for a hidden one, 2 and 3 for VIRTUAL and STORED generated ones.
    var hidden: Int
  }

  /// A row of `PRAGMA index_list`.
  struct IndexRow {
    var name: String
    var isUnique: Bool
    /// `c` for CREATE INDEX, `u` for UNIQUE, `pk` for PRIMARY KEY.
    var origin: String
    var isPartial: Bool
  }

  /// A key term of `PRAGMA index_xinfo`.
  struct IndexTermRow {
    /// Nil for an expression or the rowid.
    var column: String?
    var isDescending: Bool
    var collation: String
  }

  let connection: any SQLConnection

  private var profile: EngineProfile {
    EngineProfile(versionOf: connection)
  }

  /// The rows of `sqlite_schema` in the order of creation, without what an online copy has there while it runs. See [The Schema Table](https://sqlite.org/schematab.html).
  func entries() throws -> [Entry] {
    var entries: [Entry] = []
    try connection.forEachRow("SELECT type, name, tbl_name, sql FROM main.sqlite_master ORDER BY rowid", []) { row in
      let entry = Entry(type: row[0].text ?? "", name: row[1].text ?? "", table: row[2].text ?? "", sql: row[3].text)
      if !SQLName(entry.name).isOfOnlineCopy { entries.append(entry) }
    }
    return entries
  }

  /// The names of shadow tables, provided that their modules are loaded.
  /// See [PRAGMA table_list](https://sqlite.org/pragma.html#pragma_table_list).
  func shadowTables() throws -> Set<SQLName> {
    guard profile.hasTableList else { return [] }
    // schema, name, type, …
    return Set(
      try connection.rows("PRAGMA main.table_list").compactMap { row in
        row[2].text == "shadow" ? row[1].text.map { SQLName($0) } : nil
      })
  }

  /// The names of the virtual table modules that this connection has.
  func modules() throws -> Set<SQLName> {
    Set(try connection.texts("PRAGMA module_list").map { SQLName($0) })
  }

  /// The columns of a table, including generated ones, which `table_info` would hide.
  /// See [PRAGMA table_xinfo](https://sqlite.org/pragma.html#pragma_table_xinfo).
  func columns(of table: SQLName) throws -> [ColumnRow] {
    var columns: [ColumnRow] = []
    // cid, name, type, notnull, dflt_value, pk, hidden
    try connection.forEachRow("PRAGMA main.table_xinfo(\(table.quoted))", []) { row in
      columns.append(
        ColumnRow(
          name: row[1].text ?? "", type: row[2].text ?? "", isNotNull: row[3].integer != 0,
          keyOrdinal: Int(row[5].integer ?? 0), hidden: Int(row[6].integer ?? 0)))
    }
    return columns
  }

  /// The indexes of a table, including those of constraints.
  /// See [PRAGMA index_list](https://sqlite.org/pragma.html#pragma_index_list).
  func indexes(of table: SQLName) throws -> [IndexRow] {
    var indexes: [IndexRow] = []
    // seq, name, unique, origin, partial
    try connection.forEachRow("PRAGMA main.index_list(\(table.quoted))", []) { row in
      indexes.append(
        IndexRow(
          name: row[1].text ?? "", isUnique: row[2].integer != 0, origin: row[3].text ?? "",
          isPartial: row[4].integer != 0))
    }
    return indexes
  }

  /// The key terms of an index.
  /// See [PRAGMA index_xinfo](https://sqlite.org/pragma.html#pragma_index_xinfo).
  func terms(of index: String) throws -> [IndexTermRow] {
    var terms: [IndexTermRow] = []
    // seqno, cid, name, desc, coll, key
    try connection.forEachRow("PRAGMA main.index_xinfo(\(SQLQuoting.identifier(index)))", []) { row in
      guard row[5].integer == 1 else { return }
      terms.append(IndexTermRow(column: row[2].text, isDescending: row[3].integer != 0, collation: row[4].text ?? ""))
    }
    return terms
  }

  /// The foreign keys of a table.
  /// See [PRAGMA foreign_key_list](https://sqlite.org/pragma.html#pragma_foreign_key_list).
  func foreignKeys(of table: SQLName) throws -> [(columns: [String], parent: String)] {
    var keys: [(columns: [String], parent: String)] = []
    // id, seq, table, from, to, on_update, on_delete, match
    try connection.forEachRow("PRAGMA main.foreign_key_list(\(table.quoted))", []) { row in
      if row[1].integer == 0 { keys.append((columns: [], parent: row[2].text ?? "")) }
      guard !keys.isEmpty else { return }
      keys[keys.count - 1].columns.append(row[3].text ?? "")
    }
    return keys
  }
}

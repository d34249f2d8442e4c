/// Edits the stored text of a table as [Making Other Kinds Of Table Schema Changes](https://sqlite.org/lang_altertable.html#otheralter)
/// says it, and lets SQLite itself say afterwards that the rows are still read as before.
///
/// *Cost:* one row of the catalog, which all of its readers read again.
struct CatalogEditor {
  let connection: SQLiteConnection

  /// Runs one edit, inside a transaction.
  ///
  /// - Throws: `SQLiteError` when SQLite does not accept the text, or would read the rows in another way; the caller
  ///   rolls back.
  func run(_ sql: String, on table: SQLName) throws {
    let before = try StorageShape(of: table, on: connection)
    let version = try connection.integer("PRAGMA main.schema_version") ?? 0
    try connection.withWritableCatalog {
      guard try connection.run(sql) == 1 else {
        throw SQLiteError.misuse("the catalog has no single entry for table \(table)", sql: sql)
      }
      // Other connections, and kept statements of this one, look at the cookie only.
      try connection.execute("PRAGMA main.schema_version = \(version + 1)")
    }
    try connection.prepareOnly("SELECT 1 FROM main.\(table.quoted) LIMIT 0")
    let after = try StorageShape(of: table, on: connection)
    guard before == after else {
      throw SQLiteError.misuse("the rows of \(table) would be read in another way than they were stored", sql: sql)
    }
  }
}

/// What decides how SQLite reads the rows and indexes of a table: the order, affinity and kind of its columns, its key,
/// and what each of its indexes holds.
private struct StorageShape: Equatable {
  private struct Place: Equatable {
    var name: String
    var affinity: Affinity
    var keyPosition: Int64
    var hidden: Int64
  }
  private var columns: [Place]
  /// Under the name of each index: whether it is unique, where it comes from, whether it is partial, and its terms.
  private var indexes: [String: [[SQLValue]]]

  init(of table: SQLName, on connection: SQLiteConnection) throws {
    columns = try connection.rows("PRAGMA main.table_xinfo(\(table.quoted))").map { row in
      Place(
        name: row[1].text ?? "", affinity: Affinity(declaredType: row[2].text, isStrict: false),
        keyPosition: row[5].integer ?? 0, hidden: row[6].integer ?? 0)
    }
    indexes = [:]
    for row in try connection.rows("PRAGMA main.index_list(\(table.quoted))") {
      let name = row[1].text ?? ""
      let terms = try connection.rows("PRAGMA main.index_xinfo(\(SQLQuoting.identifier(name)))")
      indexes[name] = [Array(row.dropFirst(2))] + terms
    }
  }
}

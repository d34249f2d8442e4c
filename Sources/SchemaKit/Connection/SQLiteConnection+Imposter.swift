import CSQLite

extension SQLiteConnection {
  /// Finds the tables of which a row has more fields than the table has columns, among some.
  ///
  /// Whoever edits the catalog can take the last column out of a table, or store one no longer that was stored. SQLite ignores
  /// the fields that are left over, until ADD COLUMN gives the table another column: rows then show what they hold there, and
  /// not its default. An [imposter table](https://sqlite.org/imposter.html) has that column, in this connection alone. A build
  /// of SQLite that knows none finds no such table.
  ///
  /// - Parameter tables: Each with the number of columns that its rows hold, and of those in the key of a table WITHOUT ROWID.
  ///
  /// *Cost:* reads 200 rows from each end of a table, 16 rows at each of 63 places between them where the table has rowids, and
  /// has SQLite read the catalog once more.
  package func tablesWithLeftoverFields(
    among tables: [(name: String, fields: Int, keyFields: Int?)]
  ) throws -> Set<String> {
    guard !isBorrowed, !tables.isEmpty else { return [] }
    let isReadOnly = try integer("PRAGMA query_only") == 1
    // A build without imposter tables would create a table.
    try execute("PRAGMA query_only = ON")
    var found: Set<String> = []
    defer {
      schemakit_imposter(handle, "main", 0, 1)
      if !isReadOnly { try? execute("PRAGMA query_only = OFF") }
    }
    for (number, table) in tables.enumerated() {
      let page = try integer(
        "SELECT rootpage FROM main.sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE", [.text(table.name)])
      guard let page, page > 0 else { continue }
      let probe = "\"_schemakit_imposter_\(number)\""
      // Columns with numbers for names, in the order in which a record has them, and one more.
      let columns = (1...max(1, table.fields)).map { "\"\($0)\"" }.joined(separator: ", ")
      let key = table.keyFields.map { (1...max(1, $0)).map { "\"\($0)\"" }.joined(separator: ", ") }
      let ending = key.map { ", PRIMARY KEY (\($0))) WITHOUT ROWID" } ?? ")"
      schemakit_imposter(handle, "main", 1, Int32(page))
      let isMade = (try? execute("CREATE TABLE \(probe) (\(columns), \"0\" DEFAULT x'0053'\(ending)")) != nil
      schemakit_imposter(handle, "main", 0, 0)
      guard isMade else { continue }
      if try hasLeftoverField(probe, hasRowID: key == nil) { found.insert(table.name) }
    }
    return found
  }

  /// True if one of the rows that are looked at has a value in the column beyond those of the table.
  private func hasLeftoverField(_ probe: String, hasRowID: Bool) throws -> Bool {
    let field = "\"0\" IS NOT x'0053'"
    let order = hasRowID ? "rowid" : "\"1\""
    let ends = ["ASC", "DESC"].map { "SELECT * FROM (SELECT \"0\" FROM \(probe) ORDER BY \(order) \($0) LIMIT 200)" }
    if try integer("SELECT EXISTS (SELECT 1 FROM (\(ends.joined(separator: " UNION ALL "))) WHERE \(field))") == 1 {
      return true
    }
    guard hasRowID else { return false }
    // A subquery with a LIMIT for each place; half the distance is taken twice, since the whole may exceed an integer.
    let between = """
      WITH ends (low, high) AS (SELECT (SELECT min(rowid) FROM \(probe)), (SELECT max(rowid) FROM \(probe))),
        places (number, place, step) AS (
          SELECT 1, low + (high / 128 - low / 128) * 2, (high / 128 - low / 128) * 2 FROM ends WHERE high / 128 - low / 128 > 0
          UNION ALL SELECT number + 1, place + step, step FROM places WHERE number < 63)
      SELECT EXISTS (SELECT 1 FROM places WHERE EXISTS (
        SELECT 1 FROM (SELECT "0" FROM \(probe) WHERE rowid >= place ORDER BY rowid LIMIT 16) WHERE \(field)))
      """
    return try integer(between) == 1
  }
}

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
    // Both in one query would be a scan: https://sqlite.org/optoverview.html#minmax
    guard hasRowID, let low = try integer("SELECT min(rowid) FROM \(probe)"),
      let high = try integer("SELECT max(rowid) FROM \(probe)")
    else { return false }
    // Halves of halves; where no row is in one of them, the other reaches to its last row.
    var ranges = [(low, high)]
    for _ in 0..<63 {
      guard let next = ranges.firstIndex(where: { UInt64(bitPattern: $0.1 &- $0.0) > 16 }) else { return false }
      let (low, high) = ranges.remove(at: next)
      let middle = low + Int64(UInt64(bitPattern: high &- low) / 2)
      let found = try rows(
        """
        SELECT (SELECT max(rowid) FROM \(probe) WHERE rowid < ?1), (SELECT min(rowid) FROM \(probe) WHERE rowid >= ?1),
          EXISTS (SELECT 1 FROM (SELECT "0" FROM \(probe) WHERE rowid >= ?1 ORDER BY rowid LIMIT 16) WHERE \(field))
        """, [.integer(middle)])
      guard let row = found.first, let before = row[0].integer, let after = row[1].integer else { continue }
      if row[2].integer == 1 { return true }
      ranges += [(low, before), (after, high)]
    }
    return false
  }
}

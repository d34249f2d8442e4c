/// The tables that hold what dropped tables and columns left behind.
struct KeptTables {
  let connection: any SQLConnection

  private func exists() throws -> Bool {
    try connection.integer("SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = '_schemakit_kept'")
      == 1
  }

  /// A number that no such table has.
  func nextNumber() throws -> Int {
    guard try exists() else { return 1 }
    return Int(try connection.integer("SELECT coalesce(max(number), 0) FROM main._schemakit_kept") ?? 0) + 1
  }

  /// Notes which entry of the history left behind what was kept just now.
  func assign(to entry: Int) throws {
    guard try exists() else { return }
    try connection.run("UPDATE main._schemakit_kept SET history = \(entry) WHERE history IS NULL")
  }

  /// What an entry of the history left behind; of all entries when it is nil.
  func values(of entry: Int?) throws -> [KeptValues] {
    guard try exists() else { return [] }
    let sql = """
      SELECT number, "table", "column", columns, rowids, mark FROM main._schemakit_kept \
      WHERE ?1 IS NULL OR history = ?1 ORDER BY number
      """
    return try connection.rows(sql, [entry.map { .integer(Int64($0)) } ?? .null]).map { row in
      let names = ((try? SQLLexer.tokens(of: row[3].text ?? "")) ?? []).compactMap(\.name)
      var kept = KeptValues(
        number: Int(row[0].integer ?? 0), table: SQLName(row[1].text ?? ""), column: row[2].text.map { SQLName($0) },
        columns: names, keepsRowIDs: row[4].integer == 1)
      kept.mark = row[5].integer
      kept.rowCount = Int(try connection.integer("SELECT count(*) FROM main.\(kept.storage.quoted)") ?? 0)
      return kept
    }
  }

  /// Drops what was brought back. Values of a column whose row is not there any more stay.
  ///
  /// - Returns: How many values stay, with their column.
  func release(_ values: [KeptValues]) throws -> [(kept: KeptValues, count: Int)] {
    var staying: [(kept: KeptValues, count: Int)] = []
    for kept in values {
      let count = try unplaced(kept)
      if count > 0 { staying.append((kept, count)) } else { try discard(kept) }
    }
    return staying
  }

  /// How many kept values of a column have no row with their key.
  private func unplaced(_ kept: KeptValues) throws -> Int {
    guard kept.column != nil else { return 0 }
    let key = zip(kept.storedNames, kept.columns).dropLast().map { "\($0) = _t.\($1.quoted)" }
    let sql = """
      SELECT count(*) FROM main.\(kept.storage.quoted) AS _k WHERE NOT EXISTS \
      (SELECT 1 FROM main.\(kept.table.quoted) AS _t WHERE \(key.joined(separator: " AND ")))
      """
    return Int(try connection.integer(sql) ?? 0)
  }

  /// Drops what is kept, for good.
  func discard(_ kept: KeptValues) throws {
    try connection.run("DROP TABLE main.\(kept.storage.quoted)")
    try connection.run("DELETE FROM main._schemakit_kept WHERE number = \(kept.number)")
  }
}

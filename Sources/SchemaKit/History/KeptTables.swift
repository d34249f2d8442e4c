extension KeptValues {
  /// The number and kind of what is kept.
  package var words: String {
    column == nil ? "\(rowCount.counted("row")) of \(table)" : "\(rowCount.counted("value")) of \(object)"
  }

  /// The loss that undoing the change does not restore if this is not kept; nil if nothing is lost.
  package var loss: Loss? {
    guard rowCount > 0 else { return nil }
    return Loss(
      column == nil ? .droppedRows : .droppedValues, table: table, column: column, count: rowCount)
  }
}

/// The tables that hold what dropped tables and columns left behind.
package struct KeptTables {
  package let connection: any SQLConnection

  package init(connection: any SQLConnection) { self.connection = connection }

  /// - Throws: `HistoryError` if the list of what is kept is not as it should be.
  private func exists() throws -> Bool {
    let shape = LedgerShape(connection: connection)
    guard try shape.kind(of: LedgerShape.kept.name) != nil else { return false }
    try shape.check(LedgerShape.kept)
    return true
  }

  /// A number that no such table has yet.
  package func nextNumber() throws -> Int {
    guard try exists() else { return 1 }
    return Int(try connection.integer("SELECT coalesce(max(number), 0) FROM main._schemakit_kept") ?? 0) + 1
  }

  /// Records which history entry left behind what was kept just now. Values kept by a script belong to none.
  package func assign(_ values: [KeptValues], to entry: Int) throws {
    guard try exists() else { return }
    for kept in values {
      try connection.run(
        "UPDATE main._schemakit_kept SET history = \(entry) WHERE number = \(kept.number) AND history IS NULL")
    }
  }

  /// Returns the values that a history entry left behind, or that all of them left behind if it is nil.
  package func values(of entry: Int?) throws -> [KeptValues] {
    guard try exists() else { return [] }
    let sql = """
      SELECT number, "table", "column", columns, rowids, mark, history FROM main._schemakit_kept \
      WHERE ?1 IS NULL OR history = ?1 ORDER BY number
      """
    return try connection.rows(sql, [entry.map { .integer(Int64($0)) } ?? .null]).map { values in
      let row = LedgerRow(table: LedgerShape.kept.name, values: values)
      var kept = KeptValues(
        number: Int(try row.integer(0, "number")), table: SQLName(try row.text(1, "table")),
        column: values[2].text.map { SQLName($0) }, columns: try row.names(3, "columns"),
        keepsRowIDs: try row.integer(4, "rowids") == 1)
      kept.mark = values[5].integer
      kept.entry = values[6].integer.map { Int($0) }
      try check(kept)
      kept.rowCount = Int(try connection.integer("SELECT count(*) FROM main.\(kept.storage.quoted)") ?? 0)
      return kept
    }
  }

  /// Rejects a table of kept values that lacks a column: SQLite may read the name of one as a string literal.
  private func check(_ kept: KeptValues) throws {
    let (shape, name) = (LedgerShape(connection: connection), kept.storage.text)
    guard try shape.kind(of: name) == "table" else {
      throw HistoryError.damaged(name, .noKeptTable)
    }
    let rows = try connection.rows("PRAGMA main.table_info(\(kept.storage.quoted))")
    let columns = Set(rows.map { SQLQuoting.identifier($0[1].text ?? "") })
    let needed = kept.storedNames + (kept.keepsRowIDs ? [KeptValues.rowIDName] : [])
    guard columns.isSuperset(of: needed) else { throw HistoryError.damaged(name, .missingKeptColumn) }
  }

  /// Drops what was restored. Values whose column or row does not exist stay, and so does a table that the plan did not
  /// recreate.
  ///
  /// - Returns: The number of values or rows that stay.
  package func release(_ values: [KeptValues], after plan: MigrationPlan) throws -> [(kept: KeptValues, count: Int)] {
    let made = Set(plan.steps.filter { $0.strategy.creates && $0.object.kind == .table }.map(\.object.name))
    var staying: [(kept: KeptValues, count: Int)] = []
    for kept in values {
      let count = kept.column == nil && !made.contains(kept.table) ? kept.rowCount : try unplaced(kept)
      if count > 0 { staying.append((kept, count)) } else { try discard(kept) }
    }
    return staying
  }

  /// Returns the number of kept values of a column that have no row with their key.
  private func unplaced(_ kept: KeptValues) throws -> Int {
    guard let column = kept.column else { return 0 }
    let columns = try connection.rows("PRAGMA main.table_info(\(kept.table.quoted))").compactMap {
      $0[1].text.map { SQLName($0) }
    }
    guard columns.contains(column) else { return kept.rowCount }
    let key = zip(kept.storedNames, kept.columns).dropLast().map { "+\($0) = _t.\($1.quoted)" }
    let sql = """
      SELECT count(*) FROM main.\(kept.storage.quoted) AS _k WHERE NOT EXISTS \
      (SELECT 1 FROM main.\(kept.table.quoted) AS _t WHERE \(key.joined(separator: " AND ")))
      """
    return Int(try connection.integer(sql) ?? 0)
  }

  /// Drops what is kept without restoring it, and records that in the history.
  package func discardForGood(_ values: [KeptValues]) throws {
    let cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    let ledger = Ledger(connection: connection)
    for (entry, values) in Dictionary(grouping: values, by: \.entry) {
      if let entry { try ledger.noteDiscarded(values, of: entry) }
    }
    for kept in values { try discard(kept) }
    try ledger.followCookie(from: cookie)
  }

  /// Drops what is kept, for good.
  package func discard(_ kept: KeptValues) throws {
    try connection.run("DROP TABLE main.\(kept.storage.quoted)")
    try connection.run("DELETE FROM main._schemakit_kept WHERE number = \(kept.number)")
  }
}

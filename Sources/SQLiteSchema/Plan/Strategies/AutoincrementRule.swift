/// Decides whether AUTOINCREMENT can come or go without touching a row.
///
/// Applies if the key stays the rowid: only the text of the table says AUTOINCREMENT, and a row of `sqlite_sequence` holds the
/// highest key that was ever given ([SQLite Autoincrement](https://sqlite.org/autoinc.html)). An edit of the catalog makes no such table and no
/// such row.
///
/// *Cost:* one look at the last row.
package enum AutoincrementRule {
  /// True if nothing else of the primary key changes.
  package static func isWhole(_ change: TableChange) -> Bool {
    guard let before = change.from.primaryKey, var after = change.to.primaryKey else { return false }
    let changes = before.isAutoincrement != after.isAutoincrement
    after.isAutoincrement = before.isAutoincrement
    return changes && after == before
  }

  /// The statements that make SQLite's table and the table's mark, or take the mark away: a later table of that name would
  /// inherit it.
  package static func statements(for change: TableChange) -> [PlannedStatement] {
    guard isWhole(change), let key = change.to.rowKey else { return [] }
    let (table, name) = ("\"main\".\(change.to.name.quoted)", SQLQuoting.literal(change.to.name.text))
    let delete = "DELETE FROM \"main\".sqlite_sequence WHERE name = \(name)"
    guard change.to.primaryKey?.isAutoincrement == true else { return [PlannedStatement(delete, role: .bookkeeping)] }
    // A mark that stands already may be higher than any key that is left.
    let insert = """
      INSERT INTO "main".sqlite_sequence (name, seq) SELECT \(name), mark FROM (SELECT max(mark) AS mark \
      FROM (SELECT max(\(key)) AS mark FROM \(table) \(change.to.rowOrder) \
      UNION ALL SELECT seq FROM "main".sqlite_sequence WHERE name = \(name) AND typeof(seq) = 'integer')) \
      WHERE mark IS NOT NULL
      """
    let former = "\(delete) AND rowid < (SELECT max(rowid) FROM \"main\".sqlite_sequence WHERE name = \(name))"
    return Adoption.sequenceTable + [insert, former].map { PlannedStatement($0, role: .bookkeeping) }
  }
}

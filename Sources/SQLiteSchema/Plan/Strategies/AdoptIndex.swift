/// Decides whether UNIQUE and PRIMARY KEY constraints can be added and dropped without touching a row: their indexes are made
/// and adopted, or released and dropped.
///
/// Applies to the constraints of a table that keeps its rowid or its key: SQLite stores them as indexes whose rows in the
/// [catalog](https://sqlite.org/schematab.html) have the name `sqlite_autoindex_TABLE_N` and no text. CREATE UNIQUE INDEX makes such an
/// index by sorting, and finds rows that are equal; a unique index that the plan drops may be one already.
///
/// *Cost:* for each constraint that is added, one scan and one sort; for each that is dropped, its pages are freed.
package enum AdoptIndexRule {
  /// Returns why the indexes cannot be adopted, or nil if they can.
  ///
  /// - Parameter written: The columns of which some rows are updated before.
  package static func rejection(to change: TableChange, adopting adoption: Adoption, written: Set<SQLName>)
    -> Rejection?
  {
    if change.isPrimaryKeyChanged {
      // The key of these tables is where their rows are, but for the mark of AUTOINCREMENT.
      let isStorage = [change.from, change.to].contains { $0.isWithoutRowID || $0.rowIDAlias != nil }
      if isStorage, !AutoincrementRule.isWhole(change) { return Rejection(.primaryKeyDecidesStorage) }
    }
    guard adoption.movesIndexes else { return nil }
    // The former constraints hold during an update.
    let keys = change.from.constraintColumns.union(change.to.constraintColumns)
    return written.sorted().first(where: keys.contains).map { Rejection(.uniqueDuringUpdate, $0.text) }
  }
}

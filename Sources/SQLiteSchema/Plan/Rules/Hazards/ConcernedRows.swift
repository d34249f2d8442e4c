/// Rows that a hazard is about, with what surrounds them.
package struct ConcernedRows {
  package let table: SQLName
  package let finding: RowCheckResults.Finding
  package let rules: HazardRules

  package var column: SQLName? { finding.column }
  package var count: Int { finding.count }

  /// The number of rows, in words.
  package var inWords: String { count.counted("row") }

  /// The table or column, in words.
  package var object: String { column.map { "\(table).\($0)" } ?? table.text }

  /// A verb for the rows, given as for several.
  package func verb(_ plural: String) -> String { count == 1 ? plural + "s" : plural }

  /// Whether the column is the rowid, which SQLite invents in place of NULL.
  package var isRowID: Bool { column != nil && declared?.rowIDAlias?.name == column }

  /// Whether the column is computed.
  package var isGenerated: Bool { column.flatMap { declared?.column($0)?.generation } != nil }

  /// Whether a default that is not NULL takes the place of every NULL in the column.
  package var isFilledByDefault: Bool {
    guard let column, let value = declared?.column(column)?.defaultValue, !isRowID, !isGenerated else { return false }
    return value.isConstant && !value.isNull && rules.hints.tables[table]?.columns[column]?.backfill == nil
  }

  /// Whether the author gave a conversion that was done in this file before, and is not done again.
  package var isConversionSpent: Bool {
    column.flatMap { rules.hints.tables[table]?.columns[$0]?.appliedConversion } != nil
  }

  /// Whether the author says what takes the place of NULL in the column, which goes before any default.
  package var hasFill: Bool { column.flatMap { rules.hints.tables[table]?.columns[$0]?.backfill } != nil }

  /// What becomes of the table; nil where it only goes.
  package var change: TableChange? { rules.diff.changedTables.first { $0.to.name == table } }

  private var declared: TableSchema? { change?.to }
}

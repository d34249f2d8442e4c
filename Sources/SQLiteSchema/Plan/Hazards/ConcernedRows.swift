/// The rows that a hazard affects, with their context.
package struct ConcernedRows {
  package let table: SQLName
  package let finding: RowCheckResults.Finding
  package let rules: HazardRules
  /// The number of rows in the table; nil if they were not counted.
  package let rowCount: Int?

  package var column: SQLName? { finding.column }
  package var count: Int { finding.count }

  /// True if the column is the rowid, which SQLite assigns in place of NULL.
  package var isRowID: Bool { column != nil && declared?.rowIDAlias?.name == column }

  /// True if the column is computed.
  package var isGenerated: Bool { column.flatMap { declared?.column($0)?.generation } != nil }

  /// True if a default that is not NULL replaces every NULL in the column.
  package var isFilledByDefault: Bool {
    guard let column, let value = declared?.column(column)?.defaultValue, !isRowID, !isGenerated else { return false }
    return value.isConstant && !value.isNull && rules.hints.tables[table]?.columns[column]?.backfill == nil
  }

  /// True if there is a declared conversion that was already done in this file, and is not done again.
  package var isConversionApplied: Bool {
    column.flatMap { rules.hints.tables[table]?.columns[$0]?.appliedConversion } != nil
  }

  /// True if a declared fill replaces NULL in the column, which takes precedence over any default.
  package var hasFill: Bool { column.flatMap { rules.hints.tables[table]?.columns[$0]?.backfill } != nil }

  /// The change of the table; nil if it is only dropped.
  package var change: TableChange? { rules.diff.changedTables.first { $0.to.name == table } }

  private var declared: TableSchema? { change?.to }
}

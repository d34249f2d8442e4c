/// Drops the columns at the end of a table together.
///
/// `ALTER TABLE … DROP COLUMN` writes every row anew, from the columns that the table declares. A row may have more fields than that:
/// SQLite reads the first ones ([Record Format](https://sqlite.org/fileformat2.html#record_format)). So the edit of the catalog
/// leaves columns at the end out of the text, and one DROP COLUMN writes the rows without their fields. It has to be that of a
/// column with a field of its own, since SQLite writes no row for another.
///
/// *Cost:* each row is written once, however many columns at the end go.
package enum TrailingDropRule {
  /// The dropped columns that the edited text does not declare any more; empty if each has a DROP COLUMN of its own.
  ///
  /// Rows of a table WITHOUT ROWID are entries of an index, which may have no more fields than it has columns.
  package static func undeclared(in change: TableChange) -> [ColumnSchema] {
    guard change.addedColumns.isEmpty, !change.isRowIDChanged, !change.isOrderChanged, !change.to.isWithoutRowID else {
      return []
    }
    // The index of a constraint goes after the edit, and reads its columns until then.
    let keys = ([change.from.primaryKey?.columns ?? []] + change.from.uniques.map(\.columns)).joined().map(\.name)
    let dropped = Set(change.droppedColumns.map(\.name)).subtracting(keys)
    let trailing = change.from.columns.reversed().prefix { dropped.contains($0.name) }.reversed()
    let others = change.droppedColumns.filter { column in !trailing.contains { $0.name == column.name } }
    if others.contains(where: \.hasField) { return Array(trailing) }
    guard let place = trailing.firstIndex(where: \.hasField), trailing[place].generation == nil else { return [] }
    return Array(trailing[place...].dropFirst())
  }
}

extension ColumnSchema {
  /// True if rows store the column.
  var hasField: Bool { generation?.isStored != false }
}

extension Motive.Code {
  package static let trailingColumns = Self(
    "trailingColumns", "a DROP COLUMN takes the columns at the end along")
}

extension StrategySelection {
  /// The number of times that DROP COLUMN writes every row after an edit of the catalog.
  var passesAfterEdit: Int { passes - undeclared.count(where: \.hasField) }

  /// The dropped columns that need no DROP COLUMN after an edit of the catalog.
  var undeclared: [ColumnSchema] { TrailingDropRule.undeclared(in: change) }

  /// The DROP COLUMNs that are left after an edit of the catalog.
  var dropsAfterEdit: [PlannedStatement] {
    let undeclared = Set(undeclared.map(\.name))
    return change.droppedColumns.filter { !undeclared.contains($0.name) }.map {
      PlannedStatement(DropColumnRule.statement(for: $0, in: change))
    }
  }
}

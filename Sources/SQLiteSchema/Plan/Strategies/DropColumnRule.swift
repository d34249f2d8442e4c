/// Decides whether `ALTER TABLE … DROP COLUMN` can drop a column.
///
/// Applies to columns that only the old version has, from SQLite 3.35 on. The conditions are those of
/// [ALTER TABLE DROP COLUMN](https://sqlite.org/lang_altertable.html#alter_table_drop_column); what cannot be seen
/// from the table alone (triggers, views, broken objects elsewhere) is found on the catalog clone, where the planner
/// falls back to a rebuild.
package enum DropColumnRule {
  /// Returns why the column cannot be dropped natively, or nil if it can.
  ///
  /// - Parameters:
  ///   - indexes: The indexes that the table keeps while the column is dropped.
  ///   - adoptsKeys: True if an edit of the catalog gives the table its keys before.
  package static func rejection(
    to column: ColumnSchema, in change: TableChange, indexes: [IndexSchema], profile: EngineProfile,
    adoptsKeys: Bool = false
  ) -> Rejection? {
    let name = column.name
    guard profile.canDropColumn else { return Rejection(.noDropColumn, "\(profile.version)") }
    if !adoptsKeys, change.from.primaryKey?.columns.contains(where: { $0.name == name }) == true {
      return Rejection(.dropsKeyColumn, name.text)
    }
    if !adoptsKeys, change.from.uniques.contains(where: { $0.columns.contains { $0.name == name } }) {
      return Rejection(.dropsUniqueColumn, name.text)
    }
    if change.from.foreignKeys.contains(where: { $0.columns.contains(name) && $0.columns.count > 1 }) {
      return Rejection(.partOfForeignKey, name.text)
    }
    if indexes.contains(where: { $0.mentions(name) }) { return Rejection(.readByIndex, name.text) }
    if change.from.columns.contains(where: { $0.name != name && $0.generation?.expression.mentions(name) == true }) {
      return Rejection(.readByGeneratedColumn, name.text)
    }
    return nil
  }

  /// Writes the statement.
  package static func statement(for column: ColumnSchema, in change: TableChange) -> String {
    "ALTER TABLE \"main\".\(change.to.name.quoted) DROP COLUMN \(column.name.quoted)"
  }

  /// True if every dropped CHECK and foreign key can be dropped along with a column.
  package static func covers(_ change: TableChange) -> Bool {
    let dropped = change.droppedColumns.map(\.name)
    return change.droppedForeignKeys.allSatisfy { key in key.columns.contains { dropped.contains($0) } }
      && change.droppedChecks.allSatisfy { check in dropped.contains { check.expression.mentions($0) } }
  }
}

extension IndexSchema {
  /// True if a term or the predicate reads a column.
  package func mentions(_ column: SQLName) -> Bool {
    terms.contains { $0.column == column || $0.expression.mentions(column) } || predicate?.mentions(column) == true
  }
}

/// Says whether the rows that must change for an edit of the catalog can be updated where they are.
///
/// Applies when few rows change: NULLs that a new NOT NULL fills with its default, and rows that may leave a column to
/// its default, which is about to change: ALTER TABLE ADD COLUMN writes no row, so such a row shows whatever the default is
/// ([ALTER TABLE ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column)). An UPDATE writes all of a
/// row. Triggers are set aside meanwhile, as no change of a schema fires them.
struct InPlaceRule {
  /// One UPDATE.
  struct Update {
    var column: SQLName
    var rowCount: Int
    var sql: String
    var words: String
  }

  /// The rows that are worth updating one by one, as a share of all.
  static let mostRows = 0.25

  var change: TableChange
  var projection: RowProjection
  var facts: TableFacts

  /// The updates that the change needs before the text is edited; none when no row changes.
  var updates: [Update] {
    change.changedColumns.flatMap { column -> [Update] in
      let name = column.to.name
      var updates: [Update] = []
      // A NULL that gets filled is written, and with it the row.
      let isFilled = projection.fillsNulls(column.to) && column.from.defaultValue.map(\.isNull) ?? true
      if column.kinds.contains(.defaultValue), !isFilled, let rows = facts.count(of: .showsDefault, column: name), rows > 0 {
        let condition = FactSubject.showsDefault(of: column.from, as: name.quoted)
        updates.append(
          Update(
            column: name, rowCount: rows, sql: sql(name, "\(name.quoted)", where: condition),
            words: "store \(name) in \(rows.counted("row")) that may leave it to the default"))
      }
      if projection.fillsNulls(column.to), let fill = projection.fill(of: column.to),
        let rows = facts.count(of: .filledNulls, column: name), rows > 0
      {
        updates.append(
          Update(
            column: name, rowCount: rows, sql: sql(name, fill, where: "\(name.quoted) IS NULL"),
            words: "fill \(name) in \(rows.counted("row"))"))
      }
      return updates
    }
  }

  /// Returns why the updates cannot be made in place, or nil when they can.
  func objection(to updates: [Update]) -> String? {
    for column in change.changedColumns where projection.fillsNulls(column.to) {
      let name = column.to.name
      if facts.rowCount > 0, facts.count(of: .filledNulls, column: name) == nil {
        return "the rows were not examined for NULL in \(name)"
      }
      if let backfill = projection.hints.columns[name]?.backfill {
        // An expression of the author's sees the row as it was, under all its names.
        return "the backfill of \(name) (\(backfill)) is computed for each row"
      }
    }
    for update in updates {
      if let check = change.droppedChecks.first(where: { $0.expression.mentions(update.column) }) {
        return "the CHECK (\(check.expression.text)) still holds while rows are updated"
      }
    }
    let rows = updates.reduce(0) { $0 + $1.rowCount }
    if Double(rows) > Double(facts.rowCount) * Self.mostRows {
      return "\(rows) of \(facts.rowCount.counted("row")) would change in place"
    }
    return nil
  }

  /// ABORT overrides the table's own ON CONFLICT clauses: no row may be skipped or replaced.
  private func sql(_ column: SQLName, _ value: String, where condition: String) -> String {
    "UPDATE OR ABORT \"main\".\(change.to.name.quoted) SET \(column.quoted) = \(value) WHERE \(condition)"
  }
}

/// Says whether the rows that must change for an edit of the catalog can be updated where they are.
///
/// Applies when few rows change: NULLs that a new NOT NULL fills, values that an author's conversion changes within one
/// affinity, and rows that may leave a column to its default, which is about to change: ALTER TABLE ADD COLUMN writes no
/// row, so such a row shows whatever the default is
/// ([ALTER TABLE ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column)). An UPDATE writes all of a
/// row. Triggers are set aside meanwhile, as no change of a schema fires them.
///
/// What the author's expressions give is worked out for all rows before the first of them is written, by
/// [UPDATE FROM](https://sqlite.org/lang_update.html#update_from), so that each sees the rows as they were.
struct InPlaceRule {
  /// One UPDATE.
  struct Update {
    var columns: [SQLName]
    var rowCount: Int
    var sql: String
    var words: [String]
  }

  /// The rows that are worth updating one by one, as a share of all.
  static let mostRows = 0.25

  var change: TableChange
  var projection: RowProjection
  var facts: TableFacts
  /// The table's unique indexes that stay.
  var uniqueIndexes: [IndexSchema] = []

  /// The updates that the change needs before the text is edited; none when no row changes.
  var updates: [Update] {
    change.changedColumns.flatMap { column in
      [storedDefault(of: column), computed(column.to) ? nil : filled(column.to)].compactMap { $0 }
    } + [computed].compactMap { $0 }
  }

  /// Stores what rows show that may leave a column to its default.
  private func storedDefault(of column: TableChange.ColumnChange) -> Update? {
    let name = column.to.name
    // A NULL that gets filled is written, and with it the row.
    let isFilled = projection.fillsNulls(column.to) && column.from.defaultValue.map(\.isNull) ?? true
    guard column.kinds.contains(.defaultValue), !isFilled, let rows = facts.count(of: .showsDefault, column: name),
      rows > 0
    else { return nil }
    let condition = FactSubject.showsDefault(of: column.from, as: name.quoted)
    return Update(
      columns: [name], rowCount: rows, sql: sql(name, "\(name.quoted)", where: condition),
      words: ["store \(name) in \(rows.counted("row")) that may leave it to the default"])
  }

  /// Fills NULLs with the default.
  private func filled(_ column: ColumnSchema) -> Update? {
    guard projection.fillsNulls(column), let fill = projection.fill(of: column),
      let rows = facts.count(of: .filledNulls, column: column.name), rows > 0
    else { return nil }
    return Update(
      columns: [column.name], rowCount: rows, sql: sql(column.name, fill, where: "\(column.name.quoted) IS NULL"),
      words: ["fill \(column.name) in \(rows.counted("row"))"])
  }

  /// ABORT overrides the table's own ON CONFLICT clauses: no row may be skipped or replaced.
  private func sql(_ column: SQLName, _ value: String, where condition: String) -> String {
    "UPDATE OR ABORT \"main\".\(change.to.name.quoted) SET \(column.quoted) = \(value) WHERE \(condition)"
  }

  // MARK: - The author's expressions

  /// The condition for a row of the source whose value an author's conversion changes; nil where there is none, or where
  /// the affinity changes too: the old one would turn what is written back.
  static func converted(_ column: ColumnSchema, in projection: RowProjection) -> String? {
    guard projection.usesConversion(column), let before = projection.sourceColumn(of: column),
      before.affinity == column.affinity, let value = projection.expression(of: column)
    else { return nil }
    let old = projection.reference(before.name)
    return "(typeof(\(value)) <> typeof(\(old)) OR (\(value)) COLLATE BINARY IS NOT +\(old))"
  }

  /// Whether a value that changes is computed by the author for each row.
  private func computed(_ column: ColumnSchema) -> Bool {
    projection.usesConversion(column)
      || (projection.fillsNulls(column) && projection.hints.columns[column.name]?.backfill != nil)
  }

  private var computedColumns: [ColumnSchema] { change.changedColumns.map(\.to).filter { computed($0) } }

  /// How many rows an author's expression changes; nil when they were not counted.
  private func count(of column: ColumnSchema) -> Int? {
    facts.count(of: projection.usesConversion(column) ? .changedByConversion : .filledNulls, column: column.name)
  }

  /// Writes what the author's expressions give.
  private var computed: Update? {
    let columns = computedColumns.filter { count(of: $0) ?? 0 > 0 }
    guard !columns.isEmpty, let key = projection.rowKey, let target = change.to.rowKey else { return nil }
    let values = columns.map { (name: $0.name.quoted, value: projection.expression(of: $0) ?? "NULL") }
    let conditions = columns.compactMap { column in
      Self.converted(column, in: projection)
        ?? projection.sourceColumn(of: column).map { "\(projection.reference($0.name)) IS NULL" }
    }
    return Update(
      columns: columns.map(\.name),
      rowCount: min(columns.reduce(0) { $0 + (count(of: $1) ?? 0) }, facts.rowCount),
      sql: """
        UPDATE OR ABORT "main".\(change.to.name.quoted) AS "_row" \
        SET \(values.map { "\($0.name) = \"_changed\".\($0.name)" }.joined(separator: ", ")) FROM (SELECT \
        \(values.map { "\($0.value) AS \($0.name)" }.joined(separator: ", ")), \(key) AS "_schemakit_key" \
        FROM \(projection.fromClause) WHERE \(conditions.joined(separator: " OR "))) AS "_changed" \
        WHERE "_row".\(target) = "_changed"."_schemakit_key"
        """,
      words: columns.compactMap { column in
        projection.valueWords(of: column, hasNulls: true).map { "\($0) in \((count(of: column) ?? 0).counted("row"))" }
      })
  }

  private func objection(toComputing column: ColumnSchema) -> String? {
    let name = column.name
    if change.from.rowKey == nil || change.from.rowKey != change.to.rowKey { return "the rows have no number to go by" }
    let keys = [change.from, change.to].flatMap { table in
      (table.uniques.map(\.columns) + [table.primaryKey?.columns ?? []]).joined().map(\.name)
    }
    if keys.contains(name) || uniqueIndexes.contains(where: { $0.reads([name]) }) {
      return "\(name) is unique, also while rows are updated"
    }
    return nil
  }

  // MARK: - What stands against it

  /// Returns why the updates cannot be made in place, or nil when they can.
  func objection(to updates: [Update]) -> String? {
    for column in change.changedColumns.map(\.to) {
      let name = column.name
      if projection.usesConversion(column), facts.rowCount > 0, count(of: column) == nil {
        return "the rows were not examined for what the conversion of \(name) changes"
      }
      if projection.fillsNulls(column), facts.rowCount > 0, count(of: column) == nil {
        return "the rows were not examined for NULL in \(name)"
      }
      if computed(column), count(of: column) ?? 0 > 0, let objection = objection(toComputing: column) {
        return objection
      }
    }
    for update in updates {
      let check = change.droppedChecks.first { check in update.columns.contains { check.expression.mentions($0) } }
      if let check { return "the CHECK (\(check.expression.text)) still holds while rows are updated" }
    }
    let rows = updates.reduce(0) { $0 + $1.rowCount }
    if Double(rows) > Double(facts.rowCount) * Self.mostRows {
      return "\(rows) of \(facts.rowCount.counted("row")) would change in place"
    }
    return nil
  }
}

/// Decides whether the rows that must change for an edit of the catalog can be updated in place.
///
/// Applies to rows that change: NULLs that a new NOT NULL fills, values that a declared conversion changes within one
/// affinity, and rows that may leave a column to its default, which is about to change: ALTER TABLE ADD COLUMN writes
/// no rows, so such a row shows whatever the default is
/// ([ALTER TABLE ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column)). An UPDATE rewrites the
/// whole row. Triggers are suspended meanwhile, as no schema change should fire them.
///
/// The declared expressions are computed for all rows before the first of them is written, by
/// [UPDATE FROM](https://sqlite.org/lang_update.html#update_from), so that each sees the rows as they were.
package struct InPlaceRule {
  /// An UPDATE.
  package struct Update {
    package var columns: [SQLName]
    package var rowCount: Int
    package var sql: String
    package var edits: [SchemaEdit]
  }

  package var change: TableChange
  package var projection: RowProjection
  package var checkResults: RowCheckResults
  /// The table's unique indexes that are kept.
  package var uniqueIndexes: [IndexSchema] = []
  /// True if rows break what the table declares already. An UPDATE writes the whole row, by the types of all columns, and
  /// keeps the indexes of the columns that it does not name as they are.
  package var isFragile = false

  /// The updates that the change needs before the text is edited; empty if no row changes. The declared expressions
  /// come first, as they read the rows as they were.
  package var updates: [Update] {
    [computedUpdate].compactMap { $0 }
      + change.changedColumns.flatMap { column in
        [storedDefault(of: column), isComputed(column.to) ? nil : defaultFill(of: column.to)].compactMap { $0 }
      }
  }

  /// Stores the current values of rows that may leave a column to its default.
  private func storedDefault(of column: TableChange.ColumnChange) -> Update? {
    let name = column.to.name
    // A NULL that is filled is written, and with it the row.
    let isFilled = projection.fillsNulls(column.to) && column.from.defaultValue.map(\.isNull) ?? true
    guard column.kinds.contains(.defaultValue), !isFilled,
      let rows = checkResults.count(of: .showsDefault, column: name),
      rows > 0, let condition = RowCheckSubject.showsDefault(of: column.from, as: name.quoted)
    else { return nil }
    return Update(
      columns: [name], rowCount: rows, sql: sql(name, "\(name.quoted)", where: condition),
      edits: [.storeDefault(column: name, rows: rows)])
  }

  /// Fills NULLs with the default.
  private func defaultFill(of column: ColumnSchema) -> Update? {
    guard projection.fillsNulls(column), let fill = projection.fill(of: column),
      let rows = checkResults.count(of: .filledNulls, column: column.name), rows > 0
    else { return nil }
    return Update(
      columns: [column.name], rowCount: rows, sql: sql(column.name, fill, where: "\(column.name.quoted) IS NULL"),
      edits: [.fillDefault(column: column.name, rows: rows)])
  }

  /// ABORT overrides the table's own ON CONFLICT clauses: no row may be skipped or replaced.
  private func sql(_ column: SQLName, _ value: String, where condition: String) -> String {
    "UPDATE OR ABORT \"main\".\(change.to.name.quoted) \(change.from.rowOrder) SET \(column.quoted) = \(value) WHERE \(condition)"
  }

  // MARK: - The declared expressions

  /// True if a changed value is computed for each row by a declared expression.
  private func isComputed(_ column: ColumnSchema) -> Bool {
    projection.usesDeclaredConversion(column) || projection.restoresNulls(column)
      || (projection.fillsNulls(column) && projection.hints.columns[column.name]?.backfill != nil)
  }

  private var computedColumns: [ColumnSchema] { change.changedColumns.map(\.to).filter { isComputed($0) } }

  /// The number of rows that a declared expression changes; nil if they were not counted.
  private func count(of column: ColumnSchema) -> Int? {
    let isFilled = projection.fillsNulls(column) && !projection.usesConversion(column)
    return checkResults.count(of: isFilled ? .filledNulls : .changedByConversion, column: column.name)
  }

  /// Writes the values of the declared expressions.
  private var computedUpdate: Update? {
    let columns = computedColumns.filter { count(of: $0) ?? 0 > 0 }
    guard !columns.isEmpty, let oldKey = projection.rowKey, let key = change.to.rowKey else { return nil }
    // SQLite would not find a result column called "true".
    let values = columns.enumerated().map { number, column in
      (name: column.name.quoted, result: "\"value_\(number)\"", value: projection.expression(of: column) ?? "NULL")
    }
    let conditions = columns.compactMap { column in
      RowCheckSubject.converted(column, in: projection)
        ?? projection.sourceColumn(of: column).map { "\(projection.reference($0.name)) IS NULL" }
    }
    return Update(
      columns: columns.map(\.name),
      rowCount: min(columns.reduce(0) { $0 + (count(of: $1) ?? 0) }, checkResults.rowCount),
      sql: """
        UPDATE OR ABORT "main".\(change.to.name.quoted) AS "_row" \
        SET \(values.map { "\($0.name) = \"_changed\".\($0.result)" }.joined(separator: ", ")) FROM (SELECT \
        \(values.map { "\($0.value) AS \($0.result)" }.joined(separator: ", ")), \(oldKey) AS "key" \
        FROM \(projection.fromClauseInOrder) WHERE \(conditions[...].nested(by: "OR"))) AS "_changed" \
        WHERE "_row".\(key) = "_changed"."key"
        """,
      edits: columns.compactMap { projection.valueEdit(of: $0, hasNulls: true, rows: count(of: $0) ?? 0) })
  }

  private func rejection(toComputing column: ColumnSchema, by expressions: [String]) -> Rejection? {
    let name = column.name
    if change.from.rowKey == nil || change.from.rowKey != change.to.rowKey { return Rejection(.noRowNumber) }
    if expressions.contains(where: Self.readsOtherRows) { return Rejection(.readsOtherRows, name.text) }
    if change.from.column(name)?.isNotNull == true, !column.isNotNull {
      return Rejection(.notNullHoldsDuringUpdate, name.text)
    }
    let keys = change.from.keyColumns + change.to.keyColumns
    let written = written(by: [name])
    if !written.isDisjoint(with: keys) || uniqueIndexes.contains(where: { $0.reads(written) }) {
      return Rejection(.uniqueDuringUpdate, name.text)
    }
    return nil
  }

  /// True if an expression may depend on more than one row, and so see changed rows once some are written.
  package static func readsOtherRows(_ expression: String) -> Bool {
    let words: Set<String> = [
      "select", "over", "count", "sum", "total", "avg", "min", "max", "group_concat", "string_agg", "json_group_array",
      "json_group_object", "jsonb_group_array", "jsonb_group_object",
    ]
    guard let tokens = try? SQLLexer.tokens(of: expression) else { return true }
    return tokens.contains { words.contains($0.text.lowercased()) }
  }

  /// The indexes that are made anew before the updates. Their entries are computed or ordered by a text of the schema: those that
  /// another text gave are not where SQLite looks for them, and it takes the file for damaged.
  package func remade(before updates: [Update], among indexes: [IndexSchema]) -> [IndexSchema] {
    let written = written(by: updates.flatMap(\.columns))
    return updates.isEmpty ? [] : indexes.filter { $0.dependsOnText && $0.reads(written) }
  }

  /// Some columns and the computed columns that read them.
  private func written(by columns: [SQLName]) -> Set<SQLName> {
    var written = Set(columns)
    var count = 0
    while count != written.count {
      count = written.count
      for column in change.from.generatedColumns + change.to.generatedColumns
      where written.contains(where: { column.generation?.expression.mentions($0) == true }) {
        written.insert(column.name)
      }
    }
    return written
  }

  // MARK: - Rejection

  /// Returns why the updates cannot be made in place, or nil when they can.
  package func rejection(to updates: [Update]) -> Rejection? {
    if !updates.isEmpty, isFragile { return Rejection(.updateChangesMismatches) }
    if !updates.isEmpty, let column = change.from.columns.first(where: \.isStoredOtherwise) {
      return Rejection(.updateStoresDifferently, column.name.text)
    }
    for column in change.changedColumns.map(\.to) {
      let name = column.name
      if projection.recoding(of: column) != nil, checkResults.rowCount > 0 {
        return Rejection(.comparedWithOriginal, name.text)
      }
      if projection.usesConversion(column), checkResults.rowCount > 0, count(of: column) == nil {
        return Rejection(.notExaminedForConversion, name.text)
      }
      if projection.fillsNulls(column), checkResults.rowCount > 0, count(of: column) == nil {
        return Rejection(.notExaminedForNull, name.text)
      }
      guard isComputed(column), checkResults.rowCount > 0 else { continue }
      let hint = projection.hints.columns[name]
      let expressions = [hint?.conversion, hint?.backfill, hint?.nullCondition].compactMap { $0 }
      let problem = rejection(toComputing: column, by: expressions)
      if let problem { return problem }
    }
    let written = updates.map { self.written(by: $0.columns) }
    let all = written.reduce(into: Set<SQLName>()) { $0.formUnion($1) }
    func mentions(_ check: CheckSchema, _ columns: Set<SQLName>) -> Bool {
      columns.contains { check.expression.mentions($0) }
    }
    if let check = change.droppedChecks.first(where: { mentions($0, all) }) {
      return Rejection(.checkHoldsDuringUpdate, check.expression.text)
    }
    // Between two updates a row is half-updated; columns are added before any of them.
    let other = change.to.checks.first { check in
      written.count { mentions(check, $0) } > 1 || (!change.addedColumns.isEmpty && mentions(check, all))
    }
    if let other { return Rejection(.checkSeesHalfUpdatedRows, other.expression.text) }
    if let key = change.droppedForeignKeys.first(where: { !all.isDisjoint(with: $0.columns) }) {
      return Rejection(.foreignKeyHoldsDuringUpdate, key.parent.text)
    }
    return nil
  }

  /// Checks what was written before the text says NOT NULL or a new CHECK: afterwards SQLite would not check it any
  /// more. The same applies where a declared expression was predicted to change no row.
  package func verification(of updates: [Update]) -> [PlannedStatement] {
    let written = self.written(by: updates.flatMap(\.columns) + computedColumns.map(\.name))
    let required = change.to.columns.filter { $0.isNotNull && written.contains($0.name) }
      .map { "\($0.name.quoted) IS NULL" }
    let checks = change.addedChecks.filter { check in written.contains { check.expression.mentions($0) } }
      .map { "NOT \($0.expression.enclosed)" }
    let key = change.to.rowKey ?? change.to.primaryKey?.columns.first?.name.quoted ?? "1"
    return (required + checks).map { condition in
      PlannedStatement(
        "SELECT \(key) FROM \"main\".\(change.to.name.quoted) \(change.from.rowOrder) WHERE \(condition) LIMIT 10",
        role: .verification)
    }
  }
}

extension MigrationStep.Strategy {
  /// Some rows are updated where they are, and the stored text of the table is edited.
  public static let update = Self(
    "update", .change, refusal: "nor can an update in place",
    rejections: [
      .updateStoresDifferently, .updateChangesMismatches, .notExaminedForConversion, .noRowNumber, .readsOtherRows,
      .notNullHoldsDuringUpdate, .uniqueDuringUpdate, .checkHoldsDuringUpdate, .checkSeesHalfUpdatedRows,
      .foreignKeyHoldsDuringUpdate, .comparedWithOriginal, .tooManyRows,
    ], motives: [.fewRowsChange]
  ) {
    $0.updatesRows = true
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let updateStoresDifferently = Self("updateStoresDifferently") {
    "rows that lack \($0[0]) read it differently from what an UPDATE stores"
  }
  package static let updateChangesMismatches = Self(
    "updateChangesMismatches",
    "rows break what the table declares already, and an UPDATE would change more of them than it names")
  package static let notExaminedForConversion = Self("notExaminedForConversion") {
    "the rows were not examined for what the conversion of \($0[0]) changes"
  }
  package static let noRowNumber = Self("noRowNumber", "the rows have no number to go by")
  package static let readsOtherRows = Self("readsOtherRows") { "what \($0[0]) gets is read from other rows" }
  package static let notNullHoldsDuringUpdate = Self("notNullHoldsDuringUpdate") {
    "NOT NULL of \($0[0]) still holds while rows are updated"
  }
  package static let uniqueDuringUpdate = Self("uniqueDuringUpdate") {
    "\($0[0]) is unique, also while rows are updated"
  }
  package static let checkHoldsDuringUpdate = Self("checkHoldsDuringUpdate") {
    "the CHECK (\($0[0])) still holds while rows are updated"
  }
  package static let checkSeesHalfUpdatedRows = Self("checkSeesHalfUpdatedRows") {
    "the CHECK (\($0[0])) would see rows that are half done"
  }
  package static let foreignKeyHoldsDuringUpdate = Self("foreignKeyHoldsDuringUpdate") {
    "the foreign key on \($0[0]) still holds while rows are updated"
  }
  package static let comparedWithOriginal = Self("comparedWithOriginal") {
    "each new value of \($0[0]) is compared with the one that it is made of"
  }
  package static let tooManyRows = Self("tooManyRows", isOfCost: true) { "\($0[0]) of \($0[1]) would change in place" }
}

extension Motive.Code {
  /// The number of indexes that are made anew before.
  package static let fewRowsChange = Self("fewRowsChange") {
    let remade = $0.number(0)
    return "only the rows that must change are written, where they are"
      + (remade == 0 ? "" : ", once \(remade == 1 ? "an index is" : "\(remade) indexes are") made anew")
  }
}

extension StrategySelection {
  /// Updates of some rows, and an edit of the catalog; nil if no row changes.
  var update: Candidate? {
    let updates = inPlace.updates
    return updates.isEmpty ? nil : edit(by: .update, after: updates, burden: burdenOfUpdates)
  }

  var inPlace: InPlaceRule {
    InPlaceRule(
      change: change, projection: projection, checkResults: checkResults,
      uniqueIndexes: stayingIndexes.filter(\.isUnique), isFragile: planner.fragileTable(among: [name]) != nil)
  }

  /// The reason that names the rows that change in place, and how many there are.
  var burdenOfUpdates: Rejection {
    let updated = inPlace.updates.reduce(0) { $0 + $1.rowCount }
    return Rejection(.tooManyRows, updated.grouped, checkResults.rowCount.counted("row"))
  }

  /// The cost of the updates that an edit of the catalog needs before.
  var costOfUpdates: StrategyCost {
    let updates = inPlace.updates
    let rowBytes = rowCount > 0 ? checkResults.byteCount / rowCount : 0
    var cost = StrategyCost(scanned: updates.count * rowCount)
    for update in updates {
      let columns = Set(update.columns)
      let keys = change.from.uniques.map(\.columns) + [change.from.primaryKey?.columns ?? []]
      let indexes =
        stayingIndexes.count { $0.reads(columns) } + keys.count { $0.contains { columns.contains($0.name) } }
      let own = StrategyCost.updating(update.rowCount, of: rowCount, rowBytes: rowBytes, indexes: indexes)
      cost.updated += own.updated
      cost.onWrittenPages += own.onWrittenPages
      cost.movedEntries += own.movedEntries
    }
    return cost
  }
}

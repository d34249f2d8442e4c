/// Decides whether a table can get its new definition by editing its stored text alone, without touching any rows.
///
/// Applies to properties that decide which rows are *accepted* and not how they are *stored*: CHECKs, NOT NULL, foreign
/// keys, ON CONFLICT, and a declared type within one affinity; DEFAULT, if no row leaves its value to the default.
/// UNIQUE, collations, numbers under another affinity and STRICT have rules of their own. It is the procedure of
/// [Making Other Kinds Of Table Schema Changes](https://sqlite.org/lang_altertable.html#otheralter) for changes that
/// "do not affect the on-disk content in any way". This is a list of what is allowed, since `integrity_check` does not
/// detect several wrong edits. Rows that the new definition rejects (NULL, a failing CHECK, an orphan) were counted
/// before.
package enum CatalogEditRule {
  /// Returns the reason why the text alone does not do it, or nil if it does. Other rules say what indexes need beside
  /// it, and which values may be read under another type.
  package static func rejection(to change: TableChange, checkResults: RowCheckResults) -> Rejection? {
    if change.isRowIDChanged { return Rejection(.rowIDDecidesStorage) }
    if change.isOrderChanged { return Rejection(.columnOrderDecidesStorage) }
    for column in change.changedColumns {
      if let rejection = rejection(to: column, in: change) { return rejection }
    }
    return rejection(of: checkResults, to: change)
  }

  private static func rejection(to column: TableChange.ColumnChange, in change: TableChange) -> Rejection? {
    let name = column.to.name
    let harmless: Set<TableChange.Kind> = [.type, .form, .nullability, .defaultValue, .conflictClause, .collation]
    if let kind = column.kinds.subtracting(harmless).min() {
      return Rejection(.propertyDecidesStorage, kind.phrase, name.text)
    }
    if column.to.generation != nil { return Rejection(.generatedColumn, name.text) }
    guard column.kinds.contains(.type) else { return nil }
    let types = [column.from.comparableType, column.to.comparableType]
    if change.to.isStrict, change.from.isStrict, column.from.affinity == column.to.affinity,
      !types.allSatisfy({ ["INT", "INTEGER"].contains($0) })
    {
      return Rejection(.strictAllowsWholeTypesOnly)
    }
    if change.to.rowIDAlias?.name == name { return Rejection(.rowIDColumn, name.text) }
    return nil
  }

  /// The reason that the rows give against it. Uncounted rows say nothing, and so allow only what no row can refuse.
  private static func rejection(of checkResults: RowCheckResults, to change: TableChange) -> Rejection? {
    let isEmpty = checkResults.isCounted && checkResults.rowCount == 0
    if isEmpty { return nil }
    // Rows that do not store a column read the value from the text of its default.
    for column in change.to.columns {
      guard let before = change.from.column(column.name), before.isDefaultReadOtherwise(than: column) else { continue }
      return Rejection(.olderRowsReadDefault, column.name.text)
    }
    for column in change.changedColumns {
      let name = column.to.name
      if column.kinds.contains(.nullability), column.to.isNotNull {
        if change.from.rowIDAlias?.name == name { return Rejection(.rowIDColumn, name.text) }
        guard checkResults.isCounted else { return Rejection(.notExaminedForNull, name.text) }
        guard checkResults.count(of: .nulls, column: name) == 0 else { return Rejection(.rowsHoldNull, name.text) }
      }
      if column.kinds.contains(.defaultValue), checkResults.count(of: .showsDefault, column: name) == nil {
        return Rejection(.notExaminedForDefault, name.text)
      }
    }
    for check in checks(of: change) {
      guard checkResults.count(of: .failingCheck(check.expression.text), column: nil) == 0 else {
        return Rejection(checkResults.isCounted ? .rowsFailCheck : .notExaminedForCheck)
      }
    }
    return nil
  }

  /// Conditions for rows that SQLite would reject under the new text, if it checked them, or read otherwise.
  package static func refusedRows(of change: TableChange) -> [String] {
    let required = change.changedColumns.filter { $0.kinds.contains(.nullability) && $0.to.isNotNull }
    return required.map { "\($0.to.name.quoted) IS NULL" }
      + checks(of: change).map { "NOT \($0.expression.enclosed)" } + RetypeRule.refusedRows(of: change)
  }

  /// The CHECKs that are new, or compare otherwise.
  private static func checks(of change: TableChange) -> [CheckSchema] {
    let read = ReindexRule.collated(in: change).union(RetypeRule.retyped(in: change))
    return change.to.checks.filter { check in
      change.addedChecks.contains(check) || read.contains(where: check.expression.mentions)
    }
  }
}

extension ColumnSchema {
  /// True if rows that do not store this column would read a different value under another text of its default, and
  /// cannot be distinguished from those that do.
  fileprivate func isDefaultReadOtherwise(than other: ColumnSchema) -> Bool {
    guard generation == nil, defaultValue?.expression != other.defaultValue?.expression else { return false }
    return absentValue == .other || (other.absentValue == .other && defaultValue?.value == other.defaultValue?.value)
  }
}

extension RowCheckResults {
  /// The number of rows that a finding affects; nil if they were not checked or not counted.
  package func count(of kind: Finding.Kind, column: SQLName?) -> Int? {
    findings.first { $0.kind == kind && $0.column == column && $0.isCounted }?.count
  }
}

extension MigrationStep.Strategy {
  /// The stored text of a table is edited; no row is touched.
  public static let catalog = Self(
    "catalog", .change, refusal: "nor can an edit of the catalog",
    rejections: [
      .catalogIsProtected, .rowsNotExamined, .programWorksFirst, .primaryKeyDecidesStorage, .strictDecidesStorage,
      .rowIDDecidesStorage, .columnOrderDecidesStorage, .propertyDecidesStorage, .generatedColumn, .affinityChanges,
      .valuesWouldChange, .valuesNotStorable, .strictAllowsWholeTypesOnly, .rowIDColumn,
      .olderRowsReadDefault,
      .notExaminedForNull, .rowsHoldNull, .notExaminedForDefault, .rowsFailCheck, .notExaminedForCheck, .sortsIndexes,
    ],
    motives: [
      .onlyDefinitionChanges, .onlyDefinitionChangesAndDropColumn, .trailingColumns, .onlyIndexesChange,
      .wasOfConstraint,
      .becomesConstraint,
    ]
  ) {
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let catalogIsProtected = Self("catalogIsProtected") {
    $0.values.isEmpty ? "this connection protects the catalog" : "it is protected in this environment (\($0[0]))"
  }
  package static let rowsNotExamined = Self("rowsNotExamined", "the rows were not examined")
  package static let programWorksFirst = Self(
    "programWorksFirst", "the program works on the rows first, and fires the triggers on UPDATE")
  package static let primaryKeyDecidesStorage = Self(
    "primaryKeyDecidesStorage", "the primary key decides how rows are stored")
  package static let strictDecidesStorage = Self("strictDecidesStorage") {
    "STRICT decides how the values of \($0[0]), an ANY column, are stored"
  }
  package static let rowIDDecidesStorage = Self("rowIDDecidesStorage", "WITHOUT ROWID decides how rows are stored")
  package static let columnOrderDecidesStorage = Self(
    "columnOrderDecidesStorage", "the order of columns decides how rows are stored")
  package static let propertyDecidesStorage = Self("propertyDecidesStorage") {
    "the \($0[0]) of \($0[1]) decides how values are stored"
  }
  package static let generatedColumn = Self("generatedColumn") { "\($0[0]) is a generated column" }
  package static let affinityChanges = Self("affinityChanges") {
    "the affinity of \($0[0]) changes, which decides how values are stored"
  }
  package static let valuesWouldChange = Self("valuesWouldChange") {
    "values of \($0[0]) would be read otherwise under the new type"
  }
  package static let valuesNotStorable = Self("valuesNotStorable") {
    "rows hold values in \($0[0]) that STRICT refuses"
  }
  package static let strictAllowsWholeTypesOnly = Self("strictAllowsWholeTypesOnly", "STRICT knows only whole types")
  package static let rowIDColumn = Self("rowIDColumn") { "\($0[0]) is the rowid" }
  package static let olderRowsReadDefault = Self("olderRowsReadDefault") {
    "rows from before \($0[0]) may read its default differently from new ones"
  }
  package static let notExaminedForNull = Self("notExaminedForNull") {
    "the rows were not examined for NULL in \($0[0])"
  }
  package static let rowsHoldNull = Self("rowsHoldNull") { "rows hold NULL in \($0[0])" }
  package static let notExaminedForDefault = Self("notExaminedForDefault") {
    "the rows were not examined for the old default of \($0[0])"
  }
  package static let rowsFailCheck = Self("rowsFailCheck", "rows fail the new CHECK")
  package static let notExaminedForCheck = Self("notExaminedForCheck", "the rows were not examined for the new CHECK")
  package static let sortsIndexes = Self("sortsIndexes", "it would sort an index in one transaction")
}

extension Motive.Code {
  package static let onlyDefinitionChanges = Self(
    "onlyDefinitionChanges", "only the stored definition changes, no row does")
  package static let onlyDefinitionChangesAndDropColumn = Self(
    "onlyDefinitionChangesAndDropColumn", "only the stored definition changes, and DROP COLUMN does the rest")
  package static let onlyIndexesChange = Self("onlyIndexesChange") { indexesInWords($0.values) }
  package static let wasOfConstraint = Self("wasOfConstraint", "it was the index of the constraint")
  package static let becomesConstraint = Self("becomesConstraint", "it becomes the index of the constraint")

  private static func indexesInWords(_ counts: [Int]) -> String {
    let words = ["made", "dropped", "sorted anew"]
    let parts = zip(counts, words).filter { $0.0 > 0 }.enumerated().map { place, part in
      let (count, word) = part
      let number = place == 0 ? (count == 1 ? "an index" : "\(count) indexes") : count == 1 ? "one" : "\(count)"
      return "\(number) \(count == 1 ? "is" : "are") \(word)"
    }
    return "no row changes: \(parts.joined(separator: ", "))"
  }
}

extension Planner {
  /// True if SQLite refused an edit of an object's text on the clone.
  func hasRefused(editing name: SQLName) -> Bool { refused[name]?[.catalog] != nil }
}

extension MigrationStep {
  /// The step that edits stored texts and no rows.
  static func editingCatalog(
    _ object: ObjectReference, _ edits: [SchemaEdit], _ statements: [PlannedStatement], motive: Motive? = nil
  ) -> MigrationStep {
    MigrationStep(strategy: .catalog, object: object, edits: edits, motive: motive, statements: statements)
  }
}

extension StrategySelection {
  /// An edit of the catalog alone; nil if rows are updated before.
  var catalog: Candidate? {
    guard inPlace.updates.isEmpty else { return nil }
    return edit(
      by: .catalog, after: [], burden: passesAfterEdit > 0 ? Rejection(.dropsInPasses, "\(passesAfterEdit)") : nil)
  }

  /// An edit of the catalog, once some rows were updated.
  func edit(
    by strategy: MigrationStep.Strategy, after updates: [InPlaceRule.Update], burden: Rejection?
  ) -> Candidate {
    let rejection = renameByCopy(.renameRefusedBySQLite) ?? rejection(toEditing: updates, by: strategy)
    let sorts = adoption.map { adoption in
      adoption.counts.made + reindexing.statements(for: stayingIndexes, keys: adoption.keptKeys).count
    }
    var cost = costOfUpdates
    cost.dropped = passesAfterEdit * rowCount
    cost.sortedEntries = ((sorts ?? 0) + inPlace.remade(before: updates, among: stayingIndexes).count) * rowCount
    return Candidate(
      strategy: strategy, rejections: rejection.map { [$0] } ?? [], cost: cost, burden: burden
    ) { passedOver throws(SQLSyntaxError) in try editStep(by: strategy, updates, passedOver: passedOver) }
  }

  /// The indexes that are made anew because columns are compared or read otherwise.
  var reindexing: ReindexRule { ReindexRule(change: change) }

  /// True if an edit of the catalog would sort indexes, of rows that are there or may be by then.
  var sortsIndexes: Bool {
    guard let adoption, checkResults.rowCount > 0 || planner.copiesEmptyTables else { return false }
    return adoption.counts.made > 0
      || !reindexing.statements(for: stayingIndexes, keys: adoption.keptKeys).isEmpty
  }

  private func rejection(
    toEditing updates: [InPlaceRule.Update], by strategy: MigrationStep.Strategy
  ) -> Rejection? {
    guard let adoption else {
      return planner.profile.name.map { Rejection(.catalogIsProtected, $0.rawValue) } ?? Rejection(.catalogIsProtected)
    }
    if planner.checkResults[name] == nil { return Rejection(.rowsNotExamined) }
    // The triggers of an update are away from the start, and the program's own changes would not fire them. A column that
    // had nothing to convert may have values by then.
    if planner.worksOnRowsFirst, !updates.isEmpty,
      convertsValues || planner.renamed.triggers(on: name).contains(where: \.isOfUpdate)
    {
      return Rejection(.programWorksFirst)
    }
    if let refusal = refusal(of: strategy) { return refusal }
    return CatalogEditRule.rejection(to: change, checkResults: checkResults)
      ?? AdoptIndexRule.rejection(to: change, adopting: adoption, written: Set(updates.flatMap(\.columns)))
      ?? RetypeRule.rejection(
        to: change, checkResults: checkResults,
        converted: Set(change.to.columns.filter(projection.usesConversion).map(\.name)),
        mismatches: planner.mismatches(in: name))
      ?? reindexing.rejection(writing: Set(updates.flatMap(\.columns)))
      ?? rejectionsOfColumns(adoptsKeys: true).first ?? inPlace.rejection(to: updates)
  }

  private func editStep(
    by strategy: MigrationStep.Strategy, _ updates: [InPlaceRule.Update], passedOver: [MigrationStep.PassedOver]
  ) throws(SQLSyntaxError) -> MigrationStep {
    guard let adoption else { return try rebuildStep(passedOver: passedOver) }
    let reindexed = reindexing.statements(for: stayingIndexes, keys: adoption.keptKeys)
    let remade = inPlace.remade(before: updates, among: stayingIndexes)
    let updated = updates.reduce(0) { $0 + $1.rowCount }
    let rows = dropsStoredColumns ? checkResults.countedRows : updates.isEmpty ? nil : updated
    var step = MigrationStep(
      strategy: strategy, object: ObjectReference(.table, name),
      edits: edits + updates.flatMap(\.edits),
      motive: motive(of: updates, remade: remade.count, adoption, reindexed: reindexed.count),
      passedOver: passedOver,
      statements: additions + remade.map { PlannedStatement("REINDEX \"main\".\($0.name.quoted)") }
        + updates.map { PlannedStatement($0.sql, role: .update) }
        + inPlace.verification(of: updates) + recount + AutoincrementRule.statements(for: change)
        + adoption.statistics(in: rebuildBuilder.statisticsTables) + adoption.builds + [adoption.edit] + adoption.drops
        + reindexed + dropsAfterEdit,
      rows: rows,
      bytes: rows.flatMap { rows in
        checkResults.isCounted && checkResults.rowCount > 0
          ? checkResults.byteCount / checkResults.rowCount * rows : nil
      })
    step.reading = ChangedReading(
      collations: reindexing.collations(of: adoption.keptKeys), affinities: RetypeRule.retyped(in: change),
      undeclared: Set(undeclared.map(\.name)))
    step.sortsIndexes = adoption.counts.made > 0 || !reindexed.isEmpty
    step.sortedColumns = adoption.sortedColumns.union(
      reindexing.sortedColumns(for: stayingIndexes, keys: adoption.keptKeys))
    step.remadeIndexes = Set(remade.map(\.name))
    step.movedEntries = costOfUpdates.movedEntries
    step.adoptedIndexes = adoption.adopted
    step.createdIndexes = adoption.released
    step.canViolateReferences =
      canViolateReferences || !updates.isEmpty || changesReferencedKey || step.reading != ChangedReading()
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.convertsValues = convertsValues
    step.refusedRows = CatalogEditRule.refusedRows(of: change)
    return step
  }

  private func motive(
    of updates: [InPlaceRule.Update], remade: Int, _ adoption: Adoption, reindexed: Int
  ) -> Motive {
    if !updates.isEmpty { return remade == 0 ? Motive(.fewRowsChange) : Motive(.fewRowsChange, remade) }
    if !undeclared.isEmpty { return Motive(.trailingColumns) }
    if dropsStoredColumns { return Motive(.onlyDefinitionChangesAndDropColumn) }
    let (made, dropped) = adoption.counts
    return made + dropped + reindexed == 0
      ? Motive(.onlyDefinitionChanges) : Motive(.onlyIndexesChange, made, dropped, reindexed)
  }

  /// A second look at the rows, where the program has worked on them since they were counted.
  private var recount: [PlannedStatement] {
    guard planner.worksOnRowsFirst else { return [] }
    let key = change.from.rowKey ?? change.from.primaryKey?.columns.first?.name.quoted ?? "1"
    return CatalogEditRule.refusedRows(of: change).map {
      PlannedStatement(
        "SELECT \(key) FROM \"main\".\(name.quoted) \(change.from.rowOrder) WHERE \($0) LIMIT 10", role: .verification)
    }
  }
}

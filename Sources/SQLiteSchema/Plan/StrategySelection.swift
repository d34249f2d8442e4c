/// The ways in which one table can be changed.
struct StrategySelection {
  let planner: Planner
  let change: TableChange
  let projection: RowProjection
  /// The changes of the indexes of constraints; nil where the catalog cannot be edited.
  let adoption: Adoption?
  let checkResults: RowCheckResults
  let hints: TableHints
  /// The statements by which ALTER TABLE changes constraints, and the changes that are left then.
  let constraints: ConstraintAlterRule.Part

  init(planner: Planner, change: TableChange) throws(SQLSyntaxError) {
    adoption = planner.profile.canEditCatalog ? try planner.adoption(for: change) : nil
    self.planner = planner
    self.change = change
    hints = planner.hints.tables[change.to.name] ?? TableHints()
    checkResults = planner.checkResults[change.to.name] ?? RowCheckResults()
    let checkResults = checkResults
    var values = planner.projection(for: change, hints: hints)
    values.withoutNulls = Set(
      change.to.columns.map(\.name).filter { checkResults.count(of: .filledNulls, column: $0) == 0 })
    let projection = values
    self.projection = projection
    constraints = ConstraintAlterRule.part(
      of: change, profile: planner.profile, hasRows: checkResults.rowCount > 0,
      isDecided: { checkResults.count(of: .undecidedCheck($0.expression.text), column: nil) == 0 },
      writes: { column in
        guard let column = change.to.column(column), checkResults.rowCount > 0 else { return false }
        return projection.restoresNulls(column)
          || (projection.fillsNulls(column)
            && checkResults.count(of: .filledNulls, column: column.name) != 0)
      })
  }

  var name: SQLName { change.to.name }
  var edits: [SchemaEdit] { change.edits(hints) }

  // MARK: ALTER TABLE

  func rejectionsOfNative() -> [Rejection] {
    var rejections = RebuildRule.rejections(of: constraints.rest)
    if rejections.isEmpty { rejections = rejectionsOfColumns(adoptsKeys: false) }
    rejections += planner.rejectionsOfRowIDNames(in: change)
    if let refused = planner.refused[name]?[.native] { rejections.append(Rejection(.nativeRefusedBySQLite, refused)) }
    return rejections
  }

  /// The reasons against adding and dropping the columns with ALTER TABLE.
  ///
  /// - Parameter adoptsKeys: Whether an edit of the catalog gives the table its keys.
  func rejectionsOfColumns(adoptsKeys: Bool) -> [Rejection] {
    change.addedColumns.compactMap {
      AddColumnRule.rejection(
        to: $0, in: change, hasRows: checkResults.rowCount > 0, hints: hints, profile: planner.profile,
        adoptsKeys: adoptsKeys)
    }
      + planner.rejectionsByFaults(of: change, keeping: stayingIndexes)
      + change.droppedColumns.compactMap {
        DropColumnRule.rejection(
          to: $0, in: change, indexes: stayingIndexes, profile: planner.profile, adoptsKeys: adoptsKeys)
      }
  }

  var additions: [PlannedStatement] {
    change.addedColumns.map { PlannedStatement(AddColumnRule.statement(for: $0, in: change)) }
  }

  var drops: [PlannedStatement] {
    change.droppedColumns.map { PlannedStatement(DropColumnRule.statement(for: $0, in: change)) }
  }

  /// True if DROP COLUMN would write every row anew, and there are rows or may be by then.
  var writesEveryRow: Bool {
    !change.droppedColumns.isEmpty && dropsStoredColumns && (checkResults.rowCount > 0 || planner.copiesEmptyTables)
  }

  /// True if ALTER TABLE only adds columns that any row can have.
  var addsOnlyWhatAnyRowHas: Bool {
    // ALTER TABLE examines all rows of a STRICT table, whatever is added.
    !change.to.isStrict && change.droppedColumns.isEmpty && constraints.statements.isEmpty && change.addedChecks.isEmpty
      && !changesForeignKeys
      && change.addedColumns.allSatisfy {
        $0.generation == nil
          && AddColumnRule.rejection(to: $0, in: change, hasRows: true, hints: hints, profile: planner.profile) == nil
      }
  }

  /// True if DROP COLUMN writes every row anew.
  var dropsStoredColumns: Bool { !change.droppedColumns.allSatisfy { $0.generation?.isStored == false } }

  func nativeStep() -> MigrationStep {
    var step = MigrationStep(
      strategy: .native, object: ObjectReference(.table, name), edits: edits,
      motive: planner.hints.isUndo && change.addsInOtherPlaces ? Motive(.addedColumnsComeLast) : nil,
      statements: additions + constraints.statements.map { PlannedStatement($0) } + drops,
      rows: dropsStoredColumns ? checkResults.countedRows : nil,
      bytes: dropsStoredColumns && checkResults.isCounted ? checkResults.byteCount : nil)
    step.canViolateReferences = canViolateReferences
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.holdsForAnyRows = addsOnlyWhatAnyRowHas
    return step
  }

  /// True if rows could come to refer to nothing although none of them changes, now or when the change is undone.
  var canViolateReferences: Bool { !change.droppedColumns.isEmpty || changesForeignKeys }

  /// True if the table has other foreign keys than before.
  var changesForeignKeys: Bool {
    func differ(_ keys: [ForeignKeySchema], from others: [ForeignKeySchema]) -> Bool {
      keys.contains { key in !others.contains { $0.hasSameReference(as: key) } }
    }
    return differ(change.addedForeignKeys, from: change.droppedForeignKeys)
      || differ(change.droppedForeignKeys, from: change.addedForeignKeys)
  }

  // MARK: The catalog, and rows in place

  var inPlace: InPlaceRule {
    InPlaceRule(
      change: change, projection: projection, checkResults: checkResults,
      uniqueIndexes: stayingIndexes.filter(\.isUnique), isFragile: planner.fragileTable(among: [name]) != nil)
  }

  /// The table's indexes that the plan does not drop.
  var stayingIndexes: [IndexSchema] {
    planner.renamed.indexes(on: name).filter { !planner.droppedIndexes.contains($0.name) }
  }

  /// The indexes that are made anew because columns are compared or read otherwise.
  var reindexing: ReindexRule { ReindexRule(change: change) }

  /// True if an edit of the catalog would sort indexes, of rows that are there or may be by then.
  var sortsIndexes: Bool {
    guard let adoption, checkResults.rowCount > 0 || planner.copiesEmptyTables else { return false }
    return adoption.counts.made > 0
      || !reindexing.statements(for: stayingIndexes, keys: adoption.keptKeys).isEmpty
  }

  func rejectionOfCatalog(_ updates: [InPlaceRule.Update]) -> Rejection? {
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
    if let refused = planner.refused[name]?[updates.isEmpty ? .catalog : .update] {
      return Rejection(.refusedBySQLite, refused)
    }
    return CatalogEditRule.rejection(to: change, checkResults: checkResults)
      ?? AdoptIndexRule.rejection(to: change, adopting: adoption, written: Set(updates.flatMap(\.columns)))
      ?? RetypeRule.rejection(
        to: change, checkResults: checkResults,
        converted: Set(change.to.columns.filter(projection.usesConversion).map(\.name)),
        mismatches: planner.mismatches(in: name))
      ?? reindexing.rejection(writing: Set(updates.flatMap(\.columns)))
      ?? rejectionsOfColumns(adoptsKeys: true).first ?? inPlace.rejection(to: updates)
  }

  func catalogStep(
    _ updates: [InPlaceRule.Update], passedOver: [MigrationStep.PassedOver]
  ) throws(SQLSyntaxError) -> MigrationStep {
    guard let adoption else { return try rebuildStep(passedOver: passedOver) }
    let reindexed = reindexing.statements(for: stayingIndexes, keys: adoption.keptKeys)
    let updated = updates.reduce(0) { $0 + $1.rowCount }
    let rows = dropsStoredColumns ? checkResults.countedRows : updates.isEmpty ? nil : updated
    var step = MigrationStep(
      strategy: updates.isEmpty ? .catalog : .update, object: ObjectReference(.table, name),
      edits: edits + updates.flatMap(\.edits), motive: motive(of: updates, adoption, reindexed: reindexed.count),
      passedOver: passedOver,
      statements: additions + updates.map { PlannedStatement($0.sql, role: .update) }
        + inPlace.verification(of: updates) + recount + AutoincrementRule.statements(for: change)
        + adoption.statistics(in: rebuildBuilder.statisticsTables) + adoption.builds + [adoption.edit] + adoption.drops
        + reindexed + drops,
      rows: rows,
      bytes: rows.flatMap { rows in
        checkResults.isCounted && checkResults.rowCount > 0
          ? checkResults.byteCount / checkResults.rowCount * rows : nil
      })
    step.reading = ChangedReading(
      collations: reindexing.collations(of: adoption.keptKeys), affinities: RetypeRule.retyped(in: change))
    step.sortsIndexes = adoption.counts.made > 0 || !reindexed.isEmpty
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

  private func motive(of updates: [InPlaceRule.Update], _ adoption: Adoption, reindexed: Int) -> Motive {
    if !updates.isEmpty { return Motive(.fewRowsChange) }
    if dropsStoredColumns { return Motive(.onlyDefinitionChangesAndDropColumn) }
    let (made, dropped) = adoption.counts
    return made + dropped + reindexed == 0
      ? Motive(.onlyDefinitionChanges) : Motive(.onlyIndexesChange, made, dropped, reindexed)
  }

  /// A second look at the rows, where the program has worked on them since they were counted.
  var recount: [PlannedStatement] {
    guard planner.worksOnRowsFirst else { return [] }
    let key = change.from.rowKey ?? change.from.primaryKey?.columns.first?.name.quoted ?? "1"
    return CatalogEditRule.refusedRows(of: change).map {
      PlannedStatement(
        "SELECT \(key) FROM \"main\".\(name.quoted) \(change.from.rowOrder) WHERE \($0) LIMIT 10", role: .verification)
    }
  }
}

import OrderedCollections

// The selection of strategies for one table: ALTER TABLE, an edit of the catalog, an update in place, a copy, a rebuild. The first that
// nothing stands against is taken; what stands against those before it is kept for the reader.
extension Planner {
  /// The step that changes a table.
  ///
  /// - Parameter done: The tables that were changed before.
  package func step(for change: TableChange, after done: Set<SQLName>) throws(SQLSyntaxError) -> MigrationStep {
    let selection = StrategySelection(planner: self, change: change)
    var passedOver: [MigrationStep.PassedOver] = []
    var native = forcedRebuild(of: change).map { [$0] } ?? selection.rejectionsOfNative()
    if native.isEmpty, strategy == .rebuild { native = [Rejection(.rebuildRequested)] }
    if native.isEmpty, strategy.takesEveryWay, selection.isCatalogCheaper { native = [Rejection(.readsRowsAgain)] }
    if strategy == .online, selection.writesEveryRow, native.isEmpty || selection.rejectionOfCatalog([]) == nil,
      selection.rejectionOfOnline == nil
    {
      let passed = native.isEmpty ? [Rejection(.writesEveryRow)] : native
      let step = try selection.onlineStep(passedOver: [.init(strategy: .native, rejections: passed)])
      if let step { return step }
    }
    if native.isEmpty { return selection.nativeStep() }
    passedOver.append(MigrationStep.PassedOver(strategy: .native, rejections: native))
    if strategy.takesEveryWay {
      let updates = selection.inPlace.updates
      let forced = forcedRebuilds[change.to.name].map { Rejection(.renameRefusedBySQLite, $0) }
      guard let catalog = forced ?? selection.rejectionOfCatalog(updates) else {
        return try selection.catalogStep(updates, passedOver: passedOver)
      }
      passedOver.append(
        MigrationStep.PassedOver(strategy: updates.isEmpty ? .catalog : .update, rejections: [catalog]))
      if strategy == .online {
        let online = forced ?? selection.rejectionOfOnline
        if online == nil, let step = try selection.onlineStep(passedOver: passedOver) { return step }
        passedOver.append(
          MigrationStep.PassedOver(strategy: .online, rejections: [online ?? Rejection(.rowIDsCannotBeNamed)]))
      }
      if let rule = selection.swapRule, rule.isWorthwhile || avoidsAlter.contains(change.to.name) {
        guard let swap = forced ?? selection.rejection(to: rule) else {
          return try selection.swapStep(rule, passedOver: passedOver)
        }
        passedOver.append(MigrationStep.PassedOver(strategy: .swap, rejections: [swap]))
      }
    }
    var rebuild = try selection.rebuildStep(passedOver: passedOver)
    rebuild.dropsReferencedTable = !keepsForeignKeysOn
    guard keepsForeignKeysOn else { return rebuild }
    return try referencedStep(
      rebuild, for: change, projection: selection.projection, columnRejection: selection.rejectionsOfColumns.first,
      after: done) ?? rebuild
  }

  private func forcedRebuild(of change: TableChange) -> Rejection? {
    forcedRebuilds[change.to.name].map { Rejection(.nativeRefusedBySQLite, $0) }
  }
}

/// The ways in which one table can be changed.
private struct StrategySelection {
  let planner: Planner
  let change: TableChange
  let projection: RowProjection
  let checkResults: RowCheckResults
  private let hints: TableHints
  /// What ALTER TABLE does to the constraints, and what is left then.
  private let constraints: ConstraintAlterRule.Part

  init(planner: Planner, change: TableChange) {
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

  private var name: SQLName { change.to.name }
  private var edits: [SchemaEdit] { change.edits(hints) }

  // MARK: ALTER TABLE

  func rejectionsOfNative() -> [Rejection] {
    var rejections = RebuildRule.rejections(of: constraints.rest)
    if rejections.isEmpty { rejections = rejectionsOfColumns }
    rejections += planner.rejectionsOfRowIDNames(in: change)
    if let refused = planner.refused[name]?[.native] { rejections.append(Rejection(.nativeRefusedBySQLite, refused)) }
    return rejections
  }

  /// What stands against adding and dropping the columns with ALTER TABLE.
  var rejectionsOfColumns: [Rejection] {
    change.addedColumns.compactMap {
      AddColumnRule.rejection(
        to: $0, in: change, hasRows: checkResults.rowCount > 0, hints: hints, profile: planner.profile)
    }
      + planner.rejectionsByFaults(of: change, keeping: stayingIndexes)
      + change.droppedColumns.compactMap {
        DropColumnRule.rejection(to: $0, in: change, indexes: stayingIndexes, profile: planner.profile)
      }
  }

  private var additions: [PlannedStatement] {
    change.addedColumns.map { PlannedStatement(AddColumnRule.statement(for: $0, in: change)) }
  }

  private var drops: [PlannedStatement] {
    change.droppedColumns.map { PlannedStatement(DropColumnRule.statement(for: $0, in: change)) }
  }

  /// Whether DROP COLUMN would write every row anew, and there are rows or may be by then.
  var writesEveryRow: Bool {
    !change.droppedColumns.isEmpty && dropsStoredColumns && (checkResults.rowCount > 0 || planner.copiesEmptyTables)
  }

  /// Whether ALTER TABLE only adds columns that any row can have.
  private var addsOnlyWhatAnyRowHas: Bool {
    // ALTER TABLE examines all rows of a STRICT table, whatever is added.
    !change.to.isStrict && change.droppedColumns.isEmpty && constraints.statements.isEmpty && change.addedChecks.isEmpty
      && !changesForeignKeys
      && change.addedColumns.allSatisfy {
        $0.generation == nil
          && AddColumnRule.rejection(to: $0, in: change, hasRows: true, hints: hints, profile: planner.profile) == nil
      }
  }

  /// Whether DROP COLUMN writes every row anew.
  private var dropsStoredColumns: Bool { !change.droppedColumns.allSatisfy { $0.generation?.isStored == false } }

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

  /// Whether rows could come to refer to nothing although none of them changes, now or when the change is undone.
  private var canViolateReferences: Bool { !change.droppedColumns.isEmpty || changesForeignKeys }

  /// Whether the table has other foreign keys than before.
  private var changesForeignKeys: Bool {
    func differ(_ keys: [ForeignKeySchema], from others: [ForeignKeySchema]) -> Bool {
      keys.contains { key in !others.contains { $0.hasSameReference(as: key) } }
    }
    return differ(change.addedForeignKeys, from: change.droppedForeignKeys)
      || differ(change.droppedForeignKeys, from: change.addedForeignKeys)
  }

  // MARK: The catalog, and rows in place

  /// Whether ALTER TABLE would read rows that were read for the results of row checks, and an edit of the catalog reads none.
  var isCatalogCheaper: Bool {
    guard constraints.readsRows, inPlace.updates.isEmpty else { return false }
    return rejectionOfCatalog([]) == nil
  }

  var inPlace: InPlaceRule {
    InPlaceRule(
      change: change, projection: projection, checkResults: checkResults,
      uniqueIndexes: stayingIndexes.filter(\.isUnique), isFragile: planner.fragileTable(among: [name]) != nil)
  }

  /// The table's indexes that the plan does not drop.
  private var stayingIndexes: [IndexSchema] {
    planner.renamed.indexes(on: name).filter { !planner.droppedIndexes.contains($0.name) }
  }

  func rejectionOfCatalog(_ updates: [InPlaceRule.Update]) -> Rejection? {
    if !planner.profile.canEditCatalog {
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
    return CatalogEditRule.rejection(to: change, checkResults: checkResults) ?? rejectionsOfColumns.first
      ?? inPlace.rejection(to: updates)
  }

  func catalogStep(
    _ updates: [InPlaceRule.Update], passedOver: [MigrationStep.PassedOver]
  ) throws(SQLSyntaxError) -> MigrationStep {
    let text = try CatalogText(change: change).text()
    let edit = CatalogEditRule.statement(storing: text, of: name)
    let updated = updates.reduce(0) { $0 + $1.rowCount }
    let rows = dropsStoredColumns ? checkResults.countedRows : updates.isEmpty ? nil : updated
    let motive: Motive.Code =
      !updates.isEmpty
      ? .fewRowsChange : dropsStoredColumns ? .onlyDefinitionChangesAndDropColumn : .onlyDefinitionChanges
    var step = MigrationStep(
      strategy: updates.isEmpty ? .catalog : .update, object: ObjectReference(.table, name),
      edits: edits + updates.flatMap(\.edits), motive: Motive(motive), passedOver: passedOver,
      statements: additions + updates.map { PlannedStatement($0.sql, role: .update) }
        + inPlace.verification(of: updates) + recount + [edit] + drops,
      rows: rows,
      bytes: rows.flatMap { rows in
        checkResults.isCounted && checkResults.rowCount > 0
          ? checkResults.byteCount / checkResults.rowCount * rows : nil
      })
    step.canViolateReferences = canViolateReferences || !updates.isEmpty
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.convertsValues = convertsValues
    step.refusedRows = CatalogEditRule.refusedRows(of: change)
    return step
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

  // MARK: Copies

  /// What a copy could take over; nil where the catalog cannot be edited.
  var swapRule: SwapRule? {
    guard planner.profile.canEditCatalog else { return nil }
    return SwapRule(
      change: change, projection: projection, indexes: stayingIndexes, doubtful: planner.columnsOfLargeNumbers(in: name)
    )
  }

  func rejection(to rule: SwapRule) -> Rejection? {
    rule.rejection ?? bareTable().convertedMismatches.first.map { Rejection(.computingChangesMismatches, $0.text) }
      ?? planner.refused[name]?[.swap].map { Rejection(.refusedBySQLite, $0) }
  }

  /// The table that the rows are copied into.
  ///
  /// - Parameter read: The columns that indexes compute with before it has its definition.
  private func bareTable(read: Set<SQLName> = []) -> BareTable {
    BareTable(change: change, projection: projection, mismatches: planner.mismatches(in: name), read: read)
  }

  // MARK: Copies beside writers

  private var onlineRule: OnlineRule? {
    swapRule.map { rule in
      OnlineRule(
        swap: rule, indexes: planner.renamed.indexes(on: name), triggers: planner.renamed.triggers(on: name),
        isRenamed: planner.renames.formerTables[name] != nil || planner.renames.formerColumns[name] != nil
          || planner.columnSources[name] != nil,
        isKept: planner.keptValues.contains { $0.table == name },
        worksOnRowsFirst: planner.worksOnRowsFirst, isExamined: checkResults.isCounted,
        changesReferences: changesForeignKeys || changesReferencedKey || rule.changesReferences(in: planner.target))
    }
  }

  /// Whether a column or key goes by which rows refer to others, here or in a child.
  private var changesReferencedKey: Bool {
    let tables = planner.renamed.tables
    let keys = tables.values.flatMap(\.foreignKeys).filter { $0.parent == name }
    let own = tables[name]?.foreignKeys.flatMap(\.columns) ?? []
    // A key that foreign keys name must be the primary key or UNIQUE: https://sqlite.org/foreignkeys.html#fk_indexes
    let formerKeys = [change.from.primaryKey?.columns ?? []] + change.from.uniques.map(\.columns)
    let newKeys = [change.to.primaryKey?.columns ?? []] + change.to.uniques.map(\.columns)
    let gone = formerKeys.filter { !newKeys.contains($0) }.map { Set($0.map(\.name)) }
    return change.droppedColumns.contains { (own + keys.flatMap(\.parentColumns)).contains($0.name) }
      || keys.contains { $0.parentColumns.isEmpty ? change.isPrimaryKeyChanged : gone.contains(Set($0.parentColumns)) }
  }

  var rejectionOfOnline: Rejection? {
    guard let rule = onlineRule else { return Rejection(.catalogIsProtected, planner.profile.name?.rawValue ?? "") }
    return rule.rejection
      ?? bareTable(read: columnsOfBuiltIndexes(rule)).convertedMismatches.first.map {
        Rejection(.computingChangesMismatches, $0.text)
      } ?? planner.refused[name]?[.online].map { Rejection(.refusedBySQLite, $0) }
  }

  /// The columns that the indexes compute with which are filled with the copy.
  private func columnsOfBuiltIndexes(_ rule: OnlineRule) -> Set<SQLName> {
    let stale = rule.staleIndexes(in: planner.target.indexes(on: name)).map(\.to)
    let new = planner.diff.indexes.compactMap(\.new).filter { $0.table == name }
    return (stale + new).reduce(into: []) { $0.formUnion($1.columnsComputedWith(of: change.to)) }
  }

  /// The indexes that the plan creates on the table, with the texts that the catalog will contain.
  private var newIndexes: [(index: IndexSchema, text: String)] {
    get throws(SQLSyntaxError) {
      var indexes: [(index: IndexSchema, text: String)] = []
      for index in planner.diff.indexes.compactMap(\.new)
      where index.table == name && !planner.renamed.hasObject(index.name) {
        indexes.append((index, try planner.storedText(of: index)))
      }
      return indexes
    }
  }

  /// The step; nil where no column tells a row and its copy.
  func onlineStep(passedOver: [MigrationStep.PassedOver]) throws(SQLSyntaxError) -> MigrationStep? {
    guard let rule = onlineRule else { return nil }
    var rebuild = rebuildBuilder
    rebuild.temporaryName = OnlineCopy.shadowName(of: name)
    rebuild.verificationLevel = .full
    let text = try CatalogText(change: change, keepsRows: false).text()
    let new = try newIndexes
    let bare = bareTable(read: columnsOfBuiltIndexes(rule))
    var online = OnlineIndexes(
      source: rebuild.projection.source, target: change.to, bare: bare, text: text, changing: rule.swap.changing,
      stale: rule.staleIndexes(in: planner.target.indexes(on: name)), new: new
    )
    online.columnsOfNulls = planner.columnsOfNulls(in: name)
    let indexes = try online.plan()
    var swap = SwapBuilder(rebuild: rebuild, bare: bare, text: text, staleIndexes: [])
    swap.indexes = indexes.built
    swap.moves = indexes.moves
    swap.textOfOldRows = try OnlineBuilder.textOfOldRows(of: rebuild.projection.source)
    let copy = try OnlineBuilder(swap: swap, indexes: rule.indexes).copy()
    guard let copy else { return nil }
    var step = MigrationStep(
      strategy: .online, object: ObjectReference(.table, name), edits: edits + valueEdits,
      motive: Motive(.copiedOnline, indexes.built.count - new.count), passedOver: passedOver,
      statements: try swap.statements(), rows: checkResults.countedRows,
      bytes: checkResults.isCounted ? checkResults.byteCount : nil)
    step.canViolateReferences = false
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.convertsValues = convertsValues
    step.onlineCopy = copy
    step.createdIndexes = Set(new.map(\.index.name))
    return step
  }

  func swapStep(
    _ rule: SwapRule, passedOver: [MigrationStep.PassedOver]
  ) throws(SQLSyntaxError) -> MigrationStep {
    let stale = rule.staleIndexes
    let builder = SwapBuilder(
      rebuild: rebuildBuilder, bare: bareTable(), text: try CatalogText(change: change, keepsRows: false).text(),
      staleIndexes: stale)
    var step = MigrationStep(
      strategy: .swap, object: ObjectReference(.table, name), edits: edits + valueEdits,
      motive: Motive(.indexesStay, rule.keptCount, stale.count), passedOver: passedOver,
      statements: try builder.statements(),
      rows: checkResults.countedRows, bytes: checkResults.isCounted ? checkResults.byteCount : nil)
    step.canViolateReferences = canViolateReferences || rule.changesReferences(in: planner.target)
    step.refusedRows = builder.bare.refusedRows
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.convertsValues = convertsValues
    return step
  }

  /// Whether a declared conversion works on rows; so it may where they were not counted.
  private var convertsValues: Bool {
    checkResults.countedRows != 0 && change.to.columns.contains(where: projection.usesConversion)
  }

  private var valueEdits: [SchemaEdit] {
    projection.valueEdits { checkResults.rowCount > 0 && checkResults.count(of: .filledNulls, column: $0) != 0 }
  }

  private var rebuildBuilder: RebuildBuilder {
    RebuildBuilder(
      projection: projection, temporaryName: planner.temporaryName(for: name),
      systemTables: planner.source.systemTables, verificationLevel: planner.verificationLevel)
  }

  func rebuildStep(passedOver: [MigrationStep.PassedOver]) throws(SQLSyntaxError) -> MigrationStep {
    var builder = rebuildBuilder
    let bare = bareTable()
    let isBare = planner.copiesBare && bare.convertedMismatches.isEmpty && planner.refused[name]?[.rebuild] == nil
    if isBare { builder.bare = bare } else { builder.converted = planner.mismatches(in: name) ?? [] }
    var step = MigrationStep(
      strategy: .rebuild, object: ObjectReference(.table, name), edits: edits + valueEdits,
      passedOver: passedOver, statements: try builder.statements(), rows: checkResults.countedRows,
      bytes: checkResults.isCounted ? checkResults.byteCount : nil)
    step.refusedRows = builder.bare?.refusedRows ?? []
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.convertsValues = convertsValues
    return step
  }
}

import OrderedCollections

// Copies of a table: those that take over its indexes, beside writers, and those that make all of them anew.
extension StrategySelection {
  /// The rule for a copy that takes over indexes; nil where the catalog cannot be edited.
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

  /// True if a column or key goes by which rows refer to others, here or in a child.
  var changesReferencedKey: Bool {
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

  /// The step that copies the table beside writers although ALTER TABLE, an edit of the catalog or an update could do it, since they would
  /// write many rows or sort an index in one transaction; nil if they would not, or it cannot be copied so.
  func stepWithoutLongLock() throws(SQLSyntaxError) -> MigrationStep? {
    guard planner.strategy == .online, planner.forcedRebuilds[name] == nil, rejectionOfOnline == nil else { return nil }
    let native = rejectionsOfNative()
    let updates = inPlace.updates
    let isEdit = rejectionOfCatalog(updates) == nil
    let updated = updates.reduce(0) { $0 + $1.rowCount }
    var reason: Rejection?
    if !native.isEmpty, isEdit {
      if sortsIndexes { reason = Rejection(.sortsIndexes) }
      if updated > 0, OnlineRule.isLong(costOfUpdates, of: checkResults.rowCount) { reason = burdenOfUpdates }
    }
    guard reason != nil || (writesEveryRow && (native.isEmpty || isEdit)) else { return nil }
    let passed = native.isEmpty ? [Rejection(.writesEveryRow)] : native
    let passedOver = [MigrationStep.PassedOver(strategy: .native, rejections: passed)]
    let edit = reason.map { MigrationStep.PassedOver(strategy: updated > 0 ? .update : .catalog, rejections: [$0]) }
    return try onlineStep(passedOver: passedOver + [edit].compactMap(\.self))
  }

  /// The columns that the indexes compute with which are filled with the copy.
  private func columnsOfBuiltIndexes(_ rule: OnlineRule) -> Set<SQLName> {
    let stale = rule.staleIndexes(in: planner.target.indexes(on: name)).map(\.to)
    let new = planner.diff.indexes.compactMap(\.new).filter { $0.table == name }
    return (stale + new).reduce(into: []) { $0.formUnion($1.columnsComputedWith(of: change.to)) }
  }

  /// The step; nil where no column tells a row and its copy.
  func onlineStep(passedOver: [MigrationStep.PassedOver]) throws(SQLSyntaxError) -> MigrationStep? {
    guard let rule = onlineRule else { return nil }
    var rebuild = rebuildBuilder
    rebuild.temporaryName = OnlineCopy.shadowName(of: name)
    rebuild.verificationLevel = .full
    let text = try CatalogText(change: change, keepsRows: false).text()
    let new = try planner.newIndexes(on: name)
    let bare = bareTable(read: columnsOfBuiltIndexes(rule))
    var online = OnlineIndexes(
      source: rebuild.projection.source, target: change.to, bare: bare, text: text, changing: rule.swap.stale,
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

  /// True if a declared conversion works on rows, or may do so because they were not counted.
  var convertsValues: Bool {
    checkResults.countedRows != 0 && change.to.columns.contains(where: projection.usesConversion)
  }

  var valueEdits: [SchemaEdit] {
    projection.valueEdits { checkResults.rowCount > 0 && checkResults.count(of: .filledNulls, column: $0) != 0 }
  }

  var rebuildBuilder: RebuildBuilder {
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

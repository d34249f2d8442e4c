import OrderedCollections

// The selection of strategies for one table: ALTER TABLE, an edit of the catalog, an update in place, a copy, a rebuild. The first that
// nothing stands against is taken; what stands against those before it is kept for the reader.
extension Planner {
  /// The step that changes a table.
  ///
  /// - Parameter done: The tables that were changed before.
  package func step(for change: TableChange, after done: Set<SQLName>) throws(SQLSyntaxError) -> MigrationStep {
    let selection = try StrategySelection(planner: self, change: change)
    var passedOver: [MigrationStep.PassedOver] = []
    var native = forcedRebuild(of: change).map { [$0] } ?? selection.rejectionsOfNative()
    if native.isEmpty, strategy == .rebuild { native = [Rejection(.rebuildRequested)] }
    if native.isEmpty, strategy.takesEveryWay, selection.isCatalogCheaper { native = [Rejection(.readsRowsAgain)] }
    let isCopied = strategy == .auto && selection.isCopyCheaper
    if native.isEmpty, isCopied { native = [Rejection(.dropsInPasses, "\(change.droppedColumns.count)")] }
    if let step = try selection.stepWithoutLongLock(native: native) { return step }
    if native.isEmpty { return selection.nativeStep() }
    passedOver.append(MigrationStep.PassedOver(strategy: .native, rejections: native))
    if strategy.takesEveryWay {
      let updates = selection.inPlace.updates
      let forced = forcedRebuilds[change.to.name].map { Rejection(.renameRefusedBySQLite, $0) }
      let passes = isCopied ? Rejection(.dropsInPasses, "\(change.droppedColumns.count)") : nil
      guard let catalog = forced ?? selection.rejectionOfCatalog(updates) ?? passes else {
        return try selection.catalogStep(updates, passedOver: passedOver)
      }
      if catalog != passes {
        passedOver.append(
          MigrationStep.PassedOver(strategy: updates.isEmpty ? .catalog : .update, rejections: [catalog]))
      }
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
      rebuild, for: change, projection: selection.projection,
      columnRejection: selection.rejectionsOfColumns(adoptsKeys: false).first, after: done) ?? rebuild
  }

  /// Returns the changes of the indexes of constraints where a table keeps its rows.
  func adoption(for change: TableChange) throws(SQLSyntaxError) -> Adoption {
    let table = change.to.name
    let lacking = lackingIndexes(on: table)
    return try Adoption(
      keepingRowsOf: change, text: try CatalogText(change: change).text(),
      dropped: renamed.indexes(on: table).filter { droppedIndexes.contains($0.name) && !lacking.contains($0.name) },
      added: try newIndexes(on: table))
  }

  /// The indexes that the plan creates on a table, with the texts that the catalog will contain.
  func newIndexes(on table: SQLName) throws(SQLSyntaxError) -> [(index: IndexSchema, text: String)] {
    var indexes: [(index: IndexSchema, text: String)] = []
    for index in diff.indexes.compactMap(\.new) where index.table == table && !renamed.hasObject(index.name) {
      indexes.append((index, try storedText(of: index)))
    }
    return indexes
  }

  private func forcedRebuild(of change: TableChange) -> Rejection? {
    forcedRebuilds[change.to.name].map { Rejection(.nativeRefusedBySQLite, $0) }
  }
}

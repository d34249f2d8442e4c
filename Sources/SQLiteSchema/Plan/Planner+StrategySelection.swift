import OrderedCollections

// The selection of strategies for one table: of those that nothing stands against, the one that costs least. What stands against the others
// is kept for the reader.
extension Planner {
  /// The step that changes a table.
  ///
  /// - Parameter done: The tables that were changed before.
  package func step(for change: TableChange, after done: Set<SQLName>) throws(SQLSyntaxError) -> MigrationStep {
    let selection = try StrategySelection(planner: self, change: change)
    if let step = try selection.stepWithoutLongLock() { return step }
    let candidates = selection.candidates
    let possible = candidates.filter(\.rejections.isEmpty)
    // A rebuild that converts values, or drops a table that others refer to while foreign keys stay on, is for what no other does.
    let isLastResort = !copiesBare || keepsForeignKeysOn
    let compared = isLastResort && possible.count > 1 ? possible.filter { $0.strategy != .rebuild } : possible
    // The first of those that cost the same.
    let best = strategy.takesEveryWay ? compared.min { $0.cost.total < $1.cost.total } : possible.first
    guard let best, let place = candidates.firstIndex(where: { $0.strategy == best.strategy }) else {
      return try selection.rebuildStep(passedOver: [])
    }
    var passedOver: [MigrationStep.PassedOver] = []
    for candidate in candidates[..<place] {
      let isDear = candidate.rejections.isEmpty
      let rejections = isDear ? candidate.reasonsOfCost(over: best.cost) : candidate.rejections
      // An edit of the catalog drops columns as ALTER TABLE does.
      if isDear, passedOver.last?.rejections == rejections { continue }
      passedOver.append(MigrationStep.PassedOver(strategy: candidate.strategy, rejections: rejections))
    }
    var step = try best.step(passedOver)
    guard best.strategy == .rebuild else { return step }
    step.dropsReferencedTable = !keepsForeignKeysOn
    guard keepsForeignKeysOn else { return step }
    return try referencedStep(
      step, for: change, projection: selection.projection,
      columnRejection: selection.rejectionsOfColumns(adoptsKeys: false).first, after: done) ?? step
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
}

import OrderedCollections

// The ways that are compared, and their costs.
extension StrategySelection {
  /// A way in which the table can be changed.
  struct Candidate {
    var strategy: MigrationStep.Strategy
    /// The reasons against it; empty if it is possible.
    var rejections: [Rejection]
    var cost = StrategyCost()
    /// The reason why it is dear, if it is possible and another costs less.
    var burden: Rejection?
    var step: ([MigrationStep.PassedOver]) throws(SQLSyntaxError) -> MigrationStep

    /// Returns the reasons why it is passed over although it is possible.
    func reasonsOfCost(over best: StrategyCost) -> [Rejection] {
      let ratio = cost.ratio(to: best).map { Rejection(.costsMore, $0) }
      return [burden, ratio].compactMap(\.self)
    }
  }

  /// The ways, those first that are taken where several cost the same. Nothing stands against the last.
  var candidates: [Candidate] {
    guard planner.strategy.takesEveryWay else { return [native, rebuild] }
    var ways = [native, catalog]
    if planner.strategy == .online { ways.append(online) }
    if let swap { ways.append(swap) }
    return ways + [rebuild]
  }

  /// The rows that are known to be there.
  private var rowCount: Int { checkResults.countedRows ?? 0 }

  /// The reason why a copy has to rename columns, for the ways that cannot.
  private func renameByCopy(_ code: Rejection.Code) -> Rejection? {
    planner.forcedRebuilds[name].map { Rejection(code, $0) }
  }

  private var passes: Int { change.droppedColumns.count { $0.generation?.isStored != false } }

  private var native: Candidate {
    var rejections = renameByCopy(.nativeRefusedBySQLite).map { [$0] } ?? rejectionsOfNative()
    if rejections.isEmpty, planner.strategy == .rebuild { rejections = [Rejection(.rebuildRequested)] }
    return Candidate(
      strategy: .native, rejections: rejections,
      cost: StrategyCost(scanned: constraints.readsRows ? rowCount : 0, dropped: passes * rowCount),
      burden: passes > 0
        ? Rejection(.dropsInPasses, "\(passes)") : constraints.readsRows ? Rejection(.readsRowsAgain) : nil
    ) { passedOver throws(SQLSyntaxError) in
      var step = nativeStep()
      step.passedOver = passedOver
      return step
    }
  }

  private var catalog: Candidate {
    let updates = inPlace.updates
    let rejection = renameByCopy(.renameRefusedBySQLite) ?? rejectionOfCatalog(updates)
    let updated = updates.reduce(0) { $0 + $1.rowCount }
    let sorts = adoption.map { adoption in
      adoption.counts.made + reindexing.statements(for: stayingIndexes, keys: adoption.keptKeys).count
    }
    var cost = costOfUpdates
    cost.dropped = passes * rowCount
    cost.sortedEntries = (sorts ?? 0) * rowCount
    return Candidate(
      strategy: updates.isEmpty ? .catalog : .update, rejections: rejection.map { [$0] } ?? [], cost: cost,
      burden: updated > 0 ? burdenOfUpdates : passes > 0 ? Rejection(.dropsInPasses, "\(passes)") : nil
    ) { passedOver throws(SQLSyntaxError) in try catalogStep(updates, passedOver: passedOver) }
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

  private var online: Candidate {
    let rejection = renameByCopy(.renameRefusedBySQLite) ?? rejectionOfOnline
    return Candidate(
      strategy: .online, rejections: rejection.map { [$0] } ?? [], cost: StrategyCost(copied: rowCount)
    ) { passedOver throws(SQLSyntaxError) in
      if let step = try onlineStep(passedOver: passedOver) { return step }
      let rejected = MigrationStep.PassedOver(strategy: .online, rejections: [Rejection(.rowIDsCannotBeNamed)])
      return try rebuildStep(passedOver: passedOver + [rejected])
    }
  }

  /// A copy that takes over indexes; nil where there is none that it could.
  private var swap: Candidate? {
    guard let rule = swapRule, rule.isWorthwhile || planner.avoidsAlter.contains(name) else { return nil }
    let rejection = renameByCopy(.renameRefusedBySQLite) ?? rejection(to: rule)
    return Candidate(
      strategy: .swap, rejections: rejection.map { [$0] } ?? [],
      cost: StrategyCost(copied: rowCount, sortedEntries: rule.staleIndexes.count * rowCount)
    ) { passedOver throws(SQLSyntaxError) in try swapStep(rule, passedOver: passedOver) }
  }

  private var rebuild: Candidate {
    let keys = change.to.uniques.count + (change.to.primaryKey != nil && change.to.rowIDAlias == nil ? 1 : 0)
    return Candidate(
      strategy: .rebuild, rejections: [],
      cost: StrategyCost(copied: rowCount, sortedEntries: (stayingIndexes.count + keys) * rowCount)
    ) { passedOver throws(SQLSyntaxError) in try rebuildStep(passedOver: passedOver) }
  }
}

/// Decides whether a table can be copied while other connections read and write it.
///
/// Applies to tables whose rows have a number that stays. [Triggers](https://sqlite.org/lang_createtrigger.html) note
/// the rows that others write meanwhile, and these are copied again. Indexes that read nothing that changes stay where
/// they are, as in a swap; others are filled with the copy. Everything else that the change does must be short, since
/// it is done under the lock.
package struct OnlineRule {
  package var swap: SwapRule
  /// The indexes that the table has while it is copied.
  package var indexes: [IndexSchema]
  /// The triggers that it has then.
  package var triggers: [TriggerSchema]
  /// True if the plan renames the table or a column of it.
  package var isRenamed: Bool
  /// True if values that are dropped are put aside first.
  package var isKept: Bool
  /// True if the program works on the rows first.
  package var worksOnRowsFirst: Bool
  /// True if the rows were examined.
  package var isExamined: Bool
  /// True if rows could come to refer to nothing.
  package var changesReferences: Bool

  /// True if an update in one transaction holds the lock for a quarter of the time of a copy, or longer.
  package static func isLong(_ update: StrategyCost, of rows: Int) -> Bool {
    update.total * 4 > StrategyCost(copied: rows).total
  }

  /// The reason why the table cannot be copied online, or nil if it can.
  package var rejection: Rejection? {
    let (from, to) = (swap.change.from, swap.change.to)
    if from.isWithoutRowID || to.isWithoutRowID { return Rejection(.withoutRowIDIsIndex) }
    if from.rowKey == nil || to.rowKey == nil { return Rejection(.rowIDsCannotBeNamed) }
    if !keepsRowIDs { return Rejection(.primaryKeyChanges) }
    if changesReferences { return Rejection(.referencesChange) }
    if isRenamed { return Rejection(.renamedToo) }
    if isKept { return Rejection(.valuesPutAside) }
    if worksOnRowsFirst { return Rejection(.programWorksFirst) }
    if !isExamined { return Rejection(.rowsNotExamined) }
    if let index = indexes.first(where: { $0.isUnique && $0.terms.contains { $0.column == nil } }) {
      return Rejection(.uniqueExpression, index.name.text)
    }
    if let rejection = swap.rejectionOfLargeNumbers { return rejection }
    if let name = replacedUnseen { return Rejection(.replacedUnseen, name.text) }
    let hints = swap.projection.hints.columns
    for (column, hint) in hints.sorted(by: { $0.key < $1.key }) {
      let expressions = [hint.conversion, hint.backfill, hint.nullCondition].compactMap { $0 }
      if expressions.contains(where: InPlaceRule.readsOtherRows) { return Rejection(.readsOtherRows, column.text) }
    }
    return nil
  }

  /// True if a row has the same number in both versions, and nothing beside the table counts them.
  private var keepsRowIDs: Bool {
    let (from, to) = (swap.change.from, swap.change.to)
    guard from.primaryKey?.isAutoincrement ?? false == to.primaryKey?.isAutoincrement ?? false else { return false }
    guard let alias = to.rowIDAlias else { return true }
    guard let former = swap.projection.sourceColumn(of: alias) else {
      return swap.projection.hints.columns[alias.name]?.backfill == nil
    }
    return former.name == from.rowIDAlias?.name && swap.projection.isPlain(alias)
  }

  /// The indexes that are filled with the copy: as they are, and as they will be.
  ///
  /// - Parameter target: The indexes of the declared schema.
  package func staleIndexes(in target: [IndexSchema]) -> [(from: IndexSchema, to: IndexSchema)] {
    swap.indexes.compactMap { index in
      let new = target.first { $0.name == index.name } ?? index
      return index.reads(swap.stale) || new.terms != index.terms ? (from: index, to: new) : nil
    }
  }

  /// The column or trigger that changes a row after the triggers have seen which others it would replace: a computed
  /// value, a default that is not known before, or a trigger.
  private var replacedUnseen: SQLName? {
    let keys = OnlineBuilder.uniqueKeys(of: swap.change.from, indexes: indexes).map(\.columns).joined()
    guard !keys.isEmpty else { return nil }
    let column = keys.compactMap { swap.change.from.column($0.name) }.first { column in
      column.generation != nil || column.isNotNull && column.defaultValue?.isConstant == false
    }
    return column?.name ?? triggers.first { $0.isBefore && $0.event != "DELETE" }?.name
  }
}

extension MigrationStep.Strategy {
  /// A new table is filled in many short transactions while others write the old one, and takes over its place as in a swap.
  public static let online = Self(
    "online", .copy, refusal: "it cannot be copied online",
    rejections: [.referencesChange, .renamedToo, .valuesPutAside, .uniqueExpression, .replacedUnseen],
    motives: [.copiedOnline]
  ) {
    $0.isOnline = true
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let referencesChange = Self(
    "referencesChange", "foreign keys change, and their rows would have to be checked under the lock")
  package static let renamedToo = Self(
    "renamedToo", "the same plan renames the table or a column of it; rename first, in a plan of its own")
  package static let valuesPutAside = Self(
    "valuesPutAside", "dropped values are kept, and would have to be put aside under the lock")
  package static let uniqueExpression = Self("uniqueExpression") {
    "unique index \($0[0]) has an expression, so the rows that a REPLACE deletes could not be told"
  }
  package static let replacedUnseen = Self("replacedUnseen") {
    "\($0[0]) decides which rows a REPLACE deletes, which could not be told in time"
  }
}

extension Motive.Code {
  package static let copiedOnline = Self("copiedOnline") {
    let built = $0.number(0)
    let indexes = built == 1 ? "one index that is" : "\(built) indexes that are"
    return "the rows are copied in short transactions while others write, "
      + (built == 0 ? "and all indexes stay" : "with \(indexes) made anew")
  }
}

extension StrategySelection {
  /// A copy beside writers; nil if none was asked for.
  var online: Candidate? {
    guard planner.strategy == .online else { return nil }
    let rejection = renameByCopy(.renameRefusedBySQLite) ?? rejectionOfOnline
    return Candidate(
      strategy: .online, rejections: rejection.map { [$0] } ?? [], cost: StrategyCost(copied: rowCount)
    ) { passedOver throws(SQLSyntaxError) in
      if let step = try onlineStep(passedOver: passedOver) { return step }
      let rejected = MigrationStep.PassedOver(strategy: .online, rejections: [Rejection(.rowIDsCannotBeNamed)])
      return try rebuildStep(passedOver: passedOver + [rejected])
    }
  }

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

  private var rejectionOfOnline: Rejection? {
    guard let rule = onlineRule else { return Rejection(.catalogIsProtected, planner.profile.name?.rawValue ?? "") }
    return rule.rejection
      ?? bareTable(read: columnsOfBuiltIndexes(rule)).convertedMismatches.first.map {
        Rejection(.computingChangesMismatches, $0.text)
      } ?? refusal(of: .online)
  }

  /// The step that copies the table beside writers although ALTER TABLE, an edit of the catalog or an update could do it, since they would
  /// write many rows or sort an index in one transaction; nil if they would not, or it cannot be copied so.
  func stepWithoutLongLock() throws(SQLSyntaxError) -> MigrationStep? {
    guard planner.strategy == .online, planner.forcedRebuilds[name] == nil, rejectionOfOnline == nil else { return nil }
    let native = self.native
    let edit = update ?? catalog
    let isEdit = edit?.rejections.isEmpty == true
    let isNative = native.rejections.isEmpty
    var reason: Rejection?
    if !isNative, isEdit {
      if sortsIndexes { reason = Rejection(.sortsIndexes) }
      if update != nil, OnlineRule.isLong(costOfUpdates, of: checkResults.rowCount) { reason = burdenOfUpdates }
    }
    guard reason != nil || (writesEveryRow && (isNative || isEdit)) else { return nil }
    let passed = isNative ? [Rejection(.writesEveryRow)] : native.rejections
    let passedOver = [MigrationStep.PassedOver(strategy: native.strategy, rejections: passed)]
    let edited = edit.flatMap { edit in
      reason.map { MigrationStep.PassedOver(strategy: edit.strategy, rejections: [$0]) }
    }
    return try onlineStep(passedOver: passedOver + [edited].compactMap(\.self))
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
}

/// Decides whether a table can be copied while other connections read and write it.
///
/// Applies to tables whose rows have a number that stays. What others write meanwhile is noted by
/// [triggers](https://sqlite.org/lang_createtrigger.html) and copied again. Indexes that read nothing that changes stay where they
/// are, as in a swap; others are filled with the copy. Everything else that the change does must be short, since it is done
/// under the lock.
package struct OnlineRule {
  package var swap: SwapRule
  /// The indexes that the table has while it is copied.
  package var indexes: [IndexSchema]
  /// The triggers that it has then.
  package var triggers: [TriggerSchema]
  /// Whether the plan renames the table or a column of it.
  package var isRenamed: Bool
  /// Whether values that are dropped are put aside first.
  package var isKept: Bool
  /// Whether the program works on the rows first.
  package var worksOnRowsFirst: Bool
  /// Whether the rows were examined.
  package var isExamined: Bool
  /// Whether rows could come to refer to nothing.
  package var changesReferences: Bool

  /// True if an update in one transaction holds the lock for a quarter of the time of a copy, or longer.
  package static func isLong(_ update: StrategyCost, of rows: Int) -> Bool {
    update.total * 4 > StrategyCost(copied: rows).total
  }

  /// Why the table cannot be copied online, or nil when it can.
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

  /// Whether a row has the same number in both versions, and nothing beside the table counts them.
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

  /// What changes a row after the triggers have seen which others it would replace: a computed value, a default that is not known
  /// before, or a trigger.
  private var replacedUnseen: SQLName? {
    let keys = OnlineBuilder.uniqueKeys(of: swap.change.from, indexes: indexes).map(\.columns).joined()
    guard !keys.isEmpty else { return nil }
    let column = keys.compactMap { swap.change.from.column($0.name) }.first { column in
      column.generation != nil || column.isNotNull && column.defaultValue?.isConstant == false
    }
    return column?.name ?? triggers.first { $0.isBefore && $0.event != "DELETE" }?.name
  }
}

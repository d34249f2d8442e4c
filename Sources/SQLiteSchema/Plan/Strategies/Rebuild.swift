/// Explains why a change of a table needs a rebuild: a new table filled from the old one.
///
/// Applies to everything that SQLite's ALTER TABLE cannot do.
/// See [Making Other Kinds Of Table Schema Changes](https://sqlite.org/lang_altertable.html#otheralter).
package enum RebuildRule {
  /// The changes that no native ALTER can make; empty when the column list alone changes.
  package static func rejections(of change: TableChange) -> [Rejection] {
    var reasons: [Rejection] = []
    let kinds = change.changedColumns.reduce(into: Set<TableChange.Kind>()) { $0.formUnion($1.kinds) }
    if let column = change.changedColumns.first {
      let columns = change.changedColumns.count == 1 ? column.to.name.text : "columns"
      reasons.append(Rejection(.changedColumns, kinds.sorted().map(\.phrase).joined(separator: ", "), columns))
    }
    if change.isPrimaryKeyChanged { reasons.append(Rejection(.primaryKey)) }
    if !change.addedUniques.isEmpty || !change.droppedUniques.isEmpty { reasons.append(Rejection(.uniqueConstraint)) }
    if !AddColumnRule.covers(change) || !DropColumnRule.covers(change) {
      let isForeignKey = change.addedForeignKeys.count + change.droppedForeignKeys.count > 0
      let isCheck = change.addedChecks.count + change.droppedChecks.count > 0
      if isCheck { reasons.append(Rejection(.checkConstraint)) }
      if isForeignKey { reasons.append(Rejection(.foreignKey)) }
    }
    if change.isStrictnessChanged { reasons.append(Rejection(.strict)) }
    if change.isRowIDChanged { reasons.append(Rejection(.withoutRowID)) }
    if change.isOrderChanged {
      reasons.append(
        change.positionalUser.map { Rejection(.columnOrderUsed, $0.text) } ?? Rejection(.columnOrder))
    }
    return reasons
  }
}

extension TableChange.Kind {
  /// The kind as text.
  package var phrase: String {
    switch self {
    case .type: "type"
    case .form: "coding"
    case .nullability: "NOT NULL"
    case .defaultValue: "default"
    case .collation: "collation"
    case .generation: "generated value"
    case .conflictClause: "ON CONFLICT"
    }
  }
}

extension MigrationStep.Strategy {
  /// A new table is filled from the old one and takes its place, and every index is made anew.
  public static let rebuild = Self("rebuild", .copy, rejections: [.rebuildRequested]) {
    $0.remakesTable = true
  }
}

extension Rejection.Code {
  package static let rebuildRequested = Self("rebuildRequested", isOfCost: true, "a rebuild was asked for")
}

extension StrategySelection {
  var rebuild: Candidate {
    let keys = change.to.uniques.count + (change.to.primaryKey != nil && change.to.rowIDAlias == nil ? 1 : 0)
    return Candidate(
      strategy: .rebuild, rejections: [],
      cost: StrategyCost(copied: rowCount, sortedEntries: (stayingIndexes.count + keys) * rowCount)
    ) { passedOver throws(SQLSyntaxError) in try rebuildStep(passedOver: passedOver) }
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
    if isBare { builder.bare = bare } else { builder.converted = planner.columnsConvertedByCopy(of: name) }
    var step = MigrationStep(
      strategy: .rebuild, object: ObjectReference(.table, name), edits: edits + valueEdits,
      passedOver: passedOver, statements: try builder.statements(), rows: checkResults.countedRows,
      bytes: checkResults.isCounted ? checkResults.byteCount : nil)
    step.refusedRows = builder.bare?.refusedRows ?? []
    step.retypedColumns = Set(builder.bare?.retypedColumns ?? [])
    step.dropsColumns = !change.droppedColumns.isEmpty
    step.convertsValues = convertsValues
    return step
  }
}

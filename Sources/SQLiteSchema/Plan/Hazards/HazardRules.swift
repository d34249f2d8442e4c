/// Turns the results of row checks into hazards, each by the rule of its code in `Hazards`.
package struct HazardRules {
  package var diff: SchemaDiff
  package var hints: MigrationHints
  /// Whether the plan is recorded for any rows, which cannot be examined.
  package var isForRecording = false
  /// Whether the engine tests rows against a CHECK that ALTER TABLE adds.
  package var engineChecksRows = true
  /// The full-text indexes that the plan fills.
  package var filledIndexes: Set<SQLName> = []

  package init(diff: SchemaDiff, hints: MigrationHints, isForRecording: Bool = false, engineChecksRows: Bool = true) {
    self.diff = diff
    self.hints = hints
    self.isForRecording = isForRecording
    self.engineChecksRows = engineChecksRows
  }

  /// Whether the plan undoes a change, to a schema that nobody can edit.
  package var isUndo: Bool { hints.isUndo }

  /// The hazards of one table.
  package func hazards(of table: SQLName, checkResults: RowCheckResults) -> [Hazard] {
    let hazards = checkResults.findings.compactMap { finding -> Hazard? in
      if case .newlyFound = finding.kind, !filledIndexes.contains(table) { return nil }
      let rule = Self.rule(for: finding.kind)
      let rows = ConcernedRows(table: table, finding: finding, rules: self, rowCount: checkResults.countedRows)
      return finding.isCounted ? rule?.counted(rows) : rule?.uncounted(rows)
    }
    // A value that nobody can read survives in name alone, and beside one that cannot be stored not every value does.
    let doubted = hazards.filter { hazard in
      switch hazard.code {
      case .unreadable: !hazard.isNote
      case .notStorable: true
      case .lossyConversion: !hazard.isPotential
      default: false
      }
    }
    let columns = Set(doubted.map(\.column))
    return hazards.filter { !($0.code == .lossyConversion && $0.isPotential && columns.contains($0.column)) }
  }

  private static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    switch kind {
    case .droppedTable: DroppedTableHazard()
    case .droppedColumn: DroppedColumnHazard()
    case .lossyConversion(let from, let to):
      LossyConversionHazard.changed(from: from.typeName, to: to.typeName, isConversionApplied: false)
    case .emptiedByConversion: LossyConversionHazard.emptied
    case .zeroedByConversion: LossyConversionHazard.zeroed
    case .unconverted(let type): LossyConversionHazard.unconverted(type: type.typeName)
    case .unconvertedSince(let type): LossyConversionHazard.unconvertedSince(type: type.typeName)
    case .stray(let type): LossyConversionHazard.stray(type: type.typeName)
    case .recoded(let from, let to): LossyConversionHazard.recoded(from: from, to: to)
    case .unreadable(let form): UnreadableHazard.unreadable(form: form)
    case .unreadBefore(let form): UnreadableHazard.unreadBefore(form: form)
    case .unknownForm(let from, let to): UnreadableHazard.unknown(from: from, to: to)
    case .assumedForm(let form): UnreadableHazard.assumed(form: form)
    case .nulls: NullsUnderNotNullHazard()
    case .duplicates(let columns, let names): DuplicatesHazard(columns: columns, newColumns: names)
    case .orphans(let parent): OrphansHazard(parent: parent)
    case .failingCheck(let expression):
      FailingCheckHazard.failing(expression: expression, newColumns: [], readsOld: true)
    case .unprovable(let condition, let problem):
      FailingCheckHazard.unprovable(condition: condition, problem: problem, newColumn: nil)
    case .lackingCollation(let condition, let name):
      UnsupportedEngineHazard.unanswered(condition: condition, name: name)
    case .notStorable(let type): NotStorableHazard(type: type.typeName)
    case .renumberedRows(let wasKey): RenumberedRowsHazard.renumbered(wasKey: wasKey)
    case .droppedRowIDs(let isFollowed): RenumberedRowsHazard.dropped(isFollowed: isFollowed)
    case .newlyFound(let filling): NewlyFoundRowsHazard(filling: filling)
    case .changedByConversion, .filledNulls, .showsDefault, .computed, .standing, .undecidedCheck: nil
    }
  }
}

extension String {
  /// A declared type as text.
  fileprivate var typeName: String { isEmpty ? "no type" : self }
}

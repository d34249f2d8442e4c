/// Turns the results of row checks into hazards, each by the rule of its code in `Hazards`.
package struct HazardRules {
  package var diff: SchemaDiff
  package var hints: MigrationHints
  /// True if the plan is recorded for any rows, which cannot be examined.
  package var isForRecording = false
  /// True if the engine tests rows against a CHECK that ALTER TABLE adds.
  package var engineChecksRows = true
  /// The full-text indexes that the plan fills.
  package var filledIndexes: Set<SQLName> = []

  package init(diff: SchemaDiff, hints: MigrationHints, isForRecording: Bool = false, engineChecksRows: Bool = true) {
    self.diff = diff
    self.hints = hints
    self.isForRecording = isForRecording
    self.engineChecksRows = engineChecksRows
  }

  /// True if the plan undoes a change, to a schema that nobody can edit.
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
}

extension HazardCode {
  /// Every code, in the order of their numbers.
  public static let allCases: [HazardCode] = [
    droppedTable, droppedColumn, lossyConversion, nullsUnderNotNull, duplicates, orphans,
    failingCheck, notStorable, otherWriter, unreadable, openTransaction, brokenObject,
    temporaryObject, renumberedRows, reusedKeys, lostIdentity, doubleQuotedText, existingViolations,
    unusedHint, noHistory, notOnline, servesOlderProgram, standingFault, newlyFoundRows,
    registeredName, notSynchronised, otherReferenceAction, lackingSpace, unsupportedEngine,
  ]
}

extension HazardRules {
  /// The rules that look at rows, each for the findings that it knows.
  private static let rowRules: [any HazardRule.Type] = [
    DroppedTableHazard.self, DroppedColumnHazard.self, LossyConversionHazard.self, UnreadableHazard.self,
    NullsUnderNotNullHazard.self, DuplicatesHazard.self, OrphansHazard.self, FailingCheckHazard.self,
    UnsupportedEngineHazard.self, NotStorableHazard.self, RenumberedRowsHazard.self, NewlyFoundRowsHazard.self,
  ]

  /// The rules that look at the schemas alone, in the order of their hazards.
  package static let schemaRules: [any SchemaHazardRule.Type] = [
    UnsupportedEngineHazard.self, BrokenObjectHazard.self, ReusedKeysNote.self, LostIdentityNote.self,
    SynchronisationHazard.self, ReferenceActionNote.self,
  ]

  private static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    rowRules.lazy.compactMap { $0.rule(for: kind) }.first
  }
}

extension String {
  /// A declared type as text.
  package var typeName: String { isEmpty ? "no type" : self }
}

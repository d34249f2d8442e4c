import OrderedCollections

// The hazards, beside those of rows, that keep a plan from running.
extension PlanBuilder {
  /// The hazards of names that are declared as exchanged and are left as they are.
  static func declinedExchanges(_ renames: SchemaRenames) -> [Hazard] {
    renames.declinedExchanges.map { exchange in
      let names = exchange.names.sorted()
      return Hazard(
        .unusedHint, table: exchange.table ?? names[0], column: exchange.table == nil ? nil : names[0],
        cause: HazardCause(UnusedHintNote.declinedExchange(names: names, areColumns: exchange.table != nil)),
        isNote: true)
    }
  }

  /// The hazard of a step that fails whatever the rows are.
  static func failed(_ step: MigrationStep, _ error: SQLiteError, hints: MigrationHints) -> Hazard {
    let columns = hints.tables[step.object.name]?.columns.values
    let hasExpressions = columns?.contains { $0.conversion != nil || $0.backfill != nil } ?? false
    return Hazard(
      .brokenObject, table: step.object.name,
      cause: HazardCause(
        BrokenObjectHazard.failingStep(
          kind: step.object.kind, object: step.object.name, problem: error.message, hasExpressions: hasExpressions)))
  }

  /// A full-text index that is to be filled and that this connection cannot use, with what SQLite says: it may need a
  /// tokenizer that only a program of the author's has, and the clone of the catalog would not tell.
  ///
  /// - Parameter replaced: Indexes that cannot be used before they are made anew.
  func unusableIndex(
    filledBy steps: [MigrationStep], in source: DatabaseSchema, besides replaced: Set<SQLName>
  ) throws -> (SQLName, String)? {
    for index in steps.filter(\.fillsIndex).map(\.object.name)
    where source.virtualTables[index] != nil && !replaced.contains(index) {
      do {
        // A newer SQLite looks for the tokenizer only when the index is used: here for a phrase without words.
        _ = try connection.rows("SELECT 1 FROM main.\(index.quoted) WHERE \(index.quoted) MATCH '\"\"'")
      } catch let error as SQLiteError where !error.isEnvironmental {
        return (index, error.message)
      }
    }
    return nil
  }

  /// The hazard of a full-text index that SQLite could not fill.
  static func unfilled(_ index: SQLName, problem: String) -> Hazard {
    Hazard(
      .brokenObject, table: index, cause: HazardCause(BrokenObjectHazard.unfilledIndex(problem: problem)), isNote: true)
  }
}

extension RowCheckResults {
  /// True if the rows showed an error already: a condition that cannot be evaluated on them.
  func tell(of error: SQLiteError) -> Bool {
    findings.contains { finding in
      if case .unprovable(_, let problem) = finding.kind { error.says(problem) } else { false }
    }
  }
}

import OrderedCollections

/// SK215: rows break what their table declares already, before the change.
///
/// A copy without types carries such rows as they are: a note. A copy that has its definition from the start, where the
/// catalog cannot be edited, converts what it can by the [affinity](https://sqlite.org/datatype3.html#type_affinity) of the
/// column (SK103, lossy) and refuses the rest (SK104, SK107, SK108, blocked).
package struct StandingFaultHazard: HazardWording {
  /// The fate of the rows.
  package enum Outcome: Sendable, Hashable {
    case carried, converted, refused
  }

  package let fault: StandingFault
  package let outcome: Outcome

  private func code() -> HazardCode {
    switch (outcome, fault) {
    case (.carried, _): .standingFault
    case (.converted, _): .lossyConversion
    case (.refused, .null): .nullsUnderNotNull
    case (.refused, .check), (.refused, .failingIndex): .failingCheck
    case (.refused, .equalRows): .duplicates
    case (.refused, _): .notStorable
    }
  }

  /// The hazard of rows that were found.
  package func hazard(in table: SQLName, _ finding: RowCheckResults.Finding, column: SQLName?) -> Hazard {
    let isOfIndex =
      switch fault {
      case .lackingIndex, .failingIndex: true
      default: false
      }
    return Hazard(
      code(), table: table, column: column, count: isOfIndex ? nil : finding.count, samples: finding.samples,
      cause: HazardCause(self), isNote: outcome == .carried)
  }

  package func message(for hazard: Hazard) -> String {
    let rows = "\(hazard.rowCount) of \(hazard.object)"
    let found: String
    switch fault {
    case .mismatch(_, let classes, true):
      found = "\(rows) \(hazard.verb("hold")) \(Self.words(classes)), which the column's type refuses"
    case .mismatch(let type, let classes, false):
      found = "\(rows) \(hazard.verb("hold")) \(Self.words(classes)) in a column declared \(type)"
    case .null: found = "\(rows) \(hazard.verb("hold")) NULL under the NOT NULL that the file has"
    case .check(let expression, let error?):
      found = "A row of \(hazard.table) makes the CHECK (\(expression)) that the file has fail with an error (\(error))"
    case .check(let expression, nil):
      found = "\(hazard.rowCount) of \(hazard.table) \(hazard.verb("fail")) the CHECK (\(expression)) that the file has"
    case .staleValue: found = "\(rows) \(hazard.verb("hold")) a stored value other than its expression gives"
    case .lackingIndex(let index): found = "Index \(index) has no entry for some rows of \(hazard.table)"
    case .equalRows(let index):
      return
        "\(hazard.rowCount) of \(hazard.table) are equal in unique index \(index), which is made anew."
    case .failingIndex(let index, let error):
      return "Index \(index) is made anew, and cannot be computed for a row of \(hazard.table): \(error)."
    case .largeNumber: found = "\(rows) \(hazard.verb("hold")) a number that REAL cannot tell from its neighbours"
    }
    switch outcome {
    case .carried: return "\(found); \((hazard.count ?? 1) == 1 ? "it stays as it is" : "they stay as they are")."
    case .converted where fault == .staleValue:
      return "\(found); this change computes \(hazard.count == 1 ? "it" : "them") anew."
    case .converted: return "\(found); this way of copying would convert \(hazard.count == 1 ? "it" : "them")."
    case .refused: return "\(found); this change cannot store \(hazard.count == 1 ? "it" : "them")."
    }
  }

  private static func words(_ classes: [StandingFault.StorageClass]) -> String {
    switch classes {
    case [.text]: "text that looks like a number"
    case [.integer, .real]: "a number"
    case []: "a negative zero"
    case [.real]: "a whole number stored as a real"
    default: "a value of another kind"
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    switch (outcome, fault) {
    case (.carried, .mismatch(_, _, false)):
      "SQLite converts such a value when its row is updated, by whichever program."
    case (.carried, .null), (.carried, .check): "SQLite refuses an update of such a row that names the column."
    case (.carried, .lackingIndex(let index)): "Make it anew by REINDEX \(index.quotedIfNeeded)."
    case (.carried, _): nil
    case (.converted, _): "Mend these rows first, or allow it with \(consent(hazard))."
    case (.refused, .failingIndex(let index, _)):
      "Drop index \(index.quotedIfNeeded) first, which SQLite computes at every change of the row; then mend the row."
    case (.refused, .equalRows): "Make these rows distinct, or drop the index, first."
    case (.refused, _): "Mend these rows first."
    }
  }
}

// MARK: - Findings

extension Planner {
  /// The hazards of rows that break what their table declares already, in tables that the steps copy.
  package func hazardsOfStandingFaults(in steps: [MigrationStep]) -> [Hazard] {
    fates(in: steps).map { fate in
      StandingFaultHazard(fault: fate.fault, outcome: fate.outcome)
        .hazard(in: fate.table, fate.finding, column: fate.column)
    }
  }

  /// The columns of which some values are stored otherwise although nothing about them changes, since the copy is one with
  /// types. Whatever reads them may find other values in it.
  package func convertedColumns(by steps: [MigrationStep]) -> [SQLName: Set<SQLName>] {
    fates(in: steps).reduce(into: restoredColumns(retypedBy: steps)) { columns, fate in
      if fate.outcome == .converted, let column = fate.column { columns[fate.table, default: []].insert(column) }
    }
  }

  /// The columns that get back kept values, and store them under their type.
  private func restoredColumns(retypedBy steps: [MigrationStep]) -> [SQLName: Set<SQLName>] {
    var columns: [SQLName: Set<SQLName>] = [:]
    for step in steps where step.strategy.copiesRows {
      let isBare = step.statements.contains(where: \.editsCatalog)
      for table in step.copiedChildren.union([step.object.name]) {
        guard let change = diff.changedTables.first(where: { $0.to.name == table }) else { continue }
        let projection = projection(for: change, hints: hints.tables[table] ?? TableHints())
        let restored = change.to.columns.filter(projection.isRestored).map(\.name)
        let retyped = isBare ? step.retypedColumns : Set(restored)
        if !retyped.isEmpty { columns[table] = retyped }
      }
    }
    return columns
  }

  /// Rows that break what their table declares, and what becomes of them.
  private struct Fate {
    var table: SQLName
    var finding: RowCheckResults.Finding
    var fault: StandingFault
    var column: SQLName?
    var outcome: StandingFaultHazard.Outcome
  }

  private func fates(in steps: [MigrationStep]) -> [Fate] {
    standing.sorted { $0.key < $1.key }.flatMap { table, findings -> [Fate] in
      let copies = steps.filter {
        ($0.strategy.copiesRows || $0.sortsIndexes || !$0.remadeIndexes.isEmpty)
          && ($0.object.name == table || $0.copiedChildren.contains(table))
      }
      guard let step = copies.first, let declared = target.tables[table] else { return [] }
      let isBare = step.statements.contains(where: \.editsCatalog)
      return findings.compactMap { finding -> Fate? in
        guard case .standing(let fault) = finding.kind else { return nil }
        if let index = fault.remadeIndex {
          guard step.strategy.remakesTable || step.remadeIndexes.contains(index) else { return nil }
          return Fate(table: table, finding: finding, fault: fault, outcome: .refused)
        }
        if case .lackingIndex(let index) = fault {
          let isKept = !step.strategy.remakesTable && !step.remadeIndexes.contains(index)
          guard isKept, source.indexes[index] != nil, target.indexes[index] != nil else { return nil }
          return Fate(table: table, finding: finding, fault: fault, outcome: .carried)
        }
        let column = finding.column.map { newName($0, in: table) }
        let isRecomputed = fault == .staleValue && column.map { recomputedColumns(of: table).contains($0) } == true
        guard fault.isNoted || isRecomputed || (!isBare && fault == .staleValue) else { return nil }
        guard isRecomputed || isStanding(fault, column, in: table, declared) else { return nil }
        let outcome: StandingFaultHazard.Outcome =
          failsAgain(fault, in: table, declared)
          ? .refused : isBare && !isRecomputed ? .carried : fault.outcomeOfTypedCopy
        return Fate(table: table, finding: finding, fault: fault, column: column, outcome: outcome)
      }
    }
  }

  /// True if the rule that rows break stands after the change as before; what the change asks of rows has hazards of its own.
  private func isStanding(_ fault: StandingFault, _ column: SQLName?, in table: SQLName, _ target: TableSchema) -> Bool
  {
    if case .check(let expression, _) = fault { return standingCheck(expression, in: table, target) != nil }
    guard let column, let after = target.column(column) else { return false }
    if fault == .staleValue, after.generation == nil { return false }
    if fault == .null { return after.isNotNull }
    let former = source.tables[renames.formerTable(table)]
    if case .mismatch = fault, target.isStrict, former?.isStrict == false { return false }
    let before = former?.column(
      (columnSources[table]?[column]) ?? renames.formerColumn(column, of: table))
    return before?.affinity == after.affinity
  }

  /// The CHECK of the file that stands after the change as before.
  private func standingCheck(_ expression: String, in table: SQLName, _ target: TableSchema) -> CheckSchema? {
    // ALTER TABLE may have given what the CHECK reads other names by then.
    let former = source.tables[renames.formerTable(table)]?.checks ?? []
    let place = former.firstIndex { $0.expression.text == expression }
    let now = place.flatMap { place in
      renamed.tables[table].flatMap { $0.checks.indices.contains(place) ? $0.checks[place].expression : nil }
    }
    return target.checks.first { $0.expression.text == expression || $0.expression == now }
  }

  /// True for a CHECK that is asked again after the change, and fails by a value that its type would change: a copy carries
  /// the value, and the question about the copy converts it.
  private func failsAgain(_ fault: StandingFault, in table: SQLName, _ target: TableSchema) -> Bool {
    guard case .check(let expression, _) = fault, let check = standingCheck(expression, in: table, target)?.expression,
      let change = diff.changedTables.first(where: { $0.to.name == table }), let mismatches = mismatches(in: table)
    else { return false }
    let isFound = checkResults[table]?.findings.contains { $0.kind == .failingCheck(check.text) && $0.count > 0 }
    if isFound == true { return false }
    let changing = projection(for: change, hints: hints.tables[table] ?? TableHints()).changingColumns
    guard changing.contains(where: { check.mentions($0) }) else { return false }
    let computed = target.generatedColumns(reading: Array(mismatches)).map(\.name)
    return mismatches.union(computed).contains { check.mentions($0) }
  }

  /// The name that a column of the file has in the declared schema.
  private func newName(_ column: SQLName, in table: SQLName) -> SQLName {
    (renames.formerColumns[table] ?? columnSources[table] ?? [:]).first { $0.value == column }?.key ?? column
  }
}

extension StandingFault {
  /// The index that rows keep from being made anew.
  fileprivate var remadeIndex: SQLName? {
    switch self {
    case .equalRows(let index), .failingIndex(let index, _): index
    default: nil
    }
  }

  /// The effect of a copy with types on the rows.
  fileprivate var outcomeOfTypedCopy: StandingFaultHazard.Outcome {
    switch self {
    case .mismatch(_, _, false), .staleValue: .converted
    default: .refused
    }
  }
}

extension HazardCode {
  /// Rows break what their table declares already.
  public static let standingFault = Self("SK215", .note, "rows that break standing rules")
}

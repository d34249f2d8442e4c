import SchemaKit

extension RecordedStep {
  /// How the step can mend rows that a database refuses, in words; nil where no hazard is of that kind.
  ///
  /// - Parameters:
  ///   - hazards: What stands against the step.
  ///   - old: The schema before the step.
  ///   - new: The schema after it.
  func ways(outOf hazards: [Hazard], from old: DatabaseSchema, to new: DatabaseSchema) -> String? {
    // Where an expression cannot be evaluated no row is at fault, and none was counted.
    let hazards = hazards.filter { hazard in
      Self.mendable.contains(hazard.code) && (hazard.count != nil || !hazard.isCounted)
        && !(hazard.code == .nullsUnderNotNull && self.directives.fills.contains { $0.isFor(hazard) })
    }
    guard !hazards.isEmpty else { return nil }
    var seen: Set<String> = []
    let directives = hazards.compactMap { directive(for: $0, from: old, to: new) }.filter { seen.insert($0).inserted }
    // A column that comes with the step has no rows before it.
    let areNew = hazards.allSatisfy { hazard in
      guard let column = hazard.column, let table = old.table(SQLName(hazard.table)) else { return false }
      return table.column(SQLName(column)) == nil
    }
    let statements = areNew ? [] : ["UPDATE and DELETE into \(dataPath(isBefore: true))"]
    let ways = (directives.isEmpty ? [] : ["\(Wording.list(directives)) into \(path)"]) + statements
    guard !ways.isEmpty else { return nil }
    return
      "To mend such rows in the step, write \(ways.joined(separator: ", or ")); then run schemactl migrations hash."
  }

  /// The line that gives the rows of a column another value; nil where none does.
  private func directive(for hazard: Hazard, from old: DatabaseSchema, to new: DatabaseSchema) -> String? {
    guard let column = hazard.column.map({ SQLName($0) }) else { return nil }
    let table = SQLName(hazard.table)
    let name = "\(table.quotedIfNeeded).\(column.quotedIfNeeded)"
    switch hazard.code {
    case .nullsUnderNotNull: return "\"-- schemakit: fill \(name) = EXPR\""
    case .notStorable:
      guard let before = old.table(table)?.column(column), let after = new.table(table)?.column(column),
        !before.hasSameType(as: after)
      else { return nil }
      return "\"-- schemakit: convert \(name) = EXPR\""
    default: return nil
    }
  }

  private static var mendable: Set<HazardCode> {
    [.nullsUnderNotNull, .notStorable, .duplicates, .orphans, .failingCheck]
  }
}

extension StepDirectives.ColumnValue {
  fileprivate func isFor(_ hazard: Hazard) -> Bool {
    table == SQLName(hazard.table) && hazard.column.map { SQLName($0) } == column
  }
}

import SchemaKit
import SchemaKitOperations

extension Migration {
  /// Returns the ways in which the step can mend rows that a database refuses; nil if no hazard is of that kind.
  ///
  /// - Parameters:
  ///   - hazards: The hazards that stand against the step.
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
    let directives = hazards.flatMap { self.directives(for: $0, from: old, to: new) }.filter {
      seen.insert($0).inserted
    }
    // A column that comes with the step has no rows before it.
    let areNew = hazards.allSatisfy { hazard in
      guard let before = old.table(SQLName(hazard.table)) else { return false }
      let columns = Self.columns(of: hazard, from: before, to: new)
      return !columns.isEmpty && columns.allSatisfy { before.column($0.name) == nil && $0.generation == nil }
    }
    let statements = areNew ? [] : ["UPDATE and DELETE into \(dataPath(isBefore: true))"]
    let ways = (directives.isEmpty ? [] : ["\(Wording.list(directives)) into \(path)"]) + statements
    guard !ways.isEmpty else { return nil }
    return
      "To fix such rows in the step, write \(ways.joined(separator: ", or ")); then run schemactl migrations hash."
  }

  /// The lines that give the rows of columns other values.
  private func directives(for hazard: Hazard, from old: DatabaseSchema, to new: DatabaseSchema) -> [String] {
    let table = SQLName(hazard.table)
    func line(_ verb: String, _ column: SQLName) -> String {
      "\"-- schemakit: \(verb) \(table.quotedIfNeeded).\(column.quotedIfNeeded) = EXPR\""
    }
    switch (hazard.code, hazard.column.map({ SQLName($0) })) {
    case (.nullsUnderNotNull, let column?):
      return new.table(table)?.column(column)?.generation == nil ? [line("fill", column)] : []
    case (.notStorable, let column?):
      guard let before = old.table(table)?.column(column), let after = new.table(table)?.column(column),
        !before.hasSameType(as: after)
      else { return [] }
      return [line("convert", column)]
    case (.failingCheck, nil):
      guard let before = old.table(table) else { return [] }
      let columns = Self.columns(of: hazard, from: before, to: new)
      return columns.filter { before.column($0.name) == nil && $0.generation == nil }.map { line("fill", $0.name) }
    default: return []
    }
  }

  /// The columns that a hazard is about: its own, or those that the new checks of its table read.
  private static func columns(of hazard: Hazard, from old: TableSchema, to new: DatabaseSchema) -> [ColumnSchema] {
    guard let table = new.table(SQLName(hazard.table)) else { return [] }
    if let column = hazard.column { return table.columns.filter { $0.name == SQLName(column) } }
    let checks = table.checks.filter { check in !old.checks.contains { $0.expression == check.expression } }
    return table.columns.filter { column in checks.contains { $0.expression.mentions(column.name) } }
  }

  private static var mendable: Set<HazardCode> {
    [.nullsUnderNotNull, .notStorable, .duplicates, .orphans, .failingCheck]
  }
}

extension MigrationDirectives.ColumnValue {
  fileprivate func isFor(_ hazard: Hazard) -> Bool {
    table == SQLName(hazard.table) && hazard.column.map { SQLName($0) } == column
  }
}

import OrderedCollections

extension PlanBuilder {
  /// Blocks faults that consent does not help: SQLite computes an expression that reads the clock for no row that is there.
  func blockClockReads(in plan: inout MigrationPlan, _ comparison: Comparison) {
    for index in plan.hazards.indices where plan.hazards[index].isDeclaredFault {
      guard case .readsClock(_, let isComputed)? = plan.hazards[index].cause.wording as? BrokenObjectHazard else {
        continue
      }
      let table = SQLName(plan.hazards[index].table)
      let isTyped = plan.steps.contains { step in
        step.object.name == table && step.strategy.copiesRows && !step.statements.contains(where: \.editsCatalog)
      }
      if isComputed || isTyped, hasRows(comparison.renames.formerTable(table), in: comparison.source) {
        plan.hazards[index].isDeclaredFault = false
      }
    }
  }

  private func hasRows(_ name: SQLName, in source: DatabaseSchema) -> Bool {
    guard let table = source.tables[name], !request.isQuick, !request.isForRecording else { return false }
    let sql = "SELECT EXISTS (SELECT 1 FROM main.\(table.name.quoted) \(table.rowOrder))"
    return (try? connection.integer(sql)) != 0
  }
}

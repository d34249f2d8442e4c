// The steps that change tables, and what they leave for those that follow.
extension Planner {
  /// The result of the changes of tables.
  struct Changes {
    var steps: [MigrationStep] = []
    /// The steps that wait until the program has worked on the rows.
    var lateSteps: [MigrationStep] = []
    /// The tables that were created anew, without most of their indexes and triggers.
    var rebuilt: Set<SQLName> = []
    /// The tables that are copied while the program works on the rows: their triggers are away then.
    var worked: Set<SQLName> = []
    /// The views and triggers that are dropped before and come back at the end.
    var aside: Set<SQLName> = []
    var createdIndexes: Set<SQLName> = []
    /// The new indexes that are there with their tables: filled with a copy, or those of constraints before.
    var filledIndexes: [SQLName: Motive] = [:]
    /// The indexes that become those of constraints instead of being dropped.
    var adoptedIndexes: Set<SQLName> = []
  }

  func changes() throws(SQLSyntaxError) -> Changes {
    var changes = Changes(aside: suspendedObjects)
    var done: Set<SQLName> = []
    for table in unchangedTables {
      changes.steps += try keyIndexSteps(on: table, among: &changes.createdIndexes, rebuilt: changes.rebuilt)
    }
    for change in changesInOrder {
      let parts = try parts(of: change)
      if let first = parts.first {
        let merged = mergedStep(for: first, among: changes.steps)
        let step = if let merged { merged } else { try step(for: first, after: done) }
        changes.steps.append(step)
        note(step, for: first, in: &changes)
      }
      done.formUnion((changes.steps.last?.copiedChildren ?? []).union([change.to.name]))
      changes.steps += try keyIndexSteps(
        on: change.to.name, among: &changes.createdIndexes, rebuilt: changes.rebuilt)
      if let last = parts.last {
        let step = try lateStep(for: last, after: done)
        changes.lateSteps.append(step)
        note(step, for: last, in: &changes)
      }
    }
    return changes
  }

  private func note(_ step: MigrationStep, for change: TableChange, in changes: inout Changes) {
    if step.strategy.remakesTable {
      changes.rebuilt.formUnion(step.copiedChildren.union([change.to.name]))
      changes.createdIndexes.formUnion(step.createdIndexes)
    } else {
      let motive = Motive(step.strategy.copiesRows ? .filledWithCopy : .wasOfConstraint)
      for index in step.createdIndexes { changes.filledIndexes[index] = motive }
      changes.adoptedIndexes.formUnion(step.adoptedIndexes)
    }
    if !dataSteps.isEmpty, step.strategy.copiesRows { changes.worked.insert(change.to.name) }
    let updated = updatedTables(by: step)
    guard !updated.isEmpty else { return }
    // Actions of foreign keys compile all triggers of a table, and these may need one that is gone by then.
    let isAside = { (trigger: TriggerSchema) in trigger.isOfUpdate || step.strategy.copiesChildren }
    changes.aside.formUnion(updated.flatMap { renamed.triggers(on: $0) }.filter(isAside).map(\.name))
  }
}

extension TriggerSchema {
  /// True if an UPDATE fires it.
  package var isOfUpdate: Bool { event == "UPDATE" }
}

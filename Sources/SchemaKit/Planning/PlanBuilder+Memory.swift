import OrderedCollections

// Plans of files that are like others.
extension PlanBuilder {
  /// The memory from file to file, with the number of this file's catalog.
  struct Remembering {
    var memory: PlanningMemory
    var catalog: Int
    /// All that the plan depends on but the rows.
    var key: PlanningMemory.Key?
  }

  /// The plan of a file, made anew only if none was made for the same catalog, history and kind of rows.
  func rememberedPlan(from source: DatabaseSchema, _ remembering: Remembering) throws -> MigrationPlan {
    let memory = remembering.memory
    let key = PlanningMemory.Key(
      catalog: remembering.catalog, owned: try target.droppableObjects(in: ledger), hints: target.hints,
      doneDataSteps: target.hints.dataSteps.isEmpty
        ? [] : try ledger.doneDataSteps(of: target.name),
      firstKept: request.policy.keepsDropped ? try KeptTables(connection: connection).nextNumber() : 0)
    var builder = self
    builder.remembering?.key = key
    if let known = memory.knowledge(key) { return try builder.plan(from: source, known) }
    // Files that are like it wait for this one.
    return try memory.make {
      if let known = memory.knowledge(key) { return try builder.plan(from: source, known) }
      return try builder.plan(from: source, knowing: Knowledge())
    }
  }

  private func plan(from source: DatabaseSchema, _ known: PlanningMemory.Knowledge) throws -> MigrationPlan {
    switch known {
    case .current(let plan): return plan
    case .changes(let checks, let plans):
      var knowledge = Knowledge()
      try check(checks, into: &knowledge, measuresRows: false)
      let reader = RowCheckReader(connection: connection, profile: profile)
      guard let rows = knowledge.rowClasses, let remembered = plans[rows] else {
        try reader.measure(checks, into: &knowledge.checkResults)
        return try plan(from: source, knowing: knowledge)
      }
      // Faults that a file already has are reported by a plan of its own.
      let standing = try StandingFaultReader(connection: connection).answer(remembered.standingChecks)
      guard standing.values.allSatisfy(\.isEmpty), try !hasLeftoverFields(source, remembered.plan) else {
        try reader.measure(checks, into: &knowledge.checkResults)
        return try plan(from: source, knowing: knowledge)
      }
      var results = knowledge.checkResults
      // Copies need room on the disk.
      if remembered.plan.steps.contains(where: \.strategy.copiesRows) { try reader.measure(checks, into: &results) }
      if !remembered.counted.isEmpty { results.merge(try reader.count(remembered.counted)) { $1 } }
      return remembered.plan(for: results)
    }
  }

  /// True if a row of a table to which a plan adds a column by ALTER TABLE has fields for more columns than it has.
  private func hasLeftoverFields(_ source: DatabaseSchema, _ plan: MigrationPlan) throws -> Bool {
    let growing = plan.steps.filter { step in
      !step.strategy.copiesRows && step.edits.contains { if case .addColumn = $0 { true } else { false } }
    }
    let names = growing.map { plan.renames.formerTable($0.object.name) }
    return try !leftoverFields(in: names.compactMap { source.tables[$0] }).isEmpty
  }

  /// Remembers a plan for files that are like this one, where nothing but what the key has decided on it.
  func remember(_ plan: MigrationPlan, _ knowledge: Knowledge) {
    guard let remembering, let key = remembering.key, let checks = knowledge.questions,
      let rows = knowledge.rowClasses, knowledge.rounds == 1, knowledge.unfillable.isEmpty,
      knowledge.tablesWithLeftoverFields?.isEmpty != false, knowledge.standing.values.allSatisfy(\.isEmpty)
    else { return }
    remembering.memory.remember(
      PlanningMemory.RememberedPlan(
        plan: plan, results: knowledge.checkResults, counted: knowledge.counted,
        standingChecks: knowledge.standingChecks),
      after: checks, rows, for: key)
  }

  /// Proves a plan on a clone, unless one with the same steps was proved for the same catalog.
  func prove(_ plan: MigrationPlan, by validation: PlanValidation) throws -> PlanValidation.Outcome {
    guard let remembering, let key = remembering.key else { return try validation.run(plan) }
    let proof = PlanningMemory.Proof(key, plan)
    if let dependencies = remembering.memory.dependencies(proof) { return .holds([], dependencies) }
    remembering.memory.countProof()
    let outcome = try validation.run(plan)
    if case .holds(let hazards, let dependencies) = outcome, hazards.isEmpty {
      remembering.memory.remember(dependencies, for: proof)
    }
    return outcome
  }
}

// The conditions that must hold after a change, before it is committed.
extension Change {
  /// The file's schema now, with the number of its catalog where such are remembered.
  func catalogNow(like source: DatabaseSchema? = nil) throws -> (schema: DatabaseSchema, number: Int?) {
    guard let memory = request.memory else { return (try SchemaReader.read(connection, known: source), nil) }
    let catalog = try memory.read(connection)
    return (catalog.schema, catalog.number)
  }

  /// The writes and views that do not compile.
  func failures(
    in schema: DatabaseSchema, _ number: Int?, touching plan: MigrationPlan
  ) -> [WriteProbes.Probe: WriteProbes.Failure] {
    let probes = WriteProbes(connection: connection)
    let suspects = WriteProbes.suspects(in: schema, touching: plan.touchedObjects)
    guard let memory = request.memory, let number else { return probes.failures(in: schema, objects: suspects) }
    return memory.failures(of: probes, in: schema, number, objects: suspects)
  }

  /// Returns the findings of a full check of the file.
  func faults() throws -> StorageCheck.Findings {
    var found = try StorageCheck(connection: connection, depth: .full, readsChecks: true).runAsFarAsPossible()
    try found.removeMisreadNulls(on: connection)
    return found
  }

  /// - Parameter known: The values that were found before the change.
  func checkIntegrity(after plan: MigrationPlan, knowing known: [String]) throws {
    let found = try faults()
    // A row that breaks a rule did so before where the plan leaves it alone, or carries it under another name.
    let carried = Set(plan.hazards.filter { $0.code == .standingFault }.map(\.table))
    let values = found.values.filter { value in
      !known.contains(value.text)
        && plan.touchedTables.contains { value.isInTable(named: $0.text) && !carried.contains($0.text) }
    }
    // An index of another SQLite is as sound as before.
    let damage =
      found.damage.isEmpty
      ? []
      : try EngineDependenceReader(connection: connection).indexesOfOthers(
        among: found.damage, in: SchemaReader.read(connection)
      ).rest
    let problems = damage + values.map(\.text)
    if !problems.isEmpty { throw ApplyError(reason: .damaged(Array(problems.prefix(10)))) }
  }

  /// The result must read back as the declared schema, and every write that compiled before must compile now.
  ///
  /// - Parameter source: The schema before. Objects whose SQL is unchanged are not parsed again.
  func verify(
    _ plan: MigrationPlan, from source: DatabaseSchema, failuresBefore: [WriteProbes.Probe: WriteProbes.Failure]
  ) throws -> DatabaseSchema {
    let (result, number) = try catalogNow(like: source)
    try checkTarget(result, number)
    let failures = failures(in: result, number, touching: plan)
    let known = Set(failuresBefore.values)
    // Faults of the declaration itself that the plan reports have had their consent.
    let faults = Set(plan.hazards.filter(\.isDeclaredFault).map { SQLName($0.table) })
    for (probe, failure) in failures
    where failuresBefore[probe] == nil && failure.lacked == nil && !known.contains(failure)
      && !faults.contains(probe.object)
    {
      throw ApplyError(reason: .brokenWrite(object: probe.object.text, problem: failure.message))
    }
    return result
  }

  /// Throws if a schema is not what the plan was to lead to.
  private func checkTarget(_ result: DatabaseSchema, _ number: Int?) throws {
    let owned = try target.droppableObjects(in: Ledger(connection: connection))
    let key = number.map { PlanningMemory.ReachedKey(catalog: $0, owned: owned) }
    if let key, request.memory?.isReached(key) == true { return }
    let wanted = try target.effectiveSchema(over: result, owned: owned)
    let difference = SchemaDiff(
      from: result, to: wanted.schema, isOrderStrict: request.plan.isOrderStrict, unmanaged: Set(wanted.unmanaged))
    guard difference.isEmpty else {
      throw ApplyError(reason: .otherThanDeclared(difference.names.map(\.text)))
    }
    if let key { request.memory?.remember(reached: key) }
  }
}

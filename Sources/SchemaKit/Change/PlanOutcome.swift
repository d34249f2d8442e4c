import OrderedCollections

/// The schema that a plan leaves in a file, with the names that change on the way.
package struct PlanOutcome {
  /// The file's schema before the plan.
  package let former: DatabaseSchema
  /// The file's schema after the plan, with columns in the order that they have in the file.
  package var schema: DatabaseSchema
  package let renames: SchemaRenames
  /// The hints of the declared schema.
  package let hints: MigrationHints
  /// The columns whose values get another form, by their new names.
  package let recoded: [SQLName: Set<SQLName>]
  /// True if the plan takes away what served an older program.
  package let isContraction: Bool
  /// The schema that would serve the program of the file's schema too; nil if there is none, or the plan leads to it.
  package var expanded: DatabaseSchema?
  /// Returns true for an object that the plan leaves alone.
  package let ignores: @Sendable (SQLName) -> Bool
}

extension Change {
  /// The schema that a plan leaves, and the one that its expansion would leave.
  ///
  /// - Throws: `SQLiteError` where the history cannot be read.
  package func outcome(of examination: PlanExamination) throws -> PlanOutcome {
    let plan = examination.plan
    let source = examination.prepared.source
    let target = examination.prepared.target
    var isContraction = false
    if case .contract = request.phase { isContraction = true }
    var outcome = PlanOutcome(
      former: source, schema: source, renames: plan.isEmpty ? SchemaRenames() : plan.renames, hints: target.hints,
      recoded: plan.formChanges.mapValues { changes in Set(changes.filter { $0.value.way != .keep }.keys) },
      isContraction: isContraction, ignores: target.ignores)
    guard !plan.isEmpty else { return outcome }
    let ledger = Ledger(connection: connection)
    let owned = try target.droppableObjects(in: ledger)
    outcome.schema = try target.effectiveSchema(over: source, owned: owned, isRenamed: false).schema
    let rebuilt = plan.rebuiltTables
    for (name, table) in outcome.schema.tables where !rebuilt.contains(name) {
      outcome.schema.tables[name]?.columns = table.columns(
        following: source.tables[plan.renames.formerTable(name)], formerNames: plan.renames.formerColumns[name] ?? [:])
    }
    outcome.expanded = try expandedSchema(from: source, ledger)
    return outcome
  }

  /// The schema that a file would have while it serves two programs; nil where that cannot be.
  private func expandedSchema(from source: DatabaseSchema, _ ledger: Ledger) throws -> DatabaseSchema? {
    guard request.phase == .complete, request.recordedMigration == nil, request.plan.profile == nil, isRecorded,
      connection is any LocalEngine
    else { return nil }
    do {
      guard case .expansion(let target, _) = try expansion(from: source, ledger, servesOlder: true) else { return nil }
      let owned = try target.droppableObjects(in: ledger)
      return try target.effectiveSchema(over: source, owned: owned, isRenamed: false).schema
    } catch is PlanError {
      return nil
    } catch is SchemaError {
      return nil
    } catch is AmbiguousRename {
      return nil
    }
  }
}

extension TableSchema {
  /// The columns in the order that they have where the table is changed in place: those that were there, then new ones.
  fileprivate func columns(following former: TableSchema?, formerNames: [SQLName: SQLName]) -> [ColumnSchema] {
    guard let former else { return columns }
    let kept = columns.compactMap { column in
      former.position(of: formerNames[column.name] ?? column.name).map { (column: column, position: $0) }
    }
    let names = Set(kept.map(\.column.name))
    return kept.sorted { $0.position < $1.position }.map(\.column) + columns.filter { !names.contains($0.name) }
  }
}

/// The steps from a database's schema to the declared one, with what they cost and what they risk.
///
/// A plan is a value: it was proved on an empty clone of the file's catalog, and opens nothing by itself.
public struct MigrationPlan: Sendable, Hashable {
  /// The steps in the order in which they run, all in one transaction.
  public var steps: [MigrationStep]
  /// The possible losses and faults, counted on the real rows.
  public var hazards: [Hazard]
  /// Objects of the file that the declared schema does not own and that are left as they are.
  public var unmanaged: [String]
  /// The fingerprint of the schema the plan starts from.
  ///
  /// A program that finds nothing to do does not read what its models do not own; then this is the declared schema's.
  public var sourceFingerprint: String
  /// The fingerprint of the declared schema.
  public var targetFingerprint: String
  /// The engine for which the plan was made.
  public var engine: SQLiteVersion
  /// True if the rows were examined; without that hazards that could exist are in the plan, and not counted.
  public var areRowsExamined = true
  /// The views and triggers that need something which changes, as SQLite's compiler says.
  public var impacts: [PlanImpact] = []
  /// The estimated cost; ignored when plans are compared.
  package var estimate = EstimatedCost()
  /// The objects that get another name.
  package var renames = SchemaRenames()
  /// The columns whose values get another form, by their new names.
  package var formChanges: [SQLName: [SQLName: FormChange]] = [:]
  /// The rows and values that are put aside before they are dropped.
  package var keptValues: [KeptValues] = []
  /// The columns in which NULL is replaced.
  package var filledColumns: [FilledColumn] = []
  /// Notes about hints that the plan does not follow; among the hazards too.
  package var idleHints: [Hazard] = []
  /// The capabilities of the engine that the plan is for; nil if the plan is for the connection's own engine.
  package var profile: EngineProfile?
  /// The conditions that a script of the plan checks first.
  package var scriptConditions = ScriptConditions()

  package init(
    steps: [MigrationStep], hazards: [Hazard], unmanaged: [String], sourceFingerprint: String,
    targetFingerprint: String, engine: SQLiteVersion, areRowsExamined: Bool = true
  ) {
    self.steps = steps
    self.hazards = hazards
    self.unmanaged = unmanaged
    self.sourceFingerprint = sourceFingerprint
    self.targetFingerprint = targetFingerprint
    self.engine = engine
    self.areRowsExamined = areRowsExamined
  }
}

extension MigrationPlan {
  /// A plan without steps.
  package static func empty(
    from source: String, to target: String, unmanaged: [String], engine: SQLiteVersion, areRowsExamined: Bool
  ) -> MigrationPlan {
    MigrationPlan(
      steps: [], hazards: [], unmanaged: unmanaged, sourceFingerprint: source, targetFingerprint: target,
      engine: engine, areRowsExamined: areRowsExamined)
  }

  /// True if a column gets values that are made of those it has, by the codings or by a declared conversion.
  package func changesForm(of column: SQLName, in table: SQLName) -> Bool {
    formChanges[table]?[column].map { $0.way != .keep } ?? false
  }

  /// True if the database has the declared schema already.
  public var isEmpty: Bool { steps.isEmpty }

  /// The hazards that keep the plan from running under a policy.
  public func refusals(under policy: PlanPolicy) -> [Hazard] { hazards.filter { !policy.permits($0) } }

  /// True if foreign keys must be off while the plan runs: dropping a table that others refer to deletes its rows, and
  /// children follow.
  public var needsForeignKeysOff: Bool {
    steps.contains { $0.dropsReferencedTable }
  }

  /// True if foreign keys that stay on can be violated for a while, and are checked at the end.
  /// See [PRAGMA defer_foreign_keys](https://sqlite.org/pragma.html#pragma_defer_foreign_keys).
  package var violatesReferencesForAWhile: Bool {
    steps.contains { $0.strategy.copiesRows || ($0.strategy.drops && $0.object.kind == .table) }
  }

  /// The tables that get a new version by a copy.
  package var rebuiltTables: Set<SQLName> {
    steps.filter { $0.strategy.remakesTable }.reduce(into: []) { tables, step in
      tables.insert(step.object.name)
      tables.formUnion(step.copiedChildren)
    }
  }

  /// True if the program works on the rows itself, and so may touch any table.
  package var hasDataSteps: Bool { steps.contains { $0.strategy.isProgramWork } }

  /// The tables that the plan changes, drops or renames, under their old and their new names.
  package var touchedTables: Set<SQLName> {
    Set(
      steps.filter { $0.object.kind == .table }.flatMap {
        [$0.object.name, $0.formerName ?? $0.object.name] + $0.copiedChildren
      })
  }

  /// The tables that the plan changes in a way that could make a row refer to nothing, under old and new names.
  package var tablesWithReferencesAtRisk: Set<SQLName> {
    Set(
      steps.filter { $0.object.kind == .table && $0.canViolateReferences }.flatMap {
        [$0.object.name, $0.formerName ?? $0.object.name] + $0.copiedChildren
      })
  }

  /// True if a row, a column or a value goes for good, so that its bytes must not stay behind in free pages.
  package var losesContent: Bool {
    steps.contains {
      $0.dropsColumns || $0.strategy.kind == .work || ($0.strategy.drops && $0.object.kind == .table)
    }
      || hazards.contains { $0.hazardClass == .lossy || $0.hazardClass == .destructive }
  }

  /// True if values that rows have now cannot be had back from the rows that the plan leaves: a loss that requires
  /// consent, NULLs that a default or a fill replaces, or what an author has made of them, which may be none.
  package var replacesValues: Bool {
    !filledColumns.isEmpty || steps.contains { $0.convertsValues || $0.strategy.isProgramWork }
      || hazards.contains { $0.hazardClass == .lossy || $0.hazardClass == .destructive }
  }

  /// True if rows are copied or indexes made, which takes sorting.
  package var sortsRows: Bool {
    steps.contains { step in
      step.strategy.copiesRows || (step.strategy.creates && step.object.kind == .index)
        || step.sortsIndexes
    }
  }

  /// The objects that are dropped, replaced or written anew, by kind and name; tables under old and new names. Changes
  /// of them that the plan does not know of would be lost.
  package var redefinedObjects: [ObjectReference.Kind: Set<SQLName>] {
    let redefined = steps.filter { step in
      step.onBehalfOf == nil
        && step.strategy.replacesDefinition
    }
    return redefined.reduce(into: [:]) { objects, step in
      objects[step.object.kind, default: []].formUnion([step.object.name, step.formerName ?? step.object.name])
    }
  }

  /// Everything that the plan creates, changes, drops or renames, under old and new names.
  package var touchedObjects: Set<SQLName> { touchedTables.union(steps.map { $0.object.name }) }

  /// The bytes that the plan writes and about how long it takes; nil if it copies and updates no row, or rows were not examined.
  public var cost: MigrationCost? { estimate.cost }

  /// The rows that the plan copies.
  public var copiedRows: Int { steps.reduce(0) { $0 + ($1.rows ?? 0) } }

  /// All statements of all steps in order.
  public var statements: [PlannedStatement] { steps.flatMap(\.statements) }
}

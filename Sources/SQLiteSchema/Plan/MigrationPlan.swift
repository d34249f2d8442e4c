/// The steps from a database's schema to the declared one, with what they cost and what they risk.
///
/// A plan is a value: it was proved on an empty clone of the file's catalog, and opens nothing by itself.
public struct MigrationPlan: Sendable, Hashable {
  /// The steps in the order in which they run, all in one transaction.
  public var steps: [MigrationStep]
  /// What the plan could lose or break, counted on the real rows.
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
  /// Whether the rows were examined; without that hazards that could exist are in the plan, and not counted.
  public var areRowsExamined = true
  /// The views and triggers that need something which changes, as SQLite's compiler says.
  public var impacts: [PlanImpact] = []
  /// The estimated cost; ignored when plans are compared.
  package var estimate = EstimatedCost()
  /// What gets another name.
  package var renames = SchemaRenames()
  /// The columns whose values get another form, by their new names.
  package var formChanges: [SQLName: [SQLName: FormChange]] = [:]
  /// What is put aside before it is dropped.
  package var keptValues: [KeptValues] = []
  /// The columns in which NULL is replaced.
  package var filledColumns: [FilledColumn] = []
  /// What is said of hints that the plan does not follow; among the hazards too.
  package var idleHints: [Hazard] = []
  /// What the engine permits that the plan is for; nil where that is the connection's own.
  package var profile: EngineProfile?
  /// What a script that does the same looks at first.
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

  /// Whether a column gets values that are made of those it has, by the codings or by a declared conversion.
  package func changesForm(of column: SQLName, in table: SQLName) -> Bool {
    formChanges[table]?[column].map { $0.way != .keep } ?? false
  }

  /// Whether the database has the declared schema already.
  public var isEmpty: Bool { steps.isEmpty }

  /// The hazards that keep the plan from running under a policy.
  public func refusals(under policy: PlanPolicy) -> [Hazard] { hazards.filter { !policy.permits($0) } }

  /// Whether foreign keys must be off while the plan runs: dropping a table that others refer to deletes its rows, and
  /// children follow.
  public var needsForeignKeysOff: Bool {
    steps.contains { $0.dropsReferencedTable }
  }

  /// Whether foreign keys that stay on can be violated for a while, and are checked at the end.
  /// See [PRAGMA defer_foreign_keys](https://sqlite.org/pragma.html#pragma_defer_foreign_keys).
  package var violatesReferencesForAWhile: Bool {
    steps.contains { $0.strategy.copiesRows || ($0.strategy == .drop && $0.object.kind == .table) }
  }

  /// The tables that get a new version by a copy.
  package var rebuiltTables: Set<SQLName> {
    steps.filter { $0.strategy.remakesTable }.reduce(into: []) { tables, step in
      tables.insert(step.object.name)
      tables.formUnion(step.copiedChildren)
    }
  }

  /// Whether the program works on the rows itself, and so may touch any table.
  package var hasDataSteps: Bool { steps.contains { $0.strategy == .data } }

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

  /// Whether a row, a column or a value goes for good, so that its bytes must not stay behind in free pages.
  package var losesContent: Bool {
    steps.contains {
      $0.dropsColumns || [.keep, .data].contains($0.strategy) || ($0.strategy == .drop && $0.object.kind == .table)
    }
      || hazards.contains { $0.hazardClass == .lossy || $0.hazardClass == .destructive }
  }

  /// Whether values that rows have now cannot be had back from the rows that the plan leaves: a loss that requires
  /// consent, NULLs that a default or a fill replaces, or what an author has made of them, which may be none.
  package var replacesValues: Bool {
    !filledColumns.isEmpty || steps.contains { $0.convertsValues || $0.strategy == .data }
      || hazards.contains { $0.hazardClass == .lossy || $0.hazardClass == .destructive }
  }

  /// Whether rows are copied or indexes made, which takes sorting.
  package var sortsRows: Bool {
    steps.contains { step in
      step.strategy.copiesRows || (step.strategy == .create && step.object.kind == .index)
        || step.sortsIndexes
    }
  }

  /// What is dropped, replaced or written anew, so that what the plan does not know of it would go, by kind and name;
  /// tables under old and new names.
  package var redefinedObjects: [ObjectReference.Kind: Set<SQLName>] {
    let redefined = steps.filter { step in
      step.onBehalfOf == nil
        && (step.strategy.copiesRows || [.catalog, .update, .create, .drop].contains(step.strategy))
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

/// One step of a plan.
public struct MigrationStep: Sendable, Hashable {
  /// A way to carry out a change, chosen for what it costs the data.
  public enum Strategy: String, Sendable, Hashable, Codable {
    /// A new object is created.
    case create
    /// An object is dropped.
    case drop
    /// SQLite's own ALTER TABLE.
    case native
    /// The stored text of a table is edited; no row is touched.
    case catalog
    /// Some rows are updated where they are, and the stored text of the table is edited.
    case update
    /// A new table is filled from the old one and takes over its place in the catalog, and with it its indexes.
    case swap
    /// A new table is filled from the old one and takes its place, and every index is made anew.
    case rebuild
    /// A new table is filled in many short transactions while others write the old one, and takes over its place as in a swap.
    case online
    /// With foreign keys on: a new column beside the old one takes its values and its name.
    case columnSwap = "column-swap"
    /// With foreign keys on: rows are put aside while the table is dropped and created. No foreign key to it has an
    /// action on delete.
    case settle
    /// With foreign keys on: the same, once the keys have values that no row refers to, so that no action is taken.
    case rekey = "re-key"
    /// With foreign keys on: the same, once the rows that refer to the table refer to nothing; afterwards they get their
    /// references back.
    case nullAndRestore = "null-and-restore"
    /// With foreign keys on: the table is dropped and created together with all tables that refer to it.
    case closure
    /// The program works on the rows itself.
    case data
    /// What a later step drops is put aside.
    case keep
  }
  /// A strategy that was not taken, and why.
  public struct PassedOver: Sendable, Hashable, Codable {
    /// The strategy.
    public var strategy: Strategy
    /// What stands against it.
    public var rejections: [Rejection]
  }
  /// How the step is carried out.
  public var strategy: Strategy
  /// What the step changes.
  public var object: ObjectReference
  /// The object's name before, when the step renames it.
  public var formerName: SQLName?
  /// What changes, where strategy and object do not say it.
  public var edits: [SchemaEdit]
  /// Why the chosen strategy is right, or the step there at all; nil where that needs no word.
  public var motive: Motive?
  /// The cheaper strategies that were tried, with what stands against each.
  public var passedOver: [PassedOver] = []
  /// The statements, in order.
  public var statements: [PlannedStatement]
  /// How many rows are copied or rewritten; nil when no row is touched.
  public var rows: Int?
  /// About how many bytes are written; nil when no row is touched.
  public var bytes: Int?
  /// The table or other object whose change makes this step necessary; nil for a change of its own.
  ///
  /// Such a step puts back what had to go for a while, or takes it out of the way.
  public var onBehalfOf: SQLName?
  /// Whether rows may refer to nothing afterwards, so that foreign keys must be checked.
  package var canViolateReferences = true
  /// Whether columns go.
  package var dropsColumns = false
  /// The number of index entries that change their places with the rows that are updated.
  package var movedEntries = 0
  /// The number of entries of the catalog in which an edit gives new names; 0 if it gives none.
  package var renamedEntries = 0
  /// The columns that SQLite reads otherwise after an edit of the table's text that keeps its rows; nil for other steps.
  package var reading: ChangedReading?
  /// True if an edit of the table's text needs indexes that are made or sorted anew.
  package var sortsIndexes = false
  /// The indexes of the file that become those of constraints.
  package var adoptedIndexes: Set<SQLName> = []
  /// Whether it can be done whatever rows the table has by then.
  package var holdsForAnyRows = false
  /// Whether rows that refer to a table would be changed or deleted with it if foreign keys were on.
  package var dropsReferencedTable = false
  /// The tables that are copied along because they refer to this one.
  package var copiedChildren: Set<SQLName> = []
  /// The tables whose references are put aside meanwhile.
  package var updatedChildren: Set<SQLName> = []
  /// The indexes that are created together with their table.
  package var createdIndexes: Set<SQLName> = []
  /// Whether values are replaced by what a declared conversion makes of them.
  package var convertsValues = false
  /// Conditions for rows that an edit of the catalog would leave in breach of what it declares. They were counted for the
  /// plan; a script, which may run later, looks once more.
  package var refusedRows: [String] = []
  /// How the rows are copied while others write them.
  package var onlineCopy: OnlineCopy?

  package init(
    strategy: Strategy, object: ObjectReference, edits: [SchemaEdit], motive: Motive? = nil,
    passedOver: [PassedOver] = [], statements: [PlannedStatement], rows: Int? = nil, bytes: Int? = nil
  ) {
    self.strategy = strategy
    self.object = object
    self.edits = edits
    self.motive = motive
    self.passedOver = passedOver
    self.statements = statements
    self.rows = rows
    self.bytes = bytes
  }

  /// The same step as a part of the change of another object; a change of its own where that is nil.
  package func onBehalf(of name: SQLName?) -> MigrationStep {
    var step = self
    step.onBehalfOf = name
    return step
  }
}

/// The columns that SQLite reads otherwise after an edit of a table's text, although the rows and indexes stay as they are.
package struct ChangedReading: Sendable, Hashable {
  /// The columns whose values are compared by another collation.
  package var collations: Set<SQLName> = []
  /// The columns whose values are read under another affinity.
  package var affinities: Set<SQLName> = []

  package init(collations: Set<SQLName> = [], affinities: Set<SQLName> = []) {
    self.collations = collations
    self.affinities = affinities
  }
}

extension MigrationStep {
  /// True if rows are updated where they are.
  package var updatesRows: Bool { strategy == .update && (rows ?? 0) > 0 }
}

extension MigrationStep.Strategy {
  /// Whether a table can get its new definition by a dearer strategy as well.
  package var hasAlternative: Bool { ![.create, .drop, .rebuild, .data, .keep].contains(self) }

  /// Whether all rows of a table are copied into a new one.
  package var copiesRows: Bool { self == .swap || self == .online || remakesTable }

  /// Whether a table is dropped and created, and with it its indexes and triggers.
  package var remakesTable: Bool { [.rebuild, .settle, .rekey, .nullAndRestore, .closure].contains(self) }
}

/// One statement of a plan.
public struct PlannedStatement: Sendable, Hashable {
  /// What a statement is there for.
  public enum Role: String, Sendable, Hashable, Codable {
    /// Creates, alters or drops an object.
    case definition
    /// Copies the rows of a table.
    case copy
    /// Updates rows where they are.
    case update
    /// Edits the stored text of a table, which needs `writable_schema`, a new schema cookie, and another look at the result.
    case catalog
    /// Lets two tables change places in the catalog, which needs the same.
    case swap
    /// Gives a copied table its definition and its constraints the indexes that were made for them, which needs the same.
    case adopt
    /// Returns no row when all is well; any row stops the migration.
    case verification
    /// Carries over what SQLite keeps beside the table: AUTOINCREMENT marks.
    case bookkeeping
    /// Carries over the statistics of ANALYZE.
    case statistics
  }
  /// The statement without a semicolon.
  public var sql: String
  /// What it is there for.
  public var role: Role
  /// Whether it is a rename that must leave other objects alone, which SQLite calls `legacy_alter_table`.
  public var leavesReferences: Bool
  /// Whether it must not be tested against CHECK constraints, which SQLite calls `ignore_check_constraints`.
  public var ignoresChecks: Bool

  /// Whether the statement writes into the catalog itself.
  package var editsCatalog: Bool { [.catalog, .swap, .adopt].contains(role) }

  package init(
    _ sql: String, role: Role = .definition, leavesReferences: Bool = false, ignoresChecks: Bool = false
  ) {
    self.sql = sql
    self.role = role
    self.leavesReferences = leavesReferences
    self.ignoresChecks = ignoresChecks
  }
}

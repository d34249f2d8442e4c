import OrderedCollections

/// Chooses the cheapest safe way from one schema to another and puts its steps in order.
///
/// Pure: what must be known of the rows arrives as results of row checks. The order is: drop what goes or stands in the way (triggers,
/// views, indexes, tables), rename, change tables, create what is new.
package struct Planner {
  /// The file's schema.
  package var source: DatabaseSchema
  /// The file's schema after the renames, as SQLite itself rewrites it.
  package var renamed: DatabaseSchema
  package var target: DatabaseSchema
  /// The difference from `renamed` to `target`.
  package var diff: SchemaDiff
  package var renames: SchemaRenames
  /// The former names of columns that only a rebuild can rename, under their table and their new names.
  package var columnSources: [SQLName: [SQLName: SQLName]] = [:]
  package var hints: MigrationHints
  package var checkResults: [SQLName: RowCheckResults]
  package var profile: EngineProfile
  /// The standing faults of the rows of tables that are copied or updated, by the names of the declaration; columns
  /// have the names of the file. A table that is absent was not examined.
  package var standing: [SQLName: [RowCheckResults.Finding]] = [:]
  /// True if the plan is made without a look at the rows.
  package var isQuick = false
  /// True if the plan is for files other than the one that is read, so that its statements find out about their rows.
  package var assumesRows = false
  /// The tables of which a row has more fields than the table has columns, by their new names.
  package var tablesWithLeftoverFields: Set<SQLName> = []
  /// True if a copy may get its definition by an edit of the catalog, once it has its rows.
  package var copiesBare = false
  /// The ways of changing a table that may be taken.
  package var strategy = StrategyChoice.auto
  /// True if empty tables are copied online where filled ones would be, since rows may come until the end.
  private(set) var copiesEmptyTables = false
  /// Strategies that failed for a table on the catalog clone, with what SQLite said.
  package var refused: [SQLName: [MigrationStep.Strategy: String]] = [:]
  /// Tables that must be rebuilt because SQLite cannot rename their columns, with what it said.
  package var forcedRebuilds: [SQLName: String] = [:]
  /// The tables whose copies take their places by an edit of the catalog even if no index stays: ALTER TABLE needs what this
  /// program lacks.
  package var avoidsAlter: Set<SQLName> = []
  /// The reason why columns are renamed by an edit of the catalog; nil if ALTER TABLE renames them.
  package var renamesInCatalog: String?
  /// Views and triggers that must be out of the way while others change, because SQLite re-reads them.
  package var suspendedObjects: Set<SQLName> = []
  /// Full-text indexes that SQLite cannot fill.
  package var unfillable: Set<SQLName> = []
  /// The data steps that this file still needs.
  package var dataSteps: [DataStepHint] = []
  package var verificationLevel = VerificationLevel.full
  /// The rows and values that are put aside before they are dropped.
  package var keptValues: [KeptValues] = []
  package var recording = HistoryRecording.ledger
  /// The number of rows of each table that refers to a changed one, where foreign keys stay on.
  package var rowCounts: [SQLName: Int] = [:]
  /// The statements that make the lost tables of virtual tables anew, by the names of those in the file.
  package var lostShadows: [SQLName: [String]] = [:]
  /// The members of `mistypedReferences` that do no harm with the rows that the tables have.
  package var harmlessReferences: Set<MistypedReference> = []

  package init(
    source: DatabaseSchema, renamed: DatabaseSchema, target: DatabaseSchema, diff: SchemaDiff, renames: SchemaRenames,
    hints: MigrationHints, checkResults: [SQLName: RowCheckResults], profile: EngineProfile
  ) {
    self.source = source
    self.renamed = renamed
    self.target = target
    self.diff = diff
    self.renames = renames
    self.hints = hints
    self.checkResults = checkResults
    self.profile = profile
  }

  /// The steps in order.
  package func steps() throws(SQLSyntaxError) -> [MigrationStep] {
    let made = try changes()
    if strategy == .online, !copiesEmptyTables, made.steps.contains(where: { $0.strategy.isOnline }) {
      var planner = self
      planner.copiesEmptyTables = true
      return try planner.steps()
    }
    let lateTables = lateAdditions
    let additions = try additionSteps(of: diff.addedTables.filter { !lateTables.contains($0.name) })
    let fullText = self.fullText(after: made)
    let redeclared = self.redeclared(in: fullText)
    let ending =
      lateIndexDrops(made: made.createdIndexes, rebuilt: made.rebuilt)
      + (try createSteps(
        rebuilt: made.rebuilt, aside: made.aside, made: made.createdIndexes, filled: made.filledIndexes, fullText))
    let keeping = keepSteps()
    let (drops, lateDrops) = dropSteps(aside: made.aside, adopted: made.adoptedIndexes, except: redeclared)
    let renaming = renameSteps() + (try steps(redeclaring: redeclared))
    if dataSteps.isEmpty {
      // With foreign keys on, a new key needs its parent, and a parent can go once nothing refers to it.
      let late = try additionSteps(of: diff.addedTables.filter { lateTables.contains($0.name) })
      let middle = keepsForeignKeysOn ? additions + made.steps + late + lateDrops : made.steps + additions
      return keeping + drops + renaming + middle + ending
    }
    // The program must see the new tables beside all that is old: nothing is dropped or copied before.
    let takenNames = Set(renames.tables.map(\.new))
    let isLate: (MigrationStep) -> Bool = { step in
      step.strategy.drops && step.object.kind == .table && !takenNames.contains(step.object.name)
        && source.virtualTables[step.object.name] == nil
    }
    let early = drops.filter { !isLate($0) } + renaming + additions
    let late = drops.filter(isLate) + lateDrops
    return keeping + early + dataSteps(DataStepPlace.tables) + made.steps + dataSteps(.columns) + made.lateSteps + late
      + ending + dataSteps(.end)
  }

  /// True if the program works on the rows before tables are changed.
  package var worksOnRowsFirst: Bool {
    dataSteps.contains { if case .tableAdded = $0.moment { true } else { false } }
  }

  private enum DataStepPlace { case tables, columns, end }

  private func dataSteps(_ place: DataStepPlace) -> [MigrationStep] {
    dataSteps.compactMap { hint in
      let (own, table, column): (DataStepPlace, SQLName?, SQLName?) =
        switch hint.moment {
        case .tableAdded(let table): (.tables, table, nil)
        case .columnAdded(let table, let column): (.columns, table, column)
        case .schemaChanged: (.end, nil, nil)
        }
      guard own == place else { return nil }
      return .programWork(
        ObjectReference(.dataStep, SQLName(hint.name)), [.programWork(afterTable: table, afterColumn: column)])
    }
  }
}

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
  /// What the rows of tables break already that are copied or updated, by the names of the declaration; columns have the
  /// names of the file. A table that is not there was not examined.
  package var standing: [SQLName: [RowCheckResults.Finding]] = [:]
  /// True if a copy may get its definition by an edit of the catalog, once it has its rows.
  package var copiesBare = false
  /// Which ways of changing a table may be taken.
  package var strategy = StrategyChoice.auto
  /// Whether empty tables are copied online where filled ones would be, since rows may come until the end.
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
  /// What is put aside before it is dropped.
  package var keptValues: [KeptValues] = []
  package var recording = HistoryRecording.ledger
  /// How many rows the tables have that refer to changed ones, where foreign keys stay on.
  package var rowCounts: [SQLName: Int] = [:]
  /// The statements that make the lost tables of virtual tables anew, by the names of those in the file.
  package var lostShadows: [SQLName: [String]] = [:]
  /// Those of `mistypedReferences` with which nothing goes wrong on the rows that the tables have.
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

  private func additionSteps(of tables: [TableSchema]) throws(SQLSyntaxError) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for table in tables {
      let kept = hints.keptTables[table.name]
      var statements = [PlannedStatement(try TableDDL(table).create())]
      if let kept {
        let isBare =
          copiesBare && !hasRefused(creating: table.name) && KeepRule.isWhole(kept, of: table)
        statements =
          isBare ? try KeepRule.recreating(kept, table) : statements + KeepRule.restoring(kept, into: table)
      }
      steps.append(
        .creating(
          ObjectReference(.table, table.name),
          [.columns(count: table.columns.count)] + (kept.map { [.restoreRows(count: $0.rowCount)] } ?? []),
          statements, rows: kept?.rowCount))
    }
    return steps
  }

  private func keepSteps() -> [MigrationStep] {
    let rule = KeepRule(source: source, firstNumber: 0)
    return keptValues.map { kept in
      let found = checkResults[renames.newTable(kept.table)]?.findings.first {
        kept.column == nil ? $0.kind == .droppedTable : $0.kind == .droppedColumn && $0.column == kept.column
      }
      return rule.step(for: kept, rowCount: found?.isCounted == false ? nil : found?.count ?? 0)
    }
  }

  /// Whether the program works on the rows before tables are changed.
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

  // MARK: - Dropping and renaming

  /// Indexes that the plan drops by name before it changes tables.
  package var droppedIndexes: Set<SQLName> {
    Set(diff.indexes.compactMap(\.old).filter { !isNeededByKeys($0) }.map(\.name))
  }

  /// - Returns: The steps that come first, and those of tables that wait until nothing refers to them.
  private func dropSteps(
    aside: Set<SQLName>, adopted: Set<SQLName>, except redeclared: Set<SQLName>
  ) -> (early: [MigrationStep], late: [MigrationStep]) {
    var steps: [MigrationStep] = []
    func drop(
      _ kind: ObjectReference.Kind, _ name: SQLName, _ edits: [SchemaEdit], motive: Motive? = nil,
      onBehalfOf: SQLName? = nil
    ) {
      // A module that misses a table of its own may refuse DROP TABLE.
      let sql = (lostShadows[name] ?? []) + ["DROP \(kind.rawValue.uppercased()) \"main\".\(name.quoted)"]
      steps.append(
        .dropping(ObjectReference(kind, name), edits, sql.map { PlannedStatement($0) }, motive: motive).onBehalf(
          of: onBehalfOf))
    }
    let changedTriggers = diff.triggers.compactMap(\.old)
    for trigger in source.triggers.values where changedTriggers.contains(where: { $0.name == trigger.name }) {
      drop(.trigger, trigger.name, target.triggers[trigger.name] == nil ? [] : [.replace])
    }
    for trigger in source.triggers.values
    where aside.contains(trigger.name) && !changedTriggers.contains(where: { $0.name == trigger.name }) {
      drop(
        .trigger, trigger.name, [.suspend],
        motive: Motive(suspendedObjects.contains(trigger.name) ? .rereadBySQLite : .updateMustNotFireIt),
        onBehalfOf: trigger.table)
    }
    let changedViews = diff.views.compactMap(\.old)
    for view in source.views.values where changedViews.contains(where: { $0.name == view.name }) {
      drop(.view, view.name, target.views[view.name] == nil ? [] : [.replace])
    }
    for view in source.views.values
    where aside.contains(view.name) && !changedViews.contains(where: { $0.name == view.name }) {
      drop(
        .view, view.name, [.suspend], motive: Motive(.rereadBySQLite),
        onBehalfOf: view.name)
    }
    let droppedTables = Set(diff.droppedTables.map(\.name))
    for index in diff.indexes.compactMap(\.old)
    where !droppedTables.contains(index.table) && !isNeededByKeys(index) { steps.append(dropStep(of: index, adopted)) }
    func drop(_ table: TableSchema) {
      let rows = checkResults[table.name]?.countedRows ?? 0
      drop(.table, renames.formerTable(table.name), rows > 0 ? [.rows(count: rows)] : [])
    }
    let tables = droppedTablesInOrder
    for table in tables.early {
      drop(table)
      steps[steps.count - 1].dropsReferencedTable = !keepsForeignKeysOn || isReferredTo(table)
    }
    for table in diff.virtualTables.compactMap(\.old) where !redeclared.contains(table.name) {
      let isReplaced = target.virtualTables[table.name] != nil
      drop(.table, renames.formerTable(table.name), isReplaced ? [.virtualTable, .replace] : [.virtualTable])
    }
    let count = steps.count
    for table in tables.late {
      drop(table)
      steps[steps.count - 1].statements.insert(contentsOf: verificationOfDrop(of: table.name), at: 0)
    }
    return (Array(steps[..<count]), Array(steps[count...]))
  }

  // MARK: - Creating

  private func createSteps(
    rebuilt: Set<SQLName>, aside: Set<SQLName>, made: Set<SQLName>, filled: [SQLName: Motive],
    _ fullText: FullTextChanges
  ) throws(SQLSyntaxError) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    func create(
      _ kind: ObjectReference.Kind, _ name: SQLName, sql: String, _ edits: [SchemaEdit], onBehalfOf: SQLName? = nil
    ) throws(SQLSyntaxError) {
      let statement = PlannedStatement(try qualified(sql))
      steps.append(
        .creating(ObjectReference(kind, name), edits, [statement]).onBehalf(of: onBehalfOf))
    }
    let redeclared = self.redeclared(in: fullText)
    for table in diff.virtualTables.compactMap(\.new) where !redeclared.contains(table.name) {
      try create(.table, table.name, sql: table.sql, [.virtualTable])
    }
    let newIndexes = Set(diff.indexes.compactMap { $0.new?.name })
    for index in target.indexes.values
    where !made.contains(index.name) && (newIndexes.contains(index.name) || rebuilt.contains(index.table)) {
      var step = try step(creating: index)
      if let motive = filled[index.name] { (step.statements, step.motive) = ([], motive) }
      steps.append(step)
    }
    for step in statisticsSteps(rebuilt: rebuilt) { steps.append(step) }
    let newViews = Set(diff.views.compactMap { $0.new?.name })
    let restoredViews = aside.filter { target.views[$0] != nil }
    for view in target.views.values where newViews.contains(view.name) || restoredViews.contains(view.name) {
      let isNew = newViews.contains(view.name)
      try create(
        .view, view.name, sql: view.sql, isNew ? [] : [.restore(table: nil)], onBehalfOf: isNew ? nil : view.name
      )
    }
    steps += self.steps(filling: fullText)
    let newTriggers = Set(diff.triggers.compactMap { $0.new?.name })
    let remade = newViews.union(restoredViews).union(rebuilt)
    for trigger in target.triggers.values {
      let isNew = newTriggers.contains(trigger.name)
      guard isNew || remade.contains(trigger.table) || aside.contains(trigger.name) else { continue }
      let sql = isNew ? trigger.sql : renamed.triggers[trigger.name]?.sql ?? trigger.sql
      try create(
        .trigger, trigger.name, sql: sql, [isNew ? .on(table: trigger.table) : .restore(table: trigger.table)],
        onBehalfOf: isNew ? nil : trigger.table)
    }
    return steps
  }

  /// Statistics of indexes that a rebuilt table no longer has are taken out; the others were carried over.
  private func statisticsSteps(rebuilt: Set<SQLName>) -> [MigrationStep] {
    guard source.systemTables.contains("sqlite_stat1") else { return [] }
    return rebuilt.sorted().map { table in
      let name = SQLQuoting.literal(table.text)
      let statements = ["sqlite_stat1", "sqlite_stat4"].filter { source.systemTables.contains(SQLName($0)) }.map {
        PlannedStatement(
          """
          DELETE FROM "main".\($0) WHERE tbl = \(name) AND idx IS NOT NULL AND idx <> \(name) AND idx NOT IN \
          (SELECT name FROM "main".sqlite_master WHERE type = 'index' AND tbl_name = \(name))
          """, role: .statistics)
      }
      return MigrationStep.altering(ObjectReference(.table, table), [.keepStatistics], statements).onBehalf(of: table)
    }
  }

  /// The statement that creates an index, in the spelling of the file where it is not new.
  private func definition(of index: IndexSchema) -> String {
    let isNew = diff.indexes.contains { $0.new?.name == index.name }
    return isNew ? index.sql : renamed.indexes[index.name]?.sql ?? index.sql
  }

  /// The step that creates an index, which is new or comes back with its table.
  func step(creating index: IndexSchema) throws(SQLSyntaxError) -> MigrationStep {
    let isNew = diff.indexes.contains { $0.new?.name == index.name }
    return MigrationStep.creating(
      ObjectReference(.index, index.name), [isNew ? .on(table: index.table) : .restore(table: index.table)],
      [PlannedStatement(try statement(creating: index))]
    ).onBehalf(of: isNew ? nil : index.table)
  }

  /// The statement that creates an index in `main`.
  func statement(creating index: IndexSchema) throws(SQLSyntaxError) -> String {
    try qualified(definition(of: index))
  }

  /// The text of an index as SQLite stores it: without IF NOT EXISTS and without the name of the database.
  func storedText(of index: IndexSchema) throws(SQLSyntaxError) -> String {
    let sql = definition(of: index)
    guard case .index(let statement) = try SQLParser.create(sql) else { return sql }
    let name = Span(start: statement.nameSpan.start, end: sql.utf8.count)
    return "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(SQLEditing.text(at: name, in: sql))"
  }

  /// The statement with the object's name in `main`. Triggers keep their text: SQLite would store the prefix.
  private func qualified(_ sql: String) throws(SQLSyntaxError) -> String {
    let (span, nameSpan): (Span, Span)
    switch try SQLParser.create(sql) {
    case .table(let statement): (span, nameSpan) = (statement.qualifiedNameSpan, statement.nameSpan)
    case .index(let statement): (span, nameSpan) = (statement.qualifiedNameSpan, statement.nameSpan)
    case .view(let statement): (span, nameSpan) = (statement.qualifiedNameSpan, statement.nameSpan)
    case .virtualTable(let statement): (span, nameSpan) = (statement.qualifiedNameSpan, statement.nameSpan)
    case .trigger: return sql
    }
    return SQLEditing.replacing(span, in: sql, with: "\"main\".\(SQLEditing.text(at: nameSpan, in: sql))")
  }
}

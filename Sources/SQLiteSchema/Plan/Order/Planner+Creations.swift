import OrderedCollections

// The steps that create indexes, views, triggers and virtual tables, or make them again with their tables.
extension Planner {
  func createSteps(
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

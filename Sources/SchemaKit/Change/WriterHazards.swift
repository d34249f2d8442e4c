import OrderedCollections

/// Finds what a plan makes of values that the SQLite which wrote the file last computes in another way.
///
/// *Cost:* a scan of each table whose indexes, STORED columns or CHECKs depend on such a way, and that the plan touches;
/// nothing where both versions compute alike.
struct WriterHazards {
  let connection: any SQLConnection
  let source: DatabaseSchema
  let target: DatabaseSchema

  /// The hazards of a plan.
  func hazards(of plan: MigrationPlan) throws -> [Hazard] {
    guard !plan.isEmpty, let writer = writer else { return [] }
    let engine = SQLiteVersion(number: connection.engineVersionNumber)
    let differences = try EngineDifference.between(writer, here: engine, on: connection)
    guard !differences.isEmpty else { return [] }
    return try target.tables.values.flatMap { table -> [Hazard] in
      guard let former = source.table(plan.renames.formerTable(table.name)) else { return [] }
      return try subjects(of: table, formerly: former, in: plan).compactMap { subject, dependence, isMadeAnew in
        guard
          let found = try rows(
            of: former, table, meeting: differences, in: dependence, plan)
        else { return nil }
        let cause = OtherWriterHazard(
          subject.kind, writer: writer, engine: engine, differences: found.differences, isMadeAnew: isMadeAnew)
        var hazard = Hazard(
          .otherWriter, table: table.name, column: subject.column, count: found.count, samples: found.samples,
          cause: HazardCause(cause), isNote: !isMadeAnew)
        hazard.isCounted = found.count != nil
        return hazard
      }
    }
  }

  /// The version that wrote the file last, where it is known.
  private var writer: SQLiteVersion? {
    (connection as? any LocalEngine)?.lastWriterVersionNumber.map { SQLiteVersion(number: $0) }
  }

  private func rows(
    of former: TableSchema, _ table: TableSchema, meeting differences: Set<EngineDifference>,
    in dependence: EngineDependence,
    _ plan: MigrationPlan
  ) throws -> EngineDependenceReader.Findings? {
    try EngineDependenceReader(connection: connection).rows(
      of: former, meeting: differences, in: dependence, looks: plan.areRowsExamined
    ) {
      plan.renames.formerColumn($0, of: table.name)
    }
  }

  private struct Subject {
    var kind: OtherWriterHazard.Subject
    var column: SQLName?
  }

  /// The parts that depend on how values are computed, each with whether the plan makes it anew; none that it leaves alone.
  private func subjects(
    of table: TableSchema, formerly former: TableSchema, in plan: MigrationPlan
  ) -> [(Subject, EngineDependence, isMadeAnew: Bool)] {
    let finder = EngineDependenceFinder(table)
    let isTouched = plan.touchedTables.contains(table.name)
    var subjects: [(Subject, EngineDependence, isMadeAnew: Bool)] = []
    // An index that nobody declares stays with its table.
    let others = source.indexes.values.filter { $0.table == former.name && target.indexes[$0.name] == nil }
    for index in target.indexes.values.filter({ $0.table == table.name }) + others where !plan.drops(index) {
      let isMade = plan.makes(index)
      guard isMade || isTouched else { continue }
      subjects.append((Subject(kind: .index(index.name)), finder.dependence(of: index), isMade))
    }
    guard isTouched else { return subjects }
    for column in table.columns where column.generation?.isStored == true {
      let dependence = finder.dependence(ofComputing: column)
      let isMade = plan.computes(column, of: table, from: source, reading: dependence.columns)
      subjects.append((Subject(kind: .storedColumn, column: column.name), dependence, isMade))
    }
    for check in table.checks {
      let kind = OtherWriterHazard.Subject.check(expression: check.expression.text)
      subjects.append((Subject(kind: kind), finder.dependence(of: check.expression), false))
    }
    return subjects
  }
}

extension MigrationPlan {
  /// True if an index goes for good.
  fileprivate func drops(_ index: IndexSchema) -> Bool {
    steps.contains { $0.strategy.drops && $0.object == ObjectReference(.index, index.name) } && !makes(index)
  }

  /// True if the entries of an index are made by this plan.
  fileprivate func makes(_ index: IndexSchema) -> Bool {
    steps.contains { step in
      step.createdIndexes.contains(index.name)
        || (step.strategy.creates && step.object.kind == .index && step.object.name == index.name)
        || step.statements.contains { $0.sql == SwapBuilder.reindex(index) }
    }
  }

  /// True if the values of a STORED column are computed by this plan: it is new, or it or what it reads changes, or its table is
  /// copied in a way that computes all of them, since the catalog cannot be edited.
  fileprivate func computes(
    _ column: ColumnSchema, of table: TableSchema, from source: DatabaseSchema, reading names: Set<SQLName>
  ) -> Bool {
    let former = source.table(renames.formerTable(table.name))
    func formerColumn(_ name: SQLName) -> ColumnSchema? { former?.column(renames.formerColumn(name, of: table.name)) }
    guard let before = formerColumn(column.name), before.generation?.isStored == true else { return true }
    // A copy that gets its definition last carries what it need not compute.
    let isTyped = steps.contains { step in
      step.strategy.copiesRows && !step.statements.contains(where: \.editsCatalog)
        && (step.object.name == table.name || step.copiedChildren.contains(table.name))
    }
    if isTyped { return true }
    return before.generation != column.generation
      || names.contains { name in
        guard let old = formerColumn(name), let new = table.column(name) else { return true }
        return old.affinity != new.affinity || old.collation != new.collation
      }
  }
}

// The history that a script writes, where it does what an apply would do.
extension Change {
  /// The statements that record a plan in the history of the file in which a script carries it out.
  ///
  /// They are those that an apply runs on SchemaKit's own tables: the plan runs on a copy of the catalog that has no rows
  /// but the history's, and is recorded there.
  ///
  /// - Parameters:
  ///   - isHistoryKnown: True if the history that the file has here is the whole one.
  ///   - maximumBytes: The most bytes of a statement; nil where nothing is that long.
  package func historyScript(
    of examination: PlanExamination, isHistoryKnown: Bool, maximumBytes: Int?
  ) throws -> HistoryScript {
    var script = HistoryScript()
    guard request.plan.recording == .ledger, !examination.plan.isEmpty else { return script }
    let prepared = examination.prepared
    if isHistoryKnown {
      let ledger = Ledger(connection: connection)
      script.former =
        try ledger.exists()
        ? .fingerprint(ledger.record(of: target.name)?.fingerprint, schema: target.name) : HistoryScript.Former.none
    }
    let clone = try CatalogClone(of: connection, schema: prepared.source)
    let shape = LedgerShape(connection: connection)
    for table in [LedgerShape.meta, LedgerShape.schemas, LedgerShape.history] where try shape.has(table.name) {
      let columns = table.columns + (table.name == LedgerShape.history.name ? ["undo"] : [])
      for row in try connection.rows("SELECT \(columns.joined(separator: ", ")) FROM main.\(table.name)") {
        let places = columns.map { _ in "?" }.joined(separator: ", ")
        try clone.connection.run(
          "INSERT INTO main.\(table.name) (\(columns.joined(separator: ", "))) VALUES (\(places))", row)
      }
    }
    try run(prepared.plan, on: clone)
    let after = try SchemaReader.read(clone.connection, known: prepared.source)
    let recorder = StatementRecorder()
    try clone.connection.install(.statementsWithValues { recorder.add($0.sql) })
    let made = Made(
      prepared, after: after, cookieBefore: nil, nulls: NullKeeper.losses(of: prepared.plan.filledColumns))
    _ = try Change(over: clone.connection, to: target, request).remember(
      prepared.plan, kind: .apply, milliseconds: 0, change: made)
    let written = recorder.statements.filter { sql in
      ["CREATE ", "INSERT ", "UPDATE ", "DELETE "].contains(where: sql.hasPrefix)
    }
    // The next look at the file must compare it: whether the script found it as the plan did is not known here.
    let forgetCookie =
      "UPDATE main._schemakit_schemas SET cookie = -1 WHERE name = \(SQLQuoting.literal(target.name))"
    script.statements =
      try written.flatMap { try HistoryText.parts(of: $0, maximumBytes: maximumBytes) } + [forgetCookie]
    return script
  }

  private func run(_ plan: MigrationPlan, on clone: CatalogClone) throws {
    let executor = StatementExecutor(connection: clone.connection)
    for step in plan.steps where clone.missing[step.object.name] == nil {
      for statement in step.statements where statement.role != .statistics {
        _ = try executor.run(statement, of: step) {
          try clone.connection.runStubbing($0.sql)
          return []
        }
      }
    }
  }
}

/// Collects the statements that run on a connection. A class, because the trace calls it.
private final class StatementRecorder: @unchecked Sendable {
  private(set) var statements: [String] = []

  func add(_ sql: String) { statements.append(sql) }
}

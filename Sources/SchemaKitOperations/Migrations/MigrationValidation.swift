import OrderedCollections

/// Tests the directives of recorded steps before they are sealed and databases depend on them.
///
/// *Cost:* a plan over an empty in-memory database for each step that has fills or conversions.
package struct MigrationValidation {
  private let steps: [Migration]
  private let replay: MigrationReplay

  package init(_ steps: [Migration], replay: MigrationReplay) {
    self.steps = steps
    self.replay = replay
  }

  /// Tests steps.
  ///
  /// A missing function or table may belong to the program, or to the database, that the step is for.
  ///
  /// - Parameter sealed: Steps that match what was recorded, and must not be changed any more.
  /// - Throws: `SchemaError` with the line of the first comment that names something missing, or whose expression
  ///   SQLite does not understand.
  package func run(except sealed: Set<String> = []) throws {
    var before = DatabaseSchema()
    for (index, step) in steps.enumerated() {
      let state = replay.states[index]
      defer { before = state.schema }
      guard !sealed.contains(step.name) else { continue }
      try check(step, after: before)
      try step.refuseUnreliable()
      guard !step.directives.fills.isEmpty || !step.directives.conversions.isEmpty else { continue }
      let hazards = try plan(at: index)?.hazards ?? []
      if let hazard = hazards.first(where: { $0.code == .failingCheck && $0.isCounted }) {
        throw fault(in: step, hazard.message.clause) { directives in
          (directives.fills + directives.conversions).contains {
            $0.table == SQLName(hazard.table) && $0.column.text == hazard.column
          }
        }
      }
    }
  }

  /// The plan of a step for any rows; nil if it needs something that is missing here.
  private func plan(at index: Int) throws -> MigrationPlan? {
    var request = ChangeRequest()
    request.plan.policy.strategy = .alter
    request.plan.isForRecording = true
    let state = replay.states[index]
    let target = TargetSchema(
      name: MigrationRunner.schemaName, schema: state.schema, hints: state.hints, ownsWholeFile: true)
    return try? Change(over: replay.database(before: index), to: target, request).plan()
  }

  private func check(_ step: Migration, after old: DatabaseSchema) throws {
    for text in step.directives.allowances {
      var policy = PlanPolicy.lossless
      do {
        try policy.add(allow: text)
      } catch {
        throw fault(in: step, "\(error)") { $0.allowances.contains(text) }
      }
    }
    let renames = step.directives.renames.compactMap { try? RenameOption($0) }
    for rename in renames {
      // The table of a column may have either of its names, and intermediate names of a chain are in neither schema.
      let tables = renames.filter {
        $0.oldColumn == nil && [rename.oldTable, rename.newTable].contains($0.newTable)
      }.map(\.oldTable)
      let isFound =
        ([rename.oldTable] + tables).contains { old.has($0, rename.oldColumn) }
        || renames.contains { $0.newTable == rename.oldTable && $0.newColumn == rename.oldColumn }
      guard !isFound else { continue }
      throw fault(in: step, "\"rename \(rename.text)\" is about something that does not exist before the step") {
        $0.renames.contains { (try? RenameOption($0)) == rename }
      }
    }
  }

  /// An error at the first line whose directives match.
  private func fault(
    in step: Migration, _ problem: String, where isMeant: (MigrationDirectives) -> Bool
  ) -> SchemaError {
    let lines = step.sql.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let line = lines.firstIndex { line in
      (try? MigrationDirectives(of: String(line), source: step.path)).map(isMeant) ?? false
    }
    return SchemaError(source: step.path, line: (line ?? 0) + 1, problem: problem)
  }
}

extension DatabaseSchema {
  /// True if a table, or another object of that name, exists, and has the column.
  fileprivate func has(_ name: SQLName, _ column: SQLName?) -> Bool {
    if let column { return table(name)?.column(column) != nil }
    return table(name) != nil || virtualTables[name] != nil || views[name] != nil || indexes[name] != nil
      || triggers[name] != nil
  }
}

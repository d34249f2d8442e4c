/// Proves that what the comments of recorded steps say can be done, before a database depends on it.
///
/// *Cost:* a plan over an empty database in memory for each step that has renames, fills or conversions.
package struct StepProof {
  private let steps: [RecordedStep]
  private let replay: StepReplay

  package init(_ steps: [RecordedStep], replay: StepReplay) {
    self.steps = steps
    self.replay = replay
  }

  /// Proves all steps.
  ///
  /// Functions that are not there may be those of the program that applies the steps.
  ///
  /// - Throws: `SchemaError` with the line of the first comment that names what is not there, or whose expression SQLite
  ///   refuses.
  package func run() throws {
    var before = DatabaseSchema()
    for (index, step) in steps.enumerated() {
      let state = replay.states[index]
      try check(step, from: before, to: state.schema)
      before = state.schema
      let directives = step.directives
      guard !directives.fills.isEmpty || !directives.conversions.isEmpty || !directives.renames.isEmpty else {
        continue
      }
      let plan = try plan(at: index)
      if let hazard = plan.hazards.first(where: { $0.code == .failingCheck && $0.isCounted }) {
        throw fault(in: step, naming: hazard.column ?? hazard.table, hazard.message)
      }
    }
  }

  private func plan(at index: Int) throws -> MigrationPlan {
    let (step, state) = (steps[index], replay.states[index])
    var options = Migrator.Options()
    options.policy.strategy = .alter
    options.isForRecording = true
    let target = DeclaredTarget(
      name: StepRunner.schemaName, schema: state.schema, hints: state.hints, ownsWholeFile: true)
    let database = try replay.database(before: index)
    for value in step.directives.fills + step.directives.conversions {
      for name in SQLLexer.functionNames(in: value.expression) {
        _ = try? database.runStubbing("SELECT \(name.quoted)()")
      }
    }
    do {
      return try Migrator(connection: database, target: target, options: options).plan()
    } catch {
      throw fault(in: step, naming: nil, "\(error)")
    }
  }

  private func check(_ step: RecordedStep, from old: DatabaseSchema, to new: DatabaseSchema) throws {
    for text in step.directives.allowances {
      var policy = PlanPolicy.lossless
      do {
        try policy.add(allow: text)
      } catch {
        throw fault(in: step, naming: text, "\(error)")
      }
    }
    for text in step.directives.renames {
      guard let rename = try? RenameOption(text) else { continue }
      guard old.has(rename.oldTable, rename.oldColumn) else {
        throw fault(in: step, naming: text, "\"rename \(text)\" is of something that is not there before the step")
      }
      guard new.has(rename.newTable, rename.newColumn) else {
        throw fault(in: step, naming: text, "\"rename \(text)\" is to something that is not there after the step")
      }
    }
  }

  /// An error at the line of the comment that holds a text.
  private func fault(in step: RecordedStep, naming text: String?, _ problem: String) -> SchemaError {
    let lines = step.sql.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    let line = lines.firstIndex { line in
      guard let words = StepDirectives.words(of: String(line.trimmed)) else { return false }
      return text.map { words.contains($0) } ?? (words.hasPrefix("fill ") || words.hasPrefix("convert "))
    }
    let sentence = problem.hasSuffix(".") ? String(problem.dropLast()) : problem
    return SchemaError(source: step.path, line: (line ?? 0) + 1, problem: sentence)
  }
}

extension DatabaseSchema {
  fileprivate func has(_ table: SQLName, _ column: SQLName?) -> Bool {
    guard let table = self.table(table) else { return false }
    return column.map { table.column($0) != nil } ?? true
  }
}

extension SQLLexer {
  /// The names that stand before a parenthesis.
  fileprivate static func functionNames(in expression: String) -> [SQLName] {
    let tokens = (try? tokens(of: expression)) ?? []
    return zip(tokens, tokens.dropFirst()).compactMap { $1.isSymbol("(") ? $0.name : nil }
  }
}

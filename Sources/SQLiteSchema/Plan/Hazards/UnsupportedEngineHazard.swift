import OrderedCollections

/// SK401: the engine, or the program's connection, lacks what a change needs.
///
/// A virtual table needs its [module](https://sqlite.org/vtab.html), an index its collation, a trigger its functions.
/// Blocked; a note where something could only not be checked. The remedy is a program that has it.
package enum UnsupportedEngineHazard: HazardWording {
  /// The module of a virtual table is not loaded.
  case unloadedModule(name: String)
  /// A virtual table that lacks tables of its module can be dropped only after they are made anew, and that is not allowed.
  case protectedTables(profile: String?)
  /// A step would fail because the program lacks a collation or a function.
  case failingStep(kind: ObjectReference.Kind, object: SQLName, lackedKind: String, lacked: String, problem: String)
  /// True if statements would fail could not be checked.
  case uncheckedWrite(actions: [String], lacked: String)
  /// A question about the rows compares by a collation that the program lacks.
  case unanswered(condition: String, name: String)
  /// A table would have more columns than the engine that the plan is for takes.
  case tooManyColumns(count: Int, most: Int, profile: String)
  /// Rows would get a value that is another one on each node.
  case differsByNode(call: String, profile: String)
  /// A pattern of LIKE or GLOB is longer than the engine that the plan is for takes.
  case patternTooLong(object: ObjectReference, bytes: Int, most: Int, profile: String)
  /// A statement would be longer than the engine that the plan is for takes.
  case statementTooLong(object: ObjectReference, bytes: Int, most: Int, profile: String)

  package func message(for hazard: Hazard) -> String {
    switch self {
    case .unloadedModule(let name): "Virtual table \(hazard.table) needs the module \(name), which is not loaded."
    case .protectedTables(let profile):
      "Virtual table \(hazard.table) lacks tables of its module, so that it cannot be dropped, and "
        + "\(profile ?? "this connection") does not let them be made anew."
    case .failingStep(let kind, let object, let lackedKind, let lacked, let problem):
      "The step for \(kind) \(object) would fail, because this program lacks the \(lackedKind) \(lacked): \(problem)."
    case .uncheckedWrite(let actions, let lacked):
      "\(Wording.list(actions)) on \(hazard.table) could not be checked: this program lacks the \(lacked)."
    case .unanswered(let condition, let name):
      "\(condition) cannot be examined on the rows of \(hazard.table): this program lacks the collation \(name)."
    case .tooManyColumns(let count, let most, let profile):
      "Table \(hazard.table) would have \(count) columns; \(profile) takes \(most)."
    case .differsByNode(let call, let profile):
      "\(hazard.object) gets values of \(call), and each node of \(profile) runs the statement by itself: they would hold other values."
    case .patternTooLong(let object, let bytes, let most, let profile):
      "A pattern of LIKE or GLOB for \(object.kind) \(object) has \(bytes) bytes; \(profile) takes \(most)."
    case .statementTooLong(let object, let bytes, let most, let profile):
      "A statement for \(object.kind) \(object) has \(bytes) bytes; \(profile) takes \(most)."
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    switch self {
    case .unloadedModule: "Load it \(.loadExtension), use a SQLite that has it, or keep the table as it is."
    case .protectedTables: "Make them anew before, with the statements that doctor prints, where that is allowed."
    case .failingStep(_, _, _, let lacked, _):
      "Load \(lacked) \(.loadExtension), or migrate with the program that adds it to its connections."
    case .unanswered(_, let lacked):
      "Load \(lacked) \(.loadExtension), or migrate with the program that adds it to its connections."
    case .uncheckedWrite: "Programs that have it can use \(hazard.table)."
    case .tooManyColumns: "Move some of the columns into a table of their own."
    case .differsByNode:
      "Add the column without it, fill its rows with values that your program gives, and set the default in a second change."
    case .patternTooLong: "Compare with several shorter patterns."
    case .statementTooLong: "Shorten names, defaults or expressions, or make the change in several plans."
    }
  }
}

extension EngineProfile {
  /// Finds the parts of a plan that exceed the limits of the engine that it is for.
  package func hazards(of plan: MigrationPlan, to target: DatabaseSchema) -> [Hazard] {
    guard let name = name?.rawValue else { return [] }
    let created = Set(plan.steps.filter { $0.object.kind == .table && !$0.strategy.drops }.map(\.object.name))
    let wide = target.tables.values.filter { created.contains($0.name) && $0.columns.count > maximumColumns }
    var hazards = wide.map { table in
      Hazard(
        .unsupportedEngine, table: table.name,
        cause: HazardCause(
          UnsupportedEngineHazard.tooManyColumns(count: table.columns.count, most: maximumColumns, profile: name)))
    }
    if replicatesStatements { hazards += plan.steps.flatMap { valuesByNode(of: $0, in: target, name) } }
    if let limits { hazards += plan.steps.compactMap { longPattern(in: $0, most: limits.patternBytes, name) } }
    guard let most = maximumStatementBytes else { return hazards }
    for step in plan.steps {
      // A script says around a query what it proves.
      let sizes = step.statements.map { $0.sql.utf8.count + ($0.role == .verification ? 500 : 1) }
      guard let bytes = sizes.max(), bytes > most else { continue }
      hazards.append(
        Hazard(
          .unsupportedEngine, table: step.object.name,
          cause: HazardCause(
            UnsupportedEngineHazard.statementTooLong(object: step.object, bytes: bytes, most: most, profile: name))))
    }
    return hazards
  }
}

extension EngineProfile {
  /// The hazard of a step that has a longer pattern than the engine takes; nil if none is longer.
  private func longPattern(in step: MigrationStep, most: Int, _ name: String) -> Hazard? {
    let lengths = step.statements.flatMap { statement -> [Int] in
      let tokens = (try? SQLLexer.tokens(of: statement.sql)) ?? []
      return zip(tokens, tokens.dropFirst()).compactMap { word, pattern in
        guard word.isKeyword("LIKE") || word.isKeyword("GLOB"), pattern.kind == .string else { return nil }
        return pattern.unquotedText.utf8.count
      }
    }
    guard let bytes = lengths.max(), bytes > most else { return nil }
    return Hazard(
      .unsupportedEngine, table: step.object.name,
      cause: HazardCause(
        UnsupportedEngineHazard.patternTooLong(object: step.object, bytes: bytes, most: most, profile: name)))
  }

  /// The columns that a step fills with random numbers or the time.
  private func valuesByNode(of step: MigrationStep, in target: DatabaseSchema, _ name: String) -> [Hazard] {
    guard step.rows ?? 0 > 0, let table = target.tables[step.object.name] else { return [] }
    func hazard(_ column: SQLName?, _ call: String) -> Hazard {
      Hazard(
        .unsupportedEngine, table: table.name, column: column,
        cause: HazardCause(UnsupportedEngineHazard.differsByNode(call: call, profile: name)))
    }
    let added = step.edits.compactMap { if case .addColumn(let name, _, _) = $0 { name } else { nil } }
    let defaults = added.compactMap { column -> Hazard? in
      guard let text = table.column(column)?.defaultValue?.expression else { return nil }
      return ChangingCall.first(in: text).map { hazard(column, $0) }
    }
    if !defaults.isEmpty { return defaults }
    let filling = step.statements.first { [.copy, .update].contains($0.role) && ChangingCall.first(in: $0.sql) != nil }
    return filling.flatMap { ChangingCall.first(in: $0.sql) }.map { [hazard(nil, $0)] } ?? []
  }
}

extension UnsupportedEngineHazard: SchemaHazardRule {
  /// Virtual tables that change and whose module is not loaded.
  package static func hazards(in change: ComparedSchemas) -> [Hazard] {
    change.diff.virtualTables.compactMap { edit in
      guard let table = edit.old ?? edit.new, !table.isModuleLoaded else { return nil }
      return Hazard(
        .unsupportedEngine, table: change.renames.formerTable(table.name),
        cause: HazardCause(UnsupportedEngineHazard.unloadedModule(name: table.module.text)))
    }
  }
}

extension UnsupportedEngineHazard: HazardRule {
  package static let code = HazardCode.unsupportedEngine

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    if case .lackingCollation(let condition, let name) = kind {
      Self.unanswered(condition: condition, name: name)
    } else {
      nil
    }
  }

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    Hazard(Self.code, table: rows.table, column: rows.column, cause: cause)
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? { counted(rows) }
}

extension HazardCode {
  /// The engine lacks what a change needs.
  public static let unsupportedEngine = Self("SK401", .blocked, "the engine lacks what a change needs")
}

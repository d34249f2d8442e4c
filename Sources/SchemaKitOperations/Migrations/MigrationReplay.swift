import OrderedCollections

/// Runs recorded steps on an empty in-memory database, to determine the schema that each leads to.
///
/// Only statements that change the schema are run; the others have no rows to work on and are only compiled.
///
/// *Cost:* the statements of all steps, and one reading of the catalog for each step.
package struct MigrationReplay {
  /// The state after a step.
  package struct State: Sendable {
    package var schema: DatabaseSchema
    /// The migration hints from the step's statements and directives.
    package var hints: MigrationHints
  }

  /// The content of the files of a folder.
  package enum Content: Sendable {
    /// Steps of SchemaKit, or plain SQL: changes of the schema.
    case schema
    /// Whatever another tool runs: the schema is read from it, and the rest is skipped.
    case anything
  }

  /// The state after each step, in order.
  package private(set) var states: [State] = []
  /// Problems with statements that do not prevent them from being read.
  package private(set) var problems: [FolderProblem] = []
  /// Notes on the statements that were skipped in files that were not recorded.
  package private(set) var notes: [String] = []
  private let content: Content
  /// The database with the schema after the last step.
  package let database: SQLiteConnection

  /// Replays steps.
  ///
  /// - Throws: `SchemaError` for a statement that SQLite refuses.
  package init(_ steps: [Migration], content: Content = .schema) throws {
    self.content = content
    database = try Self.emptyDatabase()
    var schema = try SchemaReader.read(database)
    for step in steps {
      var names = NameTracker(schema)
      try step.checkData()
      try step.beforeScript?.compile(on: database)
      try run(step, names: &names)
      try step.afterScript?.compile(on: database)
      let next = try SchemaReader.read(database, known: schema)
      for (word, values) in [("fill", step.directives.fills), ("convert", step.directives.conversions)] {
        guard let stray = values.first(where: { next.table($0.table)?.column($0.column) == nil }) else { continue }
        throw SchemaError(
          source: step.path,
          problem: "\"\(word) \(stray.text)\" is for a column that does not exist after the step")
      }
      var hints = MigrationHints()
      let written = names.renames(to: next)
      for rename in written { try? hints.add(rename: rename) }
      for name in hints.exchangedNames(in: next) { hints.renameStates[name] = .written }
      for rename in step.directives.renames where !written.contains(rename) { try? hints.add(rename: rename) }
      step.directives.addValues(to: &hints)
      states.append(State(schema: next, hints: hints))
      schema = next
    }
  }

  private static func emptyDatabase() throws -> SQLiteConnection {
    let database = try SQLiteConnection.memory()
    try database.installCollationStubs()
    // Old schemas contain string literals in double quotes, which SQLite still accepts in files.
    try database.setAllowsDoubleQuotedText(true)
    return database
  }

  /// An empty database with the schema before a step.
  func database(before index: Int) throws -> SQLiteConnection {
    let database = try Self.emptyDatabase()
    guard index > 0 else { return database }
    for statement in states[index - 1].schema.creationStatements { try database.runStubbing(statement) }
    return database
  }

  /// The schema after the last step.
  package var schema: DatabaseSchema { states.last?.schema ?? DatabaseSchema() }

  private mutating func run(_ step: Migration, names: inout NameTracker) throws {
    let script: [ScriptStatement]
    do {
      script = try SQLScript.statements(in: step.sql)
    } catch {
      throw SchemaError(source: step.path, line: error.line, column: error.column, problem: error.message)
    }
    var skipped = SkippedStatements(source: step.path)
    defer { notes += skipped.notes }
    for (index, statement) in script.enumerated() {
      guard let first = statement.tokens.first else { continue }
      switch first.text.uppercased() {
      case "CREATE", "ALTER", "DROP":
        if try isSkipped(statement, of: step) { continue }
        do {
          try database.denyingDangerousStatements { try database.runOfSchema(statement.text) }
        } catch let error as SQLiteError {
          throw SchemaError(
            source: step.path, line: error.line(from: statement.line),
            problem: error.message + lack(of: statement))
        }
        names.follow(statement.tokens)
      case "PRAGMA" where statement.tokens.contains { $0.isKeyword("LEGACY_ALTER_TABLE") }:
        try database.run(statement.text)
      case _ where content == .anything: try skipped.add(statement)
      case "BEGIN", "COMMIT", "END", "PRAGMA", "ANALYZE", "SAVEPOINT", "RELEASE", "ROLLBACK": break
      case "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH":
        let previousEnd = index == 0 ? 0 : script[index - 1].span.end
        let isMarked = step.directives.rowMarks.contains { previousEnd < $0 && $0 <= statement.span.start }
        if !isMarked { complain(statement, of: step) }
      default:
        throw SchemaError(
          source: step.path, line: statement.line,
          problem:
            "expected CREATE, ALTER or DROP but found \"\(first.text)\"; a step changes the schema and nothing else"
        )
      }
    }
  }

  /// Describes the feature that the statement requires of a newer SQLite, or of an older one.
  private func lack(of statement: ScriptStatement) -> String {
    let profile = EngineProfile(versionOf: database)
    guard statement.tokens.first?.isKeyword("ALTER") == true else { return "" }
    if profile.version >= SQLiteVersion(3, 54), let name = statement.alteredColumns.first(where: \.isNameOfRowID) {
      return "; \(SQLName.refusalOfRowIDName(name)). With an older SQLite, fold the steps up to this one into one by "
        + "migrations squash, which alters nothing"
    }
    guard !profile.canDropColumn, statement.tokens.contains(where: { $0.isKeyword("DROP") }) else { return "" }
    return "; this is SQLite \(profile.version), and ALTER TABLE drops columns from 3.35 on"
  }

  private mutating func complain(_ statement: ScriptStatement, of step: Migration) {
    let verb = statement.tokens.first?.text.uppercased() ?? ""
    problems.append(
      FolderProblem(
        .misplacedStatement(verb, before: step.name + Migration.beforeSuffix, after: step.name + Migration.afterSuffix),
        file: step.path, line: statement.line))
    notes.append("\(step.path):\(statement.line): \(verb) skipped; only the schema is read.")
  }

  /// True if a statement is about SQLite's own tables, which are never declared; a temporary object is an error.
  private func isSkipped(_ statement: ScriptStatement, of step: Migration) throws(SchemaError) -> Bool {
    guard statement.tokens.first?.isKeyword("CREATE") == true, let parsed = try? SQLParser.create(statement.text) else {
      return false
    }
    // Elsewhere a temporary table may be a step on the way to another one.
    if parsed.isTemporary, content == .schema {
      throw SchemaError(
        source: step.path, line: statement.line,
        problem: "\(parsed.name) is temporary; a temporary object cannot be part of a schema")
    }
    return parsed.name.folded.hasPrefix("sqlite_")
  }
}

extension TargetSchema {
  /// Determines which hints that swap names were already used in earlier steps; returns these names, as lists of those
  /// that were swapped with each other.
  package mutating func settleNames(of earlier: [MigrationReplay.State]) -> [[String]] {
    let digests = earlier.flatMap { state in
      state.hints.exchangedNames(in: state.schema).map { $0.digest(step: nil) }
    }
    hints.settle(Dictionary(digests.map { ($0, .settled) }) { $1 }, in: schema, step: nil)
    let names = Dictionary(grouping: hints.renameStates.keys) { $0.column == nil ? nil : $0.table }
    let lists = names.map { table, names in
      Set(
        names.map {
          ((table.map { [$0] } ?? []) + [$0.column ?? $0.table]).map(\.quotedIfNeeded).joined(separator: ".")
        }
      )
      .sorted()
    }
    return lists.sorted { $0[0] < $1[0] }
  }
}

extension ScriptStatement {
  /// The columns that ALTER TABLE adds, drops or renames, with their new names.
  fileprivate var alteredColumns: [SQLName] {
    let verbs = ["ADD", "DROP", "RENAME"]
    guard let verb = tokens.firstIndex(where: { token in verbs.contains { token.isKeyword($0) } }) else { return [] }
    let rest = tokens[(verb + 1)...].drop { $0.isKeyword("COLUMN") }
    let new = tokens[verb].isKeyword("RENAME") ? rest.drop { !$0.isKeyword("TO") }.dropFirst().first : nil
    return [rest.first, new].compactMap { $0?.name }
  }
}

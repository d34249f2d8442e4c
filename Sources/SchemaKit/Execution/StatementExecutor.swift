extension MigrationStep {
  /// The new names of columns, by the former ones.
  fileprivate var newNames: [String: String] {
    edits.reduce(into: [:]) { names, edit in
      if case .renameColumn(let from, let to) = edit { names[from.text] = to.text }
    }
  }
}

/// Runs the statements of a plan, on the clone of the catalog where it is validated as well as on the file itself.
struct StatementExecutor {
  let connection: any SQLConnection

  /// Runs a statement.
  ///
  /// - Parameter execute: Runs a statement that is plain SQL; returns the rows of a verification.
  /// - Returns: The rows of a verification, which has found a fault if there are any.
  func run(
    _ statement: PlannedStatement, of step: MigrationStep, execute: (PlannedStatement) throws -> [[SQLValue]]
  ) throws -> [[SQLValue]] {
    switch statement.role {
    case .catalog:
      let editor = try CatalogEditor(connection: catalogEngine(statement.sql))
      if step.renamedEntries > 0 {
        try editor.rename(statement.sql, on: step.object.name, entries: step.renamedEntries, names: step.newNames)
      } else {
        try editor.run(statement.sql, on: step.object.name, allowing: step.reading ?? ChangedReading())
      }
      return []
    case .adopt:
      let editor = try CatalogEditor(connection: catalogEngine(statement.sql))
      if let reading = step.reading {
        try editor.adopt(statement.sql, on: step.object.name, allowing: reading)
      } else {
        try editor.adopt(statement.sql, on: step.object.name)
      }
      return []
    case .swap:
      let editor = try CatalogEditor(connection: catalogEngine(statement.sql))
      guard let copy = step.onlineCopy else {
        try editor.swap(statement.sql, on: step.object.name)
        return []
      }
      try editor.exchange(
        statement.sql, of: step.object.name, with: copy.shadow, entries: copy.entriesOfExchange)
      return []
    case .verification, .definition, .copy, .update, .bookkeeping, .statistics:
      if statement.leavesReferences { try connection.execute("PRAGMA legacy_alter_table = ON") }
      defer { if statement.leavesReferences { try? connection.execute("PRAGMA legacy_alter_table = OFF") } }
      if statement.ignoresChecks { try connection.execute("PRAGMA ignore_check_constraints = ON") }
      defer { if statement.ignoresChecks { try? connection.execute("PRAGMA ignore_check_constraints = OFF") } }
      // ALTER parses all views and triggers again, and old ones may contain string literals in double quotes.
      let rereads = step.strategy.altersTable && statement.role == .definition
      guard rereads, let local = connection as? any LocalEngine, try !local.allowsDoubleQuotedQueries else {
        return try execute(statement)
      }
      try local.setAllowsDoubleQuotedQueries(true)
      defer { try? local.setAllowsDoubleQuotedQueries(false) }
      return try execute(statement)
    }
  }

  /// The engine, if it can edit its catalog; no plan for another has such a statement.
  private func catalogEngine(_ sql: String) throws -> any LocalEngine {
    guard let local = connection as? any LocalEngine else {
      throw SQLiteError.misuse("this engine does not let its catalog be edited", sql: sql)
    }
    return local
  }
}

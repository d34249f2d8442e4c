extension PlanReport {
  /// The plan as a script that gives the same schema and rows in the sqlite3 shell.
  ///
  /// A plan that would be refused is written as comments, so that piping it into a shell loses nothing.
  package func sql() -> String {
    var head = ["-- \(headline)"]
    head.append("-- from \(plan.sourceFingerprint.prefix(16)) to \(plan.targetFingerprint.prefix(16))")
    for hazard in plan.hazards {
      let message = hazard.message.replacing(MigrationPlan.promiseOfUndo, with: "")
      head.append(contentsOf: Self.comment("\(hazard.code.rawValue) \(message)"))
    }
    if !plan.keptValues.isEmpty {
      let kept = plan.keptValues.map(\.storage.text).joined(separator: ", ")
      head.append(
        "-- A script leaves no entry in the history: schemactl undo does not bring back what it keeps. It stands in \(kept)."
      )
    }
    if plan.isEmpty { return head.joined(separator: "\n") + "\n-- Nothing to do.\n" }
    let script = script()
    guard !refusals.isEmpty else {
      head.append("-- Run it with: sqlite3 -bail DATABASE < SCRIPT, so that an error stops it and rolls it back.")
      return head.joined(separator: "\n") + "\n" + script + "\n"
    }
    head.append("-- Refused: \(refusalSummary). The statements are shown as comments.")
    return head.joined(separator: "\n") + "\n" + Self.comment(script).joined(separator: "\n") + "\n"
  }

  private func script() -> String {
    let editsCatalog = plan.statements.contains(where: \.editsCatalog)
    // Where the catalog is protected, the edit is an error, and nothing happens.
    var lines = editsCatalog ? ["-- A shell that protects the catalog needs this first: .dbconfig defensive off"] : []
    lines += ["PRAGMA foreign_keys=OFF;", "BEGIN IMMEDIATE;"]
    for step in plan.steps {
      lines += Self.comment(
        "\(step.strategy.rawValue) \(step.kind) \(step.object): \(step.changes.joined(separator: ", "))")
      if step.strategy == .data { lines.append("-- Only the program can do this; the script does not.") }
      for statement in step.statements where statement.role != .verification {
        if statement.role == .catalog { lines += Self.guards(of: step) }
        if statement.leavesReferences { lines.append("PRAGMA legacy_alter_table=ON;") }
        if statement.editsCatalog { lines.append("PRAGMA writable_schema=ON;") }
        lines.append(Self.terminated(statement.sql))
        if statement.editsCatalog { lines.append("PRAGMA writable_schema=RESET;") }
        if statement.leavesReferences { lines.append("PRAGMA legacy_alter_table=OFF;") }
      }
    }
    if editsCatalog {
      lines.append("-- Any CREATE or DROP tells other connections that the catalog has changed.")
      lines += ["CREATE TABLE \"main\".\"_schemakit_cookie\" (x);", "DROP TABLE \"main\".\"_schemakit_cookie\";"]
    }
    return (lines + ["COMMIT;"]).joined(separator: "\n")
  }

  /// Statements that fail where rows came that an edit of the catalog must not meet: SQLite itself would not look.
  private static func guards(of step: MigrationStep) -> [String] {
    guard !step.refusedRows.isEmpty else { return [] }
    let (table, guardTable) = (SQLQuoting.identifier(step.object), "\"temp\".\"_schemakit_guard\"")
    let rule = SQLQuoting.identifier("no row of \(step.object) breaks what is declared from now on")
    return ["CREATE TABLE \(guardTable) (x CONSTRAINT \(rule) CHECK (x IS NULL));"]
      + step.refusedRows.map {
        terminated("INSERT INTO \(guardTable) SELECT 1 FROM \"main\".\(table) WHERE \($0) LIMIT 1")
      }
      + ["DROP TABLE \(guardTable);"]
  }

  /// Every line of a text as a comment.
  static func comment(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "-- \($0)" }
  }

  /// A statement with its semicolon, on a line of its own where a comment would swallow it.
  static func terminated(_ sql: String) -> String {
    let lastLine = sql.split(whereSeparator: \.isNewline).last ?? ""
    return lastLine.contains("--") ? sql + "\n;" : sql + ";"
  }
}

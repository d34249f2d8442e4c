extension PlanReport {
  /// The plan as a script that gives the same schema and rows in the sqlite3 shell.
  ///
  /// A plan that would be refused is written as comments, so that piping it into a shell loses nothing.
  package func sql() -> String {
    var head = ["-- \(headline)"]
    head.append("-- from \(plan.sourceFingerprint.prefix(16)) to \(plan.targetFingerprint.prefix(16))")
    for hazard in plan.hazards {
      head.append(contentsOf: Self.comment("\(hazard.code.rawValue) \(hazard.message)"))
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

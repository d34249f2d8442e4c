import SchemaKit

extension PlanReport {
  /// The plan as a script that gives the same schema and rows in the sqlite3 shell.
  ///
  /// A plan that would be refused is written as comments, so that piping it into a shell loses nothing.
  package func sql() -> String {
    let isScript = !plan.isEmpty && refusals.isEmpty
    var head = (isScript ? [".bail on"] : []) + ["-- \(headline)"]
    head.append("-- from \(plan.sourceFingerprint.prefix(16)) to \(plan.targetFingerprint.prefix(16))")
    for hazard in plan.hazards {
      let message = hazard.message(promisesUndo: false)
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
      head.append(
        "-- Run it with: sqlite3 DATABASE < SCRIPT. An error stops it and rolls everything back. Another program than the"
      )
      head.append("-- sqlite3 shell needs it without the first line, and must stop at the first error as well.")
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
    lines += editsCatalog ? Self.probe : []
    lines += plan.scriptConditions.objects.flatMap(Self.guards)
    let references = plan.scriptConditions.references.enumerated()
    lines += references.flatMap { Self.formerOrphans(of: $1, number: $0) }
    for step in plan.steps {
      lines += Self.comment(
        "\(step.strategy.rawValue) \(step.object.kind) \(step.object)"
          + (step.edits.isEmpty ? "" : ": \(step.changes.joined(separator: ", "))"))
      if step.strategy == .data { lines.append("-- Only the program can do this; the script does not.") }
      for statement in step.statements where statement.role != .verification {
        if statement.role == .catalog { lines += Self.guards(of: step) }
        if statement.leavesReferences { lines.append("PRAGMA legacy_alter_table=ON;") }
        if statement.editsCatalog { lines.append("PRAGMA writable_schema=ON;") }
        lines.append(statement.sql.terminated)
        if statement.editsCatalog { lines.append("PRAGMA writable_schema=RESET;") }
        if statement.leavesReferences { lines.append("PRAGMA legacy_alter_table=OFF;") }
      }
    }
    lines += references.flatMap { Self.guards(of: $1, number: $0) }
    if editsCatalog {
      lines.append("-- Any CREATE or DROP tells other connections that the catalog has changed.")
      lines += ["CREATE TABLE \"main\".\"_schemakit_cookie\" (x);", "DROP TABLE \"main\".\"_schemakit_cookie\";"]
    }
    return (lines + ["COMMIT;"]).joined(separator: "\n")
  }

  /// Statements that fail where rows came that an edit of the catalog must not meet: SQLite itself would not look.
  private static func guards(of step: MigrationStep) -> [String] {
    let table = step.object.name.quoted
    return guards(
      "no row of \(step.object) breaks what is declared from now on",
      step.refusedRows.map { "FROM \"main\".\(table) WHERE \($0) LIMIT 1" })
  }

  /// Statements that fail where an object is not as it was: the script would write its definition as the plan knows it.
  private static func guards(of object: ScriptConditions.Object) -> [String] {
    let name = SQLQuoting.literal(object.name)
    let texts = object.texts.map { SQLQuoting.literal($0) }.joined(separator: ",\n  ")
    let rows =
      "SELECT count(*) FROM \"main\".sqlite_master WHERE sql IS NOT NULL AND \(object.isTable ? "tbl_name" : "name") = \(name)"
    return guards(
      "\(object.name) is as it was when the plan was made",
      ["WHERE (\(rows)) <> \(object.texts.count) OR (\(rows)\n  AND sql IN (\(texts))) <> \(object.texts.count)"])
  }

  /// Statements that note which rows break a foreign key before the change.
  private static func formerOrphans(of change: ScriptConditions.ReferenceChange, number: Int) -> [String] {
    guard let former = change.former else { return [] }
    return ["CREATE TABLE \(orphans(number)) AS SELECT \"rowid\" AS \"row\" \(violations(of: former));"]
  }

  /// Statements that fail where a row breaks a foreign key that did not before.
  private static func guards(of change: ScriptConditions.ReferenceChange, number: Int) -> [String] {
    let violations = violations(of: change.reference)
    let query =
      change.former == nil
      ? "\(violations) LIMIT 1"
      : change.keepsRowIDs
        ? "\(violations) AND \"rowid\" NOT IN (SELECT \"row\" FROM \(orphans(number))) LIMIT 1"
        : "WHERE (SELECT count(*) \(violations)) > (SELECT count(*) FROM \(orphans(number)))"
    return guards("each row of \(change.reference.child) has its row of \(change.reference.parent)", [query])
      + (change.former == nil ? [] : ["DROP TABLE \(orphans(number));"])
  }

  private static func orphans(_ number: Int) -> String { "\"temp\".\"_schemakit_orphans_\(number + 1)\"" }

  /// The rows that break one foreign key, as a query goes on behind SELECT.
  private static func violations(of reference: ScriptConditions.Reference) -> String {
    let child = SQLQuoting.literal(reference.child.text)
    let columns = reference.columns.enumerated().map { number, column in
      " AND EXISTS (SELECT 1 FROM pragma_foreign_key_list(\(child)) AS k WHERE k.\"id\" = v.\"fkid\" "
        + "AND k.\"seq\" = \(number) AND k.\"from\" = \(SQLQuoting.literal(column.text)) COLLATE NOCASE)"
    }
    return "FROM pragma_foreign_key_check(\(child)) AS v WHERE v.\"parent\" = "
      + "\(SQLQuoting.literal(reference.parent.text)) COLLATE NOCASE\(columns.joined())"
  }

  /// Statements that fail in an SQLite that would go on with the catalog as it was before an edit. It would then drop the
  /// wrong pages. See [PRAGMA writable_schema](https://sqlite.org/pragma.html#pragma_writable_schema).
  private static var probe: [String] {
    let name = "_schemakit_probe"
    return [
      "CREATE TABLE \"main\".\"\(name)\" (x);", "PRAGMA writable_schema=ON;",
      "UPDATE \"main\".sqlite_master SET sql = 'CREATE TABLE \"\(name)\" (x, y)' WHERE name = '\(name)';",
      "PRAGMA writable_schema=RESET;",
    ]
      + guards(
        "this SQLite knows PRAGMA writable_schema=RESET",
        ["WHERE (SELECT count(*) FROM pragma_table_info('\(name)')) <> 2"])
      + ["DROP TABLE \"main\".\"\(name)\";"]
  }

  /// Statements that fail with the name of a rule where a query has a row.
  private static func guards(_ rule: String, _ queries: [String]) -> [String] {
    guard !queries.isEmpty else { return [] }
    let table = "\"temp\".\"_schemakit_guard\""
    return ["CREATE TABLE \(table) (x CONSTRAINT \(SQLQuoting.identifier(rule)) CHECK (x IS NULL));"]
      + queries.map { "INSERT INTO \(table) SELECT 1 \($0)".terminated } + ["DROP TABLE \(table);"]
  }

  /// Every line of a text as a comment.
  static func comment(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "-- \($0)" }
  }
}

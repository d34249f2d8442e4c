package import SchemaKit

extension PlanReport {
  /// The plan as a script that gives the same schema and rows: for the sqlite3 shell, or for the engine that the plan is for.
  ///
  /// A plan that would be refused is written as comments, so that piping it into a shell loses nothing.
  ///
  /// - Parameter history: The statements that record the plan in the database; the sqlite3 shell gets none.
  package func sql(history: HistoryScript = HistoryScript()) -> String {
    let isScript = !plan.isEmpty && refusals.isEmpty && newer == nil
    var head = isScript && plan.profile == nil ? [".bail on"] : []
    head += Self.comment(headline)
    head.append("-- from \(plan.sourceFingerprint.prefix(16)) to \(plan.targetFingerprint.prefix(16))")
    for hazard in plan.hazards {
      let message = hazard.message(promisesUndo: false)
      head += Self.comment("\(hazard.code.rawValue) \(message)")
    }
    if !plan.keptValues.isEmpty {
      let kept = plan.keptValues.map(\.storage.text).joined(separator: ", ")
      head.append(
        "-- A script leaves no entry in the history: schemactl undo does not bring back what it keeps. It stands in \(kept)."
      )
    }
    if plan.isEmpty { return head.joined(separator: "\n") + "\n-- Nothing to do.\n" }
    let script = plan.profile.map { ProfileScript(plan: plan, profile: $0, history: history).text } ?? shellScript()
    if plan.profile != nil { head = head.map(\.onOneLine) }
    guard !isScript else {
      head +=
        plan.profile.map { ProfileScript.advice(for: $0) + ProfileScript.advice(afterErrorOf: plan) }
        ?? [
          "-- Run it with: sqlite3 DATABASE < SCRIPT. An error stops it and rolls everything back. Another program than the",
          "-- sqlite3 shell needs it without the first line, must stop at the first error as well, and has foreign_keys off afterwards.",
        ]
      return head.joined(separator: "\n") + "\n" + script + "\n"
    }
    head += Self.comment("Refused: \(newer ?? "\(refusalSummary).") The statements are shown as comments.")
    return head.joined(separator: "\n") + "\n" + Self.comment(script).joined(separator: "\n") + "\n"
  }

  /// The sentence that says why the database is newer than the schema; nil if it is not.
  private var newer: String? { if case .newer(let sentence) = ending { sentence } else { nil } }

  private func shellScript() -> String {
    let editsCatalog = plan.statements.contains(where: \.editsCatalog)
    // Where the catalog is protected, the edit is an error, and nothing happens.
    var lines = editsCatalog ? ["-- A shell that protects the catalog needs this first: .dbconfig defensive off"] : []
    lines += ["PRAGMA foreign_keys=OFF;", "BEGIN IMMEDIATE;"]
    lines += editsCatalog ? Self.probe : []
    lines += plan.scriptConditions.objects.flatMap(Self.guards)
    let references = plan.scriptConditions.references.enumerated()
    lines += references.flatMap { Self.formerOrphans(of: $1, number: $0) }
    for step in plan.steps {
      lines += Self.comment(step)
      if step.strategy.isProgramWork { lines.append("-- Only the program can do this; the script does not.") }
      for statement in step.statements where statement.role != .verification {
        if statement.editsCatalog, step.reading != nil { lines += Self.guards(of: step) }
        if statement.editsCatalog { lines.append("PRAGMA writable_schema=ON;") }
        lines += Self.lines(of: statement)
        if statement.editsCatalog { lines.append("PRAGMA writable_schema=RESET;") }
        let isReadOtherwise = step.reading.map { $0 != ChangedReading() } ?? true
        if statement.editsCatalog, isReadOtherwise { lines += Self.guards(of: step) }
      }
    }
    lines += references.flatMap { Self.guards(of: $1, number: $0) }
    if editsCatalog {
      lines.append("-- Any CREATE or DROP tells other connections that the catalog has changed.")
      lines += ["CREATE TABLE \"main\".\"_schemakit_cookie\" (x);", "DROP TABLE \"main\".\"_schemakit_cookie\";"]
    }
    return (lines.map(\.withoutTerminators) + ["COMMIT;"]).joined(separator: "\n")
  }

  /// A statement with the settings that it needs.
  static func lines(of statement: PlannedStatement) -> [String] {
    var lines = [statement.sql.terminated]
    if statement.leavesReferences {
      lines = ["PRAGMA legacy_alter_table=ON;"] + lines + ["PRAGMA legacy_alter_table=OFF;"]
    }
    guard statement.ignoresChecks else { return lines }
    return ["PRAGMA ignore_check_constraints=ON;"] + lines + ["PRAGMA ignore_check_constraints=OFF;"]
  }

  /// Statements that fail where rows came that an edit of the catalog must not meet: SQLite itself would not look.
  private static func guards(of step: MigrationStep) -> [String] {
    step.refusedRows.map { condition in
      stop(
        where: "EXISTS (SELECT 1 FROM \"main\".\(step.object.name.quoted) NOT INDEXED WHERE \(condition))",
        saying: "a row of \(step.object) breaks what is declared from now on")
    }
  }

  /// Statements that fail where an object is not as it was: the script would write its definition as the plan knows it.
  static func guards(of object: ScriptConditions.Object) -> [String] {
    let name = SQLQuoting.literal(object.name)
    let texts = object.texts.map { SQLQuoting.literal($0) }.joined(separator: ",\n  ")
    let rows =
      "SELECT count(*) FROM \"main\".sqlite_master WHERE sql IS NOT NULL AND \(object.isTable ? "tbl_name" : "name") = \(name) COLLATE NOCASE"
    return [
      stop(
        where: "(\(rows)) <> \(object.texts.count) OR (\(rows)\n  AND sql IN (\(texts))) <> \(object.texts.count)",
        saying: "\(object.name) is not as it was when the plan was made")
    ]
  }

  /// Statements that fail where a table has other indexes and triggers than before, in number.
  static func countGuards(of object: ScriptConditions.Object) -> [String] {
    [
      stop(
        where: "(SELECT count(*) FROM \"main\".sqlite_master WHERE sql IS NOT NULL AND "
          + "\(object.isTable ? "tbl_name" : "name") = \(SQLQuoting.literal(object.name)) COLLATE NOCASE) "
          + "<> \(object.texts.count)",
        saying: "\(object.name) is not as it was when the plan was made")
    ]
  }

  /// Statements that note which rows break a foreign key before the change.
  private static func formerOrphans(of change: ScriptConditions.ReferenceChange, number: Int) -> [String] {
    guard let former = change.former else { return [] }
    return ["CREATE TABLE \(orphans(number)) AS SELECT \"rowid\" AS \"row\" \(violations(of: former));"]
  }

  /// Statements that fail where a row breaks a foreign key that did not before.
  private static func guards(of change: ScriptConditions.ReferenceChange, number: Int) -> [String] {
    let violations = violations(of: change.reference)
    let condition =
      change.former == nil
      ? "EXISTS (SELECT 1 \(violations))"
      : change.keepsRowIDs
        ? "EXISTS (SELECT 1 \(violations) AND \"rowid\" NOT IN (SELECT \"row\" FROM \(orphans(number))))"
        : "(SELECT count(*) \(violations)) > (SELECT count(*) FROM \(orphans(number)))"
    let message = "a row of \(change.reference.child) refers to no row of \(change.reference.parent)"
    return [stop(where: condition, saying: message)]
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
      stop(
        where: "(SELECT count(*) FROM pragma_table_info('\(name)')) <> 2",
        saying: "this SQLite does not know PRAGMA writable_schema=RESET"),
      "DROP TABLE \"main\".\"\(name)\";",
    ]
  }

  /// A statement that fails with a message where a condition is true.
  ///
  /// The message stands where a path into a JSON document should, and SQLite quotes it
  /// ([json_extract()](https://sqlite.org/json1.html#path_arguments)). No table is needed, and no CHECK that a setting
  /// could switch off.
  ///
  /// - Parameter count: A query for a number that follows the message; nil for none.
  static func stop(where condition: String, saying message: String, count: String? = nil) -> String {
    let text = SQLQuoting.literal("Stopped: " + message.onOneLine + (count == nil ? "" : ": "))
    return "SELECT CASE WHEN \(condition) THEN json_extract('{}', \(text)\(count.map { " || (\($0))" } ?? "")) END;"
  }

  /// Describes a step, as a comment.
  static func comment(_ step: MigrationStep) -> [String] {
    comment(
      "\(step.strategy.rawValue) \(step.object.kind) \(step.object)"
        + (step.edits.isEmpty ? "" : ": \(step.changes.joined(separator: ", "))"))
  }

  /// Every line of a text as a comment.
  static func comment(_ text: String) -> [String] {
    text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { "-- \($0)" }
  }
}

extension String {
  /// The text without what could end a line or a statement for a program that knows no SQL.
  var onOneLine: String {
    let scalars = unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    return String(String.UnicodeScalarView(scalars)).replacing(";", with: " -")
  }
}

extension String {
  /// The statement without a line at which the sqlite3 shell ends it: `/` or `go` alone joins the line before or after it,
  /// whichever has no comment. In a text the shell goes on by itself.
  /// See [Command-line features](https://sqlite.org/cli.html#rules_for_dot_commands_sql_and_more).
  var withoutTerminators: String {
    let bytes = Array(utf8)
    func isSpace(_ span: Span) -> Bool {
      span.start <= span.end && bytes[span.start..<span.end].allSatisfy { [9, 10, 11, 12, 13, 32].contains($0) }
    }
    func hasBreak(_ span: Span) -> Bool { bytes[span.start..<span.end].contains(10) }
    let tokens = (try? SQLLexer.tokens(of: self)) ?? []
    let edits = tokens.indices.dropFirst().dropLast().compactMap { place -> SQLEditing.Edit? in
      guard tokens[place].text == "/" || tokens[place].text.lowercased() == "go" else { return nil }
      let before = Span(start: tokens[place - 1].span.end, end: tokens[place].span.start)
      let after = Span(start: tokens[place].span.end, end: tokens[place + 1].span.start)
      guard hasBreak(before), hasBreak(after), let gap = [after, before].first(where: isSpace) else { return nil }
      return SQLEditing.Edit(span: gap, replacement: " ")
    }
    return SQLEditing.applying(edits, to: self)
  }
}

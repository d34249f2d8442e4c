import SchemaKit

/// A plan as a script for an engine that was named with `--profile`.
///
/// It begins with what must be true, so that it changes nothing where the database is not as the plan knows it, and
/// proves each copy while it runs. All of it must run in one transaction, which it makes sure of.
struct ProfileScript {
  let plan: MigrationPlan
  let profile: EngineProfile
  /// The statements that record the plan in the database.
  let history: HistoryScript

  var text: String { lines.map(\.withoutTerminators).joined(separator: "\n") }

  /// The instructions for running the script.
  static func advice(for profile: EngineProfile) -> [String] {
    let ways: [String] =
      switch profile.name {
      case .inTransaction, nil: ["Run it inside a transaction of your own, which you roll back after an error."]
      case .d1:
        [
          "Run it with: wrangler d1 execute DATABASE --file SCRIPT, which needs no BEGIN. In a Durable Object, run it in"
        ]
          + ["transactionSync()."]
      case .rqlite:
        ["Run it as one request: curl -sS -H 'Content-Type: text/plain' --data-binary @SCRIPT"]
          + [
            "'http://HOST:4001/db/execute?transaction&noparse'. The shell's .read runs each line by itself: do not use it."
          ]
      case .libsql: ["Run it with: turso db shell DATABASE < SCRIPT."]
      case .dqlite: ["Run it as one request of a client. The dqlite shell cuts it at every semicolon: do not use it."]
      }
    return ways.map { "-- \($0)" }
  }

  /// The instructions for the time after an error, where the script changes settings that a rollback leaves as they are.
  static func advice(afterErrorOf plan: MigrationPlan) -> [String] {
    var settings: [String] = []
    if plan.statements.contains(where: \.ignoresChecks) { settings.append("PRAGMA ignore_check_constraints=OFF") }
    if plan.statements.contains(where: \.leavesReferences) { settings.append("PRAGMA legacy_alter_table=OFF") }
    if plan.profile?.canSuspendForeignKeys == true { settings.append("PRAGMA foreign_keys=ON") }
    guard plan.profile?.hasTransactions == true || !settings.isEmpty else { return [] }
    return [
      "-- After an error roll back"
        + (settings.isEmpty ? "." : ". If the connection goes on, run \(settings.joined(separator: " and ")) on it.")
    ]
  }

  private var lines: [String] {
    var lines: [String] = []
    if profile.canSuspendForeignKeys { lines.append("PRAGMA foreign_keys=OFF;") }
    if profile.hasTransactions { lines.append("BEGIN IMMEDIATE;") }
    lines.append("PRAGMA defer_foreign_keys=ON;")
    lines += preconditions
    for step in plan.steps {
      lines += PlanReport.comment(step).map(\.onOneLine)
      if step.strategy.isProgramWork { lines.append("-- Only the program can do this, the script does not.") }
      for statement in step.statements {
        lines +=
          statement.role == .verification
          ? [proof(statement.sql, of: step)] : PlanReport.lines(of: statement)
      }
    }
    lines += plan.scriptConditions.childrenAfter.map(noNewOrphans)
    if !orphaned.isEmpty { lines.append("DROP TABLE \(Self.orphans);") }
    lines += history.statements.map(\.terminated)
    if profile.hasTransactions { lines.append("COMMIT;") }
    if profile.canSuspendForeignKeys { lines.append("PRAGMA foreign_keys=ON;") }
    return lines
  }

  // MARK: - Conditions

  private var preconditions: [String] {
    (plan.scriptConditions.objects + plan.scriptConditions.children).flatMap(objectGuards)
      + plan.scriptConditions.inbound.map(referenceGuard) + historyGuard
      + formerOrphans
      + plan.scriptConditions.rows.flatMap(rowGuard) + transactionGuard
  }

  /// The setting ends with the transaction, and the query before would be one of its own.
  ///
  /// See [PRAGMA defer_foreign_keys](https://sqlite.org/pragma.html#pragma_defer_foreign_keys).
  private var transactionGuard: [String] {
    [
      "SELECT count(*) FROM \"main\".sqlite_master;",
      PlanReport.stop(
        where: "(SELECT defer_foreign_keys FROM pragma_defer_foreign_keys) = 0",
        saying: "the script does not run as one transaction"),
    ]
  }

  /// A foreign key that came since could take its action on rows that the plan knows nothing of.
  private func referenceGuard(of references: ScriptConditions.References) -> String {
    PlanReport.stop(
      where: "(SELECT count(*) FROM \"main\".sqlite_master AS m, pragma_foreign_key_list(m.name) AS k "
        + "WHERE m.type = 'table' AND k.\"table\" = \(SQLQuoting.literal(references.table.text)) COLLATE NOCASE) "
        + "<> \(references.count)",
      saying: "the foreign keys that refer to \(references.table) are not those of the plan")
  }

  /// The history must be the one that the script adds to.
  private var historyGuard: [String] {
    switch history.former {
    case .unknown: return []
    case .none:
      return [
        PlanReport.stop(
          where: "EXISTS (SELECT 1 FROM \"main\".sqlite_master WHERE name = '_schemakit_schemas')",
          saying: "the database has a history that was not there when the plan was made")
      ]
    case .fingerprint(let fingerprint, let schema):
      let value = fingerprint.map { SQLQuoting.literal($0) } ?? "NULL"
      return [
        PlanReport.stop(
          where: "(SELECT fingerprint FROM main._schemakit_schemas WHERE name = \(SQLQuoting.literal(schema))) "
            + "IS NOT \(value)",
          saying: "the history has gone on since the plan was made")
      ]
    }
  }

  /// The texts of an object are compared one by one where a statement could become too long.
  private func objectGuards(of object: ScriptConditions.Object) -> [String] {
    let guards = PlanReport.guards(of: object)
    guard let most = profile.maximumStatementBytes, guards.contains(where: { $0.utf8.count > most }) else {
      return guards
    }
    return object.texts.map { text in
      PlanReport.stop(
        where: "NOT EXISTS (SELECT 1 FROM \"main\".sqlite_master WHERE sql = \(SQLQuoting.literal(text)))",
        saying: "\(object.name) is not as it was when the plan was made")
    }
  }

  private func isTooLong(_ sql: String) -> Bool { profile.maximumStatementBytes.map { sql.utf8.count > $0 } ?? false }

  private func rowGuard(_ rows: ScriptConditions.Rows) -> [String] {
    let place = rows.column.map { "\(rows.table).\($0)" } ?? "\(rows.table)"
    let message = "\(rows.code.rawValue) (\(rows.code.title)): \(place)"
    let stops =
      rows.count.map { count in
        [
          PlanReport.stop(where: "(\(count)) > 0", saying: "\(message). Rows", count: count),
          PlanReport.stop(where: "(\(count)) > 0", saying: message),
        ]
      } ?? []
    return stops.first { !isTooLong($0) }.map { [$0] }
      ?? PlanReport.comment("Not looked for again: \(message)").map(\.onOneLine)
  }

  // MARK: - Rows that refer to nothing

  private static let orphans = "\"main\".\"_schemakit_orphans\""

  /// The tables with rows that referred to nothing when the plan was made, and are left as they are.
  private var orphaned: [SQLName] {
    let names = Set(plan.hazards.filter { $0.code == .existingViolations }.map { SQLName($0.table) })
    return plan.scriptConditions.childrenBefore.filter(names.contains)
  }

  /// Statements that note the rows which refer to nothing before the change, and fail where there were none.
  private var formerOrphans: [String] {
    let orphaned = orphaned
    let notes = orphaned.map { child in
      let name = SQLQuoting.literal(child.text)
      return "INSERT INTO \(Self.orphans) SELECT \(name), \"rowid\" FROM pragma_foreign_key_check(\(name));"
    }
    let guards = plan.scriptConditions.childrenBefore.filter { !orphaned.contains($0) }.map { child in
      PlanReport.stop(
        where: "EXISTS (SELECT 1 FROM pragma_foreign_key_check(\(SQLQuoting.literal(child.text))))",
        saying: "rows of \(child) refer to no row. Correct them first")
    }
    return guards + (notes.isEmpty ? [] : ["CREATE TABLE \(Self.orphans) (\"child\", \"row\");"]) + notes
  }

  /// A statement that fails where a row refers to nothing that did not before.
  private func noNewOrphans(in child: ScriptConditions.ChildAfter) -> String {
    let found = "FROM pragma_foreign_key_check(\(SQLQuoting.literal(child.name.text)))"
    let known =
      "(SELECT count(*) FROM \(Self.orphans) WHERE \"child\" = \(SQLQuoting.literal(child.formerName.text)) COLLATE NOCASE"
    let condition =
      !orphaned.contains(child.formerName)
      ? "EXISTS (SELECT 1 \(found))"
      : child.keepsRowIDs
        ? "EXISTS (SELECT 1 FROM (SELECT \"rowid\" AS \"r\", count(*) AS \"n\" \(found) GROUP BY \"rowid\") "
          + "WHERE \"n\" > \(known) AND \"row\" IS \"r\"))"
        : "(SELECT count(*) \(found)) > \(known))"
    return PlanReport.stop(where: condition, saying: "after the change, rows of \(child.name) would refer to no row")
  }

  /// A query that finds faults, as a statement that fails where it does.
  private func proof(_ sql: String, of step: MigrationStep) -> String {
    PlanReport.stop(
      where: "EXISTS (\(sql))", saying: "rows of \(step.object) would not be what they were (\(step.strategy.rawValue))"
    )
  }
}

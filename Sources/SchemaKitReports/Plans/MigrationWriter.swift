package import SchemaKit
import SchemaKitOperations

/// Writes a plan as a recorded step that any SQLite from 3.35 on can run, with the reasons as comments.
package struct MigrationWriter {
  private let plan: MigrationPlan
  private let source: DatabaseSchema
  private let target: TargetSchema

  /// - Parameters:
  ///   - plan: The plan, made to be recorded.
  ///   - source: The schema before the step.
  ///   - target: The schema that it leads to.
  package init(_ plan: MigrationPlan, from source: DatabaseSchema, to target: TargetSchema) {
    self.plan = plan
    self.source = source
    self.target = target
  }

  /// The step's text.
  ///
  /// - Parameter name: The step's name.
  package func text(name: String) -> String {
    var head = ["Step \(name): \(plan.changes.subjects)."]
    head.append("apply --migrations takes from this file the schema that it leads to, and the lines that begin with")
    head.append("\"schemakit:\". It plans the way there for the rows of each database.")
    for step in changes {
      head.append("")
      head.append(Self.words(for: step))
      if let reason = step.reason { head.append("  \(reason)") }
    }
    var lines = head.flatMap { $0.isEmpty ? ["--"] : PlanReport.comment($0) }
    let directives = directives
    if !directives.isEmpty { lines += [""] + directives }
    return (lines + [""] + script).joined(separator: "\n") + "\n"
  }

  /// Describes a plan, one line for each step with an effect of its own.
  package static func lines(of plan: MigrationPlan) -> [String] {
    plan.steps.filter { $0.onBehalfOf == nil }.map(words)
  }

  /// Describes a step.
  private static func words(for step: MigrationStep) -> String {
    let label = "\(step.strategy.rawValue) \(step.object.kind) \(step.object)"
    return step.edits.isEmpty ? label : "\(label): \(step.changes.joined(separator: "; "))"
  }

  private var changes: [MigrationStep] { plan.steps.filter { $0.onBehalfOf == nil } }

  private var script: [String] {
    let statements = plan.statements.filter { $0.role != .verification }
    let needsTransaction = statements.contains { $0.role != .definition } || plan.violatesReferencesForAWhile
    var lines = needsTransaction ? ["PRAGMA foreign_keys=OFF;", "BEGIN IMMEDIATE;"] : []
    for statement in statements {
      if statement.leavesReferences { lines.append("PRAGMA legacy_alter_table=ON;") }
      if statement.role != .definition { lines.append("-- schemakit: rows") }
      lines.append(Self.withoutMain(statement.sql).terminated)
      if statement.leavesReferences { lines.append("PRAGMA legacy_alter_table=OFF;") }
    }
    return lines + (needsTransaction ? ["COMMIT;"] : [])
  }

  private var directives: [String] {
    var directives = MigrationDirectives()
    for (new, old) in plan.renames.formerTables.sorted(by: { $0.key < $1.key }) {
      directives.renames.append("\(old.quotedIfNeeded)=\(new.quotedIfNeeded)")
    }
    for (table, columns) in plan.renames.formerColumns.sorted(by: { $0.key < $1.key }) {
      let former = plan.renames.formerTable(table)
      directives.renames += columns.sorted { $0.key < $1.key }.map { new, old in
        "\(former.quotedIfNeeded).\(old.quotedIfNeeded)=\(table.quotedIfNeeded).\(new.quotedIfNeeded)"
      }
    }
    let touched = plan.touchedTables
    for (table, hints) in target.hints.tables.sorted(by: { $0.key < $1.key }) where touched.contains(table) {
      for (column, hint) in hints.columns.sorted(by: { $0.key < $1.key }) {
        if let fill = hint.backfill, mayFill(column, of: table) {
          directives.fills.append(.init(table: table, column: column, expression: Self.oneLine(fill)))
        }
        if let conversion = hint.conversion {
          directives.conversions.append(.init(table: table, column: column, expression: Self.oneLine(conversion)))
        }
      }
    }
    var seen: Set<String> = []
    directives.allowances = plan.hazards.filter { [.lossy, .destructive].contains($0.hazardClass) }.map { hazard in
      let column = hazard.column.map { ".\(SQLName($0).quotedIfNeeded)" } ?? ""
      return "\(hazard.code.rawValue):\(SQLName(hazard.table).quotedIfNeeded)\(column)"
    }.filter { seen.insert($0).inserted }
    return directives.lines
  }

  /// True if a column is new or gets NOT NULL, as nothing is filled in otherwise.
  private func mayFill(_ column: SQLName, of table: SQLName) -> Bool {
    guard let after = target.schema.table(table)?.column(column),
      let before = source.table(plan.renames.formerTable(table))?
        .column(plan.renames.formerColumn(column, of: table))
    else { return true }
    return after.isNotNull && (!before.isNotNull || !before.hasSameType(as: after))
  }

  /// A CREATE, DROP or ALTER without the schema's name before the object's own, which readers need not see.
  private static func withoutMain(_ sql: String) -> String {
    guard let tokens = try? SQLLexer.tokens(of: sql), tokens.count > 4,
      ["CREATE", "DROP", "ALTER"].contains(where: tokens[0].isKeyword),
      let place = [2, 3].first(where: { tokens[$0].text == "\"main\"" && tokens[$0 + 1].isSymbol(".") })
    else { return sql }
    let bytes = Array(sql.utf8)
    return String(decoding: bytes[..<tokens[place].span.start] + bytes[tokens[place + 1].span.end...], as: UTF8.self)
  }

  private static func oneLine(_ expression: String) -> String {
    expression.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

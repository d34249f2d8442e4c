@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

/// Finds what the rules say of SQL.
struct LintScene {
  let findings: [Finding]
  let schema: DatabaseSchema

  init(_ sql: String, selecting change: (inout LintSelection) throws -> Void = { _ in }) throws {
    try Engine.require(sql)
    let target = try SchemaSource.sql(sql, source: "s.sql").load().target
    schema = target.schema
    var selection = LintSelection()
    try selection.add(ignores: target.hints.ignores)
    selection.rules = target.hints.rules
    try change(&selection)
    findings = try SchemaLint.findings(
      in: schema, selection: selection, locators: [LintLocator(sql, file: "s.sql")]
    ).kept
  }

  /// The objects that a rule names.
  func objects(_ code: String) -> [String] { findings.filter { $0.code == code }.map(\.object) }

  /// The lines on which a rule finds something.
  func lines(_ code: String) -> [Int?] { findings.filter { $0.code == code }.map(\.line) }

  /// The statements that mend what a rule found.
  func fixes(_ code: String) -> [String] { findings.filter { $0.code == code }.flatMap(\.fixSQL) }
}

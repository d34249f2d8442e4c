package import SchemaKit

/// Looks for likely mistakes in a schema.
package enum SchemaLint {
  /// The findings of the rules, and the exceptions that matched nothing.
  ///
  /// *Cost:* creates the schema in an empty in-memory database if it has views or triggers; reads no rows.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - selection: Which findings are wanted.
  ///   - locators: Find the lines of the schema's texts; none if it has none.
  ///   - allowance: The limits of each rule of the project's own.
  /// - Throws: `ProjectRuleError` for a rule of the project's own that cannot be asked.
  package static func findings(
    in schema: DatabaseSchema, selection: LintSelection = LintSelection(), locators: [LintLocator] = [],
    allowance: QueryAllowance = QueryAllowance()
  ) throws -> (kept: [Finding], idle: [LintSelection.Skip]) {
    let subject = LintSubject(schema, faults: try CompilationReader.faults(of: schema), rules: selection.allRules)
    let own = try ProjectRule.findings(of: selection.wantedProjectRules, in: subject, within: allowance)
    let found = LintRules.inOrder(LintRules.findings(in: subject) + own, of: schema)
    return selection.apply(to: locators.reduce(found) { $1.locate($0, in: schema) })
  }
}

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
  package static func findings(
    in schema: DatabaseSchema, selection: LintSelection = LintSelection(), locators: [LintLocator] = []
  ) throws -> (kept: [Finding], idle: [LintSelection.Skip]) {
    let subject = LintSubject(schema, faults: try CompilationReader.faults(of: schema), rules: selection.allRules)
    let found = LintRules.findings(in: subject)
    return selection.apply(to: locators.reduce(found) { $1.locate($0, in: schema) })
  }
}

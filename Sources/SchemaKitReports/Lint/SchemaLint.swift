package import SchemaKit

/// Looks for likely mistakes in a schema.
package enum SchemaLint {
  /// What the rules find, and the exceptions that nothing needed.
  ///
  /// *Cost:* creates the schema in an empty database in memory where it has views or triggers; reads no row.
  ///
  /// - Parameters:
  ///   - schema: The schema.
  ///   - selection: What is wanted of the findings.
  ///   - locator: Finds the lines of the schema's text; nil where there is none.
  package static func findings(
    in schema: DatabaseSchema, selection: LintSelection = LintSelection(), locator: LintLocator? = nil
  ) throws -> (kept: [Finding], idle: [LintSelection.Skip]) {
    let subject = LintSubject(schema, faults: try CompilationReader.faults(of: schema))
    let found = LintRules.findings(in: subject)
    return selection.apply(to: locator?.locate(found, in: schema) ?? found)
  }
}

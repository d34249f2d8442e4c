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
  ///   - locator: Finds the lines of the schema's text; nil if there is none.
  package static func findings(
    in schema: DatabaseSchema, selection: LintSelection = LintSelection(), locator: LintLocator? = nil
  ) throws -> (kept: [Finding], idle: [LintSelection.Skip]) {
    let subject = LintSubject(schema, faults: try CompilationReader.faults(of: schema))
    let found = LintRules.findings(in: subject)
    return selection.apply(to: locator?.locate(found, in: schema) ?? found)
  }
}

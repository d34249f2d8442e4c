extension ArraySlice<String> {
  /// The terms joined by an operator and nested in halves: SQLite takes no expression that is deeper than 1,000, and D1 none
  /// deeper than 100; tables have up to 2,000 columns.
  ///
  /// The terms must bind at least as tightly as the operator.
  /// See [Limits](https://sqlite.org/limits.html#max_expr_depth).
  package func nested(by operation: String) -> String {
    guard count > 8 else { return joined(separator: " \(operation) ") }
    let middle = startIndex + count / 2
    return "(\(self[..<middle].nested(by: operation))) \(operation) (\(self[middle...].nested(by: operation)))"
  }
}

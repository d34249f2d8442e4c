// Most conversions change no value, and SQLite itself can say so of each value while it reads the file. Only where it
// cannot, the rows are stored in a temporary table under the new types, which takes ten times as long.
extension RowCheckSubject {
  /// A condition on the rows of the file which is true at least for those that lose something when SQLite stores a column
  /// under its new type, or that it cannot store; nil where nothing simple says it.
  ///
  /// It goes by [type affinity](https://sqlite.org/datatype3.html#type_affinity): a text that is an integer in its
  /// shortest form becomes that integer, and that integer becomes that text. The file's values of a generated column do
  /// not matter, because they are computed anew.
  package func doubt(about column: ColumnSchema) -> String? {
    guard !projection.usesExpressions, column.generation == nil, projection.isPlain(column),
      let before = projection.sourceColumn(of: column)
    else { return nil }
    let value = projection.reference(before.name)
    func comesBack(as type: String, from stored: String) -> String {
      "\(value) IS NOT CAST(CAST(\(value) AS \(stored)) AS \(type)) COLLATE BINARY"
    }
    func byKind(_ kinds: [(String, String)]) -> String {
      let cases = kinds.map { "WHEN '\($0)' THEN \($1)" }.joined(separator: " ")
      return "CASE typeof(\(value)) WHEN 'null' THEN 0 \(cases) ELSE 1 END"
    }
    switch (before.affinity, column.affinity) {
    case (.text, .integer), (.text, .numeric): return comesBack(as: "TEXT", from: "INTEGER")
    case (.text, .real): return comesBack(as: "TEXT", from: "REAL")
    // A column without a type takes back no text of a number that became one, and no real that became an integer.
    case (.blob, .integer), (.blob, .numeric): return byKind([("integer", "0")])
    case (.blob, .real):
      return byKind([("integer", "CAST(\(value) AS REAL) <> \(value)"), ("real", "0")])
    case (.integer, .text), (.numeric, .text): return byKind([("integer", "0"), ("text", "0")])
    case (.real, .text): return byKind([("real", comesBack(as: "REAL", from: "TEXT")), ("text", "0")])
    case (.integer, .real), (.numeric, .real): return byKind([("integer", "CAST(\(value) AS REAL) <> \(value)")])
    case (.real, .integer), (.real, .numeric): return byKind([("real", "CAST(\(value) AS INTEGER) <> \(value)")])
    case (.integer, .numeric), (.numeric, .integer): return byKind([("integer", "0")])
    default: return nil
    }
  }

  /// A value of the file with the classes that raise no doubt; nil where the class does not say it.
  package func undoubted(_ column: ColumnSchema) -> ClassedValue? {
    guard doubt(about: column) != nil, let before = projection.sourceColumn(of: column) else { return nil }
    let kind: StoredClasses.Kind
    switch (before.affinity, column.affinity) {
    case (.integer, .real), (.numeric, .real): kind = .exactInteger
    case (.blob, .integer), (.blob, .numeric), (.integer, .numeric), (.numeric, .integer): kind = .strictInteger
    default: return nil
    }
    return ClassedValue(value: projection.reference(before.name), stores: StoredClasses(kind))
  }

  /// A value of the file that is not NULL unless the column would hold NULL; nil where none says it.
  package func present(_ column: ColumnSchema) -> ClassedValue? {
    guard isNull(column) != nil, projection.isPlain(column), let before = projection.sourceColumn(of: column) else {
      return nil
    }
    return ClassedValue(
      value: projection.reference(before.name), stores: StoredClasses(.any, takesNull: false))
  }

  /// A condition on the rows of the file which is true for those that would hold NULL; nil where nothing simple says it.
  ///
  /// No conversion of SQLite's makes a NULL, or anything else of one.
  package func isNull(_ column: ColumnSchema) -> String? {
    guard !projection.usesExpressions, column.generation == nil, target.rowIDAlias?.name != column.name else {
      return nil
    }
    return projection.expression(of: column).map { RowProjection.isNull("(\($0))") }
  }
}

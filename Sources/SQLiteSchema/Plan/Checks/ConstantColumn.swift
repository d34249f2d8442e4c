// A new column that is filled by nothing but a plain default has one value in all rows. A query of the file can give that
// value, so that no row has to be stored under the new types before it is asked about.
extension RowProjection {
  /// The new columns with one value in all rows: for each an expression with that value, and with the affinity of the column.
  package var constants: [SQLName: String] {
    let values = target.writableColumns.compactMap { column in constant(column).map { (column.name, $0) } }
    return Dictionary(values) { first, _ in first }
  }

  /// A CAST has the affinity of its type, and changes none of these values.
  /// See [Affinity of expressions](https://sqlite.org/datatype3.html#affinity_of_expressions).
  private func constant(_ column: ColumnSchema) -> String? {
    guard sourceColumn(of: column) == nil, hints.columns[column.name]?.backfill == nil, column.collation == nil,
      target.rowIDAlias?.name != column.name, !column.name.isTruthValue, let type = column.affinity.castType
    else { return nil }
    guard let value = column.defaultValue, !value.isNull else { return "CAST(NULL AS \(type))" }
    switch (value.form, column.affinity) {
    case (.text, .text), (.decimal, .real), (.integer, .integer), (.integer, .numeric), (.integer, .real):
      return "CAST(\(value.expression) AS \(type))"
    // As a word it could be the name of a column.
    case (.truth(let isTrue), .integer), (.truth(let isTrue), .numeric), (.truth(let isTrue), .real):
      return "CAST(\(isTrue ? 1 : 0) AS \(type))"
    default: return nil
    }
  }
}

extension Affinity {
  /// The type for a CAST; nil where it would make BLOBs.
  fileprivate var castType: String? {
    switch self {
    case .integer: "INTEGER"
    case .real: "REAL"
    case .numeric: "NUMERIC"
    case .text: "TEXT"
    case .blob: nil
    }
  }
}

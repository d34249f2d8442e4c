/// How each column of a new version of a table gets its value from the rows of the old one.
///
/// The same projection serves the copy of a rebuild and the questions that are asked of the rows before it.
/// Values are never CAST: the new column's affinity converts them when they are stored, which keeps what does not fit.
struct RowProjection {
  /// The table that is read, under the names it has when the query runs.
  var source: TableSchema
  var target: TableSchema
  var hints: TableHints
  /// The name that a column of the new version has in `source`, for columns that it has.
  var sourceName: (SQLName) -> SQLName
  /// The names under which expressions may call columns of `source`: the old names first, which win where they clash.
  var names: [(name: SQLName, column: SQLName)]

  /// The alias of the source in queries.
  static let alias = "_old"

  /// The source column of a column that both versions have.
  func sourceColumn(of column: ColumnSchema) -> ColumnSchema? { source.column(sourceName(column.name)) }

  /// Whether a column's author gave an expression that is needed here.
  func usesConversion(_ column: ColumnSchema) -> Bool {
    guard hints.columns[column.name]?.conversion != nil, let before = sourceColumn(of: column) else { return false }
    return !before.hasSameType(as: column)
  }

  /// What stands in for a missing value: a backfill, else the default; nil when there is neither.
  func fill(of column: ColumnSchema) -> String? {
    if let backfill = hints.columns[column.name]?.backfill { return "(\(backfill))" }
    guard let value = column.defaultValue, !value.isNull, target.rowIDAlias?.name != column.name else { return nil }
    return value.expression
  }

  /// Whether NULLs of the source are replaced.
  func fillsNulls(_ column: ColumnSchema) -> Bool {
    guard let before = sourceColumn(of: column), column.isNotNull, fill(of: column) != nil else { return false }
    return !before.isNotNull || usesConversion(column)
  }

  /// Whether NULL comes back in some rows.
  func restoresNulls(_ column: ColumnSchema) -> Bool {
    hints.columns[column.name]?.nullCondition != nil && sourceColumn(of: column) != nil
  }

  /// Whether the value is taken over as it is.
  func isPlain(_ column: ColumnSchema) -> Bool {
    sourceColumn(of: column) != nil && !usesConversion(column) && !fillsNulls(column)
      && !restoresNulls(column)
  }

  /// Whether the value is taken over as it is and stored with the same affinity.
  func isUnchanged(_ column: ColumnSchema) -> Bool {
    guard isPlain(column), let before = sourceColumn(of: column) else { return false }
    return before.affinity == column.affinity
  }

  /// The value of a column, or nil when the column is left to its default.
  func expression(of column: ColumnSchema) -> String? {
    let hint = hints.columns[column.name]
    guard let before = sourceColumn(of: column) else {
      if let backfill = hint?.backfill { return "(\(backfill))" }
      // A new INTEGER PRIMARY KEY takes over the rowids that were there.
      return column.name == target.rowIDAlias?.name ? rowKey : nil
    }
    var value = reference(before.name)
    if usesConversion(column), let conversion = hint?.conversion { value = "(\(conversion))" }
    if fillsNulls(column), let fill = fill(of: column) { value = "coalesce(\(value), \(fill))" }
    if let condition = hint?.nullCondition {
      value = "CASE WHEN \(condition) THEN NULL ELSE \(value) END"
    }
    return value
  }

  /// What happens to the values of columns by the author's words, a phrase each.
  ///
  /// - Parameter hasNulls: Whether a column holds NULL where it takes another value.
  func valueWords(hasNulls: (SQLName) -> Bool) -> [String] {
    target.writableColumns.compactMap { valueWords(of: $0, hasNulls: hasNulls($0.name)) }
  }

  /// What happens to the values of a column by the author's words; nil where nothing does.
  func valueWords(of column: ColumnSchema, hasNulls: Bool) -> String? {
    func words(_ expression: String) -> String {
      ColumnHints.isSwift(expression) ? "what Swift computes" : expression
    }
    let name = column.name
    let hint = hints.columns[name]
    if usesConversion(column), let conversion = hint?.conversion { return "\(name) becomes \(words(conversion))" }
    if sourceColumn(of: column) == nil { return hint?.backfill.map { "\(name) is filled with \(words($0))" } }
    if restoresNulls(column) { return "NULL comes back in \(name)" }
    guard fillsNulls(column), hasNulls, let fill = hint?.backfill ?? column.defaultValue?.value.text else { return nil }
    return "NULL in \(name) becomes \(words(fill))"
  }

  /// The rowid of a source row, if it has one that can be named.
  var rowKey: String? {
    guard let key = source.rowKey else { return nil }
    return usesExpressions
      ? "\(Self.alias.quotedIdentifier).\"_schemakit_rowid\"" : "\(Self.alias.quotedIdentifier).\(key)"
  }

  /// A text that names a source row as its author would: by its declared key, else by its rowid.
  var sampleKey: String {
    if source.rowIDAlias != nil, let rowKey { return rowKey }
    let keys = source.primaryKey?.columns.map { reference($0.name) } ?? []
    if let key = keys.first, keys.count == 1 {
      return rowKey.map { "coalesce(\(key), 'rowid ' || \($0))" } ?? key
    }
    if !keys.isEmpty { return "'(' || " + keys.map { "quote(\($0))" }.joined(separator: " || ', ' || ") + " || ')'" }
    return rowKey ?? source.columns.map { "quote(\(reference($0.name)))" }.joined(separator: " || ', ' || ")
  }

  /// Whether any column needs an author's expression, which may call columns by several names.
  var usesExpressions: Bool {
    guard !hints.columns.isEmpty else { return false }
    return target.writableColumns.contains { column in
      let hint = hints.columns[column.name]
      if usesConversion(column) || restoresNulls(column) { return true }
      guard hint?.backfill != nil else { return false }
      return sourceColumn(of: column) == nil || fillsNulls(column)
    }
  }

  /// A column of the source in a query over `fromClause`. Qualified, so that SQLite can never take it for a text.
  func reference(_ column: SQLName) -> String {
    let name = usesExpressions ? Self.carrier(of: column, in: source) : column
    return "\(Self.alias.quotedIdentifier).\(name.quoted)"
  }

  /// A name for a column inside the query that no author's expression can mean.
  private static func carrier(of column: SQLName, in table: TableSchema) -> SQLName {
    SQLName("_schemakit_\(table.position(of: column) ?? 0)")
  }

  /// What the query reads from.
  var fromClause: String { fromClause(order: "") }

  /// The same, row by row as the table stores them. An index that holds all that is read would be read in its own order,
  /// and the copy filled here and there.
  /// See [NOT INDEXED](https://sqlite.org/lang_indexedby.html).
  var fromClauseInOrder: String { fromClause(order: " \(Self.tableOrder)") }

  static let tableOrder = "NOT INDEXED"

  private func fromClause(order: String) -> String {
    let table = "\"main\".\(source.name.quoted)"
    guard usesExpressions else { return "\(table) AS \(Self.alias.quotedIdentifier)\(order)" }
    var terms = source.columns.map { "\($0.name.quoted) AS \(Self.carrier(of: $0.name, in: source).quoted)" }
    var given: Set<SQLName> = []
    for alias in names where given.insert(alias.name).inserted {
      terms.append("\(alias.column.quoted) AS \(alias.name.quoted)")
    }
    if let key = source.rowKey { terms.append("\(key) AS \"_schemakit_rowid\"") }
    return "(SELECT \(terms.joined(separator: ", ")) FROM \(table)\(order)) AS \(Self.alias.quotedIdentifier)"
  }
}

extension String {
  /// The text as an SQL identifier.
  var quotedIdentifier: String { SQLQuoting.identifier(self) }
}

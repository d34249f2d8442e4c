/// The source of each column's value when a new version of a table is filled from the rows of the old one.
///
/// The same projection is used for the copy of a rebuild and for the row checks before it. Values are never CAST: the
/// new column's affinity converts them when they are stored, which keeps what does not fit.
package struct RowProjection {
  /// The table that is read, by the names it has when the query runs.
  package let source: TableSchema
  package private(set) var target: TableSchema
  package let hints: TableHints
  /// The name in `source` of a column of the new version, for columns that it has.
  package let sourceName: (SQLName) -> SQLName
  /// True if any column needs a declared expression, which may refer to columns by several names.
  package private(set) var usesExpressions = false
  /// The names by which expressions find the columns of `source`, if they are not its own; nil if the table itself is
  /// read.
  private var exports: ExportedColumns?
  /// Which rows are read; nil for all.
  private var condition: String?
  /// The columns in which no row holds NULL, as far as that was counted.
  package var withoutNulls: Set<SQLName> = []
  /// The columns of which some values are stored otherwise although nothing about them changes.
  package var convertedColumns: Set<SQLName> = []

  /// - Parameter names: The names by which expressions may refer to columns of `source`: the old names first, which
  ///   take precedence in a conflict.
  package init(
    source: TableSchema, target: TableSchema, hints: TableHints, sourceName: @escaping (SQLName) -> SQLName,
    names: [(name: SQLName, column: SQLName)]
  ) {
    self.source = source
    self.target = target
    self.hints = hints
    self.sourceName = sourceName
    guard !hints.columns.isEmpty else { return }
    usesExpressions = target.writableColumns.contains(where: usesExpression)
    if usesExpressions, names.contains(where: { $0.name != $0.column }) {
      exports = ExportedColumns(of: source, names: names, readBy: hints)
    }
  }

  /// The rows of a table as they are, by its own name.
  package init(reading table: TableSchema) {
    self.init(source: table, target: table, hints: TableHints(), sourceName: { $0 }, names: [])
    usesExpressions = true
  }

  /// The same values for a table that has some of the columns.
  package func onto(_ target: TableSchema) -> RowProjection {
    var projection = self
    projection.target = target
    return projection
  }

  /// The same values of some rows.
  ///
  /// - Parameter condition: Which rows, over the columns of the source.
  package func restricted(to condition: String) -> RowProjection {
    var projection = self
    projection.condition = condition
    projection.exports =
      exports
      ?? ExportedColumns(of: source, names: source.columns.map { (name: $0.name, column: $0.name) }, readBy: hints)
    return projection
  }

  /// The alias of the source in queries: its own name lets a declared expression distinguish the row from those of a
  /// subquery on the same table.
  package var alias: String { usesExpressions ? target.name.quoted : Self.plainAlias }
  private static let plainAlias = "\"_old\""

  /// The source column of a column that both versions have.
  package func sourceColumn(of column: ColumnSchema) -> ColumnSchema? { source.column(sourceName(column.name)) }

  /// True if the values of a column are replaced: by what an author declares, or by the same ones in another form.
  package func usesConversion(_ column: ColumnSchema) -> Bool {
    usesDeclaredConversion(column) || recoding(of: column) != nil
  }

  /// True if a declared expression of a column is needed here.
  package func usesDeclaredConversion(_ column: ColumnSchema) -> Bool {
    guard hints.columns[column.name]?.conversion != nil, let before = sourceColumn(of: column) else { return false }
    return !before.hasSameType(as: column) || hints.formChanges[column.name]?.way == .convert
  }

  /// The change of form that the values of a column go through; nil if they keep their form.
  package func recoding(of column: ColumnSchema) -> FormChange? {
    guard let change = hints.formChanges[column.name], change.way == .recode, sourceColumn(of: column) != nil,
      !usesDeclaredConversion(column)
    else { return nil }
    return change
  }

  /// The expression that replaces a value; nil if the value is taken over.
  package func conversion(of column: ColumnSchema) -> String? {
    if usesDeclaredConversion(column) { return hints.columns[column.name]?.conversion }
    guard let before = sourceColumn(of: column) else { return nil }
    return recoding(of: column)?.recoded(reference(before.name))
  }

  /// The replacement for a missing value: a backfill, else the default; nil if there is neither.
  package func fill(of column: ColumnSchema) -> String? {
    if let backfill = hints.columns[column.name]?.backfill { return "(\(backfill))" }
    guard let value = column.defaultValue, !value.isNull, target.rowIDAlias?.name != column.name else { return nil }
    return value.expression
  }

  /// True if NULLs of the source are replaced.
  package func fillsNulls(_ column: ColumnSchema) -> Bool {
    guard let before = sourceColumn(of: column), target.refusesNull(in: column), let fill = fill(of: column) else {
      return false
    }
    if usesDeclaredConversion(column) { return true }
    // The time or a random number is not left to rows that may still come: it differs from node to node of a server.
    let isIdle = withoutNulls.contains(column.name) && ChangingCall.first(in: fill) != nil
    return !source.refusesNull(in: before) && !isIdle
  }

  /// True if NULL is restored in some rows.
  package func restoresNulls(_ column: ColumnSchema) -> Bool {
    hints.columns[column.name]?.nullCondition != nil && sourceColumn(of: column) != nil
  }

  /// True for a column that gets back the values that were kept when it was dropped.
  package func isRestored(_ column: ColumnSchema) -> Bool {
    sourceColumn(of: column) == nil && hints.columns[column.name]?.isRestored == true
  }

  /// True if the value is copied unchanged.
  package func isPlain(_ column: ColumnSchema) -> Bool {
    sourceColumn(of: column) != nil && !usesConversion(column) && !fillsNulls(column)
      && !restoresNulls(column)
  }

  /// True if the value is copied unchanged and stored with the same affinity.
  package func isUnchanged(_ column: ColumnSchema) -> Bool {
    guard isPlain(column), let before = sourceColumn(of: column) else { return false }
    return before.affinity == column.affinity
  }

  /// The value of a column; nil if the column is left to its default.
  package func expression(of column: ColumnSchema) -> String? {
    let hint = hints.columns[column.name]
    guard let before = sourceColumn(of: column) else {
      if let backfill = hint?.backfill { return "(\(backfill))" }
      // A new INTEGER PRIMARY KEY takes over the existing rowids.
      return column.name == target.rowIDAlias?.name ? rowKey : nil
    }
    var value = reference(before.name)
    if let conversion = conversion(of: column) { value = "(\(conversion))" }
    if fillsNulls(column), let fill = fill(of: column) { value = "coalesce(\(value), \(fill))" }
    if let condition = hint?.nullCondition {
      value = "CASE WHEN \(condition) THEN NULL ELSE \(value) END"
    }
    return value
  }

  /// The rowid of a source row, if it has one that can be referred to by name.
  package var rowKey: String? {
    guard let key = source.rowKey else { return nil }
    return "\(alias).\(exports?.rowKey?.quoted ?? key)"
  }

  /// A text that identifies a source row for the user: by its declared key, else by its rowid.
  package var sampleKey: String {
    if source.rowIDAlias != nil, let rowKey { return rowKey }
    let keys = source.primaryKey?.columns.map { reference($0.name) } ?? []
    if let key = keys.first, keys.count == 1 {
      return rowKey.map { "coalesce(\(key), 'rowid ' || \($0))" } ?? key
    }
    if !keys.isEmpty { return Self.tuple(keys) }
    return rowKey ?? Self.tuple(source.columns.map { reference($0.name) })
  }

  private static func tuple(_ values: [String]) -> String {
    "'(' || " + values.map { "quote(\($0))" }.joined(separator: " || ', ' || ") + " || ')'"
  }

  /// True if a column needs its declared expression.
  private func usesExpression(_ column: ColumnSchema) -> Bool {
    if usesDeclaredConversion(column) || restoresNulls(column) { return true }
    guard hints.columns[column.name]?.backfill != nil else { return false }
    return sourceColumn(of: column) == nil || fillsNulls(column)
  }

  /// A column of the source in a query over `fromClause`. Qualified, so that SQLite can never read it as a string
  /// literal.
  package func reference(_ column: SQLName) -> String { "\(alias).\((exports?.names[column] ?? column).quoted)" }

  /// The FROM clause of the query, without the keyword.
  package var fromClause: String { fromClause(order: "") }

  /// The same, in the order in which the table stores its rows. An index that covers the query would be read in its own
  /// order, and the copy filled out of order.
  /// See [NOT INDEXED](https://sqlite.org/lang_indexedby.html).
  package var fromClauseInOrder: String { fromClause(order: " \(source.rowOrder)") }

  private func fromClause(order: String) -> String {
    let table = "\"main\".\(source.name.quoted)"
    guard let exports else { return "\(table) AS \(alias)\(order)" }
    let which = condition.map { " WHERE \($0)" } ?? ""
    return "(SELECT \(exports.terms.joined(separator: ", ")) FROM \(table)\(order)\(which)) AS \(alias)"
  }
}

extension RowProjection {
  /// The columns of a new version that would hold another value than before, or compare otherwise, or were not there.
  package var changingColumns: Set<SQLName> {
    let first = target.columns.filter { column in
      guard let before = sourceColumn(of: column) else { return true }
      if before.collation != column.collation || before.affinity != column.affinity { return true }
      if before.isStoredOtherwise || convertedColumns.contains(column.name) { return true }
      // A stored value may differ from the one that is computed.
      if before.generation?.isStored == true, column.generation?.isStored == false { return true }
      guard let generation = column.generation else { return !isUnchanged(column) && !isLeftByFill(column) }
      return !computesTheSame(before, generation.expression)
    }
    var changing = Set(first.map(\.name))
    // A generated column changes with what it reads.
    var count = -1
    while count != changing.count {
      count = changing.count
      for column in target.generatedColumns where !changing.contains(column.name) {
        if changing.contains(where: { column.generation?.expression.mentions($0) == true }) {
          changing.insert(column.name)
        }
      }
    }
    return changing
  }

  /// The stored columns whose values are not taken over although their expression stays.
  package var recomputedColumns: Set<SQLName> {
    let columns = columnsStoredBefore
    return columns.isEmpty ? [] : changingColumns.intersection(columns.map(\.name))
  }

  /// The stored columns that have the expression of before, over values that stay.
  ///
  /// - Parameter converted: Columns of the source with values that the copy converts.
  package func storedColumns(exceptConverted converted: Set<SQLName>) -> [ColumnSchema] {
    let columns = columnsStoredBefore.filter { $0.generation?.isStored == true }
    guard !columns.isEmpty else { return [] }
    let given = target.columns.map(\.name).filter { converted.contains(sourceName($0)) }
    let changing = changingColumns.union(given).union(target.generatedColumns(reading: given).map(\.name))
    return columns.filter { !changing.contains($0.name) }
  }

  /// The generated columns that were stored, and have the same expression.
  private var columnsStoredBefore: [ColumnSchema] {
    target.generatedColumns.filter { column in
      guard let before = sourceColumn(of: column), before.generation?.isStored == true,
        let expression = column.generation?.expression
      else { return false }
      return computesTheSame(before, expression)
    }
  }

  /// The column that becomes the alias of the rowid with the values that it has; nil if there is none.
  package var newRowIDAlias: SQLName? {
    guard let alias = target.rowIDAlias, let before = sourceColumn(of: alias), source.rowIDAlias?.name != before.name
    else { return nil }
    return alias.name
  }

  /// True if a column was computed by an expression already, under the former names of what it reads.
  private func computesTheSame(_ before: ColumnSchema, _ expression: CanonicalSQL) -> Bool {
    guard let former = before.generation?.expression, let old = try? SQLLexer.tokens(of: former.key),
      let new = try? SQLLexer.tokens(of: expression.key), old.count == new.count
    else { return false }
    return zip(old, new).allSatisfy { old, new in
      guard new.kind != .string, let name = new.name, target.column(name) != nil else { return old.text == new.text }
      return old.kind != .string && old.name == sourceName(name)
    }
  }

  /// True for a column of which only NULLs would change, and no row holds one.
  private func isLeftByFill(_ column: ColumnSchema) -> Bool {
    withoutNulls.contains(column.name) && fillsNulls(column) && !usesConversion(column) && !restoresNulls(column)
  }
}

/// The columns of a table under names other than its own, in a subquery that replaces it.
///
/// Each is included once, and again under each further name that an expression mentions, since a query can have at most
/// as many columns as a table. See [Limits](https://sqlite.org/limits.html#max_column).
private struct ExportedColumns {
  /// A name by which each column is found, whatever its own name means in an expression.
  private(set) var names: [SQLName: SQLName] = [:]
  /// The name of the rowid; nil if there is none.
  private(set) var rowKey: SQLName?
  /// The result columns of the query.
  private(set) var terms: [String] = []

  init(of table: TableSchema, names: [(name: SQLName, column: SQLName)], readBy hints: TableHints) {
    let expressions = hints.columns.values.flatMap { [$0.backfill, $0.conversion, $0.nullCondition].compactMap { $0 } }
    let mentioned = expressions.reduce(into: Set<SQLName>()) { mentioned, expression in
      mentioned.formUnion(((try? SQLLexer.tokens(of: expression)) ?? []).compactMap(\.name))
    }
    var taken = mentioned.union(table.columns.map(\.name))
    var given: Set<SQLName> = []
    for alias in names where mentioned.contains(alias.name) && given.insert(alias.name).inserted {
      terms.append("\(alias.column.quoted) AS \(alias.name.quoted)")
      if !alias.name.isTruthValue { self.names[alias.column] = self.names[alias.column] ?? alias.name }
    }
    func free(_ name: SQLName) -> SQLName {
      var number = 0
      var name = name
      while !taken.insert(name).inserted {
        name = SQLName("_schemakit_\(number)")
        number += 1
      }
      return name
    }
    for column in table.columns.map(\.name) where self.names[column] == nil {
      let isFree = !mentioned.contains(column) && !column.isTruthValue
      let name = isFree ? column : free(column)
      self.names[column] = name
      terms.append("\(column.quoted) AS \(name.quoted)")
    }
    if let alias = table.rowIDAlias {
      rowKey = self.names[alias.name]
    } else if let key = table.rowKey {
      let name = free("_schemakit_rowid")
      rowKey = name
      terms.append("\(key) AS \(name.quoted)")
    }
  }
}

extension String {
  /// The text as an SQL identifier.
  package var quotedIdentifier: String { SQLQuoting.identifier(self) }
}

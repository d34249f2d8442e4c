/// Decides whether `ALTER TABLE … ADD COLUMN` can add a column, for this data on this SQLite.
///
/// Applies to columns that only the new version has. The conditions are those of
/// [ALTER TABLE ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column). Several of them hold
/// only for tables with rows: an empty table accepts what a filled one refuses, so a proof on an empty database
/// proves nothing.
package enum AddColumnRule {
  /// Returns why the column cannot be added natively, or nil if it can.
  ///
  /// - Parameter adoptsKeys: True if an edit of the catalog gives the table its keys afterwards.
  package static func rejection(
    to column: ColumnSchema, in change: TableChange, hasRows: Bool, hints: TableHints, profile: EngineProfile,
    adoptsKeys: Bool = false
  ) -> Rejection? {
    let name = column.name
    if !adoptsKeys, change.to.primaryKey?.columns.contains(where: { $0.name == name }) == true {
      return Rejection(.addsKeyColumn, name.text)
    }
    if !adoptsKeys, change.to.uniques.contains(where: { $0.columns.contains { $0.name == name } }) {
      return Rejection(.addsUniqueColumn, name.text)
    }
    guard hasRows else { return nil }
    if hints.columns[name]?.backfill != nil {
      return Rejection(.computesAddedColumn, name.text)
    }
    if column.generation?.isStored == true {
      return Rejection(.storesGeneratedColumn, name.text)
    }
    if profile.misreadsNullsWithoutRowID, change.to.isWithoutRowID, column.generation != nil,
      column.isNotNull || change.addedChecks.contains(where: { carries(column, of: $0, in: change) })
    {
      return Rejection(.checkedWrongly, name.text)
    }
    if column.isNotNull, column.generation == nil, column.defaultValue.map(\.isNull) ?? true {
      return Rejection(.notNullWithoutDefault, name.text)
    }
    if let value = column.defaultValue, !value.isConstant {
      return Rejection(.defaultIsNotConstant, name.text)
    }
    if column.absentValue == .other {
      return Rejection(.defaultReadDifferently, name.text)
    }
    // The table is STRICT before or after.
    if change.from.isStrict || change.to.isStrict, column.defaultValue != nil, !fitsStrictly(column) {
      return Rejection(.defaultUncheckedByStrict, name.text)
    }
    if change.from.isStrict, !change.to.isStrict, column.generation != nil {
      return Rejection(.computedInStrict, name.text)
    }
    return nil
  }

  /// True if SQLite examines all rows when it adds a column, for every rule of the table: for a CHECK or a computed NOT
  /// NULL, and from 3.53 on for any column of a STRICT table.
  package static func readsRows(adding column: ColumnSchema, in change: TableChange, profile: EngineProfile) -> Bool {
    change.from.isStrict || change.to.isStrict || (column.generation != nil && column.isNotNull)
      || change.addedChecks.contains { carries(column, of: $0, in: change) }
  }

  /// Writes the statement, with constraints that the table declares for the column elsewhere and without keys.
  package static func statement(for column: ColumnSchema, in change: TableChange) -> String {
    var definition = column.definitionWithoutKeys
    let text = "CREATE TABLE \(change.to.name.quoted) (\(definition))"
    let own = (try? SQLParser.create(text)).flatMap {
      if case .table(let table) = $0 { TableSchema(table, sql: text) } else { nil }
    }
    for key in change.addedForeignKeys where key.columns == [column.name] {
      if own?.foreignKeys.contains(key) != true { definition += " \(key.clauseSQL)" }
    }
    for check in change.addedChecks where carries(column, of: check, in: change) {
      if own?.checks.contains(check) != true { definition += " CHECK (\(check.expression.text))" }
    }
    return "ALTER TABLE \"main\".\(change.to.name.quoted) ADD COLUMN \(definition)"
  }

  /// True if the new CHECKs and foreign keys all belong to added columns.
  package static func covers(_ change: TableChange) -> Bool {
    let added = Set(change.addedColumns.map(\.name))
    return change.addedForeignKeys.allSatisfy { $0.columns.count == 1 && added.contains($0.columns[0]) }
      && change.addedChecks.allSatisfy { check in
        change.addedColumns.contains { carries($0, of: check, in: change) }
      }
  }

  /// True if a CHECK reads an added column, and this is the last of them: SQLite requires all columns to exist.
  private static func carries(_ column: ColumnSchema, of check: CheckSchema, in change: TableChange) -> Bool {
    change.addedColumns.last { check.expression.mentions($0.name) }?.name == column.name
  }

  private static func fitsStrictly(_ column: ColumnSchema) -> Bool {
    guard let value = column.defaultValue, !value.isNull else { return true }
    let text = value.value.text
    let isText = text.hasPrefix("'") || text.hasPrefix("\"")
    let isBlob = text.hasPrefix("x'") || text.hasPrefix("X'")
    let isInteger = Int64(text) != nil
    switch column.comparableType {
    case "INT", "INTEGER": return isInteger
    case "REAL": return isInteger || (Double(text) != nil && value.form != .text)
    case "TEXT": return isText
    case "BLOB": return isBlob
    default: return true
    }
  }
}

extension CanonicalSQL {
  /// True if a name occurs in the SQL.
  package func mentions(_ name: SQLName) -> Bool {
    guard let tokens = try? SQLLexer.tokens(of: text) else { return true }
    // Behind a dot, a text in single quotes is a name too.
    return zip([nil] + tokens.map { Optional($0) }, tokens).contains { before, token in
      token.name == name && (token.kind != .string || before?.isSymbol(".") == true)
    }
  }
}

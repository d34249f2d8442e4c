/// Decides whether a table can get its new definition by editing its stored text alone, without touching any rows.
///
/// Applies to what decides which rows are *accepted* and not how they are *stored*: CHECKs, NOT NULL, foreign keys, ON
/// CONFLICT, and a declared type within one affinity; DEFAULT, if no row leaves its value to the default. UNIQUE, collations,
/// numbers under another affinity and STRICT have rules of their own. It is the
/// procedure of [Making Other Kinds Of Table Schema Changes](https://sqlite.org/lang_altertable.html#otheralter) for
/// changes that "do not affect the on-disk content in any way". This is a list of what is allowed, since
/// `integrity_check` does not detect several wrong edits. What is newly rejected (NULL, a failing CHECK, an orphan) was
/// counted on the rows before.
package enum CatalogEditRule {
  /// Returns why the text alone does not do it, or nil when it does. Other rules say what indexes need beside it, and which
  /// values may be read under another type.
  package static func rejection(to change: TableChange, checkResults: RowCheckResults) -> Rejection? {
    if change.isRowIDChanged { return Rejection(.rowIDDecidesStorage) }
    if change.isOrderChanged { return Rejection(.columnOrderDecidesStorage) }
    for column in change.changedColumns {
      if let rejection = rejection(to: column, in: change) { return rejection }
    }
    return rejection(of: checkResults, to: change)
  }

  private static func rejection(to column: TableChange.ColumnChange, in change: TableChange) -> Rejection? {
    let name = column.to.name
    let harmless: Set<TableChange.Kind> = [.type, .form, .nullability, .defaultValue, .conflictClause, .collation]
    if let kind = column.kinds.subtracting(harmless).min() {
      return Rejection(.propertyDecidesStorage, kind.phrase, name.text)
    }
    if column.to.generation != nil { return Rejection(.generatedColumn, name.text) }
    guard column.kinds.contains(.type) else { return nil }
    let types = [column.from.comparableType, column.to.comparableType]
    if change.to.isStrict, change.from.isStrict, column.from.affinity == column.to.affinity,
      !types.allSatisfy({ ["INT", "INTEGER"].contains($0) })
    {
      return Rejection(.strictAllowsWholeTypesOnly)
    }
    if change.to.rowIDAlias?.name == name { return Rejection(.rowIDColumn, name.text) }
    return nil
  }

  /// What the rows say against it. Uncounted rows say nothing, and so allow only what no row can refuse.
  private static func rejection(of checkResults: RowCheckResults, to change: TableChange) -> Rejection? {
    let isEmpty = checkResults.isCounted && checkResults.rowCount == 0
    if isEmpty { return nil }
    // Rows that do not store a column read the value from the text of its default.
    for column in change.to.columns {
      guard let before = change.from.column(column.name), before.isDefaultReadOtherwise(than: column) else { continue }
      return Rejection(.olderRowsReadDefault, column.name.text)
    }
    for column in change.changedColumns {
      let name = column.to.name
      if column.kinds.contains(.nullability), column.to.isNotNull {
        guard checkResults.isCounted else { return Rejection(.notExaminedForNull, name.text) }
        guard checkResults.count(of: .nulls, column: name) == 0 else { return Rejection(.rowsHoldNull, name.text) }
      }
      if column.kinds.contains(.defaultValue), checkResults.count(of: .showsDefault, column: name) == nil {
        return Rejection(.notExaminedForDefault, name.text)
      }
    }
    for check in checks(of: change) {
      guard checkResults.count(of: .failingCheck(check.expression.text), column: nil) == 0 else {
        return Rejection(checkResults.isCounted ? .rowsFailCheck : .notExaminedForCheck)
      }
    }
    return nil
  }

  /// Conditions for rows that SQLite would reject under the new text, if it checked them, or read otherwise.
  package static func refusedRows(of change: TableChange) -> [String] {
    let required = change.changedColumns.filter { $0.kinds.contains(.nullability) && $0.to.isNotNull }
    return required.map { "\($0.to.name.quoted) IS NULL" }
      + checks(of: change).map { "NOT \($0.expression.enclosed)" } + RetypeRule.refusedRows(of: change)
  }

  /// The CHECKs that are new, or compare otherwise.
  private static func checks(of change: TableChange) -> [CheckSchema] {
    let read = ReindexRule.collated(in: change).union(RetypeRule.retyped(in: change))
    return change.to.checks.filter { check in
      change.addedChecks.contains(check) || read.contains(where: check.expression.mentions)
    }
  }
}

extension ColumnSchema {
  /// Whether rows that do not store this column would read a different value under another text of its default, and
  /// cannot be distinguished from those that do.
  fileprivate func isDefaultReadOtherwise(than other: ColumnSchema) -> Bool {
    guard generation == nil, defaultValue?.expression != other.defaultValue?.expression else { return false }
    return absentValue == .other || (other.absentValue == .other && defaultValue?.value == other.defaultValue?.value)
  }
}

extension RowCheckResults {
  /// How many rows a finding affects; nil if that was not checked or not counted.
  package func count(of kind: Finding.Kind, column: SQLName?) -> Int? {
    findings.first { $0.kind == kind && $0.column == column && $0.isCounted }?.count
  }
}

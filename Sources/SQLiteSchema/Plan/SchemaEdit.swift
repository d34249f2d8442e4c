/// One thing that a step changes, where the step's strategy and object do not say it yet.
///
/// `edit.sentence` says the same in words.
public enum SchemaEdit: Sendable, Hashable {
  // Objects.
  /// The table is created with this many columns.
  case columns(count: Int)
  /// The table is dropped with this many rows.
  case rows(count: Int)
  /// This many kept rows are put back into the table.
  case restoreRows(count: Int)
  /// The table is a virtual one.
  case virtualTable
  /// The index or trigger is on this table.
  case on(table: SQLName)
  /// The object is dropped to be created anew.
  case replace
  /// The object is dropped while others change.
  case suspend
  /// The object is created again as it was.
  case restore(table: SQLName?)
  /// The table gets another name.
  case renameTable(from: SQLName, to: SQLName)
  /// The statistics of ANALYZE are kept.
  case keepStatistics
  /// The values of a column, or all rows, are kept for undo before a later step drops them.
  case keepValues(column: SQLName?, storage: SQLName)
  /// The full-text index is filled from a table or view.
  case fillIndex(content: SQLName, isNew: Bool)
  /// The full-text index reads a table or columns that have other names now, and keeps its entries.
  case redeclareIndex(content: SQLName)
  /// The program works on the rows: after the table or the column was added, or after everything else.
  case programWork(afterTable: SQLName?, afterColumn: SQLName?)

  // The definition of a table.
  /// A column gets another name.
  case renameColumn(from: SQLName, to: SQLName)
  case addColumn(name: SQLName, type: String?, isNotNull: Bool)
  case dropColumn(name: SQLName)
  case changeColumn(name: SQLName, to: [ColumnEdit])
  /// The primary key has these columns now; there is none where the list is empty.
  case primaryKey(columns: [SQLName], kind: KeyEdit?)
  case addUnique(columns: [SQLName])
  case dropUnique(columns: [SQLName])
  case addCheck(expression: String)
  case dropCheck(expression: String)
  /// The clause begins with REFERENCES.
  case addForeignKey(columns: [SQLName], clause: String)
  case dropForeignKey(columns: [SQLName], clause: String)
  case strict(isOn: Bool)
  case withoutRowID(isOn: Bool)
  case columnOrder

  // Values; an expression is nil where Swift code computes them, the number of rows nil where all rows are copied.
  /// The values of a column are converted.
  case convertValues(column: SQLName, expression: String?, rows: Int?)
  /// The rows get a value in a new column.
  case fillNewColumn(column: SQLName, expression: String?)
  /// A fill or default replaces NULL.
  case fillNulls(column: SQLName, expression: String?, rows: Int?)
  /// NULL comes back where undo restores it.
  case restoreNulls(column: SQLName, rows: Int?)
  /// Rows that leave the column to its old default store that value.
  case storeDefault(column: SQLName, rows: Int)
  /// The default replaces NULL in some rows.
  case fillDefault(column: SQLName, rows: Int)

  /// A change of the primary key beside its columns.
  public enum KeyEdit: String, Sendable, Hashable, Codable {
    case autoincrement, noAutoincrement, rowID
  }

  /// One property of a column, as it is from now on.
  public enum ColumnEdit: Sendable, Hashable {
    case type(from: String?, to: String?)
    /// The Swift type that reads the values, with the coding of the column.
    case form(from: String, to: String)
    case nullability(isNotNull: Bool)
    /// The default as SQL text; nil for none.
    case defaultValue(expression: String?)
    case collation(name: String)
    /// The expression of a generated column; nil if the column is not generated.
    case generation(expression: String?, isStored: Bool)
    /// The ON CONFLICT action of NOT NULL for a row that violates it.
    case onConflict(action: String)
  }
}

extension TableChange {
  /// The changes of the table's definition.
  package var edits: [SchemaEdit] { edits(nil) }

  /// The same, with what a program reads there.
  package func edits(_ hints: TableHints?) -> [SchemaEdit] {
    var edits = addedColumns.map { SchemaEdit.addColumn(name: $0.name, type: $0.type, isNotNull: $0.isNotNull) }
    edits += droppedColumns.map { .dropColumn(name: $0.name) }
    edits += changedColumns.map { .changeColumn(name: $0.to.name, to: $0.edits(form: hints?.formChanges[$0.to.name])) }
    if isPrimaryKeyChanged {
      edits.append(.primaryKey(columns: to.primaryKey?.columns.map(\.name) ?? [], kind: keyEdit))
    }
    edits += addedUniques.map { .addUnique(columns: $0.columns.map(\.name)) }
    edits += droppedUniques.map { .dropUnique(columns: $0.columns.map(\.name)) }
    edits += addedChecks.map { .addCheck(expression: $0.expression.text) }
    edits += droppedChecks.map { .dropCheck(expression: $0.expression.text) }
    edits += addedForeignKeys.map { .addForeignKey(columns: $0.columns, clause: $0.clauseSQL) }
    edits += droppedForeignKeys.map { .dropForeignKey(columns: $0.columns, clause: $0.clauseSQL) }
    if isStrictnessChanged { edits.append(.strict(isOn: to.isStrict)) }
    if isRowIDChanged { edits.append(.withoutRowID(isOn: to.isWithoutRowID)) }
    if isOrderChanged { edits.append(.columnOrder) }
    return edits
  }

  private var keyEdit: SchemaEdit.KeyEdit? {
    guard let key = to.primaryKey else { return nil }
    let before = from.primaryKey
    if key.isAutoincrement != before?.isAutoincrement ?? false {
      return key.isAutoincrement ? .autoincrement : .noAutoincrement
    }
    return key.isRowIDAlias && before?.isRowIDAlias == false ? .rowID : nil
  }
}

extension TableChange.ColumnChange {
  /// The properties that change, in the order of a column's definition.
  package var edits: [SchemaEdit.ColumnEdit] { edits(form: nil) }

  /// The same, with what a program reads there.
  package func edits(form change: FormChange?) -> [SchemaEdit.ColumnEdit] {
    kinds.sorted().compactMap { kind in
      switch kind {
      case .type: .type(from: from.type, to: to.type)
      case .form: change.map { .form(from: $0.from.words, to: $0.to.words) }
      case .nullability: .nullability(isNotNull: to.isNotNull)
      case .defaultValue: .defaultValue(expression: to.defaultValue?.value.text)
      case .collation: .collation(name: to.collation?.text ?? "BINARY")
      case .generation:
        .generation(expression: to.generation?.expression.text, isStored: to.generation?.isStored ?? false)
      case .conflictClause: .onConflict(action: (to.notNullConflict ?? .abort).rawValue)
      }
    }
  }
}

extension RowProjection {
  /// The changes that declared expressions make to the values of the columns.
  ///
  /// - Parameter hasNulls: True if rows hold NULL in a column of that name.
  package func valueEdits(hasNulls: (SQLName) -> Bool) -> [SchemaEdit] {
    target.writableColumns.compactMap { valueEdit(of: $0, hasNulls: hasNulls($0.name), rows: nil) }
  }

  /// The change that declared expressions make to the values of a column; nil if they make none.
  ///
  /// - Parameter rows: The number of rows that they change; nil if all are copied.
  package func valueEdit(of column: ColumnSchema, hasNulls: Bool, rows: Int?) -> SchemaEdit? {
    func readable(_ expression: String) -> String? { ColumnHints.isSwift(expression) ? nil : expression }
    let name = column.name
    let hint = hints.columns[name]
    if usesDeclaredConversion(column), let conversion = hint?.conversion {
      return .convertValues(column: name, expression: readable(conversion), rows: rows)
    }
    if recoding(of: column) != nil { return .convertValues(column: name, expression: nil, rows: rows) }
    if sourceColumn(of: column) == nil {
      return hint?.backfill.map { .fillNewColumn(column: name, expression: readable($0)) }
    }
    if restoresNulls(column) { return .restoreNulls(column: name, rows: rows) }
    guard fillsNulls(column), hasNulls, let fill = hint?.backfill ?? column.defaultValue?.value.text else { return nil }
    return .fillNulls(column: name, expression: readable(fill), rows: rows)
  }
}

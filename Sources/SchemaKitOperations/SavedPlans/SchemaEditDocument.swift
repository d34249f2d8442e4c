/// The JSON representation of an edit, in saved plans and reports. Its names are a contract; what an edit lacks is
/// absent.
package struct SchemaEditDocument: Codable {
  /// One property of a column: `to` is absent where it has none from now on.
  package struct Property: Codable {
    var property: String
    var from: String?
    var to: String?
  }

  private var edit: String
  /// The table of an index or trigger, the content of a full-text index, the table that keeps values.
  private var table: SQLName?
  private var column: SQLName?
  private var columns: [SQLName]?
  /// The old and the new name.
  private var from: SQLName?
  private var to: SQLName?
  private var type: String?
  private var notNull: Bool?
  /// A CHECK, a REFERENCES clause, a conversion or a fill; absent where Swift computes the values.
  private var expression: String?
  private var kind: SchemaEdit.KeyEdit?
  /// The number of columns of a new table, else of rows.
  private var count: Int?
  private var properties: [Property]?
  /// The edit in words; not read back.
  private var text: String

  package init(_ value: SchemaEdit) {
    edit = ""
    text = value.sentence
    switch value {
    case .columns(let number): (edit, count) = ("columns", number)
    case .rows(let number): (edit, count) = ("rows", number)
    case .restoreRows(let number): (edit, count) = ("restoreRows", number)
    case .virtualTable: edit = "virtualTable"
    case .on(let name): (edit, table) = ("on", name)
    case .replace: edit = "replace"
    case .suspend: edit = "suspend"
    case .restore(let name): (edit, table) = ("restore", name)
    case .renameTable(let old, let new): (edit, from, to) = ("renameTable", old, new)
    case .keepStatistics: edit = "keepStatistics"
    case .keepValues(let name, let storage): (edit, column, table) = ("keepValues", name, storage)
    case .fillIndex(let content, let isNew): (edit, table) = (isNew ? "fillIndex" : "refillIndex", content)
    case .redeclareIndex(let content): (edit, table) = ("redeclareIndex", content)
    case .programWork(let afterTable, let afterColumn): (edit, table, column) = ("programWork", afterTable, afterColumn)
    case .renameColumn(let old, let new): (edit, from, to) = ("renameColumn", old, new)
    case .convertValues(let name, let value, let rows): set("convertValues", name, value, rows)
    case .fillNewColumn(let name, let value): set("fillNewColumn", name, value, nil)
    case .fillNulls(let name, let value, let rows): set("fillNulls", name, value, rows)
    case .restoreNulls(let name, let rows): set("restoreNulls", name, nil, rows)
    case .storeDefault(let name, let rows): set("storeDefault", name, nil, rows)
    case .fillDefault(let name, let rows): set("fillDefault", name, nil, rows)
    case .addColumn, .dropColumn, .changeColumn, .primaryKey, .addUnique, .dropUnique, .addCheck, .dropCheck,
      .addForeignKey, .dropForeignKey, .strict, .withoutRowID, .columnOrder:
      setDefinition(value)
    }
  }

  private mutating func set(_ code: String, _ name: SQLName, _ value: String?, _ rows: Int?) {
    (edit, column, expression, count) = (code, name, value, rows)
  }

  private mutating func setDefinition(_ value: SchemaEdit) {
    switch value {
    case .addColumn(let name, let declared, let isNotNull):
      (edit, column, type, notNull) = ("addColumn", name, declared, isNotNull)
    case .dropColumn(let name): (edit, column) = ("dropColumn", name)
    case .changeColumn(let name, let edits):
      (edit, column, properties) = ("changeColumn", name, edits.map(Property.init))
    case .primaryKey(let names, let change): (edit, columns, kind) = ("primaryKey", names, change)
    case .addUnique(let names): (edit, columns) = ("addUnique", names)
    case .dropUnique(let names): (edit, columns) = ("dropUnique", names)
    case .addCheck(let condition): (edit, expression) = ("addCheck", condition)
    case .dropCheck(let condition): (edit, expression) = ("dropCheck", condition)
    case .addForeignKey(let names, let clause): (edit, columns, expression) = ("addForeignKey", names, clause)
    case .dropForeignKey(let names, let clause): (edit, columns, expression) = ("dropForeignKey", names, clause)
    case .strict(let isOn): edit = isOn ? "strict" : "notStrict"
    case .withoutRowID(let isOn): edit = isOn ? "withoutRowID" : "withRowID"
    case .columnOrder: edit = "columnOrder"
    default: break
    }
  }
}

extension SchemaEditDocument {
  /// The edit; nil if it is of a kind that this version does not know, or lacks something.
  var value: SchemaEdit? {
    switch edit {
    case "columns": count.map { .columns(count: $0) }
    case "rows": count.map { .rows(count: $0) }
    case "restoreRows": count.map { .restoreRows(count: $0) }
    case "virtualTable": .virtualTable
    case "on": table.map { .on(table: $0) }
    case "replace": .replace
    case "suspend": .suspend
    case "restore": .restore(table: table)
    case "renameTable": renamed { .renameTable(from: $0, to: $1) }
    case "keepStatistics": .keepStatistics
    case "keepValues": table.map { .keepValues(column: column, storage: $0) }
    case "fillIndex", "refillIndex": table.map { .fillIndex(content: $0, isNew: edit == "fillIndex") }
    case "redeclareIndex": table.map { .redeclareIndex(content: $0) }
    case "programWork": .programWork(afterTable: table, afterColumn: column)
    case "renameColumn": renamed { .renameColumn(from: $0, to: $1) }
    default: values ?? definition
    }
  }

  private func renamed(_ edit: (SQLName, SQLName) -> SchemaEdit) -> SchemaEdit? {
    guard let from, let to else { return nil }
    return edit(from, to)
  }

  private var values: SchemaEdit? {
    guard let column else { return nil }
    return switch edit {
    case "convertValues": .convertValues(column: column, expression: expression, rows: count)
    case "fillNewColumn": .fillNewColumn(column: column, expression: expression)
    case "fillNulls": .fillNulls(column: column, expression: expression, rows: count)
    case "restoreNulls": .restoreNulls(column: column, rows: count)
    case "storeDefault": count.map { .storeDefault(column: column, rows: $0) }
    case "fillDefault": count.map { .fillDefault(column: column, rows: $0) }
    case "addColumn": .addColumn(name: column, type: type, isNotNull: notNull ?? false)
    case "dropColumn": .dropColumn(name: column)
    case "changeColumn": propertyEdits.map { .changeColumn(name: column, to: $0) }
    default: nil
    }
  }

  private var propertyEdits: [SchemaEdit.ColumnEdit]? {
    let edits = (properties ?? []).map(\.value)
    return edits.contains { $0 == nil } ? nil : edits.compactMap(\.self)
  }

  private var definition: SchemaEdit? {
    switch (edit, columns, expression) {
    case ("primaryKey", let columns?, _): .primaryKey(columns: columns, kind: kind)
    case ("addUnique", let columns?, _): .addUnique(columns: columns)
    case ("dropUnique", let columns?, _): .dropUnique(columns: columns)
    case ("addCheck", _, let expression?): .addCheck(expression: expression)
    case ("dropCheck", _, let expression?): .dropCheck(expression: expression)
    case ("addForeignKey", let columns?, let clause?): .addForeignKey(columns: columns, clause: clause)
    case ("dropForeignKey", let columns?, let clause?): .dropForeignKey(columns: columns, clause: clause)
    case ("strict", _, _), ("notStrict", _, _): .strict(isOn: edit == "strict")
    case ("withoutRowID", _, _), ("withRowID", _, _): .withoutRowID(isOn: edit == "withoutRowID")
    case ("columnOrder", _, _): .columnOrder
    default: nil
    }
  }
}

extension SchemaEditDocument.Property {
  init(_ edit: SchemaEdit.ColumnEdit) {
    switch edit {
    case .type(let old, let new): (property, from, to) = ("type", old, new)
    case .form(let old, let new): (property, from, to) = ("form", old, new)
    case .nullability(let isNotNull): (property, to) = ("nullability", isNotNull ? "NOT NULL" : nil)
    case .defaultValue(let expression): (property, to) = ("default", expression)
    case .collation(let name): (property, to) = ("collation", name)
    case .generation(let expression, let isStored): (property, to) = (isStored ? "stored" : "virtual", expression)
    case .onConflict(let action): (property, to) = ("onConflict", action)
    }
  }

  fileprivate var value: SchemaEdit.ColumnEdit? {
    switch property {
    case "type": .type(from: from, to: to)
    case "form": .form(from: from ?? "", to: to ?? "")
    case "nullability": .nullability(isNotNull: to != nil)
    case "default": .defaultValue(expression: to)
    case "collation": to.map { .collation(name: $0) }
    case "stored", "virtual": .generation(expression: to, isStored: property == "stored")
    case "onConflict": to.map { .onConflict(action: $0) }
    default: nil
    }
  }
}

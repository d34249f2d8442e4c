extension SchemaEdit {
  /// The edit in words, to be read after the step's strategy and object; without a full stop.
  public var sentence: String {
    switch self {
    case .columns(let count): "with \(count.counted("column"))"
    case .rows(let count): "with \(count.counted("row"))"
    case .restoreRows(let count): "bring back \(count.counted("row"))"
    case .virtualTable: "virtual table"
    case .on(let table): "on \(table)"
    case .replace: "to replace it"
    case .suspend: "suspended"
    case .restore(let table): "restore" + (table.map { " on \($0)" } ?? "")
    case .renameTable(let old, let new): "rename table \(old) to \(new)"
    case .keepStatistics: "keep the statistics of ANALYZE"
    case .keepValues(let column, let storage):
      (column.map { "the values of column \($0)" } ?? "the rows") + ", in \(storage), for undo"
    case .fillIndex(let content, let isNew): "fill it \(isNew ? "" : "anew ")from \(content)"
    case .redeclareIndex(let content): "read \(content) by its present names, and keep its entries"
    case .programWork(let table, let column): "the program's own work, \(Self.moment(table, column))"
    case .renameColumn, .addColumn, .dropColumn, .changeColumn, .primaryKey, .addUnique, .dropUnique, .addCheck,
      .dropCheck,
      .addForeignKey, .dropForeignKey, .strict, .withoutRowID, .columnOrder:
      sentenceOfTable
    case .convertValues, .fillNewColumn, .fillNulls, .restoreNulls, .storeDefault, .fillDefault: sentenceOfValues
    }
  }

  private static func moment(_ table: SQLName?, _ column: SQLName?) -> String {
    guard let table else { return "after everything else" }
    return "after \(column.map { "column \(table).\($0)" } ?? "table \(table)") was added"
  }

  /// A change of a table's definition.
  private var sentenceOfTable: String {
    switch self {
    case .renameColumn(let old, let new): "rename column \(old) to \(new)"
    case .addColumn(let name, let type, let isNotNull):
      (["add column \(name)"] + [type ?? "", isNotNull ? "NOT NULL" : ""].filter { !$0.isEmpty }).joined(separator: " ")
    case .dropColumn(let name): "drop column \(name)"
    case .changeColumn(let name, let edits): "column \(name): \(edits.map(\.sentence).joined(separator: ", "))"
    case .primaryKey(let columns, _) where columns.isEmpty: "no primary key"
    case .primaryKey(let columns, let kind): "primary key (\(Self.list(columns)))" + (kind.map { " \($0.words)" } ?? "")
    case .addUnique(let columns): "add UNIQUE (\(Self.list(columns)))"
    case .dropUnique(let columns): "drop UNIQUE (\(Self.list(columns)))"
    case .addCheck(let expression): "add CHECK (\(expression))"
    case .dropCheck(let expression): "drop CHECK (\(expression))"
    case .addForeignKey(let columns, let clause): "add foreign key (\(Self.list(columns))) \(clause)"
    case .dropForeignKey(let columns, let clause): "drop foreign key (\(Self.list(columns))) \(clause)"
    case .strict(let isOn): isOn ? "STRICT" : "no longer STRICT"
    case .withoutRowID(let isOn): isOn ? "WITHOUT ROWID" : "with rowid"
    case .columnOrder: "order of columns"
    default: ""
    }
  }

  /// A change of values.
  private var sentenceOfValues: String {
    let (text, rows): (String, Int?) =
      switch self {
      case .convertValues(let column, let expression, let rows): ("\(column) becomes \(Self.value(expression))", rows)
      case .fillNewColumn(let column, let expression): ("\(column) is filled with \(Self.value(expression))", nil)
      case .fillNulls(let column, let expression, let rows):
        ("NULL in \(column) becomes \(Self.value(expression))", rows)
      case .restoreNulls(let column, let rows): ("NULL comes back in \(column)", rows)
      case .storeDefault(let column, let rows):
        ("store \(column) in \(rows.counted("row")) that may leave it to the default", nil)
      case .fillDefault(let column, let rows): ("fill \(column)", rows)
      default: ("", nil)
      }
    return text + (rows.map { " in \($0.counted("row"))" } ?? "")
  }

  private static func value(_ expression: String?) -> String { expression ?? "what Swift computes" }

  private static func list(_ names: [SQLName]) -> String { names.map(\.text).joined(separator: ", ") }
}

extension SchemaEdit.KeyEdit {
  fileprivate var words: String {
    switch self {
    case .autoincrement: "AUTOINCREMENT"
    case .noAutoincrement: "without AUTOINCREMENT"
    case .rowID: "is the rowid"
    }
  }
}

extension SchemaEdit.ColumnEdit {
  /// The property as it is from now on: TEXT → INTEGER, NOT NULL.
  public var sentence: String {
    switch self {
    case .type(let old, let new): "\(old ?? "no type") → \(new ?? "no type")"
    case .form(let old, let new): "\(old) → \(new) in Swift"
    case .nullability(let isNotNull): isNotNull ? "NOT NULL" : "NULL allowed"
    case .defaultValue(let expression): expression.map { "DEFAULT \($0)" } ?? "no default"
    case .collation(let name): "COLLATE \(name)"
    case .generation(let expression, let isStored):
      expression.map { "generated as (\($0)) \(isStored ? "STORED" : "VIRTUAL")" } ?? "no longer generated"
    case .onConflict(let action): "ON CONFLICT \(action)"
    }
  }
}

extension MigrationStep {
  /// The changes in words, one text for each edit.
  public var changes: [String] { edits.map(\.sentence) }
}

extension SchemaDiff {
  /// The differences, one phrase per object.
  package var phrases: [String] {
    func words<Object>(_ kind: String, _ changes: [ObjectChange<Object>], _ name: (Object) -> SQLName) -> [String] {
      changes.map { change in
        switch change {
        case .added(let object): "\(kind) \(name(object)) is new"
        case .dropped(let object): "\(kind) \(name(object)) is gone"
        case .changed(_, let object): "\(kind) \(name(object)) was changed"
        }
      }
    }
    return addedTables.map { "table \($0.name) is new" } + droppedTables.map { "table \($0.name) is gone" }
      + changedTables.map { "table \($0.to.name) differs (\($0.edits.map(\.sentence).joined(separator: "; ")))" }
      + words("table", virtualTables, \.name) + words("index", indexes, \.name) + words("view", views, \.name)
      + words("trigger", triggers, \.name)
  }
}

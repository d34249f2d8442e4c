extension MistreatedSchema {
  /// The statements that make the schema, triggers last.
  var statements: [String] {
    tables.flatMap { table in
      [create(table)] + table.indexes.map { create($0, on: table) } + (table.search.map { create($0, on: table) } ?? [])
    }
  }

  var script: String { statements.map { $0 + ";\n" }.joined() }

  /// - Parameter isBeforeLateColumn: The table as it was before its last column was added.
  func create(_ table: Table, isBeforeLateColumn: Bool = false) -> String {
    let columns = table.hasLateColumn && isBeforeLateColumn ? Array(table.columns.dropLast()) : table.columns
    var parts = columns.map { definition(of: $0, in: table) }
    if case .columns(let columns) = table.key { parts.append("PRIMARY KEY (\(list(columns)))") }
    if case .rowID(let column, false) = table.key { parts.append("PRIMARY KEY (\(list([column])))") }
    parts += table.uniques.map { "UNIQUE (\(list($0.columns)))" }
    parts += table.checks.map { "CHECK (\(text(of: $0.phrase)))" }
    parts += table.references.map {
      "FOREIGN KEY (\(list([$0.column]))) REFERENCES \(names[$0.parent] ?? "missing")"
    }
    let options = [table.isStrict ? "STRICT" : nil, table.hasRowID ? nil : "WITHOUT ROWID"].compactMap { $0 }
    let end = options.isEmpty ? "" : " " + options.joined(separator: ", ")
    return "CREATE TABLE \(table.name) (\(parts.joined(separator: ", ")))\(end)"
  }

  func definition(of column: Column, in table: Table) -> String {
    var words = [column.name]
    if !column.type.isEmpty { words.append(column.type) }
    if case .rowID(column.id, true) = table.key { words.append("PRIMARY KEY AUTOINCREMENT") }
    if column.isRequired { words.append("NOT NULL") }
    if let text = column.defaultText { words.append("DEFAULT \(text)") }
    if let collation = column.collation { words.append("COLLATE \(collation)") }
    if let phrase = column.generated {
      // Old engines take the words for the type where there is none.
      let lead = column.type.isEmpty ? "" : "GENERATED ALWAYS "
      words.append("\(lead)AS (\(text(of: phrase))) \(column.isStored ? "STORED" : "VIRTUAL")")
    }
    return words.joined(separator: " ")
  }

  func create(_ index: Index, on table: Table) -> String {
    let terms = index.terms.map { term in
      let phrase = text(of: term.phrase)
      return (term.phrase.count == 1 ? phrase : "(\(phrase))") + (term.collation.map { " COLLATE \($0)" } ?? "")
        + (term.isDescending ? " DESC" : "")
    }
    return
      "CREATE\(index.isUnique ? " UNIQUE" : "") INDEX \(index.name) ON \(table.name) (\(terms.joined(separator: ", ")))"
      + (index.predicate.map { " WHERE " + text(of: $0) } ?? "")
  }

  /// The index, and the triggers that feed it with the rows that may be found.
  func create(_ search: Search, on table: Table) -> [String] {
    let id = names[table.rowIDColumn ?? -1] ?? "missing"
    let (name, columns) = (search.name, list(search.columns))
    let tokenizer = search.tokenizer.map { ", tokenize = '\($0)'" } ?? ""
    let values: (String) -> String = { row in
      ([id] + search.columns.map { names[$0] ?? "missing" }).map { "\(row).\($0)" }.joined(separator: ", ")
    }
    let hidden = search.hiddenBy.flatMap { names[$0] }
    let condition: (String) -> String = { row in hidden.map { " WHEN \(row).\($0) IS NULL" } ?? "" }
    let filter: (String) -> String = { row in hidden.map { " WHERE \(row).\($0) IS NULL" } ?? "" }
    // As such triggers are written: SELECT only where an update has a condition.
    let form: (String) -> String = { hidden == nil ? "VALUES (\($0))" : "SELECT \($0)" }
    let insert = "INSERT INTO \(name) (rowid, \(columns)) \(form(values("new")))"
    let delete = "INSERT INTO \(name) (\(name), rowid, \(columns)) \(form("'delete', " + values("old")))"
    return [
      "CREATE VIRTUAL TABLE \(name) USING fts5 (\(columns), content = '\(table.name)', content_rowid = '\(id)'\(tokenizer))",
      "CREATE TRIGGER \(name)_ai AFTER INSERT ON \(table.name)\(condition("new")) BEGIN \(insert); END",
      "CREATE TRIGGER \(name)_ad AFTER DELETE ON \(table.name)\(condition("old")) BEGIN \(delete); END",
      "CREATE TRIGGER \(name)_au AFTER UPDATE ON \(table.name) BEGIN \(delete)\(filter("old")); \(insert)\(filter("new")); END",
    ]
  }

  private func list(_ columns: [Int]) -> String {
    let names = names
    return columns.map { names[$0] ?? "missing" }.joined(separator: ", ")
  }
}

/// The tables of a dump while their rows are loaded.
///
/// A dump writes each value with its class, and a column may hold another class than its type stores: another program's ALTER
/// TABLE leaves such values, and so does an edit of the catalog. An INSERT would convert them, or be refused. So a table gets
/// its rows with its keys alone, and its definition afterwards, by an edit of [the catalog](https://sqlite.org/schematab.html).
struct LooseTables {
  /// The texts that the catalog gets once the rows are there.
  private var texts: [SQLName: String] = [:]
  /// The tables as they are declared, without rows.
  private let declared: SQLiteConnection

  init() throws {
    declared = try SQLiteConnection.memory()
    try declared.installCollationStubs()
    try declared.setAllowsDoubleQuotedText(true)
  }

  /// The statement that creates a table without what changes or refuses values; nil where the statement itself has to run.
  mutating func statement(for text: String) -> String? {
    guard case .table(let statement)? = try? SQLParser.create(text), !statement.isTemporary else { return nil }
    // One that SQLite refuses, or that is there already, runs as it is.
    guard (try? declared.runStubbing(text)) != nil, texts[statement.name] == nil else { return nil }
    let schema = TableSchema(statement, sql: text)
    let alias = schema.rowIDAlias?.name
    // A computed column is computed from what the row holds, and a dump has no value for it.
    let typed = Set(schema.generatedColumns.map(\.name) + [alias].compactMap(\.self))
    let columns = statement.columns.map { column in
      let kept = column.constraints.filter { $0.kind.decidesKeys }.map { SQLEditing.text(at: $0.span, in: text) }
      let type = typed.contains(column.name) ? [column.storedType].compactMap { $0 } : []
      return ([SQLEditing.text(at: column.nameSpan, in: text)] + type + kept).joined(separator: " ")
    }
    let keys = statement.constraints.filter { $0.kind.decidesKeys }.map { SQLEditing.text(at: $0.span, in: text) }
    let options = statement.isWithoutRowID ? " WITHOUT ROWID" : ""
    texts[statement.name] =
      "CREATE TABLE " + String(decoding: text.utf8.dropFirst(statement.nameSpan.start), as: UTF8.self)
    // The last line may end in a comment.
    return "CREATE TABLE \(statement.name.quoted) (\((columns + keys).joined(separator: ", "))\n)\(options)"
  }

  /// Gives the tables their definitions.
  func finish(in database: SQLiteConnection) throws {
    guard !texts.isEmpty else { return }
    let version = try database.integer("PRAGMA main.schema_version") ?? 0
    let rows = try database.rows("SELECT rowid, name FROM main.sqlite_master WHERE type = 'table'")
    try database.withWritableCatalog("RESET") {
      for row in rows {
        guard let name = row[1].text, let sql = texts[SQLName(name)] else { continue }
        try database.run("UPDATE main.sqlite_master SET sql = ? WHERE rowid = ?", [.text(sql), row[0]])
      }
      // Versions before RESET look at the cookie.
      try database.execute("PRAGMA main.schema_version = \(version + 1)")
    }
  }
}

extension ColumnConstraint.Kind {
  /// True if the constraint decides which indexes the table has, what an INSERT without the column stores, or what is computed.
  fileprivate var decidesKeys: Bool {
    switch self {
    case .primaryKey, .unique, .collate, .defaultValue, .generated: true
    case .notNull, .null, .check, .references: false
    }
  }
}

extension TableConstraint.Kind {
  fileprivate var decidesKeys: Bool {
    switch self {
    case .primaryKey, .unique: true
    case .check, .foreignKey: false
    }
  }
}

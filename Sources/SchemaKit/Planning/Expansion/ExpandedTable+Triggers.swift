import OrderedCollections

extension ExpandedTable {
  /// The table in which the triggers note when the older program last wrote.
  ///
  /// - Parameter schema: The name of the schema in the history; each has a table of its own.
  static func writesTable(of schema: String) -> SQLName {
    // Files with a schema in SQL have one only.
    SQLName("\(SQLName.expansionPrefix)_writes" + (schema == "(file)" ? "" : "_\(schema)"))
  }

  /// The name that the table had before, in files that were expanded then.
  static func formerWritesTable(of schema: String) -> SQLName {
    SQLName("schemakit_older_writes" + (schema == "(file)" ? "" : "_\(schema)"))
  }

  static func writesTableSQL(of schema: String) -> String {
    "CREATE TABLE \(writesTable(of: schema).quoted) (schema TEXT PRIMARY KEY NOT NULL, written INTEGER NOT NULL)"
  }

  /// The statements that create the triggers by which both names of a column have one value, new columns are filled, and
  /// writes of the older program are noticed.
  ///
  /// All run after the row is stored, within the statement that stores it: no other statement sees a row before, but
  /// RETURNING and hooks do. Their changes count neither in `changes()` nor in `last_insert_rowid()`. See
  /// [CREATE TRIGGER](https://sqlite.org/lang_createtrigger.html) and
  /// [changes()](https://sqlite.org/c3ref/changes.html).
  ///
  /// - Parameter schema: The name of the schema in the history.
  func triggers(schema: String) throws -> [String] {
    guard servesOlder else { return [] }
    return try [insertTrigger(schema)].compactMap { $0 } + renameTriggers(schema) + markTriggers()
      + [noticingTrigger(schema)]
      .compactMap { $0 }
  }

  /// In a new row, the name that its program knows has the value.
  private func insertTrigger(_ schema: String) throws -> String? {
    // A default that is computed cannot be told from a value that a program gives.
    let telling = (pairs.map(\.old) + kept).filter { $0.generation == nil && $0.defaultValue.map(\.isConstant) ?? true }
    let oldGiven = try telling.map { try "NOT \(isAbsent($0))" }
    var body: [String] = []
    for pair in pairs where pair.isMarked {
      body.append(
        "SELECT \(refusal(of: pair.new)) WHERE \(try isAbsent(pair.old)) AND \(try isAbsent(pair.new));")
    }
    if !pairs.isEmpty {
      body.append(
        update(
          try pairs.flatMap { pair in
            let value = try "CASE WHEN \(isAbsent(pair.old)) THEN \(pair.new.inRow) ELSE \(pair.old.inRow) END"
            return ["\(pair.old.name.quoted) = \(value)", "\(pair.new.name.quoted) = \(value)"]
          }))
    }
    for (column, fill) in fills {
      guard let column = declared.column(column) else { continue }
      let value = "CASE WHEN \(try isAbsent(column)) THEN (\(fill)\n) ELSE \(column.inRow) END"
      body.append(update(["\(column.name.quoted) = \(value)"]))
    }
    if !oldGiven.isEmpty { body.append(note(schema, where: oldGiven.joined(separator: " OR "))) }
    guard !body.isEmpty else { return nil }
    let concerned =
      try pairs.map(\.differ) + pairs.filter(\.isMarked).map { try isAbsent($0.new) }
      + fills.keys.compactMap { try declared.column($0).map(isAbsent) } + oldGiven
    return trigger("insert", "AFTER INSERT", when: concerned.joined(separator: " OR "), body)
  }

  /// In a changed row, the name that changed has the value.
  private func renameTriggers(_ schema: String) -> [String] {
    pairs.enumerated().flatMap { index, pair in
      [
        trigger(
          "older \(index)", "AFTER UPDATE OF \(pair.old.name.quoted)", when: pair.differ,
          [update(["\(pair.new.name.quoted) = \(pair.old.inRow)"]), note(schema)]),
        trigger(
          "newer \(index)", "AFTER UPDATE OF \(pair.new.name.quoted)", when: pair.differ,
          [update(["\(pair.old.name.quoted) = \(pair.new.inRow)"])]),
      ]
    }
  }

  /// OR REPLACE takes the default for NULL, which would be the mark: https://sqlite.org/lang_conflict.html
  private func markTriggers() throws -> [String] {
    try table.columns.filter { markedColumns.contains($0.name) }.map { column in
      trigger(
        "required \(column.name)", "AFTER UPDATE OF \(column.name.quoted)", when: try isAbsent(column),
        ["SELECT \(refusal(of: column));"])
    }
  }

  /// Notices a change of columns that the newer program does not know.
  private func noticingTrigger(_ schema: String) -> String? {
    let columns = kept.filter { $0.generation == nil }.map(\.name.quoted)
    guard !columns.isEmpty else { return nil }
    return trigger("older", "AFTER UPDATE OF \(columns.joined(separator: ", "))", when: nil, [note(schema)])
  }

  private func update(_ assignments: [String]) -> String {
    let key = table.rowKey ?? ""
    return "UPDATE \(table.name.quoted) SET \(assignments.joined(separator: ", ")) WHERE \(key) = NEW.\(key);"
  }

  private func refusal(of column: ColumnSchema) -> String {
    "RAISE(ABORT, \(SQLQuoting.literal("NOT NULL constraint failed: \(table.name).\(column.name)")))"
  }

  /// The triggers that notice writes to a table that the newer program does not know.
  static func triggers(noticing table: TableSchema, schema: String) -> [String] {
    ["INSERT", "UPDATE", "DELETE"].map { event in
      trigger(table.name, event.lowercased(), "AFTER \(event)", when: nil, [note(schema)])
    }
  }

  private func trigger(_ name: String, _ event: String, when condition: String?, _ body: [String]) -> String {
    Self.trigger(table.name, name, event, when: condition, body)
  }

  private static func trigger(
    _ table: SQLName, _ name: String, _ event: String, when condition: String?, _ body: [String]
  ) -> String {
    let name = SQLName("\(SQLName.expansionPrefix) \(table) \(name)")
    return "CREATE TRIGGER \(name.quoted) \(event) ON \(table.quoted)"
      + (condition.map { " WHEN \($0)" } ?? "") + " BEGIN \(body.joined(separator: " ")) END"
  }

  /// Notes that the older program writes, at most once a minute.
  private static func note(_ schema: String, where condition: String = "TRUE") -> String {
    let name = SQLQuoting.literal(schema)
    let table = writesTable(of: schema).quoted
    let now = "CAST(strftime('%s', 'now') AS INTEGER)"
    return """
      INSERT INTO \(table) (schema, written) SELECT \(name), \(now) WHERE (\(condition)) AND NOT EXISTS \
      (SELECT 1 FROM \(table) WHERE schema = \(name) AND written BETWEEN \(now) - 60 AND \(now)) \
      ON CONFLICT (schema) DO UPDATE SET written = excluded.written;
      """
  }

  private func note(_ schema: String, where condition: String = "TRUE") -> String {
    Self.note(schema, where: condition)
  }

  /// The condition under which a new row has no value of its own in a column.
  private func isAbsent(_ column: ColumnSchema) throws -> String {
    if markedColumns.contains(column.name) { return "\(column.inRow) IS \(column.mark(isStrict: table.isStrict))" }
    guard let stored = try column.storedDefault(isStrict: table.isStrict) else { return "\(column.inRow) IS NULL" }
    return "(\(column.inRow) IS \(stored.literal) COLLATE BINARY AND typeof(\(column.inRow)) = '\(stored.type)')"
  }
}

extension ExpandedTable.Pair {
  /// The condition under which both names of a row have other values, or values of other types.
  fileprivate var differ: String {
    "(\(old.inRow) IS NOT \(new.inRow) COLLATE BINARY OR typeof(\(old.inRow)) <> typeof(\(new.inRow)))"
  }
}

extension ColumnSchema {
  fileprivate var inRow: String { "NEW.\(name.quoted)" }

  /// The value of the column's default in a row, as SQLite stores it; nil for NULL.
  func storedDefault(isStrict: Bool) throws -> (literal: String, type: String)? {
    guard let defaultValue, !defaultValue.isNull else { return nil }
    let database = try SQLiteConnection.memory()
    let form = isStrict ? (" ANY", " STRICT") : ("", "")
    try database.execute("CREATE TABLE t (c \(type ?? "") DEFAULT \(defaultValue.expression), d\(form.0))\(form.1)")
    try database.execute("INSERT INTO t (d) VALUES (1)")
    // Before 3.40, quote() gives a number as it is.
    let row = try database.rows("SELECT CAST(quote(c) AS TEXT), typeof(c) FROM t")[0]
    guard let literal = row[0].text, let type = row[1].text else {
      throw PlanError(reason: .unprovable(.statement(definition, message: "its default cannot be read")))
    }
    return type == "null" ? nil : (literal, type)
  }
}

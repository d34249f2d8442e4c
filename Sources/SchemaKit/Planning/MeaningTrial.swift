import OrderedCollections

/// A schema in memory with the names of its columns and no more, in which views and triggers are compiled.
///
/// *Cost:* creates the tables and views of the schema in memory.
struct MeaningTrial {
  let schema: DatabaseSchema
  let connection: SQLiteConnection

  /// - Parameters:
  ///   - typeOfOthers: The type of the columns that have a name which nothing uses, which are then in no key.
  init(
    _ schema: DatabaseSchema, views: [String], like clone: SQLiteConnection, typeOfOthers: String? = nil
  ) throws {
    self.schema = schema
    let connection = try SQLiteConnection.memory()
    self.connection = connection
    try connection.installCollationStubs()
    try connection.installStubs(of: clone)
    try connection.setAllowsDoubleQuotedText(true)
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA automatic_index = OFF")
    try connection.denyingDangerousStatements {
      try connection.transaction {
        for table in schema.tables.values { _ = try? connection.run(Self.names(of: table, typeOfOthers)) }
        for sql in schema.virtualTables.values.map(\.sql) + views { try? connection.runStubbing(sql) }
      }
    }
  }

  /// A name that no view and no trigger uses.
  static func other(_ number: Int) -> SQLName { SQLName("_schemakit_other_\(number)") }

  /// The statement that creates a table with its names and keys.
  private static func names(of table: TableSchema, _ typeOfOthers: String?) -> String {
    func isOther(_ name: SQLName) -> Bool { typeOfOthers != nil && name.folded.hasPrefix("_schemakit_other_") }
    var parts = table.columns.map { isOther($0.name) ? "\($0.name.quoted) \(typeOfOthers ?? "")" : $0.name.quoted }
    func key(_ words: String, _ columns: [KeyColumn]) -> [String] {
      columns.contains { isOther($0.name) }
        ? [] : ["\(words) (\(columns.map(\.name.quoted).joined(separator: ", ")))"]
    }
    let primary = table.primaryKey.map { key("PRIMARY KEY", $0.columns) } ?? []
    parts += primary + table.uniques.flatMap { key("UNIQUE", $0.columns) }
    return "CREATE TABLE main.\(table.name.quoted) (\(parts.joined(separator: ", ")))"
      + (table.isWithoutRowID && !primary.isEmpty ? " WITHOUT ROWID" : "")
  }

  /// The program of a view, or of the statement that fires a trigger; nil if it does not compile.
  func program(of object: NameUsers.Object) -> [[String]]? {
    object.trigger.map { program(ofTrigger: object.name, object.sql, event: $0.event, on: $0.table) }
      ?? program(of: object.name)
  }

  private func program(of view: SQLName) -> [[String]]? { program("SELECT * FROM main.\(view.quoted)") }

  /// The program of a statement that fires a trigger; nil if it does not compile.
  private func program(ofTrigger name: SQLName, _ sql: String, event: String, on table: SQLName) -> [[String]]? {
    guard (try? connection.runStubbing(sql)) != nil else { return nil }
    defer { _ = try? connection.run("DROP TRIGGER main.\(name.quoted)") }
    let target = "main.\(table.quoted)"
    switch event {
    case "INSERT": return program("INSERT INTO \(target) DEFAULT VALUES")
    case "DELETE": return program("DELETE FROM \(target)")
    default:
      let names =
        schema.tables.values.first { $0.name == table }?.writableColumns.map(\.name)
        ?? (try? connection.rows("PRAGMA main.table_info(\(table.quoted))"))?.compactMap {
          $0[1].text.map { SQLName($0) }
        }
      guard let names, !names.isEmpty else { return nil }
      return program("UPDATE \(target) SET " + names.map { "\($0.quoted) = \($0.quoted)" }.joined(separator: ", "))
    }
  }

  /// Operations whose fourth operand is a value or a function, and not a name.
  private static let valued: Set = [
    "String", "String8", "Integer", "Int64", "Real", "Blob", "Function", "PureFunc", "AggStep", "AggStep1", "AggFinal",
    "Cast", "CollSeq",
  ]

  /// The operations with their operands, but for names.
  private func program(_ sql: String) -> [[String]]? {
    let rows = try? connection.stubbing { try connection.rows("EXPLAIN \(sql)") }
    return rows?.map { row in
      let operation = row[1].text ?? ""
      // It has the number of changes of the schema, to which each trigger adds.
      if operation == "Transaction" { return [operation] }
      let operands = [2, 3, 4, 6].map { "\(row[$0])" }
      return [operation] + operands + (Self.valued.contains(operation) ? ["\(row[5])"] : [])
    }
  }
}

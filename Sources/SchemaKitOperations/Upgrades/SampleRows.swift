import OrderedCollections

/// Rows that a schema accepts, made up from the types of its columns: always the same for the same schema.
///
/// Each row is tried on an empty database with the schema, so that what is written down can be run.
package struct SampleRows {
  /// The statements, with a remark in place of what could not be made.
  package private(set) var lines: [String] = []
  /// The remarks among the statements.
  package var remarks: [String] { lines.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(3)) } }
  /// The number of rows that each table has in the end, triggers included.
  package private(set) var counts: [(table: SQLName, rows: Int)] = []

  private let schema: DatabaseSchema
  private let database: SQLiteConnection

  /// The number of rows that a table gets.
  private static let rowsPerTable = 3

  /// Makes rows for a schema.
  ///
  /// - Parameter statements: The statements that create the schema.
  /// - Throws: `SQLiteError` for a statement that this SQLite cannot run.
  package init(for schema: DatabaseSchema, createdBy statements: String) throws {
    self.schema = schema
    database = try SQLiteConnection.memory()
    // Old schemas contain string literals in double quotes.
    try database.setAllowsDoubleQuotedText(true)
    try database.execute(statements)
    try database.execute("PRAGMA foreign_keys = ON")
    for table in tablesByParent { try fill(table) }
    // Triggers may have filled it.
    for name in schema.virtualTables.keys
    where try database.value("SELECT 1 FROM main.\(name.quoted) LIMIT 1") == nil {
      lines.append("-- \(name) is a virtual table: write its rows by hand.")
    }
    for name in schema.tables.keys {
      counts.append((name, Int(try database.integer("SELECT count(*) FROM main.\(name.quoted)") ?? 0)))
    }
  }

  /// The tables, each behind those that it refers to where that is possible.
  private var tablesByParent: [TableSchema] {
    var ordered: [TableSchema] = []
    var left = Array(schema.tables.values)
    while !left.isEmpty {
      let waiting = Set(left.map(\.name))
      let ready = left.filter { table in
        !table.foreignKeys.contains { $0.parent != table.name && waiting.contains($0.parent) }
      }
      let next = ready.isEmpty ? [left[0]] : ready
      ordered += next
      left.removeAll { table in next.contains { $0.name == table.name } }
    }
    return ordered
  }

  private mutating func fill(_ table: TableSchema) throws {
    var made = 0
    var refusal: String?
    for number in 1...Self.rowsPerTable {
      do {
        if let statement = try insert(number, into: table) {
          lines.append(statement)
          made += 1
        }
      } catch let error as SQLiteError {
        refusal = error.message
      }
    }
    if made == 0 {
      let reason = refusal.map { ": \($0)" } ?? ""
      lines.append("-- No row of \(table.name) could be made up\(reason). Write one by hand.")
    }
  }

  /// Inserts a row and returns the statement; nil where no parent is there.
  ///
  /// - Throws: The last error, if SQLite refuses every row that is tried.
  private func insert(_ number: Int, into table: TableSchema) throws -> String? {
    var refusal: (any Error)?
    for attempt in 0..<Self.attempts {
      guard let values = try values(of: number, attempt: attempt, for: table) else { return nil }
      let names = values.map(\.column.quotedIfNeeded).joined(separator: ", ")
      let literals = values.map(\.literal).joined(separator: ", ")
      let statement =
        values.isEmpty
        ? "INSERT INTO \(table.name.quotedIfNeeded) DEFAULT VALUES;"
        : "INSERT INTO \(table.name.quotedIfNeeded) (\(names)) VALUES (\(literals));"
      do {
        try database.execute(statement)
        return statement
      } catch {
        refusal = error
      }
    }
    if let refusal { throw refusal }
    return nil
  }

  private static let attempts = 240
}

// MARK: - Values

extension SampleRows {
  private typealias ColumnLiteral = (column: SQLName, literal: String)

  /// The values of a row; nil where a column must refer to a row and there is none.
  private func values(of number: Int, attempt: Int, for table: TableSchema) throws -> [ColumnLiteral]? {
    var values: [ColumnLiteral] = []
    var parents: [SQLName: String] = [:]
    for key in table.foreignKeys {
      guard let found = try parent(of: key, number: number + attempt) else {
        let needed = key.columns.contains { table.column($0)?.isNotNull ?? false }
        guard !needed || key.parent == table.name else { return nil }
        for column in key.columns where parents[column] == nil { parents[column] = "NULL" }
        continue
      }
      for (column, literal) in zip(key.columns, found) { parents[column] = literal }
    }
    // Each checked column goes through its candidates at a pace of its own, so that all combinations come.
    var pace = 1
    for column in table.columns where column.generation == nil {
      let isAlias = table.primaryKey?.isRowIDAlias == true && table.primaryKey?.columns.first?.name == column.name
      if let literal = parents[column.name] {
        // A row may refer to itself.
        let own = literal == "NULL" && column.isNotNull ? "\(number)" : literal
        values.append((column.name, own))
        continue
      }
      if isAlias {
        values.append((column.name, "\(number)"))
        continue
      }
      let candidates = candidates(for: column, of: table, number: number)
      values.append((column.name, candidates[(attempt / pace) % candidates.count]))
      pace *= candidates.count
    }
    return values
  }

  /// The values of a row of a parent that a foreign key can refer to; nil without such a row.
  private func parent(of key: ForeignKeySchema, number: Int) throws -> [String]? {
    guard let parent = schema.table(key.parent) else { return nil }
    let columns = key.parentColumns.isEmpty ? parent.primaryKey?.columns.map(\.name) ?? [] : key.parentColumns
    guard columns.count == key.columns.count, !columns.isEmpty else { return nil }
    let list = columns.map { "quote(\($0.quoted))" }.joined(separator: ", ")
    let rows = try database.rows("SELECT \(list) FROM main.\(parent.name.quoted) ORDER BY 1")
    guard !rows.isEmpty else { return nil }
    return rows[(number - 1) % rows.count].compactMap(\.text)
  }

  /// The values that a column may get, the most likely one first.
  private func candidates(for column: ColumnSchema, of table: TableSchema, number: Int) -> [String] {
    var candidates = [literal(for: column, number: number)]
    let isKey = table.primaryKey?.columns.contains { $0.name == column.name } ?? false
    if !column.isNotNull, !isKey {
      // Every table that can have NULL has some.
      if number == 2 { candidates.insert("NULL", at: 0) } else { candidates.append("NULL") }
    }
    let words = table.checks.map(\.expression.text).filter { text in
      ((try? SQLLexer.tokens(of: text)) ?? []).contains { $0.name == column.name }
    }
    guard !words.isEmpty else { return candidates }
    for text in words {
      for token in (try? SQLLexer.tokens(of: text)) ?? [] {
        switch token.kind {
        case .string: candidates.append(token.text)
        case .integer, .float:
          candidates.append(token.text)
          if let value = Int(token.text) { candidates += ["\(value + number)", "\(value - 1)"] }
        default: break
        }
      }
    }
    candidates += ["1", "0", "''"]
    var seen: Set<String> = []
    return candidates.filter { seen.insert($0).inserted }
  }

  /// A value of the column's type that differs from row to row.
  private func literal(for column: ColumnSchema, number: Int) -> String {
    let type = (column.type ?? "").uppercased()
    if type.contains("BOOL") { return "\(number % 2)" }
    if column.affinity != .integer, type.contains("DATE") || type.contains("TIME") {
      let day = "2025-01-0\(number)"
      return type.contains("TIME") ? "'\(day) 12:00:00'" : "'\(day)'"
    }
    if type.contains("JSON") { return "'{\"number\": \(number)}'" }
    return switch column.affinity {
    case .integer, .numeric: "\(number)"
    case .real: "\(number).5"
    case .text: SQLQuoting.literal("\(column.name.text) \(number)")
    case .blob: column.type == nil ? "\(number)" : "x'0\(number)'"
    }
  }
}

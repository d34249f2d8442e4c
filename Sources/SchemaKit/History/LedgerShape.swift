/// The shape that SchemaKit's own tables must have before anything is read from them or written to them.
///
/// They are in a file that other programs can change. A part that is missing or not as it should be is named in an
/// error; nothing is guessed from the rest. Columns that are not ours do no harm.
package struct LedgerShape {
  /// One of SchemaKit's tables.
  package struct OwnTable {
    package var name: String
    /// Its columns; the first one is its key.
    package var columns: [String]
  }

  package static let meta = OwnTable(name: "_schemakit_meta", columns: ["key", "value"])
  package static let schemas = OwnTable(
    name: "_schemakit_schemas", columns: ["name", "fingerprint", "declaration", "cookie", "owned"])
  package static let history = OwnTable(
    name: "_schemakit_history",
    columns: [
      "id", "schema", "applied_at", "kind", "from_fingerprint", "to_fingerprint", "summary", "plan", "milliseconds",
      "program", "library", "engine", "live",
    ])
  package static let nulls = OwnTable(
    name: "_schemakit_nulls", columns: ["id", "history", "number", "mark"])
  package static let kept = OwnTable(
    name: "_schemakit_kept", columns: ["number", "history", "table", "column", "columns", "rowids", "mark"])

  /// All that a file can have, but for the tables that hold kept rows, whose names are listed in `kept`.
  package static let tables = [meta, schemas, history, nulls, kept]

  package let connection: any SQLConnection

  package init(connection: any SQLConnection) { self.connection = connection }

  /// Returns the kind of object that the catalog lists under a name, such as a table or a view; nil if there is none.
  ///
  /// *Cost:* scans the whole catalog, which has no index.
  package func kind(of name: String) throws -> String? {
    try connection.value(
      "SELECT type FROM main.sqlite_master WHERE name = ?1 COLLATE NOCASE AND type IN ('table', 'view')", [.text(name)])?
      .text
  }

  /// True if a table or view of that name exists.
  package func has(_ name: String) throws -> Bool {
    if let columns = try columns(of: name) { return !columns.isEmpty }
    return try kind(of: name) != nil
  }

  /// Rejects an object that is not the table of that name, or lacks one of its columns.
  ///
  /// - Parameter more: Columns that it must have in addition.
  package func check(_ table: OwnTable, and more: [String] = []) throws {
    // A view has no primary key, so only a table can be without a problem.
    guard let problem = try problem(with: table, columns: table.columns + more) else { return }
    switch try kind(of: table.name) {
    case "table": throw HistoryError.damaged(table.name, problem)
    case nil: throw HistoryError.damaged(table.name, .missing)
    case let kind?: throw HistoryError.damaged(table.name, .notATable(kind: kind))
    }
  }

  /// Returns the problem with a table; nil if it has all columns and its key.
  private func problem(with table: OwnTable, columns: [String]) throws -> HistoryError.LedgerProblem? {
    let rows = try self.columns(of: table.name) ?? []
    let keys = Dictionary(rows.map { (SQLName($0[1].text ?? ""), $0[5].integer ?? 0) }, uniquingKeysWith: max)
    if let column = columns.first(where: { keys[SQLName($0)] == nil }) { return .missingColumn(column) }
    guard let key = table.columns.first, keys[SQLName(key)] == 1, keys.values.allSatisfy({ $0 < 2 }) else {
      return .otherPrimaryKey
    }
    return nil
  }

  /// The rows of `PRAGMA table_info`, which SQLite finds without scanning the catalog: empty if the table or view does
  /// not exist, nil for a view that cannot be read.
  private func columns(of table: String) throws -> [[SQLValue]]? {
    do {
      return try connection.rows("PRAGMA main.table_info(\(SQLQuoting.identifier(table)))")
    } catch let error as SQLiteError where error.resultCode == 1 {
      // SQLITE_ERROR; any other error does not concern the view.
      return nil
    }
  }
}

/// A row of one of SchemaKit's own tables.
package struct LedgerRow {
  package let table: String
  package let values: [SQLValue]

  /// The text of a column that must hold one.
  package func text(_ index: Int, _ column: String) throws -> String {
    guard let text = values[index].text else { throw HistoryError.damaged(table, .wrongValue(column: column, .text)) }
    return text
  }

  /// The number in a column that must hold one.
  package func integer(_ index: Int, _ column: String) throws -> Int64 {
    guard let integer = values[index].integer else {
      throw HistoryError.damaged(table, .wrongValue(column: column, .wholeNumber))
    }
    return integer
  }

  /// Names, which are stored quoted and separated by commas, so that they may contain any character.
  package func names(_ index: Int, _ column: String) throws -> [SQLName] {
    let tokens = try? SQLLexer.tokens(of: text(index, column))
    let names = (tokens ?? []).compactMap(\.name)
    guard let tokens, tokens.count == max(0, names.count * 2 - 1) else {
      throw HistoryError.damaged(table, .wrongValue(column: column, .names))
    }
    return names
  }
}

extension SQLConnection {
  /// Runs work on one of SchemaKit's own tables; SQLite errors are reported as errors of the table.
  package func onLedger<T>(_ table: LedgerShape.OwnTable, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as SQLiteError where error.resultCode == 1 || (error.isConstraint && error.extendedCode != 1811) {
      // 1 is SQLITE_ERROR: the statement does not fit the table. 1811 comes from a trigger, which may have its reasons.
      throw HistoryError.damaged(table.name, .refusedBySQLite(error.message))
    }
  }
}

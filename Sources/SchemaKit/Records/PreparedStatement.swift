/// A statement that is compiled once and run as often as wanted, with new values each time.
///
/// ```swift
/// let insert = try session.prepare("INSERT INTO authors (name) VALUES (?)")
/// for name in names { try insert.execute([name]) }
/// ```
///
/// It belongs to its session, or to the reader that prepared it, and is for loops inside one call, such as a closure of
/// `Database.transaction`. When the schema changes, SQLite compiles it again. After the session has ended it throws
/// ``SQLiteConnectionError/closed(path:)``. It has identity because it wraps a compiled statement.
public final class PreparedStatement {
  /// Its SQL.
  public let sql: String
  /// The names of its parameters in order, with the prefix character; nil for a question mark.
  public let parameterNames: [String?]

  // Weak, so that a statement that is left over does not keep a database open.
  private weak var connection: SQLiteConnection?
  private let slot: StatementSlot
  /// True if it can be run again without being compiled again.
  private let canKeep: Bool

  fileprivate init(_ sql: String, on connection: SQLiteConnection) throws {
    self.sql = sql
    self.connection = connection
    slot = StatementSlot(sql)
    canKeep = StatementCache.canKeep(sql)
    parameterNames = try connection.withStatement(slot) { $0.parameterNames }
  }

  /// Runs it with values for its parameters in order, and drops any rows.
  ///
  /// - Returns: The number of rows that it changed, and the rowid of the last row inserted.
  @discardableResult
  public func execute(_ values: [(any ColumnValue)?] = []) throws -> WriteResult {
    let connection = try opened()
    return try connection.result { try run(stored(values)) { _ in } }
  }

  /// Runs it with named values, for parameters such as `:id`, `@id` or `$id`.
  @discardableResult
  public func execute(_ values: [String: (any ColumnValue)?]) throws -> WriteResult { try execute(ordered(values)) }

  /// Runs it and returns its rows.
  public func query(_ values: [(any ColumnValue)?] = []) throws -> [SQLRow] {
    var rows: [SQLRow] = []
    try forEach(values) { rows.append($0) }
    return rows
  }

  /// Runs it with named values and returns its rows.
  public func query(_ values: [String: (any ColumnValue)?]) throws -> [SQLRow] { try query(ordered(values)) }

  /// Runs it and passes its rows to the body one by one.
  public func forEach(_ values: [(any ColumnValue)?] = [], _ body: (SQLRow) throws -> Void) throws {
    var names: [String]?
    try run(stored(values)) { row in
      // The names may change with the first step, when SQLite compiles the statement again.
      let known = names ?? row.columnNames
      names = known
      try body(SQLRow(columnNames: known, values: try row.exactRow(known)))
    }
  }

  /// Runs it and returns the first column of its first row as a Swift type; nil without a row.
  public func value<Value: ColumnValue>(
    _ values: [(any ColumnValue)?] = [], as type: Value.Type = Value.self
  ) throws -> Value? {
    let connection = try opened()
    return try lend { statement in
      try statement.bindExactly(stored(values))
      return try connection.withRows(of: statement) { next in
        guard try next() else { return nil }
        let value = try Value(sqlValue: try statement.sqlValue(at: 0))
        // A statement that writes is committed, or fails, when it has run to its end.
        if !statement.isReadOnly { while try next() {} }
        return value
      }
    }
  }

  private func run(_ values: [SQLValue], _ body: (Statement) throws -> Void) throws {
    let connection = try opened()
    try lend { statement in
      try statement.bindExactly(values)
      try connection.run(statement, eachRow: body)
    }
  }

  private func lend<T>(_ body: (Statement) throws -> T) throws -> T {
    let connection = try opened()
    return try canKeep ? connection.withStatement(slot, body) : connection.withStatement(sql, body)
  }

  private func opened() throws -> SQLiteConnection {
    guard let connection else { throw SQLiteConnectionError.closed(path: nil) }
    try connection.requireOpen()
    return connection
  }

  private func stored(_ values: [(any ColumnValue)?]) throws -> [SQLValue] { try SQL(sql, values).checked().values }

  private func ordered(_ values: [String: (any ColumnValue)?]) throws -> [(any ColumnValue)?] {
    try SQL.ordered(values, for: parameterNames)
  }
}

extension RecordReader {
  /// Compiles one statement, to run it many times with new values for its question marks or named parameters.
  ///
  /// - Throws: ``RecordError`` for a literal with values in it, `SQLiteError` if SQLite rejects the statement.
  public func prepare(_ sql: SQL) throws -> PreparedStatement {
    let sql = try sql.checked()
    guard sql.values.isEmpty else {
      throw RecordError(
        .parameters(expected: "question marks or names for values that come with each run", found: "values in the text")
      )
    }
    return try PreparedStatement(sql.text, on: connection)
  }
}

extension Statement {
  fileprivate func bindExactly(_ values: [SQLValue]) throws {
    try checkCount(of: values)
    try bind(values)
  }
}

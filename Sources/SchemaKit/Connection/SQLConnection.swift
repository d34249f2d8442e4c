/// The interface to a database engine: everything that introspection, planning and applying need from one.
///
/// The engine speaks SQLite's SQL, with its PRAGMAs, and keeps one transaction open over several calls. Capabilities that
/// only SQLite in this process has are asked for separately; elsewhere, callers do without them.
///
/// A connection is confined to whoever owns it and is not `Sendable`. All functions throw `SQLiteError`, and those of a
/// connection to a server `RemoteError` too.
public protocol SQLConnection: AnyObject {
  /// The engine's version number as `sqlite3_libversion_number` gives it, for example 3040001.
  var engineVersionNumber: Int { get }

  /// True if a transaction is open on this connection.
  var isInTransaction: Bool { get }

  /// Runs every statement of a script, in order, discarding any rows.
  func execute(_ sql: String) throws

  /// Runs one statement with positional values and returns how many rows it changed.
  @discardableResult
  func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int

  /// Runs one query and passes each row to the body, as the values of its columns, in order.
  func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws

  /// Compiles one statement without running it, and throws the compiler's error if it fails.
  func prepareOnly(_ sql: String) throws

  /// Runs work in the open transaction, and lets it write no more once the engine has rolled the transaction back by
  /// itself.
  func guardingTransaction<T>(_ body: () throws -> T) throws -> T

  /// Restores the file to its state before the transaction, if a rollback could not because the disk had failed.
  func finishRollback()
}

extension SQLConnection {
  /// Runs the work as it is, for an engine that rolls nothing back by itself.
  public func guardingTransaction<T>(_ body: () throws -> T) throws -> T { try body() }

  /// Does nothing.
  public func finishRollback() {}
}

extension SQLConnection {
  /// Runs one statement without values and returns how many rows it changed.
  @discardableResult
  public func run(_ sql: String) throws -> Int { try run(sql, []) }

  /// Runs one query and returns all its rows.
  public func rows(_ sql: String, _ bindings: [SQLValue] = []) throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    try forEachRow(sql, bindings) { rows.append($0) }
    return rows
  }

  /// Runs one query and returns the first column of its first row, or nil if there are no rows.
  public func value(_ sql: String, _ bindings: [SQLValue] = []) throws -> SQLValue? {
    try rows(sql, bindings).first?.first
  }

  /// Runs one query whose first value is an integer; nil if there are no rows or the value has another storage class.
  public func integer(_ sql: String, _ bindings: [SQLValue] = []) throws -> Int64? {
    try value(sql, bindings)?.integer
  }

  /// Runs one query and returns the text values in the first column of its rows.
  public func texts(_ sql: String, _ bindings: [SQLValue] = []) throws -> [String] {
    try rows(sql, bindings).compactMap { $0.first?.text }
  }
}

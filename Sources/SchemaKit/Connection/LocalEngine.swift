/// A connection to SQLite in this process, which can tell and do more than others. Callers must be able to do without it.
///
/// Views and triggers are not asked about here: a copy of the catalog in memory is local, whatever engine has the file.
package protocol LocalEngine: SQLConnection {
  /// True if the handle belongs to another library, which sets its handlers and looks after its file.
  var isBorrowed: Bool { get }
  /// True if the database exists only in memory.
  var isInMemory: Bool { get }
  /// The absolute path of the database file on this machine; nil for a database without a file.
  var filePath: String? { get }
  /// The most columns of a table, a query or an index.
  var maximumColumns: Int { get }
  /// The version number of the SQLite that wrote the file last; nil where the file does not say.
  var lastWriterVersionNumber: Int? { get }
  /// The statements on this handle that have begun and not ended, whoever started them.
  var openStatements: [String] { get }
  /// True if collations that this process lacks are stubbed as soon as a statement names them.
  var stubsCollations: Bool { get }

  /// True if queries accept a double-quoted name that matches nothing as a string literal.
  var allowsDoubleQuotedQueries: Bool { get throws }
  /// Chooses whether they do.
  func setAllowsDoubleQuotedQueries(_ isAllowed: Bool) throws

  /// Reads a setting of `sqlite3_db_config`; nil if this SQLite does not know it.
  func configuration(_ operation: Int32) -> Int64?
  /// Makes such a setting.
  func setConfiguration(_ operation: Int32, to value: Int64) throws

  /// Finds the tables of which a row has more fields than the table has columns, among some.
  func tablesWithLeftoverFields(among tables: [(name: String, fields: Int, keyFields: Int?)]) throws -> Set<String>

  /// True if this connection lets the catalog be edited.
  var canEditCatalog: Bool { get }
  /// Runs work while the catalog is writable.
  func withWritableCatalog<T>(_ ending: String, _ body: () throws -> T) throws -> T

  /// Runs work that takes a lock immediately or not at all.
  func withoutWaiting<T>(_ body: () throws -> T) rethrows -> T
  /// Runs work that must be done even after a cancellation, such as restoring settings.
  func suspendingCancellation<T>(_ body: () throws -> T) rethrows -> T
  /// Reports how many operations of SQLite's virtual machine were executed since the last call, while a body runs.
  func metering<T>(_ meter: @escaping (Int) -> Void, _ body: () throws -> T) rethrows -> T

  /// The problems in the pages of the file; empty if there are none.
  ///
  /// - Parameters:
  ///   - isCancelled: True if the check is to stop, with an error that is `isInterrupted`.
  ///   - observing: Runs the check on the connection that it is given, and may observe it.
  func damage(
    isCancelled: @escaping () -> Bool,
    observing: @escaping (any LocalEngine, () throws -> [String]) throws -> [String]
  ) throws -> [String]
}

extension SQLConnection {
  /// Runs work that takes a lock immediately or not at all; another engine than a local one waits as it always does.
  func withoutWaiting<T>(_ body: () throws -> T) rethrows -> T {
    guard let local = self as? any LocalEngine else { return try body() }
    return try local.withoutWaiting(body)
  }

  /// Runs work that must be done even after a cancellation; another engine than a local one is never cancelled.
  func suspendingCancellation<T>(_ body: () throws -> T) rethrows -> T {
    guard let local = self as? any LocalEngine else { return try body() }
    return try local.suspendingCancellation(body)
  }
}

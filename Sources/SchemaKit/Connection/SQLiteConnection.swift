import CSQLite

/// A connection to one SQLite database, opened by path or borrowed from another library.
///
/// It has identity because it wraps a C handle with state of its own: locks, a transaction, settings. It belongs to
/// whoever made it and is not `Sendable`; only its ``interruptHandle`` may be used from elsewhere.
public final class SQLiteConnection {
  /// The C handle, for calls that are not wrapped here; once the connection is closed, that of an empty database.
  @exclusivity(unchecked) var handle: OpaquePointer
  /// True if the handle belongs to someone else, who configures and closes it.
  public let isBorrowed: Bool
  /// True if the database exists only in memory.
  public let isInMemory: Bool
  /// The options it was opened with.
  package var options: ConnectionOptions
  /// Stops the running statement from another thread or task.
  public let interruptHandle: InterruptHandle

  /// Runs the statements where the database is on a server; nil elsewhere.
  let server: ServerFront?

  let hooks: ConnectionHooks
  let stubs = StubRegistry()
  let authorizers = AuthorizerStack()
  let statements = StatementRegistry()
  var traceBox: TraceBox?
  /// True if it was closed.
  @exclusivity(unchecked) public internal(set) var isClosed = false
  /// The path that it had when it was closed.
  var closedPath: String?
  var cache = StatementCache(capacity: 64)
  /// Called after each statement that leaves no transaction open: what it wrote or committed is final.
  var onIdle: (() -> Void)?
  /// True if a statement that may write has run since this was reset, as far as there is an `onIdle`.
  var hasWritten = false
  /// The number of rows that the last statement changed, kept while `onIdle` would otherwise overwrite it.
  var changesBeforeIdle: Int?
  /// True if work is in progress that belongs in one transaction.
  var isGuardingTransaction = false
  /// The error that made SQLite roll that transaction back by itself; nil if it did not.
  var rollbackCause: SQLiteError?
  /// True if a write has failed since the file was last known to be as before a transaction that was rolled back.
  var hasDiskFailed = false
  /// The total number of rows that `onIdle` has changed, which are not reported to callers.
  var changesWhileIdle = 0
  /// True if statements can store values in another coding.
  var hasRecodingFunctions = false
  /// The rowid of the latest row inserted before it was forgotten.
  var formerRowID: Int64 = 0
  /// True if the last statement that may write, over a borrowed handle, was an INSERT that updates no row.
  var hasRunInsert = false

  /// Opens the database file at a path; the path is never interpreted as a URI or a special name.
  ///
  /// SQLite reads the file only when it must: call ``probe()`` to find out at once whether it is a database.
  /// In the mode `memory` the path is ignored.
  ///
  /// Pages are checked for damage as they are read, and nothing in a file can load a library. See
  /// [Untrusted SQLite Database Files](https://sqlite.org/security.html).
  ///
  /// - Parameter trustsSchema: True if the file's views, triggers, checks and indexes may call any function or virtual
  ///   table, as ``Configuration/trustsSchema`` has it.
  /// - Parameter key: The key of an encrypted file, which needs SQLCipher.
  public convenience init(
    path: String, mode: Mode = .readWriteCreate, busyTimeout: Double = 10, trustsSchema: Bool = true,
    key: EncryptionKey? = nil
  ) throws {
    try self.init(
      path: path, mode: mode, ConnectionOptions(busyTimeout: busyTimeout, trustsSchema: trustsSchema, key: key))
  }

  /// Opens the database file at a path through a VFS that is registered with SQLite under a name.
  ///
  /// See [The OS Backend (VFS)](https://sqlite.org/vfs.html).
  package convenience init(
    path: String, mode: Mode, busyTimeout: Double = 10, trustsSchema: Bool = true, fileSystem: String?
  ) throws {
    var options = ConnectionOptions(busyTimeout: busyTimeout, trustsSchema: trustsSchema)
    options.parameters.fileSystem = fileSystem
    try self.init(path: path, mode: mode, options)
  }

  /// Opens a database. Every handle of our own is opened and set up here.
  init(path: String, mode: Mode, _ options: ConnectionOptions) throws {
    try Self.requireEngine()
    try options.parameters.check(mode)
    var options = options
    options.key = try Self.key(for: options, mode)
    handle = try Self.openHandle(path: path, mode: mode, options.parameters, allowsURIs: options.allowsURIs)
    isBorrowed = false
    isInMemory = mode == .memory
    server = nil
    self.options = options
    interruptHandle = InterruptHandle(handle)
    hooks = ConnectionHooks(options, interruptHandle: interruptHandle)
    sqlite3_extended_result_codes(handle, 1)
    hooks.installBusyHandler(on: handle)
    try unlock()
    if mode != .memory { try guardAgainstFile(trustsSchema: options.trustsSchema) }
    try loadExtensions()
    try registerAdditions()
    try registerRowIDFunction()
    if let trace = options.trace { try install(trace) }
  }

  /// Borrows the connection of another library that is linked with the same SQLite.
  ///
  /// The lender keeps it open for as long as this object lives, does not use it meanwhile from another thread, and
  /// closes it afterwards. No handler of any kind is set on it.
  ///
  /// - Parameters:
  ///   - handle: The `sqlite3*` of the lender.
  ///   - sourceID: The result of `sqlite3_sourceid()` in the lender's copy of SQLite.
  /// - Throws: ``SQLiteConnectionError/foreignLibrary(theirs:ours:)`` if that is a different copy than ours.
  public init(borrowing handle: OpaquePointer, sourceID: String, busyTimeout: Double = 10) throws {
    guard sourceID == Self.engineSourceID else {
      throw SQLiteConnectionError.foreignLibrary(theirs: sourceID, ours: Self.engineSourceID)
    }
    self.handle = handle
    isBorrowed = true
    isInMemory = Self.fileName(of: handle) == nil
    server = nil
    options = ConnectionOptions(busyTimeout: busyTimeout)
    interruptHandle = InterruptHandle(handle)
    hooks = ConnectionHooks(options, interruptHandle: interruptHandle)
  }

  /// Runs statements on a server.
  init(onServer front: ServerFront) throws {
    handle = try Self.openHandle(path: "", mode: .memory)
    isBorrowed = false
    isInMemory = true
    server = front
    options = ConnectionOptions()
    interruptHandle = InterruptHandle(handle)
    hooks = ConnectionHooks(options, interruptHandle: interruptHandle)
  }

  /// Opens a new, empty in-memory database.
  public static func memory() throws -> SQLiteConnection {
    try SQLiteConnection(path: "", mode: .memory)
  }

  deinit {
    interruptHandle.invalidate()
    cache.removeAll()
    statements.finalizeAll()
    if !isBorrowed, !isClosed { sqlite3_close_v2(handle) }
  }
}

extension SQLiteConnection {
  /// The number of seconds to wait for a lock before giving up.
  public var busyTimeout: Double { options.busyTimeout }

  /// The name of the VFS that the file was opened through; nil for SQLite's default.
  package var fileSystem: String? { options.parameters.fileSystem }
}

extension SQLiteConnection: SQLConnection {
  /// The version number of SQLite at run time, for example 3040001.
  public var engineVersionNumber: Int { Int(sqlite3_libversion_number()) }

  /// True if a transaction is open on this connection.
  public var isInTransaction: Bool { server?.connection.isInTransaction ?? (sqlite3_get_autocommit(handle) == 0) }

  /// Runs every statement of a script, in order, discarding any rows.
  public func execute(_ sql: String) throws {
    try forEachStatement(in: sql) { statement in
      // A parameter without a value would be NULL.
      guard statement.parameterCount == 0 else {
        throw SQLiteError.misuse("the statement takes values, and none were given", sql: statement.sql)
      }
      try run(statement) { _ in }
    }
  }

  /// Runs one statement with positional values and returns how many rows it changed itself, not through triggers.
  @discardableResult
  public func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
    try withStatement(sql) { statement in
      try statement.bind(bindings)
      let before = totalChanges
      try run(statement) { _ in }
      // A statement that changes no rows does not reset the count of an earlier one.
      return totalChanges == before ? 0 : changes
    }
  }

  /// Runs one query and passes each row to the body, as the values of its columns, in order.
  public func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    try withStatement(sql) { statement in
      try statement.bind(bindings)
      try run(statement) { try body($0.row()) }
    }
  }

  /// Compiles one statement without running it, and throws the compiler's error if it fails.
  ///
  /// A PRAGMA may already take effect when it is compiled.
  public func prepareOnly(_ sql: String) throws {
    _ = try prepareSingle(sql)
  }
}

extension SQLiteConnection {
  /// Reads the file's header, so that a file that is damaged, encrypted or not a database is detected at once, and one that
  /// another name has a journal for.
  public func probe() throws {
    try refuseOtherName()
    do {
      try forEachRow("PRAGMA main.schema_version", []) { _ in }
    } catch let error as SQLiteError {
      throw explainedKey(Self.explained(error, path: filePath))
    }
  }

  /// Stops the statement that is running on this connection, which then throws an error that is `isInterrupted`. One that runs
  /// on a server is not stopped.
  public func interrupt() { interruptHandle.interrupt() }
}

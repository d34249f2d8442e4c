import CSQLite

extension SQLiteConnection {
  /// The rows by which SQLite explains how it would run a query. The values of its parameters make no difference.
  ///
  /// See [EXPLAIN QUERY PLAN](https://sqlite.org/eqp.html).
  package func queryPlan(of sql: String) throws -> [[SQLValue]] {
    var rows: [[SQLValue]] = []
    try withStatement("EXPLAIN QUERY PLAN \(sql)") { statement in
      try statement.bind(Array(repeating: .null, count: statement.parameterCount))
      try run(statement) { rows.append($0.row()) }
    }
    return rows
  }

  /// Lends the compiled statement for a text, and takes it back reset, even if the body throws.
  ///
  /// A text that is already being run further up the stack gets a second statement.
  func withStatement<T>(_ sql: String, _ body: (Statement) throws -> T) throws -> T {
    let statement: Statement
    if let kept = try takeCurrent(sql) {
      statement = kept
    } else {
      statement = try prepareSingle(sql)
      if StatementCache.canKeep(sql) {
        statement.isInUse = true
        cache.keep(statement)
      }
    }
    statements.lent += 1
    noteReads(of: statement)
    defer { takeBack(statement) }
    do {
      return try body(statement)
    } catch let error as SQLiteError where error.resultCode == SQLITE_SCHEMA {
      cache.remove(statement)
      throw error
    }
  }

  /// Steps through a statement to its end.
  func run(_ statement: Statement, eachRow body: (Statement) throws -> Void) throws {
    try withRows(of: statement) { next in
      while try next() { try body(statement) }
    }
  }

  /// Runs a statement, whose rows the body steps through with a function that returns false after the last.
  func withRows<T>(of statement: Statement, _ body: (() throws -> Bool) throws -> T) throws -> T {
    let wasInTransaction = try begin(statement)
    let result: T
    do {
      var hasBegun = false
      result = try body {
        if hasBegun {
          if isBorrowed { try hooks.checkCancellation(statement.sql) }
          return try statement.step()
        }
        hasBegun = true
        return try firstStep(statement)
      }
    } catch let error as SQLiteError {
      throw ending(statement, by: error, wasInTransaction: wasInTransaction)
    }
    endRows()
    return result
  }

  /// Moves a statement to its first row, and returns whether it has one. Once that is read, call ``endRows()``.
  func moveToFirstRow(of statement: Statement) throws -> Bool {
    let wasInTransaction = try begin(statement)
    do {
      return try firstStep(statement)
    } catch let error as SQLiteError {
      throw ending(statement, by: error, wasInTransaction: wasInTransaction)
    }
  }

  /// Tells `onIdle` if what has run leaves no transaction open.
  func endRows() {
    guard let onIdle, !isInTransaction, rollbackCause == nil else { return }
    // The caller reads these counts after running the statement.
    let (changes, total, rowID, formerRowID) = (changes, totalChanges, sqlite3_last_insert_rowid(handle), formerRowID)
    onIdle()
    sqlite3_set_last_insert_rowid(handle, rowID)
    self.formerRowID = formerRowID
    changesWhileIdle += totalChanges - total
    changesBeforeIdle = changes
  }

  /// Returns whether a transaction is open.
  private func begin(_ statement: Statement) throws -> Bool {
    if isBorrowed, !statement.isReadOnly { try hooks.checkCancellation(statement.sql) }
    if rollbackCause != nil, !statement.isReadOnly, let rollbackCause { throw rollbackCause }
    if changesBeforeIdle != nil { changesBeforeIdle = nil }
    if isBorrowed, !statement.isReadOnly { hasRunInsert = statement.isInsert }
    return isInTransaction
  }

  /// The error that ends a statement. `INSERT OR FAIL` keeps the rows that it wrote before
  /// ([ON CONFLICT](https://sqlite.org/lang_conflict.html)).
  private func ending(_ statement: Statement, by error: SQLiteError, wasInTransaction: Bool) -> SQLiteError {
    let error = noted(error, of: statement, wasInTransaction: wasInTransaction)
    endRows()
    return error
  }

  private func noted(_ error: SQLiteError, of statement: Statement, wasInTransaction: Bool) -> SQLiteError {
    if error.resultCode == SQLITE_BUSY, error.sql == statement.sql { return afterWaiting(error) }
    if isGuardingTransaction, wasInTransaction, !isInTransaction { rollbackCause = rollbackCause ?? error }
    if error.isFull || error.isDiskFailure { hasDiskFailed = true }
    return error
  }

  /// The error of a statement that waited for a lock: SQLite only sees a busy handler that gave up.
  func afterWaiting(_ error: SQLiteError) -> SQLiteError {
    hooks.takeGivingUp() ? SQLiteError.cancelled(sql: error.sql) : error
  }

  /// Takes the first step; on a borrowed handle, which has no busy handler of ours, waits and tries again.
  private func firstStep(_ statement: Statement) throws -> Bool {
    if onIdle != nil, !statement.isReadOnly { hasWritten = true }
    // Whoever gives up work takes back what is done of it.
    if let traits = statement.onServer?.traits, !traits.rollsBack { try hooks.checkCancellation(statement.sql) }
    guard isBorrowed else { return try statement.step() }
    var attempt: Int32 = 0
    while true {
      let code = sqlite3_step(statement.handle)
      // Inside a transaction a writer might be waiting for itself; reading and COMMIT can succeed later.
      let canTryAgain = code & 0xFF == SQLITE_BUSY && (!isInTransaction || statement.isReadOnly)
      guard canTryAgain, hooks.waitForLock(attempt: attempt) else { return try statement.outcome(of: code) }
      attempt += 1
      sqlite3_reset(statement.handle)
    }
  }

  /// Compiles a text that must hold exactly one statement.
  func prepareSingle(_ sql: String) throws -> Statement {
    try Self.refuseNUL(in: sql)
    return try sql.withCString { text in
      let length = sql.utf8.count
      var end: UnsafePointer<CChar>?
      guard let statement = try prepare(text, length: length, sql: sql, end: &end) else {
        throw SQLiteError.misuse("the text holds no SQL statement", sql: sql)
      }
      let rest = UnsafeRawBufferPointer(start: end, count: end.map { length - ($0 - text) } ?? 0)
      guard Self.lengthOfTrivia(in: rest) == rest.count else {
        throw SQLiteError.misuse("the text holds more than one SQL statement; use execute for a script", sql: sql)
      }
      return statement
    }
  }

  /// Compiles the statements of a script and passes each to the body, which runs it before the next is compiled.
  func forEachStatement(in script: String, _ body: (Statement) throws -> Void) throws {
    try Self.refuseNUL(in: script)
    try script.withCString { text in
      let length = script.utf8.count
      var position = 0
      while position < length {
        let rest = UnsafeRawBufferPointer(start: text + position, count: length - position)
        position += Self.lengthOfTrivia(in: rest)
        guard position < length else { break }
        let start = text + position
        var end: UnsafePointer<CChar>?
        let statement = try prepare(start, length: length - position, sql: nil, end: &end)
        guard let end, end > start else { break }
        position += end - start
        guard let statement else { continue }
        statements.lent += 1
        defer { statements.lent -= 1 }
        noteReads(of: statement)
        try body(statement)
      }
    }
  }

  /// Compiles the first statement of a NUL-terminated text, which SQLite then need not copy.
  private func prepare(
    _ text: UnsafePointer<CChar>, length: Int, sql: String?, end: inout UnsafePointer<CChar>?
  ) throws -> Statement? {
    try notingReads(compiling: { try compile(text, length: length, sql: sql, end: &end) })
  }

  private func compile(
    _ text: UnsafePointer<CChar>, length: Int, sql: String?, end: inout UnsafePointer<CChar>?
  ) throws -> Statement? {
    guard let bytes = Int32(exactly: length + 1) else {
      throw SQLiteError(code: SQLITE_TOOBIG, message: "the SQL text is longer than SQLite takes")
    }
    try requireOpen()
    var compiled: OpaquePointer?
    var database = server?.currentSchema().handle ?? handle
    var code = sqlite3_prepare_v2(database, text, bytes, &compiled, &end)
    // The server may have another schema by now.
    if code == SQLITE_ERROR, let server, try server.refresh() {
      database = server.schema.handle
      code = sqlite3_prepare_v2(database, text, bytes, &compiled, &end)
    }
    guard code == SQLITE_OK else {
      let rest = UnsafeRawBufferPointer(start: text, count: length)
      throw SQLiteError(code, on: database, sql: sql ?? String(decoding: rest, as: UTF8.self))
    }
    guard let compiled else { return nil }
    let own = UnsafeRawBufferPointer(start: text, count: end.map { $0 - text } ?? length)
    let sql = sql ?? String(decoding: own, as: UTF8.self)
    guard let server else { return Statement(handle: compiled, sql: sql, database: database, of: statements) }
    let statement = try Statement(handle: compiled, sql: sql, database: database, of: statements, onServer: server)
    let mayBeOutdated = statement.onServer?.traits.hasAsterisk == true
    return try mayBeOutdated && server.refresh() ? compile(text, length: length, sql: sql, end: &end) : statement
  }

  // SQLite stops reading at the first NUL and would silently drop the rest.
  private static func refuseNUL(in sql: String) throws {
    guard sql.utf8.contains(0) else { return }
    throw SQLiteError.misuse("the SQL text holds a NUL character; remove it, or bind the text as a value", sql: sql)
  }
}

extension SQLiteConnection {
  /// The number of bytes of white space, comments and semicolons at the beginning of a text.
  static func lengthOfTrivia(in text: UnsafeRawBufferPointer) -> Int {
    var index = 0
    func byte(_ position: Int) -> UInt8 { position < text.count ? text[position] : 0 }
    while index < text.count {
      switch (byte(index), byte(index + 1)) {
      case (0x20, _), (0x09...0x0D, _), (UInt8(ascii: ";"), _):
        index += 1
      case (UInt8(ascii: "-"), UInt8(ascii: "-")):
        while index < text.count, byte(index) != 0x0A { index += 1 }
      case (UInt8(ascii: "/"), UInt8(ascii: "*")):
        index += 2
        while index < text.count, !(byte(index) == UInt8(ascii: "*") && byte(index + 1) == UInt8(ascii: "/")) {
          index += 1
        }
        index = min(index + 2, text.count)
      default:
        return index
      }
    }
    return index
  }
}

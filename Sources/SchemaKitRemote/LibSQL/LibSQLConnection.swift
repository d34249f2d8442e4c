import SQLiteSchema
public import SchemaKit
import SchemaKitFoundation

/// A connection to a database on a [libSQL](https://github.com/tursodatabase/libsql) server, such as `sqld` or Turso.
///
/// It speaks Hrana 3 over HTTP, and keeps one stream of statements on the server. A stream that the server has closed outside
/// a transaction is opened again. In a transaction nothing is sent again: a lost stream rolls it back, and until the program
/// does so too, every statement throws.
///
/// **The server takes the write lock from a transaction that is older than 5 seconds** as soon as another connection wants
/// to write. The transaction is rolled back then, and the error says so.
///
/// ```swift
/// let connection = try LibSQLConnection(to: "http://127.0.0.1:8080")
/// try connection.run("INSERT INTO note (title) VALUES (?1)", [.text("Milk")])
/// ```
///
/// All functions throw `SQLiteError` for what SQLite refuses, and `RemoteError` for the rest. A server tells only the primary
/// codes of SQLite.
///
/// *Cost:* each statement is one request; a query whose rows are more than the server sends at once, usually 10 MB, is sent
/// again another way. The rows of a query are in memory.
public final class LibSQLConnection: SQLConnection, ServerConnection {
  public private(set) var engineVersionNumber = 0
  public var isInTransaction: Bool { transaction.isOpen }
  public private(set) var lostTransactions = 0
  public var planProfile: String? { LibSQLServer.profile }
  public var hasTemporaryTables: Bool { false }
  public private(set) var lastInsertedRowID: Int64 = 0
  /// A text that is not valid UTF-8 makes the server end the answer, so nothing is ever repaired.
  public var repairsTexts = true

  private let limits: Limits
  private let isCancelled: () -> Bool
  private let stream: HranaStream
  private var transaction = RemoteTransaction()
  /// The settings that were made on the connection, in their order, to be made again on the next stream.
  private var settings: [(name: String, sql: String)] = []
  /// The settings before the transaction, to which a lost one goes back.
  private var settingsBefore: [(name: String, sql: String)] = []

  /// Connects to a database by the address of its server.
  ///
  /// - Parameters:
  ///   - address: `libsql://host` or `https://host:port`, which are encrypted, or `http://127.0.0.1:8080`, which is not.
  ///   - token: The token that lets the connection in. It is sent to this host only, and without encryption only on
  ///     this machine.
  ///   - isCancelled: True if work is to be given up; asked while an answer is awaited, but for that to a commit.
  public init(
    to address: String, token: ServerToken? = nil, limits: Limits = Limits(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws {
    let place = try LibSQLAddress(address)
    if token != nil, !place.isEncrypted, !place.isLocal {
      throw RemoteError(reason: .tokenInClear(host: place.place))
    }
    if token != nil || place.isLocal { try place.checkProxies() }
    self.limits = limits
    self.isCancelled = isCancelled
    stream = HranaStream(at: place, token: token, limits: limits)
    let version = try value("SELECT sqlite_version()")?.text ?? ""
    let parts = version.split(separator: ".").compactMap { Int($0) }
    guard parts.count >= 3 else { throw RemoteError(reason: .malformed) }
    engineVersionNumber = parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2]
    let encoding = try value("PRAGMA encoding")?.text ?? ""
    guard encoding == "UTF-8" else { throw RemoteError(reason: .unsupported(.encoding(encoding))) }
  }

  /// Ends the stream. A transaction that is open is rolled back by the server. Another stream is opened when the connection is used.
  public func close() {
    if isInTransaction, transaction.loss == nil { settings = settingsBefore }
    transaction = RemoteTransaction()
    stream.close()
  }

  // MARK: - Statements

  public func execute(_ sql: String) throws {
    for statement in try RemoteStatement.all(in: sql, on: .libSQL) { _ = try carryOut(statement, []) }
  }

  @discardableResult
  public func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
    let statement = try RemoteStatement.single(in: sql, on: .libSQL)
    let result = try carryOut(statement, bindings)
    return statement.effect == .change ? Int(clamping: result.changes) : 0
  }

  public func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    for row in try carryOut(RemoteStatement.single(in: sql, on: .libSQL), bindings).rows { try body(row) }
  }

  public func prepareOnly(_ sql: String) throws {
    let statement = try RemoteStatement.single(in: sql, on: .libSQL)
    _ = try result(.describe(sql: statement.text), for: statement, isRepeatable: !isInTransaction)
  }

  private func carryOut(_ statement: RemoteStatement, _ bindings: [SQLValue]) throws -> HranaRows {
    if statement.effect == .pragma, Self.meaningless.contains(statement.name) { return HranaRows() }
    try statement.check(bindings)
    switch statement.effect {
    case .read, .explain: return try rows(statement, bindings)
    case .pragma:
      do {
        return try rows(statement, bindings)
      } catch let error as SQLiteError where !statement.hasValue && error.resultCode == 1 {
        // It has no value, or the server does not know it.
        return HranaRows()
      }
    case .rollback: return rollBackTransaction(statement)
    default: return try change(statement, bindings)
    }
  }

  /// The PRAGMAs that are read as if the server did not know them: two streams count the commits of others each for
  /// itself, so equal numbers would say nothing, and nobody can choose the number of threads of a server.
  private static let meaningless: Set<String> = ["data_version", "threads"]

  private func rows(_ statement: RemoteStatement, _ bindings: [SQLValue]) throws -> HranaRows {
    let request = HranaRequest.execute(sql: statement.numberedText, bindings)
    return try rows(in: result(request, for: statement, isRepeatable: !isInTransaction))
  }

  private func change(_ statement: RemoteStatement, _ bindings: [SQLValue]) throws -> HranaRows {
    let begins = transaction.begins(statement)
    let isSetting = statement.effect == .setting
    let result = try result(
      .execute(sql: statement.numberedText, bindings), for: statement, isLasting: transaction.makesPermanent(statement),
      isRepeatable: !isInTransaction && (begins || isSetting))
    if isSetting { note(setting: statement) }
    if begins { settingsBefore = settings }
    let rows = try rows(in: result)
    if let rowID = rows.lastRowID { lastInsertedRowID = rowID }
    return rows
  }

  private func rows(in result: HranaResult) throws -> HranaRows {
    guard case .rows(let rows) = result else { throw RemoteError(reason: .malformed) }
    return rows
  }

  /// A stream that is closed is rolled back by the server: no error leaves a transaction open.
  private func rollBackTransaction(_ statement: RemoteStatement) -> HranaRows {
    if transaction.loss == nil {
      do {
        _ = try result(.execute(sql: statement.text, []), for: statement)
      } catch {
        drop(RemoteError(reason: .connectionLost(problem: "a transaction could not be rolled back")))
      }
    }
    if transaction.loss != nil { settings = settingsBefore }
    transaction = RemoteTransaction()
    return HranaRows()
  }

  private func note(setting statement: RemoteStatement) {
    // In a transaction SQLite ignores the one; the other is for a transaction.
    if statement.name == "defer_foreign_keys" || isInTransaction && statement.name == "foreign_keys" { return }
    settings.removeAll { $0.name == statement.name }
    settings.append((statement.name, statement.text))
  }

  // MARK: - Requests

  private enum Attempt {
    case done(HranaResult)
    /// Another connection has a lock.
    case locked(SQLiteError)
    /// The lock of a transaction that is over was taken, and nothing was run.
    case late
    /// The rows are more than the server sends at once.
    case tooLarge
    case lost(HranaStream.Failure)
  }

  /// Sends a request, again where that can do no harm, and finds out whether the server has ended the transaction.
  ///
  /// - Parameters:
  ///   - isLasting: True if it makes changes permanent: without an answer, nobody knows whether they are.
  ///   - isRepeatable: True if it may be sent again where it is not known what became of it.
  private func result(
    _ request: HranaRequest, for statement: RemoteStatement, isLasting: Bool = false, isRepeatable: Bool = false
  ) throws -> HranaResult {
    let end = ContinuousClock.now + .seconds(limits.reaching)
    let lockEnd = ContinuousClock.now + .seconds(limits.busy)
    var pause: UInt32 = 1_000
    var isLarge = false
    while true {
      if let loss = transaction.loss { throw loss }
      switch isLarge ? fetch(request) : attempt(request, statement, isLasting: isLasting) {
      case .done(let result):
        if case .failure(let error) = result, !error.isTakenLock { throw error.error(in: statement.text) }
        if let loss = transaction.loss { throw loss }
        return result
      case .locked(let error): if .now >= lockEnd { throw error }
      case .late: if .now >= end { throw RemoteError(reason: .lockTaken) }
      case .tooLarge:
        guard [.read, .pragma, .explain].contains(statement.effect) else {
          throw lost(
            HranaStream.Failure(
              error: RemoteError(reason: .connectionLost(problem: "the answer is larger than the server sends")),
              isPassing: false), isLasting: isLasting)
        }
        isLarge = true
        continue
      case .lost(let failure):
        let isHarmless = !isInTransaction && (isRepeatable || failure.isUnsent)
        guard failure.isPassing, isHarmless, .now < end else { throw lost(failure, isLasting: isLasting) }
      }
      if isCancelled() { throw RemoteError(reason: .cancelled) }
      usleep(pause)
      pause = min(pause * 2, 100_000)
    }
  }

  private func attempt(_ request: HranaRequest, _ statement: RemoteStatement, isLasting: Bool) -> Attempt {
    let results: [HranaResult]
    do {
      try openStream(asking: isLasting)
    } catch {
      return .lost(HranaStream.Failure(error: error.error, isUnsent: true, isPassing: error.isPassing))
    }
    do {
      results = try stream.results(of: [request, .autocommit], isCancelled: isLasting ? { false } : isCancelled)
    } catch {
      return .lost(error)
    }
    guard case .autocommit(let isAutocommit) = results[1] else {
      stream.close()
      return .lost(HranaStream.Failure(error: RemoteError(reason: .malformed), isPassing: false))
    }
    if case .failure(let error) = results[0] {
      return attempt(failedBy: error, statement, isLasting: isLasting, isAutocommit: isAutocommit)
    }
    if case .execute = request { transaction.note(statement) }
    // It was carried out, and then the lock was taken.
    if isInTransaction, isAutocommit { drop(RemoteError(reason: .lockTaken)) }
    return .done(results[0])
  }

  private func attempt(
    failedBy error: HranaError, _ statement: RemoteStatement, isLasting: Bool, isAutocommit: Bool
  ) -> Attempt {
    if error.isTakenLock {
      guard isInTransaction else { return .late }
      drop(RemoteError(reason: .lockTaken))
      return .done(.failure(error))
    }
    if error.isTooLarge { return .tooLarge }
    let problem = error.error(in: statement.text)
    // A write that failed on the disk may be there all the same.
    if error.isLostPrimary || isLasting && [4, 10].contains(problem.resultCode) {
      stream.close()
      let words = "the server reports \(problem.message)"
      return .lost(HranaStream.Failure(error: RemoteError(reason: .connectionLost(problem: words))))
    }
    // ON CONFLICT ROLLBACK and a full disk end it.
    if isInTransaction, isAutocommit {
      transaction.lose(RemoteError(reason: .connectionLost(problem: "the server has rolled the transaction back")))
    } else if problem.isBusy {
      return .locked(problem)
    }
    return .done(.failure(error))
  }

  /// Asks for rows the other way, by which they come in any number.
  private func fetch(_ request: HranaRequest) -> Attempt {
    guard case .execute(let sql, let bindings) = request else { return .tooLarge }
    do {
      let result = try stream.rows(of: sql, bindings, isCancelled: isCancelled)
      if case .failure(let error) = result, error.isTakenLock {
        guard isInTransaction else { return .late }
        drop(RemoteError(reason: .lockTaken))
      }
      return .done(result)
    } catch {
      return .lost(error)
    }
  }

  /// Opens a stream where there is none, with the settings that were made before.
  ///
  /// - Parameter asking: True if the server is asked for something, so that it is known to answer.
  private func openStream(asking: Bool) throws(HranaStream.Failure) {
    if stream.isStale, !isInTransaction { stream.forget() }
    guard !stream.isOpen else { return }
    guard !isInTransaction else {
      throw HranaStream.Failure(error: RemoteError(reason: .connectionLost(problem: "it was closed")))
    }
    guard asking || !settings.isEmpty else { return }
    let requests = settings.map { HranaRequest.execute(sql: $0.sql, []) }
    for (setting, result) in zip(settings, try stream.results(of: requests + [.autocommit], isCancelled: isCancelled)) {
      guard case .failure = result else { continue }
      stream.close()
      let problem = "\(setting.sql) could not be repeated"
      throw HranaStream.Failure(error: RemoteError(reason: .connectionLost(problem: problem)))
    }
  }

  // MARK: - Losses

  /// The error of a request that has no answer, after which nothing is known of the stream.
  private func lost(_ failure: HranaStream.Failure, isLasting: Bool) -> RemoteError {
    var error = failure.error
    if isLasting, !failure.isUnsent {
      if isInTransaction { settings = settingsBefore }
      transaction = RemoteTransaction()
      stream.forget()
      return RemoteError(reason: .outcomeUnknown(problem: Self.problem(error)))
    }
    guard isInTransaction else { return error }
    switch error.reason {
    case .timedOut, .unreachable: error = RemoteError(reason: .connectionLost(problem: Self.problem(error)))
    default: break
    }
    drop(error, isCounted: failure.isPassing)
    return error
  }

  private static func problem(_ error: RemoteError) -> String {
    switch error.reason {
    case .connectionLost(let problem), .unreachable(_, let problem): problem
    case .timedOut(let seconds): "no answer within \(seconds) seconds"
    default: "\(error)"
    }
  }

  /// Takes in that an open transaction is gone, or cannot be gone on with.
  ///
  /// - Parameters:
  ///   - problem: The reason.
  ///   - isCounted: True if it may succeed when it is tried again.
  private func drop(_ problem: RemoteError, isCounted: Bool = true) {
    stream.close()
    if isInTransaction, transaction.loss == nil, isCounted { lostTransactions += 1 }
    transaction.lose(problem)
  }
}

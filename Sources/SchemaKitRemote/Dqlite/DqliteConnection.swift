import SQLiteSchema
public import SchemaKit
import SchemaKitFoundation

/// A connection to a database in a [dqlite](https://dqlite.io) cluster, over its wire protocol.
///
/// It finds the leader among the addresses, and finds it again when another node has become it. In a transaction nothing is
/// sent again: a lost connection rolls it back, which is an error.
///
/// **The protocol has neither authentication nor encryption.** Whoever reaches a node's port can read and change everything.
///
/// ```swift
/// let connection = try DqliteConnection(to: ["127.0.0.1:9001", "127.0.0.1:9002"], database: "notes")
/// try connection.run("INSERT INTO note (title) VALUES (?1)", [.text("Milk")])
/// ```
///
/// All functions throw `SQLiteError` for what SQLite refuses, and ``RemoteError`` for the rest.
///
/// *Cost:* each statement is one request, and the first use of a query's text another one. Each request waits for an answer.
public final class DqliteConnection: SQLConnection {
  /// How long a connection waits, and what for.
  public struct Limits: Sendable, Hashable {
    /// For a node to accept a connection, in seconds.
    public var connecting = 5.0
    /// For an answer, in seconds: a statement that takes longer is lost with its transaction.
    public var answering = 300.0
    /// For a lock that another connection has, in seconds.
    public var busy = 5.0
    /// For the nodes to agree on a leader, in seconds.
    public var leader = 30.0
    /// Whether nodes on other machines are refused, also as leaders that a node here knows of.
    public var isLocalOnly = false

    /// Creates the defaults.
    public init() {}
  }

  /// The addresses of nodes, as `host:port`.
  public let addresses: [String]
  /// The name of the database.
  public let database: String
  /// Whether work is to be given up; asked while an answer is awaited.
  package var isCancelled: () -> Bool = { false }
  public private(set) var isInTransaction = false
  public private(set) var engineVersionNumber = 0

  /// The address of the node that leads, as far as the connection knows; nil while it is not connected.
  public var leader: String? { link?.channel.address }

  private let limits: Limits
  private var link: DqliteLeader.Link?
  /// The settings that were made on the connection, in their order, to be made again on the next one.
  private var settings: [(name: String, sql: String)] = []
  /// Why the transaction is lost: until it is rolled back, nothing is sent, which would not be in a transaction.
  private var loss: RemoteError?
  /// How many savepoints are open in a transaction that a savepoint began; nil in another.
  private var savepoints: Int?
  /// The rows that are being read. They are taken in before anything else is sent.
  private var openAnswer: DqliteAnswer?
  /// How many columns queries have, by their text.
  private var columnCounts: [String: Int] = [:]

  /// Connects to the leader of a cluster. A database that is not there is made.
  ///
  /// - Parameters:
  ///   - addresses: The addresses of one or more nodes, as `host:port`. The leader is connected to at the address that the
  ///     nodes know it by.
  ///   - database: The name of the database.
  public init(to addresses: [String], database: String, limits: Limits = Limits()) throws {
    self.addresses = addresses
    self.database = database
    self.limits = limits
    let version = try value("SELECT sqlite_version()")?.text ?? ""
    let parts = version.split(separator: ".").compactMap { Int($0) }
    guard parts.count >= 3 else { throw RemoteError(reason: .malformed) }
    engineVersionNumber = parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2]
    let encoding = try value("PRAGMA encoding")?.text ?? ""
    guard encoding == "UTF-8" else { throw RemoteError(reason: .unsupported(.encoding(encoding))) }
  }

  /// Ends the connection. A transaction that is open is rolled back by the server. It is connected again when it is used.
  public func close() {
    endTransaction()
    drop(RemoteError(reason: .cancelled))
  }

  /// The files of the database as they are on the leader: the database and its write-ahead log, by their names.
  ///
  /// Written beside each other they are a database of SQLite.
  ///
  /// *Cost:* the whole database is in memory, here and in the leader's answer.
  public func files() throws -> [(name: String, content: [UInt8])] {
    let link = try linked()
    switch try lossesInTransaction({ try link.channel.response(to: .dump(database: database)) }) {
    case .files(let files): return files
    case .failure(let code, let message): throw error(code, message, "")
    default: throw RemoteError(reason: .malformed)
    }
  }

  // MARK: - Statements

  public func execute(_ sql: String) throws {
    for statement in try SQLScript.statements(in: sql) {
      let statement = try DqliteStatement(statement)
      switch statement.effect {
      case .read: try forEachRow(statement.text, []) { _ in }
      case .pragma: try forEachRow(statement.text, []) { _ in }
      default: try change(statement, [])
      }
    }
  }

  @discardableResult
  public func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
    let statement = try single(sql)
    guard ![.read, .pragma].contains(statement.effect) else {
      try forEachRow(sql, bindings) { _ in }
      return 0
    }
    return try change(statement, bindings)
  }

  public func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    let statement = try single(sql)
    switch statement.effect {
    case .read where statement.text.utf8.starts(with: "EXPLAIN".utf8): try query(statement.text, bindings, body)
    case .read:
      let exact = ExactQuery(statement.text, columns: try columnCount(of: statement.text, bindings))
      try query(exact.text, bindings) { try body(exact.row($0)) }
    case .pragma:
      // Two nodes count their commits each for itself: equal numbers would say nothing.
      if statement.text.lowercased().contains("data_version") { return }
      try query(statement.text, bindings, body)
    default: try change(statement, bindings)
    }
  }

  public func prepareOnly(_ sql: String) throws {
    let statement = try single(sql)
    let link = try linked()
    let response = try lossesInTransaction {
      try link.channel.response(to: .prepare(database: link.database, sql: statement.text))
    }
    switch response {
    case .statement(let id):
      _ = try lossesInTransaction { try link.channel.response(to: .finalize(database: link.database, statement: id)) }
    case .failure(let code, let message): throw error(code, message, sql)
    default: throw RemoteError(reason: .malformed)
    }
  }

  private func single(_ sql: String) throws -> DqliteStatement {
    let statements = try SQLScript.statements(in: sql)
    guard statements.count == 1 else {
      throw SQLiteError(code: 21, message: "one statement is expected, and there are \(statements.count)", sql: sql)
    }
    return try DqliteStatement(statements[0])
  }

  /// How many columns a query has: as many as the program to which SQLite compiles it returns in a row.
  ///
  /// See [The bytecode engine](https://sqlite.org/opcode.html#ResultRow).
  private func columnCount(of query: String, _ bindings: [SQLValue]) throws -> Int {
    if let count = columnCounts[query] { return count }
    var count: Int?
    try self.query("EXPLAIN \(query)", bindings) { row in
      guard row.count > 3, row[1] == .text("ResultRow"), let columns = row[3].integer else { return }
      count = Int(columns)
    }
    // What compiles and returns nothing has no column to ask for.
    guard let count else { throw RemoteError(reason: .malformed) }
    if columnCounts.count > 500 { columnCounts = [:] }
    columnCounts[query] = count
    return count
  }

  // MARK: - Requests

  private func query(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    let (link, first) = try respond(sql) {
      .query(database: $0, sql: sql, bindings)
    } again: {
      !self.isInTransaction
    }
    let answer = try lossesInTransaction { try DqliteAnswer(link.channel, first) }
    let outer = openAnswer
    openAnswer = answer
    defer { openAnswer = outer }
    while let rows = try lossesInTransaction({ try answer.nextRows() }) {
      do {
        for row in rows { try body(row) }
      } catch {
        // The rest of the rows is not waited for.
        if !answer.isComplete {
          drop(RemoteError(reason: .connectionLost(problem: "an answer was not read to its end")))
        }
        throw error
      }
    }
    if let failure = answer.failure { throw error(failure.code, failure.message, sql) }
  }

  @discardableResult
  private func change(_ statement: DqliteStatement, _ bindings: [SQLValue]) throws -> Int {
    let beginsHere = [.begin, .savepoint].contains(statement.effect) && !isInTransaction
    let isSetting = statement.effect == .setting
    if loss != nil, statement.effect == .rollback {
      endTransaction()
      return 0
    }
    let wasLost = loss != nil
    let isLasting = statement.effect == .commit && !wasLost || !isInTransaction && !beginsHere && !isSetting
    let response: DqliteResponse
    do {
      (_, response) = try respond(statement.text) {
        .execute(database: $0, sql: statement.text, bindings)
      } again: {
        beginsHere || isSetting && !self.isInTransaction
      }
    } catch let error as RemoteError {
      guard isLasting, case .connectionLost(let problem) = error.reason else { throw error }
      endTransaction()
      throw RemoteError(reason: .outcomeUnknown(problem: problem))
    } catch let error as SQLiteError {
      // A setting was made, and returns its value, which this request has no place for.
      if isSetting, error.resultCode == 100 {
        note(statement)
        return 0
      }
      if isInTransaction, statement.effect != .begin { try noticeRollback() }
      throw error
    }
    guard case .result(let changes) = response else { throw RemoteError(reason: .malformed) }
    note(statement)
    return Int(clamping: changes)
  }

  /// Sends a request to the leader.
  ///
  /// - Parameter mayRepeat: Whether it may be sent again where it is not known what became of it.
  private func respond(
    _ sql: String, _ request: (UInt32) -> DqliteRequest, again mayRepeat: () -> Bool
  ) throws -> (DqliteLeader.Link, DqliteResponse) {
    let end = ContinuousClock.now + .seconds(limits.leader)
    let lockEnd = ContinuousClock.now + .seconds(limits.busy)
    var pause: UInt32 = 1_000
    while true {
      let link = try linked(until: end)
      do {
        let response = try lossesInTransaction { try link.channel.response(to: request(link.database)) }
        guard case .failure(let code, let message) = response else { return (link, response) }
        let error = self.error(code, message, sql)
        if isNotLeader(code) {
          let problem = "\(link.channel.address) is not the leader any more"
          let lost = RemoteError(reason: .connectionLost(problem: problem))
          drop(lost)
          throw lost
        }
        // A lock that another connection has; a snapshot that is too old stays so.
        guard error.isBusy, error.extendedCode != 517, .now < lockEnd, !isCancelled() else { throw error }
      } catch let error as RemoteError {
        guard case .connectionLost = error.reason, mayRepeat(), .now < end else { throw error }
      }
      usleep(pause)
      pause = min(pause * 2, 100_000)
    }
  }

  /// Runs a request that loses the transaction where the connection is lost.
  private func lossesInTransaction<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch var error as RemoteError {
      if case .timedOut = error.reason { error = RemoteError(reason: .connectionLost(problem: error.description)) }
      drop(error)
      throw error
    }
  }

  /// Whether the answer is that of a node that does not lead.
  private func isNotLeader(_ code: UInt64) -> Bool {
    // SQLITE_IOERR_NOT_LEADER and SQLITE_IOERR_LEADERSHIP_LOST of dqlite.h, in their older form and in that of version 1.
    [10_250, 10_506].contains(code)
  }

  private func error(_ code: UInt64, _ message: String, _ sql: String) -> SQLiteError {
    SQLiteError(code: Int32(truncatingIfNeeded: code), message: message, sql: sql)
  }

  // MARK: - The state of the connection

  private func note(_ statement: DqliteStatement) {
    switch statement.effect {
    case .begin: isInTransaction = true
    case .savepoint:
      if !isInTransaction { savepoints = 0 }
      isInTransaction = true
      savepoints = savepoints.map { $0 + 1 }
    case .release:
      savepoints = savepoints.map { $0 - 1 }
      if savepoints == 0 { endTransaction() }
    case .commit, .rollback: endTransaction()
    case .setting:
      guard let name = statement.setting, name != "defer_foreign_keys" else { return }
      settings.removeAll { $0.name == name }
      settings.append((name, statement.text))
    case .read, .pragma, .change, .rollbackTo: break
    }
  }

  private func endTransaction() { (isInTransaction, savepoints, loss) = (false, nil, nil) }

  /// Finds out whether an error has ended the transaction, as ON CONFLICT ROLLBACK and a full disk do.
  private func noticeRollback() throws {
    let link = try linked()
    let response = try lossesInTransaction {
      try link.channel.response(to: .execute(database: link.database, sql: "BEGIN", []))
    }
    // It cannot begin in a transaction.
    guard case .result = response else { return }
    loss = RemoteError(reason: .connectionLost(problem: "the server has rolled the transaction back"))
    _ = try link.channel.response(to: .execute(database: link.database, sql: "ROLLBACK", []))
  }

  /// - Parameter problem: Why a transaction that is open is lost.
  private func drop(_ problem: RemoteError) {
    link?.channel.disconnect()
    link = nil
    if isInTransaction { loss = loss ?? problem }
  }

  private func linked(until end: ContinuousClock.Instant? = nil) throws -> DqliteLeader.Link {
    if let loss { throw loss }
    if let link, link.channel.isOpen {
      if let openAnswer { try lossesInTransaction { try openAnswer.complete() } }
      if link.channel.isOpen { return link }
    }
    // Another connection would not be in the transaction.
    if isInTransaction {
      let problem = RemoteError(reason: .connectionLost(problem: "it was closed"))
      drop(problem)
      throw problem
    }
    let leader = DqliteLeader(
      addresses: addresses, database: database, limits: limits,
      isCancelled: { [weak self] in self?.isCancelled() ?? false })
    let new = try leader.connected(until: end ?? .now + .seconds(limits.leader))
    link = new
    for setting in settings {
      switch try new.channel.response(to: .execute(database: new.database, sql: setting.sql, [])) {
      case .result, .failure(code: 100, _): continue
      default:
        let problem = RemoteError(reason: .connectionLost(problem: "\(setting.sql) could not be repeated"))
        drop(problem)
        throw problem
      }
    }
    return new
  }
}

import SQLiteSchema
public import SchemaKit
import SchemaKitFoundation

/// A connection to a database in a [dqlite](https://dqlite.io) cluster, over its wire protocol.
///
/// It finds the leader among the addresses, and finds it again when another node has become it. In a transaction nothing is
/// sent again: a lost connection rolls it back, and until the program does so too, every statement throws.
///
/// **The protocol has neither authentication nor encryption.** Whoever reaches a node's port can read and change everything.
///
/// ```swift
/// let connection = try DqliteConnection(to: ["127.0.0.1:9001", "127.0.0.1:9002"], database: "notes")
/// try connection.run("INSERT INTO note (title) VALUES (?1)", [.text("Milk")])
/// ```
///
/// All functions throw `SQLiteError` for what SQLite refuses, and `RemoteError` for the rest.
///
/// *Cost:* each statement is one request, and the first use of a query's text another one. The rows of a query are made on the
/// server before the first is sent.
public final class DqliteConnection: SQLConnection, ServerConnection {
  /// The addresses of nodes, as `host:port`.
  public let addresses: [String]
  /// The name of the database.
  public let database: String
  public private(set) var engineVersionNumber = 0
  public var isInTransaction: Bool { transaction.isOpen }
  public private(set) var lostTransactions = 0
  public private(set) var lastInsertedRowID: Int64 = 0
  public var repairsTexts = true
  /// The address of the node that leads, as far as the connection knows; nil while not connected.
  public var leader: String? { link?.channel.address }

  private let limits: Limits
  private let isCancelled: () -> Bool
  private var link: DqliteLeader.Link?
  private var transaction = RemoteTransaction()
  /// The settings that were made on the connection, in their order, to be made again on the next one.
  private var settings: [(name: String, sql: String)] = []
  /// The settings before the transaction, to which a lost one goes back.
  private var settingsBefore: [(name: String, sql: String)] = []
  /// The rows that are being read. They are taken in before anything else is sent.
  private var openAnswer: DqliteAnswer?
  private var columnCounts: [String: Int] = [:]  // The number of columns of each query, by its text.

  /// Connects to the leader of a cluster. A database that is not there is made.
  ///
  /// - Parameters:
  ///   - addresses: The addresses of one or more nodes, as `host:port`. The leader is connected to at the address that the
  ///     nodes know it by.
  ///   - database: The name of the database.
  ///   - isCancelled: True if work is to be given up; asked while an answer is awaited, but for that to a commit.
  public init(
    to addresses: [String], database: String, limits: Limits = Limits(),
    isCancelled: @escaping () -> Bool = { false }
  ) throws {
    self.addresses = addresses
    self.database = database
    self.limits = limits
    self.isCancelled = isCancelled
    let version = try value("SELECT sqlite_version()")?.text ?? ""
    let parts = version.split(separator: ".").compactMap { Int($0) }
    guard parts.count >= 3 else { throw RemoteError(reason: .malformed) }
    engineVersionNumber = parts[0] * 1_000_000 + parts[1] * 1_000 + parts[2]
    let encoding = try value("PRAGMA encoding")?.text ?? ""
    guard encoding == "UTF-8" else { throw RemoteError(reason: .unsupported(.encoding(encoding))) }
  }

  /// Ends the connection. A transaction that is open is rolled back by the server. It is connected again when it is used.
  public func close() {
    transaction = RemoteTransaction()
    drop(RemoteError(reason: .cancelled))
  }

  /// The files of the database as they are on the leader: the database and its write-ahead log.
  ///
  /// Written beside each other they are a database of SQLite. They do not contain the changes of an open transaction.
  ///
  /// *Cost:* the whole database is in memory, here and in the leader's answer.
  public func files() throws -> [(name: String, content: [UInt8])] {
    let response = try respond("", .dump(database: database), isRepeatable: !isInTransaction).response
    guard case .files(let files) = response else { throw RemoteError(reason: .malformed) }
    return files
  }

  // MARK: - Statements

  public func execute(_ sql: String) throws {
    for statement in try RemoteStatement.all(in: sql, on: .dqlite) { try run(statement, []) }
  }

  @discardableResult
  public func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
    try run(RemoteStatement.single(in: sql, on: .dqlite), bindings)
  }

  public func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    let statement = try RemoteStatement.single(in: sql, on: .dqlite)
    switch statement.effect {
    case .read: try read(statement, bindings, body)
    // Two nodes count their commits each for itself: equal numbers would say nothing.
    case .pragma where statement.name == "data_version": return
    case .pragma, .explain: try query(statement.text, bindings, of: statement, body)
    default: try change(statement, bindings)
    }
  }

  public func prepareOnly(_ sql: String) throws {
    let statement = try RemoteStatement.single(in: sql, on: .dqlite)
    let (link, response) = try respond(
      statement.text, .prepare(sql: statement.text), isRepeatable: !isInTransaction)
    guard case .statement(let id) = response else { throw RemoteError(reason: .malformed) }
    try losing { () throws(RemoteError) in
      _ = try link.channel.response(to: .finalize(statement: id), database: link.database)
    }
  }

  @discardableResult
  private func run(_ statement: RemoteStatement, _ bindings: [SQLValue]) throws -> Int {
    guard [.read, .pragma, .explain].contains(statement.effect) else { return try change(statement, bindings) }
    try forEachRow(statement.text, bindings) { _ in }
    return 0
  }

  // MARK: - Rows

  private func read(
    _ statement: RemoteStatement, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void
  ) throws {
    let isKnown = columnCounts[statement.text] != nil
    let exact = try ExactQuery(statement.text, columns: try columnCount(of: statement, bindings))
    var hasRows = false
    do {
      try query(exact.text, bindings, of: statement) { row in
        hasRows = true
        try body(exact.row(row, repairsTexts: repairsTexts))
      }
    } catch let error as SQLiteError where error.sql == statement.text {
      // Somebody else may have changed a table that the query reads with an asterisk.
      let isGarbled = exact.isGarbled(error)
      guard isKnown, !hasRows, isGarbled || error.resultCode == 1 else {
        throw isGarbled ? try reason(of: statement, bindings) : error
      }
      columnCounts[statement.text] = nil
      try read(statement, bindings, body)
    }
  }

  /// The reason why a query fails, as the other request reports it.
  private func reason(of statement: RemoteStatement, _ bindings: [SQLValue]) throws -> SQLiteError {
    do {
      _ = try respond(statement.text, .execute(sql: statement.text, bindings), isRepeatable: !isInTransaction)
    } catch let error as SQLiteError where error.resultCode != 100 {
      return error
    }
    return SQLiteError(code: 1, message: "the server gives no reason", sql: statement.text)
  }

  /// The number of columns of a query: as many as the program to which SQLite compiles it returns in a row.
  ///
  /// See [The bytecode engine](https://sqlite.org/opcode.html#ResultRow).
  private func columnCount(of statement: RemoteStatement, _ bindings: [SQLValue]) throws -> Int {
    if let count = columnCounts[statement.text] { return count }
    var count: Int?
    try query("EXPLAIN \(statement.text)", bindings, of: statement) { row in
      guard row.count > 3, row[1] == .text("ResultRow"), let columns = row[3].integer else { return }
      count = Int(columns)
    }
    // A statement that compiles and returns nothing has no column to ask for.
    guard let count else { throw RemoteError(reason: .malformed) }
    if columnCounts.count > 500 { columnCounts = [:] }
    columnCounts[statement.text] = count
    return count
  }

  /// - Parameter statement: The statement of the program, for errors.
  private func query(
    _ sql: String, _ bindings: [SQLValue], of statement: RemoteStatement, _ body: ([SQLValue]) throws -> Void
  ) throws {
    try statement.check(bindings)
    let answer: DqliteAnswer
    do {
      let (link, first) = try respond(
        statement.text, .query(sql: sql, bindings), isRepeatable: !isInTransaction)
      answer = try losing { () throws(RemoteError) in try DqliteAnswer(link.channel, first) }
    } catch let error as SQLiteError
      where statement.effect == .pragma && !statement.hasValue && error.resultCode == 1
    {
      // It has no value, or this SQLite does not know it.
      return
    }
    let outer = openAnswer
    openAnswer = answer
    defer { openAnswer = outer }
    while let rows = try losing({ () throws(RemoteError) in try answer.nextRows() }) {
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
    if let failure = answer.failure {
      try noticeRollback()
      throw error(failure.code, failure.message, statement.text)
    }
  }

  // MARK: - Changes

  @discardableResult
  private func change(_ statement: RemoteStatement, _ bindings: [SQLValue]) throws -> Int {
    try statement.check(bindings)
    if statement.effect == .rollback { return rollBackTransaction(statement) }
    let isLasting = transaction.makesPermanent(statement)
    let begins = transaction.begins(statement)
    let isSetting = statement.effect == .setting
    // A setting is wanted, whether or not it can be made now.
    if isSetting, !isInTransaction { note(setting: statement) }
    let response: DqliteResponse
    do {
      response = try respond(
        statement.text, .execute(sql: statement.text, bindings), isLasting: isLasting,
        isRepeatable: !isInTransaction && (begins || isSetting)
      ).response
    } catch let error as SQLiteError where isSetting && error.resultCode == 100 {
      // It was made, and returns its value, which this request has no place for.
      note(setting: statement)
      return 0
    }
    guard case .result(let rowID, let changes) = response else { throw RemoteError(reason: .malformed) }
    lastInsertedRowID = rowID
    if begins { settingsBefore = settings }
    if isSetting { note(setting: statement) }
    if statement.changesColumns { columnCounts = [:] }
    transaction.note(statement)
    return statement.effect == .change ? Int(clamping: changes) : 0
  }

  /// A connection that is closed is rolled back by the server: no error leaves a transaction open.
  private func rollBackTransaction(_ statement: RemoteStatement) -> Int {
    let isLost = transaction.loss != nil
    if !isLost {
      do { _ = try respond(statement.text, .execute(sql: statement.text, [])) } catch {
        drop(RemoteError(reason: .connectionLost(problem: "a transaction could not be rolled back")))
      }
    }
    if transaction.loss != nil { settings = settingsBefore }
    columnCounts = [:]
    transaction = RemoteTransaction()
    return 0
  }

  private func note(setting statement: RemoteStatement) {
    // In a transaction SQLite ignores the one; the other is for a transaction.
    if statement.name == "defer_foreign_keys" || isInTransaction && statement.name == "foreign_keys" { return }
    settings.removeAll { $0.name == statement.name }
    settings.append((statement.name, statement.text))
  }

  /// Finds out whether an error has ended the transaction on the server, as ON CONFLICT ROLLBACK and a full disk do.
  private func noticeRollback() throws {
    guard isInTransaction, transaction.loss == nil, let link else { return }
    let response = try losing { () throws(RemoteError) in
      try link.channel.response(to: .execute(sql: "BEGIN", []), database: link.database)
    }
    // In a transaction none can begin.
    if case .failure(code: 1, _) = response { return }
    drop(RemoteError(reason: .connectionLost(problem: "the server has rolled the transaction back")))
  }

  // MARK: - Requests

  /// Sends a request to the leader.
  ///
  /// - Parameters:
  ///   - isLasting: True if it makes changes permanent: without an answer, nobody knows whether they are.
  ///   - isRepeatable: True if it may be sent again when its outcome is unknown.
  private func respond(
    _ sql: String, _ request: DqliteRequest, isLasting: Bool = false, isRepeatable: Bool = false
  ) throws -> (link: DqliteLeader.Link, response: DqliteResponse) {
    _ = try request.encoded(database: 0)  // A request that cannot be sent loses nothing.
    let end = ContinuousClock.now + .seconds(limits.leader)
    let lockEnd = ContinuousClock.now + .seconds(limits.busy)
    var pause: UInt32 = 1_000
    while true {
      let link = try linked(until: end)
      do {
        let response = try losing { () throws(RemoteError) in
          try link.channel.response(to: request, database: link.database, isCancellable: !isLasting)
        }
        guard case .failure(let code, let message) = response else { return (link, response) }
        let error = error(code, message, sql)
        // Of dqlite.h: the node does not lead, or does not any more. A failed write may have reached others already.
        if [10_250, 10_506].contains(code) || isLasting && [4, 10].contains(error.resultCode) {
          let lost = RemoteError(reason: .connectionLost(problem: "\(link.channel.address) reports \(message)"))
          drop(lost)
          throw lost
        }
        // A lock that another connection has; a snapshot that is too old stays so.
        guard error.isBusy, error.extendedCode != 517, .now < lockEnd else {
          try noticeRollback()
          throw error
        }
      } catch let error as RemoteError {
        if isLasting { throw unknown(error) }
        guard case .connectionLost = error.reason, isRepeatable, .now < end else { throw error }
      }
      if isCancelled() { throw RemoteError(reason: .cancelled) }
      usleep(pause)
      pause = min(pause * 2, 100_000)
    }
  }

  /// The error of a change that may have been made permanent. Its transaction has ended one way or the other.
  private func unknown(_ error: RemoteError) -> RemoteError {
    if isInTransaction { settings = settingsBefore }
    transaction = RemoteTransaction()
    if case .connectionLost(let problem) = error.reason {
      return RemoteError(reason: .outcomeUnknown(problem: problem))
    }
    return RemoteError(reason: .outcomeUnknown(problem: "\(error)"))
  }

  /// Runs a request, after whose failure the connection is of no use, and the transaction is lost.
  private func losing<T>(_ body: () throws(RemoteError) -> T) throws(RemoteError) -> T {
    do {
      return try body()
    } catch {
      let lost: RemoteError =
        switch error.reason {
        case .cancelled, .connectionLost: error
        case .timedOut(let seconds):
          RemoteError(reason: .connectionLost(problem: "no answer within \(seconds) seconds"))
        default: RemoteError(reason: .connectionLost(problem: "the answer is not in dqlite's protocol"))
        }
      drop(lost)
      throw lost
    }
  }

  private func error(_ code: UInt64, _ message: String, _ sql: String) -> SQLiteError {
    SQLiteError(code: Int32(truncatingIfNeeded: code), message: message, sql: sql)
  }

  /// - Parameter problem: The reason why an open transaction is lost.
  private func drop(_ problem: RemoteError) {
    link?.channel.disconnect()
    link = nil
    columnCounts = [:]
    if isInTransaction, transaction.loss == nil { lostTransactions += 1 }
    transaction.lose(problem)
  }

  private func linked(until end: ContinuousClock.Instant) throws(RemoteError) -> DqliteLeader.Link {
    if let loss = transaction.loss { throw loss }
    if let link, link.channel.isOpen {
      if let openAnswer { try losing { () throws(RemoteError) in try openAnswer.complete() } }
      return link
    }
    // Another connection would not be in the transaction.
    if isInTransaction {
      drop(RemoteError(reason: .connectionLost(problem: "it was closed")))
      throw transaction.loss ?? RemoteError(reason: .cancelled)
    }
    let new = try DqliteLeader(addresses: addresses, database: database, limits: limits, isCancelled: isCancelled)
      .connected(until: end)
    link = new
    for setting in settings {
      let response = try losing { () throws(RemoteError) in
        try new.channel.response(to: .execute(sql: setting.sql, []), database: new.database)
      }
      switch response {
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

import CSQLite

/// An action that a statement is about to take, as reported by SQLite's compiler, which asks for authorization.
///
/// See [Authorizer Action Codes](https://sqlite.org/c3ref/c_alter_table.html) for what the two details hold.
struct AuthorizerRequest {
  /// The action code, for example 20 for SQLITE_READ.
  let action: Int32
  let first: String?
  let second: String?
  /// The name of the database, such as main or temp.
  let database: String?
  /// The innermost trigger or view on whose behalf this is done; nil for the statement itself.
  let source: String?
}

/// A column that a statement reads or sets; without a column, rows that it inserts or deletes.
struct ColumnAccess {
  let table: String
  let column: String?
  let isInMain: Bool
}

extension AuthorizerRequest {
  /// The column or rows that the request is about, or nil if it is about something else.
  var access: ColumnAccess? {
    guard let table = first, !table.isEmpty else { return nil }
    let isInMain = database.map { $0 == "main" } ?? true
    switch action {
    case SQLITE_READ, SQLITE_UPDATE:
      return ColumnAccess(table: table, column: second.flatMap { $0.isEmpty ? nil : $0 }, isInMain: isInMain)
    case SQLITE_INSERT, SQLITE_DELETE: return ColumnAccess(table: table, column: nil, isInMain: isInMain)
    default: return nil
    }
  }

  /// The table of the main database of which an UPDATE would set a column; nil for anything else.
  var updatedTable: String? { action == SQLITE_UPDATE && database == "main" ? first : nil }

  /// True if an object of the schema, or rows of one, would be changed.
  var isChange: Bool {
    switch action {
    case SQLITE_READ, SQLITE_SELECT, SQLITE_FUNCTION, SQLITE_PRAGMA, SQLITE_TRANSACTION, SQLITE_SAVEPOINT,
      SQLITE_ATTACH,
      SQLITE_DETACH, SQLITE_RECURSIVE:
      false
    default: true
    }
  }
}

/// The answer to a request from the compiler.
enum AuthorizerAnswer {
  case allow
  /// The whole statement fails with an error that says it is not authorized.
  case deny
}

/// The context of the C callback: the stacked decisions, the innermost asked first.
final class AuthorizerStack {
  fileprivate var decisions: [(AuthorizerRequest) -> AuthorizerAnswer] = []
  /// Notes what is read; nil until somebody asks.
  var recorder: ReadRecorder?

  /// True if work is in progress that asks.
  var isWorking: Bool { !decisions.isEmpty }
  /// True if nobody wants to be asked.
  var isIdle: Bool { decisions.isEmpty && recorder == nil }

  fileprivate func answer(_ request: AuthorizerRequest) -> AuthorizerAnswer {
    for decide in decisions.reversed() where decide(request) == .deny { return .deny }
    return .allow
  }
}

/// A local engine that asks about each action of each statement that it compiles.
protocol AuthorizingEngine: LocalEngine {
  /// Runs work during which a decision is made on each action of each statement.
  func withAuthorizer<T>(
    _ decide: @escaping (AuthorizerRequest) -> AuthorizerAnswer, _ body: () throws -> T
  ) throws -> T

  /// Runs work that must not begin, commit or roll back a transaction; savepoints are allowed.
  func denyingTransactionControl<T>(_ body: () throws -> T) throws -> T
}

extension SQLiteConnection: AuthorizingEngine {
  /// Runs work during which a decision is made on each action of each statement; nested decisions must all allow it.
  ///
  /// Never on a borrowed handle, whose own authorizer would be lost.
  @discardableResult
  func withAuthorizer<T>(
    _ decide: @escaping (AuthorizerRequest) -> AuthorizerAnswer, _ body: () throws -> T
  ) throws -> T {
    guard !isBorrowed else {
      throw SQLiteError.misuse("a borrowed connection keeps its own authorizer; use an in-memory copy of the schema")
    }
    authorizers.decisions.append(decide)
    defer {
      authorizers.decisions.removeLast()
      if authorizers.isIdle { sqlite3_set_authorizer(handle, nil, nil) }
    }
    // Set anew each time, since that makes SQLite recompile its cached statements, and so ask again.
    try installAuthorizer()
    return try body()
  }

  /// Has SQLite ask the stack about each action of each statement that it compiles from now on.
  func installAuthorizer() throws {
    let address = Unmanaged.passUnretained(authorizers).toOpaque()
    let code = sqlite3_set_authorizer(
      handle,
      { address, action, first, second, database, source in
        guard let address else { return SQLITE_OK }
        let stack = Unmanaged<AuthorizerStack>.fromOpaque(address).takeUnretainedValue()
        if action == SQLITE_READ { stack.recorder?.note(table: first, column: second, database: database) }
        guard stack.isWorking else { return SQLITE_OK }
        let request = AuthorizerRequest(
          action: action,
          first: first.map { String(cString: $0) },
          second: second.map { String(cString: $0) },
          database: database.map { String(cString: $0) },
          source: source.map { String(cString: $0) }
        )
        return stack.answer(request) == .deny ? SQLITE_DENY : SQLITE_OK
      }, address)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: handle) }
  }

  /// Runs work that must not begin, commit or roll back a transaction; savepoints are allowed.
  ///
  /// On a borrowed handle nothing is refused, since it keeps its own authorizer.
  @discardableResult
  func denyingTransactionControl<T>(_ body: () throws -> T) throws -> T {
    if isBorrowed { return try body() }
    return try withAuthorizer({ $0.action == SQLITE_TRANSACTION ? .deny : .allow }, body)
  }

  /// Runs untrusted SQL: anything that reaches other files or loads code is refused.
  ///
  /// That is ATTACH (and with it VACUUM INTO), DETACH and load_extension().
  @discardableResult
  package func denyingDangerousStatements<T>(_ body: () throws -> T) throws -> T {
    try withAuthorizer(
      { request in
        switch request.action {
        case SQLITE_ATTACH, SQLITE_DETACH: .deny
        case SQLITE_FUNCTION where request.second?.lowercased() == "load_extension": .deny
        default: .allow
        }
      }, body)
  }
}

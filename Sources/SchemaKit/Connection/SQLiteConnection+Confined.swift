import CSQLite

/// The rows of a query, with the names of their columns.
package struct NamedRows: Sendable, Hashable {
  package var columns: [String] = []
  package var rows: [[SQLValue]] = []
}

/// The limits of the work of a confined query.
package struct QueryAllowance: Sendable, Hashable {
  /// The number of operations of SQLite's virtual machine.
  package var operations = 20_000_000
  /// The time, for operations that take long.
  package var duration = Duration.seconds(10)
  package var rows = 10_000
  /// The size of a value, in bytes.
  package var valueSize = 16_000_000

  package init() {}
}

/// The reason why a confined query has no result.
package enum QueryRefusal: Error, Sendable, Hashable {
  /// It does something other than read.
  case doesMore
  /// It reads a table of SQLite's own, or a function about the database or of a module that was not used before.
  case readsCatalog(String)
  /// It takes values from outside.
  case takesValues
  /// It does not end within the allowed operations and time.
  case goesOn
  /// It gives more rows than are allowed.
  case tooManyRows(Int)
}

extension SQLiteConnection {
  /// Runs one query that can do nothing but read tables, and that ends after a while.
  ///
  /// SQLite's compiler is asked to refuse everything else; see
  /// [Compile-Time Authorization Callbacks](https://sqlite.org/c3ref/set_authorizer.html).
  ///
  /// - Throws: `QueryRefusal`, or SQLite's error for a query that it cannot compile or run.
  package func confinedRows(_ sql: String, within allowance: QueryAllowance = QueryAllowance()) throws -> NamedRows {
    let former = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: allowance.valueSize))
    defer { sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, former) }
    let interval = 1_000
    let end = ContinuousClock.now + allowance.duration
    var operations = 0
    var isOver = false
    var refusal: QueryRefusal?
    func decide(_ request: AuthorizerRequest) -> AuthorizerAnswer {
      guard let found = request.refusal else { return .allow }
      refusal = refusal ?? found
      return .deny
    }
    func check() -> Bool {
      operations += interval
      isOver = isOver || operations > allowance.operations || ContinuousClock.now > end
      return isOver
    }
    do {
      return try withAuthorizer(decide) {
        try withCancellation(every: Int32(clamping: interval), check: check) {
          try withStatement(sql) { try namedRows(of: $0, atMost: allowance.rows) }
        }
      }
    } catch let error as SQLiteError {
      if let refusal { throw refusal }
      throw error.isInterrupted && isOver ? QueryRefusal.goesOn : error
    }
  }

  private func namedRows(of statement: Statement, atMost count: Int) throws -> NamedRows {
    guard statement.isReadOnly else { throw QueryRefusal.doesMore }
    guard statement.parameterCount == 0 else { throw QueryRefusal.takesValues }
    var result = NamedRows()
    try run(statement) { statement in
      guard result.rows.count < count else { throw QueryRefusal.tooManyRows(count) }
      result.rows.append(statement.row())
    }
    result.columns = statement.columnNames
    return result
  }
}

extension AuthorizerRequest {
  /// The reason why a confined query may not do this; nil if it may.
  fileprivate var refusal: QueryRefusal? {
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE: return nil
    case SQLITE_FUNCTION: return second?.lowercased() == "load_extension" ? .doesMore : nil
    // SQLite notes in its catalog, in memory alone, that it declares a table such as that of pragma_table_info.
    case SQLITE_READ,
      SQLITE_UPDATE where first?.lowercased().hasPrefix("sqlite_") == true:
      let name = first ?? ""
      guard action == SQLITE_READ else { return .readsCatalog(name) }
      return ["sqlite_", "pragma_"].contains(where: name.lowercased().hasPrefix) ? .readsCatalog(name) : nil
    default: return .doesMore
    }
  }
}

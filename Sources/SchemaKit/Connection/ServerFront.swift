import CSQLite

/// The part of a connection that runs its statements on a server.
///
/// SQL is compiled here, by an empty copy of the server's schema in memory, which knows the names, parameters and columns.
/// The statement then runs on the server with the values that were bound.
///
/// It has identity because it keeps what the last statement did.
final class ServerFront {
  /// The traits of a statement that its text shows.
  struct Traits {
    /// For an INSERT, a query of the rowids of its table; it compiles where there are any.
    var rowIDs: String?
    /// True if it is an INSERT that may update a row instead.
    var mayUpdate = false
    /// True if it inserts, updates or deletes rows.
    var changesRows = false
    /// True if it names all columns of a table without their names.
    var hasAsterisk = false
    /// True if it is a ROLLBACK, of a whole transaction or to a savepoint.
    var rollsBack = false
    /// True if tables may have other columns once it has run.
    var changesSchema = false
  }

  let connection: any ServerConnection
  /// Reads the traits of a statement.
  let traits: (String) -> Traits
  private let copySchema: (any ServerConnection) throws -> SQLiteConnection
  private(set) var schema: SQLiteConnection
  /// Counts the copies of the schema: a statement that was compiled for an earlier one is compiled again.
  private(set) var generation = 0
  private var cookie: Int64?
  private var mayHaveChanged = false
  var trace: SQLTrace?

  /// The number of rows that the latest INSERT, UPDATE or DELETE changed.
  private(set) var changes = 0
  private(set) var totalChanges = 0
  /// The rowid of the row that was inserted since this was made nil, as far as that is certain.
  var insertedRowID: Int64?

  init(
    _ connection: any ServerConnection, traits: @escaping (String) -> Traits,
    copySchema: @escaping (any ServerConnection) throws -> SQLiteConnection
  ) throws {
    self.connection = connection
    self.traits = traits
    self.copySchema = copySchema
    cookie = try connection.integer("PRAGMA schema_version")
    schema = try copySchema(connection)
    // A text that cannot be read intact must not be written back.
    connection.repairsTexts = false
  }

  /// Copies the schema anew if the server's is another by now, and returns whether it did.
  @discardableResult
  func refresh() throws -> Bool {
    let now = try connection.integer("PRAGMA schema_version")
    guard now != cookie else {
      mayHaveChanged = false
      return false
    }
    schema = try copySchema(connection)
    mayHaveChanged = false
    cookie = now
    generation += 1
    return true
  }

  /// The copy of the schema, for compiling the next statement.
  func currentSchema() -> SQLiteConnection {
    // Where the connection is lost, the statement says so itself; a ROLLBACK has to be compiled all the same.
    if mayHaveChanged { _ = try? refresh() }
    return schema
  }

  /// Notes that a connection was lost: what was open is rolled back, or made permanent.
  func noteLoss() {
    mayHaveChanged = true
    cookie = nil
  }

  /// Notes what a statement did.
  ///
  /// The server tells the rowid of its latest INSERT, whichever that was.
  ///
  /// - Parameter formerRowID: The rowid that the server reported before.
  func note(_ traits: Traits, changes count: Int, formerRowID: Int64) {
    if traits.changesSchema { mayHaveChanged = true }
    // The next schema may have the number of the one that was rolled back.
    if traits.rollsBack { cookie = nil }
    guard traits.changesRows else { return }
    changes = count
    totalChanges += count
    guard let rowIDs = traits.rowIDs, count > 0 else { return }
    let rowID = connection.lastInsertedRowID
    let isCertain = rowID != 0 && rowID != formerRowID || !traits.mayUpdate && (try? schema.prepareOnly(rowIDs)) != nil
    if isCertain { insertedRowID = rowID }
  }
}

/// One run of a statement on a server.
///
/// It has identity because it owns two statements of SQLite: values are bound to the one, and rows are read from the other.
final class ServerStatement {
  /// Returns its parameters, each as a row of its own, since a row has fewer columns than a statement has parameters; nil
  /// where the statement has none.
  let parameters: OpaquePointer?
  /// Returns a row of the server as its parameters; nil where the statement has no columns.
  let row: OpaquePointer?
  let generation: Int
  let traits: ServerFront.Traits

  private let front: ServerFront
  /// The statement as it was compiled here, which outlives this.
  private let handle: OpaquePointer
  private let sql: String
  private let columnCount: Int
  private var rows: [[SQLValue]]?
  private var next = 0

  /// - Parameter handle: The statement as it was compiled here.
  init(_ sql: String, of handle: OpaquePointer, _ front: ServerFront, in registry: StatementRegistry) throws {
    self.sql = sql
    self.front = front
    self.handle = handle
    columnCount = Int(sqlite3_column_count(handle))
    generation = front.generation
    traits = front.traits(sql)
    func compiled(_ count: Int, _ text: ([String]) -> String) throws -> OpaquePointer? {
      guard count > 0 else { return nil }
      var compiled: OpaquePointer?
      let code = sqlite3_prepare_v2(front.schema.handle, text((1...count).map { "?\($0)" }), -1, &compiled, nil)
      guard let compiled, code == SQLITE_OK else { throw SQLiteError(code, on: front.schema.handle, sql: sql) }
      registry.add(compiled)
      return compiled
    }
    parameters = try compiled(Int(sqlite3_bind_parameter_count(handle))) {
      "VALUES \($0.map { "(\($0))" }.joined(separator: ", "))"
    }
    row = try compiled(columnCount) { "SELECT \($0.joined(separator: ", "))" }
  }

  /// Moves to the next row and returns false after the last. The first step runs the statement.
  func step() throws -> Bool {
    let rows = try self.rows ?? run()
    self.rows = rows
    guard next < rows.count, let row else { return false }
    sqlite3_reset(row)
    for (index, value) in rows[next].enumerated() {
      let code = Statement.bind(value, to: row, at: Int32(index + 1))
      guard code == SQLITE_OK else { throw SQLiteError(code, on: front.schema.handle, sql: sql) }
    }
    guard sqlite3_step(row) == SQLITE_ROW else { throw SQLiteError(SQLITE_ERROR, on: front.schema.handle, sql: sql) }
    next += 1
    return true
  }

  /// Makes it ready for the next run.
  func reset() {
    rows = nil
    next = 0
    if let row {
      sqlite3_reset(row)
      sqlite3_clear_bindings(row)
    }
  }

  private func run() throws -> [[SQLValue]] {
    let start = ContinuousClock.now
    let values = try boundValues()
    let formerRowID = front.connection.lastInsertedRowID
    var rows: [[SQLValue]] = []
    var count = 0
    do {
      if columnCount > 0 {
        try front.connection.forEachRow(sql, values) { rows.append($0) }
        count = rows.count
      } else {
        count = try front.connection.run(sql, values)
      }
    } catch let error as RemoteError {
      if case .brokenText(let column, _) = error.reason {
        throw RemoteError(reason: .brokenText(column: column, name: columnName(column)))
      }
      front.noteLoss()
      throw error
    }
    front.note(traits, changes: count, formerRowID: formerRowID)
    front.trace?.report(SQLTrace.Event(sql: sql, duration: start.duration(to: .now)))
    if let width = rows.first?.count, width != columnCount {
      front.noteLoss()
      let advice = traits.changesRows ? "the rows were changed all the same" : "run it again"
      throw SQLiteError(code: SQLITE_SCHEMA, message: "its table has other columns by now: \(advice)", sql: sql)
    }
    return rows
  }

  private func columnName(_ column: Int) -> String? {
    sqlite3_column_name(handle, Int32(column)).map { String(cString: $0) }
  }

  private func boundValues() throws -> [SQLValue] {
    guard let parameters else { return [] }
    // The bound values stay.
    defer { sqlite3_reset(parameters) }
    var values: [SQLValue] = []
    while sqlite3_step(parameters) == SQLITE_ROW { values.append(Statement.value(of: parameters, at: 0)) }
    return values
  }
}

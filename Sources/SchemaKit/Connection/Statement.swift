import CSQLite
import SchemaKitFoundation

/// One compiled statement of one connection.
///
/// It has identity because it wraps a C object that must be finalized exactly once.
final class Statement: RowSource {
  let handle: OpaquePointer
  let sql: String
  /// True if someone is currently stepping through it.
  var isInUse = false
  /// When it was last taken from the cache, counted in uses of the cache.
  var lastUse = 0
  /// The region that it reads; nil if that was not noted when it was compiled.
  var reads: ReadRegion?
  /// Where its values are bound and its rows are read: itself, unless it runs on a server.
  private let parameters: OpaquePointer
  private let rows: OpaquePointer
  /// Runs it on a server.
  let onServer: ServerStatement?
  private let database: OpaquePointer
  private let registry: StatementRegistry
  /// Binds rows to it, created on first use; it lives as long as the statement, which reads its bytes.
  private var binder: StatementBinder?

  init(handle: OpaquePointer, sql: String, database: OpaquePointer, of registry: StatementRegistry) {
    self.handle = handle
    self.sql = sql
    self.database = database
    self.registry = registry
    (parameters, rows, onServer) = (handle, handle, nil)
    registry.add(handle)
  }

  /// A statement that is compiled here and runs on a server.
  init(
    handle: OpaquePointer, sql: String, database: OpaquePointer, of registry: StatementRegistry, onServer: ServerFront
  ) throws {
    self.handle = handle
    self.sql = sql
    self.database = database
    self.registry = registry
    registry.add(handle)
    let statement: ServerStatement
    do {
      statement = try ServerStatement(sql, of: handle, onServer, in: registry)
    } catch {
      registry.finalize(handle)
      throw error
    }
    self.onServer = statement
    parameters = statement.parameters ?? handle
    rows = statement.row ?? handle
  }

  deinit {
    registry.finalize(handle)
    for other in [parameters, rows] where other != handle { registry.finalize(other) }
  }

  // MARK: The current row

  // Through the value of a column, SQLite looks the column up once, and not for its type, content and size each.
  // https://sqlite.org/c3ref/column_blob.html

  /// The value of a column, valid until the next step. It may be read because nobody uses the connection meanwhile.
  private func column(_ index: Int) -> OpaquePointer? {
    sqlite3_column_value(rows, Int32(truncatingIfNeeded: index))
  }

  override func isNull(at index: Int) -> Bool { sqlite3_value_type(column(index)) == SQLITE_NULL }

  override func integer(at index: Int) -> Int64? {
    let value = column(index)
    return sqlite3_value_type(value) == SQLITE_INTEGER ? sqlite3_value_int64(value) : nil
  }

  override func real(at index: Int) -> Double? {
    let value = column(index)
    return sqlite3_value_type(value) == SQLITE_FLOAT ? sqlite3_value_double(value) : nil
  }

  override func text(at index: Int) throws -> String? {
    let value = column(index)
    guard sqlite3_value_type(value) == SQLITE_TEXT else { return nil }
    guard let start = sqlite3_value_text(value) else { return "" }
    let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    let text = String(decoding: bytes, as: UTF8.self)
    // Swift repairs invalid UTF-8, and the repaired text has different bytes. `String(validating:as:)` would find that in
    // twice the time.
    let isWhole = text.utf8.withContiguousStorageIfAvailable {
      $0.count == bytes.count && $0.baseAddress.map { memcmp($0, start, bytes.count) == 0 } ?? true
    }
    guard isWhole ?? text.utf8.elementsEqual(bytes) else {
      throw ColumnValueError(expected: "a text", found: "text", problem: "is not valid UTF-8")
    }
    return text
  }

  override func withBlob(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let value = column(index)
    guard sqlite3_value_type(value) == SQLITE_BLOB else { return false }
    // An empty BLOB has a null pointer.
    let start = sqlite3_value_blob(value)
    body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value))))
    return true
  }

  override func data(at index: Int) -> Data? {
    let value = column(index)
    guard sqlite3_value_type(value) == SQLITE_BLOB else { return nil }
    return sqlite3_value_blob(value).map { Data(bytes: $0, count: Int(sqlite3_value_bytes(value))) } ?? Data()
  }

  override func sqlValue(at index: Int) throws -> SQLValue {
    if let text = try text(at: index) { return .text(text) }
    return Self.value(of: rows, at: Int32(truncatingIfNeeded: index))
  }

  /// The binder of this statement's rows.
  ///
  /// - Parameter keyColumns: The columns whose values are recorded; always the same for one statement.
  func binder(keyColumns: [Int]) -> StatementBinder {
    if let binder {
      binder.begin()
      return binder
    }
    let binder = StatementBinder(parameters, sql: sql, keyColumns: keyColumns)
    self.binder = binder
    return binder
  }

  /// True if it writes nothing to the database by itself; BEGIN, COMMIT and ROLLBACK count as read-only.
  var isReadOnly: Bool { sqlite3_stmt_readonly(handle) != 0 }

  /// The number of columns in its rows. Ask after the first step, which may recompile the statement.
  var columnCount: Int32 { sqlite3_column_count(handle) }

  /// The names of its columns.
  var columnNames: [String] {
    (0..<columnCount).map { sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? "" }
  }

  /// The table of the main database and the column whose values a column of its rows has; nil for any other value, and
  /// where SQLite was built without SQLITE_ENABLE_COLUMN_METADATA. https://sqlite.org/c3ref/column_database_name.html
  func origin(ofColumn index: Int) -> (table: String, column: String)? {
    let index = Int32(truncatingIfNeeded: index)
    guard schemakit_column_database(handle, index).map({ String(cString: $0) }) == "main",
      let table = schemakit_column_table(handle, index),
      let column = schemakit_column_origin(handle, index)
    else { return nil }
    return (String(cString: table), String(cString: column))
  }

  /// The number of its parameters.
  var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }

  /// The names of its parameters in order, including the prefix character; nil for a parameter without a name.
  var parameterNames: [String?] {
    (0..<sqlite3_bind_parameter_count(handle)).map { index in
      sqlite3_bind_parameter_name(handle, index + 1).map { String(cString: $0) }
    }
  }

  /// Moves to the next row and returns false after the last.
  func step() throws -> Bool {
    if let onServer { return try onServer.step() }
    return try outcome(of: sqlite3_step(handle))
  }

  /// True if a step found a row, by its result code.
  func outcome(of code: Int32) throws(SQLiteError) -> Bool {
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw SQLiteError(code, on: database, sql: sql)
    }
  }

  /// Makes it ready for the next run: no lock and no bound value remains.
  func reset() {
    rewind()
    sqlite3_clear_bindings(parameters)
  }

  /// Makes it ready for the next run with the values that are bound, or that will be bound over them.
  func rewind() {
    sqlite3_reset(parameters)
    onServer?.reset()
  }
}

extension Statement {
  /// Binds all its parameters. SQLite stores a NaN as NULL.
  func bind(_ values: [SQLValue]) throws(SQLiteError) {
    let wanted = sqlite3_bind_parameter_count(handle)
    guard wanted == values.count else {
      throw SQLiteError(
        code: SQLITE_RANGE,
        message: "the statement takes \(wanted) values, but \(values.count) were given",
        sql: sql
      )
    }
    var index: Int32 = 0
    for value in values {
      index += 1
      try bind(value, at: index)
    }
  }

  /// Binds the parameter at an index, the first being 1.
  func bind(_ value: SQLValue, at index: Int32) throws(SQLiteError) {
    let code = Self.bind(value, to: parameters, at: index)
    guard code == SQLITE_OK else { throw SQLiteError(code, on: database, sql: sql) }
  }

  /// Binds a parameter of a statement of SQLite, and returns the result code.
  static func bind(_ value: SQLValue, to handle: OpaquePointer, at index: Int32) -> Int32 {
    switch value {
    case .null:
      return sqlite3_bind_null(handle, index)
    case .integer(let integer):
      return sqlite3_bind_int64(handle, index, integer)
    case .real(let real):
      return sqlite3_bind_double(handle, index, real)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          // SQLite treats a null pointer as NULL, and an empty buffer may have one.
          characters.baseAddress.map { start in
            sqlite3_bind_text64(
              handle, index, start, UInt64(characters.count), schemakit_transient(), UInt8(SQLITE_UTF8))
          } ?? sqlite3_bind_text64(handle, index, "", 0, schemakit_transient(), UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let blob):
      return blob.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress, !bytes.isEmpty {
          sqlite3_bind_blob64(handle, index, start, UInt64(bytes.count), schemakit_transient())
        } else {
          sqlite3_bind_zeroblob(handle, index, 0)
        }
      }
    }
  }

  /// The values of the current row, in order.
  func row() -> [SQLValue] {
    let count = columnCount
    var values: [SQLValue] = []
    values.reserveCapacity(Int(count))
    for index in 0..<count { values.append(Self.value(of: rows, at: index)) }
    return values
  }

  /// The value in a column of a statement's current row, the first being 0; text that is not valid UTF-8 is repaired.
  static func value(of handle: OpaquePointer, at index: Int32) -> SQLValue {
    switch sqlite3_column_type(handle, index) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(handle, index))
    case SQLITE_FLOAT: .real(sqlite3_column_double(handle, index))
    case SQLITE_TEXT: .text(text(of: handle, at: index))
    case SQLITE_BLOB: .blob(blob(of: handle, at: index))
    default: .null
    }
  }

  // The text must be asked for before its length, which a conversion from UTF-16 changes.
  private static func text(of handle: OpaquePointer, at index: Int32) -> String {
    guard let start = sqlite3_column_text(handle, index) else { return "" }
    let count = Int(sqlite3_column_bytes(handle, index))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  private static func blob(of handle: OpaquePointer, at index: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, index) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index))))
  }
}

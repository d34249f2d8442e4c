import CSQLite

extension SQLiteConnection {
  /// The version of SQLite at run time, for example "3.40.1".
  public static var engineVersion: String { String(cString: sqlite3_libversion()) }

  /// The check-in that the SQLite at run time was built from; it differs between two copies of SQLite.
  public static var engineSourceID: String { String(cString: sqlite3_sourceid()) }

  /// The options that this SQLite was compiled with, without their prefix SQLITE_.
  public static let compileOptions: [String] = {
    var options: [String] = []
    while let option = sqlite3_compileoption_get(Int32(options.count)) { options.append(String(cString: option)) }
    return options
  }()

  /// Lets SQLite of this process no longer count the memory that it uses, so that threads with connections of their own need not
  /// wait for each other at each allocation.
  ///
  /// With four threads on two processors, changing many small files took 30 % less time. `sqlite3_memory_used()` is 0 from then
  /// on, and `PRAGMA soft_heap_limit` has no effect: see
  /// [SQLITE_CONFIG_MEMSTATUS](https://sqlite.org/c3ref/c_config_covering_index_scan.html#sqliteconfigmemstatus).
  ///
  /// - Returns: False if SQLite is in use already, and goes on counting: call this first of all.
  @discardableResult
  public static func stopCountingMemory() -> Bool { schemakit_stop_counting_memory() == SQLITE_OK }

  /// The number of rows that the latest INSERT, UPDATE or DELETE changed itself.
  public var changes: Int { server?.changes ?? changesBeforeIdle ?? Int(sqlite3_changes(handle)) }

  /// The number of rows changed on this connection in total, including those changed by triggers and foreign keys.
  ///
  /// For a database on a server, only the rows that statements changed themselves.
  public var totalChanges: Int { server?.totalChanges ?? (Int(sqlite3_total_changes(handle)) - changesWhileIdle) }

  /// The same, including rows changed while idle.
  var rawTotalChanges: Int { Int(sqlite3_total_changes(handle)) }

  /// The rowid of the latest row inserted on this connection, as `last_insert_rowid()` in SQL tells it.
  public var lastInsertRowID: Int64 {
    if let server { return server.connection.lastInsertedRowID }
    let rowID = sqlite3_last_insert_rowid(handle)
    return rowID == Self.noRowID ? formerRowID : rowID
  }

  /// Stands for no row in the place where SQLite notes the latest one. It is read by nobody: `last_insert_rowid()` in SQL is
  /// a function of ours that knows it.
  static let noRowID = Int64.min + 0x5C4E_3A41

  /// Makes ``insertedRowID`` nil until another row is inserted.
  func forgetInsertedRowID() {
    if let server {
      server.insertedRowID = nil
      return
    }
    let present = sqlite3_last_insert_rowid(handle)
    hasRunInsert = false
    // The rowid that the lender's statements read stays as it is.
    if !isBorrowed { sqlite3_set_last_insert_rowid(handle, Self.noRowID) }
    if present != Self.noRowID { formerRowID = present }
  }

  /// The rowid of the latest row inserted since it was forgotten. Of an upsert on a server, nil may stand for a row that
  /// has the rowid of the row inserted before; over a borrowed handle, so does the row of an upsert that updated one.
  var insertedRowID: Int64? {
    if let server { return server.insertedRowID }
    let rowID = sqlite3_last_insert_rowid(handle)
    guard isBorrowed else { return rowID == Self.noRowID ? nil : rowID }
    return rowID != formerRowID || (hasRunInsert && changes > 0) ? rowID : nil
  }

  /// Lets `last_insert_rowid()` in SQL tell the latest row, also while it is looked for a later one.
  func registerRowIDFunction() throws {
    try install(function: "last_insert_rowid", arity: 0, callableFrom: .anySchema) { [weak self] _ in
      .integer(self?.lastInsertRowID ?? 0)
    }
  }

  /// True if the main database can only be read.
  public var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// The absolute path of the main database file; nil for a database without a file.
  public var filePath: String? { Self.fileName(of: handle) }

  static func fileName(of handle: OpaquePointer) -> String? {
    guard let name = sqlite3_db_filename(handle, "main"), name.pointee != 0 else { return nil }
    return String(cString: name)
  }
}

extension Statement {
  /// True if the statement inserts rows and updates none.
  var isInsert: Bool {
    let words = sql.utf8.split { !($0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z")) }
      .map { String(decoding: $0, as: UTF8.self).uppercased() }
    guard let first = words.first(where: { ["INSERT", "REPLACE", "UPDATE", "DELETE", "WITH"].contains($0) }),
      first != "UPDATE", first != "DELETE"
    else { return false }
    let isWritten = first != "WITH" || zip(words, words.dropFirst()).contains { $0 == "INSERT" && $1 == "INTO" }
    return isWritten && !zip(words, words.dropFirst()).contains { $0 == "DO" && $1 == "UPDATE" }
  }
}

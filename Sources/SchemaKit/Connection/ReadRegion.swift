import CSQLite

/// The part of a database that queries read: tables with the columns of each, and rows that are read by their key.
struct ReadRegion: Equatable {
  /// The columns that are read of each table; none where only rows are counted. Then the name is as the query spells it, and
  /// its database is not known to be `main`.
  var tables: [String: Set<String>] = [:]
  /// The rows that are read by their key, of each table.
  var rows: [String: Rows] = [:]
  /// True if something else is read as well, such as a table of another database.
  var hasMore = false

  /// Rows of a table that are read by their key.
  struct Rows: Equatable {
    /// The columns of the key.
    var key: [String]
    /// The values of the key, in the order of its columns.
    var values: Set<[SQLValue]>
    /// The columns that are read.
    var columns: Set<String>
  }

  /// A table of which more rows than these are read by their key is watched as a whole.
  private static let mostRows = 500

  mutating func formUnion(_ other: ReadRegion) {
    tables.merge(other.tables) { $0.union($1) }
    hasMore = hasMore || other.hasMore
    for (table, more) in other.rows {
      var all = rows[table] ?? more
      all.values.formUnion(more.values)
      all.columns.formUnion(more.columns)
      rows[table] = all
      if all.values.count > Self.mostRows { tables[table, default: []].formUnion(all.columns) }
    }
    for table in rows.keys where tables[table] != nil {
      tables[table]?.formUnion(rows.removeValue(forKey: table)?.columns ?? [])
    }
  }
}

/// The key by which a statement finds its one row, with a value for each of its columns.
struct RowKey {
  var columns: [String]
  var values: [SQLValue]
}

/// Notes what the statements of a connection read, by what SQLite's compiler asks to be authorized: an SQLITE_READ for each
/// column, or with an empty name where no column of a table is read.
/// See [Compile-Time Authorization Callbacks](https://sqlite.org/c3ref/set_authorizer.html).
///
/// It has identity because the C callback writes into it.
final class ReadRecorder {
  /// The region of the statement that is being compiled; nil between statements, where SQLite compiles some again.
  fileprivate var compiling: ReadRegion?
  /// The region of all statements that have run since recording began; nil if nobody asks.
  fileprivate var region: ReadRegion?

  func note(table: UnsafePointer<CChar>?, column: UnsafePointer<CChar>?, database: UnsafePointer<CChar>?) {
    guard let table else { return }
    var read = ReadRegion()
    if let database, sqlite3_stricmp(database, "main") != 0 {
      read.hasMore = true
    } else {
      let column = column.map { String(cString: $0) } ?? ""
      read.tables[String(cString: table)] = column.isEmpty ? [] : [column]
    }
    if compiling != nil { compiling?.formUnion(read) } else { region?.formUnion(read) }
  }
}

extension SQLiteConnection {
  /// Runs work, and returns its result with the region that its statements have read.
  ///
  /// From the first time on the connection notes what each statement reads that it compiles, which takes some microseconds
  /// for each.
  func recordingReads<T>(_ body: () throws -> T) throws -> (T, ReadRegion) {
    let recorder = try startRecording()
    let outer = recorder.region
    recorder.region = ReadRegion()
    defer { recorder.region = outer }
    let result = try body()
    return (result, recorder.region ?? ReadRegion())
  }

  private func startRecording() throws -> ReadRecorder {
    if let recorder = authorizers.recorder { return recorder }
    let recorder = ReadRecorder()
    authorizers.recorder = recorder
    do { try installAuthorizer() } catch {
      authorizers.recorder = nil
      throw error
    }
    return recorder
  }

  /// Compiles a statement, and keeps what it reads with it.
  func notingReads(compiling compile: () throws -> Statement?) throws -> Statement? {
    guard let recorder = authorizers.recorder else { return try compile() }
    let outer = recorder.compiling
    recorder.compiling = ReadRegion()
    defer { recorder.compiling = outer }
    let statement = try compile()
    statement?.reads = recorder.compiling
    return statement
  }

  /// True if what a statement reads was noted, or nobody has asked for it. SQLite compiles it again by itself when the schema
  /// changes, and it may read something else then.
  func knowsReads(of statement: Statement) -> Bool {
    authorizers.recorder == nil
      || (statement.reads != nil && sqlite3_stmt_status(statement.handle, SQLITE_STMTSTATUS_REPREPARE, 0) == 0)
  }

  /// True if somebody asks what statements read.
  var isRecordingReads: Bool { authorizers.recorder?.region != nil }

  /// Counts a statement that is about to run among those that read.
  ///
  /// - Parameter key: The key by which it finds its row; nil if it may read any row.
  func noteReads(of statement: Statement, key: RowKey? = nil) {
    guard let recorder = authorizers.recorder, recorder.region != nil, var reads = statement.reads else { return }
    if let key, reads.tables.count == 1, let (table, columns) = reads.tables.popFirst() {
      reads.rows[table] = ReadRegion.Rows(key: key.columns, values: [key.values], columns: columns)
    }
    recorder.region?.formUnion(reads)
  }
}

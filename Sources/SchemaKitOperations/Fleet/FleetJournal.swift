import SchemaKitFoundation

/// The record of a run: a SQLite database of its own with a row for each file.
///
/// Each change of a file is also in that file's history, in the transaction of the change; the journal gives the same
/// information faster, for all files. Where a run was killed, it can lack the last files.
///
/// It has identity because it owns a connection and a lock; `lock` guards both.
package final class FleetJournal: @unchecked Sendable {
  /// The end of the default name, by which journals are told from the files of a fleet.
  package static let suffix = ".fleet-journal"
  static let format: Int64 = 1
  /// "SKfj", for PRAGMA application_id.
  static let applicationID: Int64 = 0x534B_666A

  let path: String
  private let connection: SQLiteConnection
  private let fileLock: FleetLock?
  private let lock = Lock()

  /// The run that a journal is about.
  package struct Run: Sendable, Hashable {
    /// The run, in the history of every file that it changes.
    package var id: String
    /// The checksum of the plan.
    package var plan: String
    package var startedAt: String
    /// The program as it is in the history of the files.
    package var program: String
  }

  /// A file in the journal.
  package struct Entry: Sendable, Hashable {
    package var path: String
    /// The identity of the file when it was found; nil if something else tells that it is the same file.
    package var identity: FileIdentity?
    /// True if a list has the file, so that it has to be a database.
    package var isNamed: Bool
    package var wave: Int
    package var state: FleetState
    package var message: String?
    /// The copy that was made before the change.
    package var copy: String?
    package var milliseconds: Int
  }

  /// Opens a journal, or makes one.
  ///
  /// - Parameter isNew: True if it may be made.
  /// - Throws: ``FleetError``.
  package init(at path: String, mayCreate: Bool, isReader: Bool = false) throws(FleetError) {
    self.path = path
    var status = stat()
    let exists = lstat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG { throw FleetError(reason: .notAJournal(path)) }
    if !exists {
      guard mayCreate else { throw FleetError(reason: .journal(path, problem: "it does not exist")) }
      guard FileManager.default.createNewFile(atPath: path, permissions: 0o600) else {
        throw FleetError(reason: .journal(path, problem: String(cString: strerror(errno))))
      }
    }
    fileLock = isReader ? nil : try FleetLock(journal: path)
    do {
      // It is not encrypted with the key of the files, and knows none of their functions.
      connection = try SQLiteConnection.opening(with: nil) { try SQLiteConnection(path: path, mode: .readWrite) }
      if try connection.integer("PRAGMA application_id") != Self.applicationID {
        guard try !exists || connection.integer("PRAGMA page_count") == 0, !isReader else {
          throw FleetError(reason: .notAJournal(path))
        }
        try Self.create(on: connection)
      }
    } catch let error as FleetError {
      throw error
    } catch let error as SQLiteError where error.isNotADatabase {
      throw FleetError(reason: .notAJournal(path))
    } catch {
      throw FleetError(reason: .journal(path, problem: "\(error)"))
    }
    let format = try reading { try $0.integer("PRAGMA user_version") ?? 0 }
    guard format <= Self.format else { throw FleetError(reason: .newerJournal(path, format: Int(format))) }
  }

  // Closing a descriptor of the file would take the locks of SQLite away, so that goes last.
  deinit { try? connection.close() }

  private static func create(on connection: SQLiteConnection) throws {
    try connection.transaction {
      try connection.execute(
        """
        PRAGMA application_id = \(applicationID);
        PRAGMA user_version = \(format);
        CREATE TABLE runs (id TEXT NOT NULL, plan TEXT NOT NULL, started_at TEXT NOT NULL, program TEXT NOT NULL,
          document TEXT NOT NULL);
        CREATE TABLE files (
          number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, device INTEGER NOT NULL, inode INTEGER NOT NULL,
          named INTEGER NOT NULL, wave INTEGER NOT NULL, state TEXT NOT NULL, message TEXT, copy TEXT, milliseconds INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE accepted (wave INTEGER PRIMARY KEY);
        CREATE INDEX files_by_wave ON files (wave, state)
        """)
    }
    // Others can read it while the run goes on.
    try connection.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL")
  }

  /// Works on the connection, and says of what fails that the journal is at fault.
  private func reading<T>(_ body: (SQLiteConnection) throws -> T) throws(FleetError) -> T {
    do {
      return try lock.withLock { try body(connection) }
    } catch {
      throw FleetError(reason: .journal(path, problem: "\(error)"))
    }
  }
}

// MARK: - The run

extension FleetJournal {
  /// The run; nil in a new journal.
  package func run() throws(FleetError) -> Run? {
    try reading { connection in
      try connection.rows("SELECT id, plan, started_at, program FROM runs").first.map { row in
        Run(
          id: row[0].text ?? "", plan: row[1].text ?? "", startedAt: row[2].text ?? "", program: row[3].text ?? "")
      }
    }
  }

  /// The plan of the run in a journal; nil if there is no journal yet.
  package static func plan(at path: String) throws -> FleetPlan? {
    guard FileManager.default.fileSize(atPath: path) ?? 0 > 0 else { return nil }
    let journal = try FleetJournal(at: path, mayCreate: false, isReader: true)
    let text = try journal.reading { try $0.value("SELECT document FROM runs")?.text }
    return try text.map { try FleetPlan(json: Data($0.utf8), source: path) }
  }

  /// Notes a run with its files, each in its wave.
  func begin(_ run: Run, document: String, waves: [[FleetFiles.File]]) throws(FleetError) {
    try reading { connection in
      try connection.transaction {
        try connection.run(
          "INSERT INTO runs (id, plan, started_at, program, document) VALUES (?1, ?2, ?3, ?4, ?5)",
          [.text(run.id), .text(run.plan), .text(run.startedAt), .text(run.program), .text(document)])
        for (wave, files) in waves.enumerated() {
          for file in files { try Self.insert(file, wave: wave + 1, on: connection) }
        }
      }
    }
  }

  /// Adds files that were found since the run began, in further waves.
  func add(_ waves: [[FleetFiles.File]]) throws(FleetError) {
    try reading { connection in
      try connection.transaction {
        let last = Int(try connection.integer("SELECT max(wave) FROM files") ?? 0)
        for (wave, files) in waves.enumerated() {
          for file in files { try Self.insert(file, wave: last + wave + 1, on: connection) }
        }
      }
    }
  }

  /// Notes that a wave is done, and that the run may go on after it.
  func accept(_ wave: Int) throws(FleetError) {
    try reading { _ = try $0.run("INSERT OR IGNORE INTO accepted (wave) VALUES (\(wave))", []) }
  }

  /// Notes that a wave is worked on again, so that what comes of it is asked about again.
  func withdraw(_ wave: Int) throws(FleetError) {
    try reading { _ = try $0.run("DELETE FROM accepted WHERE wave = \(wave)", []) }
  }

  /// The waves after which the run may go on.
  func acceptedWaves() throws(FleetError) -> Set<Int> {
    try reading { Set(try $0.rows("SELECT wave FROM accepted").map { Int($0[0].integer ?? 0) }) }
  }

  private static func insert(_ file: FleetFiles.File, wave: Int, on connection: SQLiteConnection) throws {
    try connection.run(
      "INSERT INTO files (path, device, inode, wave, state, named) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
      [
        .text(file.absolutePath), .integer(file.identity.device), .integer(file.identity.inode), .integer(Int64(wave)),
        .text(FleetState.waiting.rawValue), .integer(file.isNamed ? 1 : 0),
      ])
  }

  /// Notes what became of files.
  func record(_ results: [FleetResult]) throws(FleetError) {
    guard !results.isEmpty else { return }
    try reading { connection in
      try connection.transaction {
        for result in results {
          try connection.run(
            """
            UPDATE files SET state = ?2, message = ?3, copy = coalesce(?4, copy), milliseconds = ?5 WHERE path = ?1
            """,
            [
              .text(result.path), .text(result.state.rawValue), result.message.map { .text($0) } ?? .null,
              result.copy.map { .text($0) } ?? .null, .integer(Int64(result.milliseconds)),
            ])
        }
      }
    }
  }

  /// The number of the last wave; 0 in a new journal.
  func lastWave() throws(FleetError) -> Int {
    try reading { Int(try $0.integer("SELECT max(wave) FROM files") ?? 0) }
  }

  /// Returns the number of files in each state, by wave.
  package func counts() throws(FleetError) -> [Int: [FleetState: Int]] {
    try reading { connection in
      var counts: [Int: [FleetState: Int]] = [:]
      let sql = "SELECT wave, state, count(*) FROM files GROUP BY wave, state"
      try connection.forEachRow(sql, []) { row in
        let state = FleetState(rawValue: row[1].text ?? "") ?? .failed
        counts[Int(row[0].integer ?? 0), default: [:]][state, default: 0] += Int(row[2].integer ?? 0)
      }
      return counts
    }
  }

  /// The files of a wave, or of all of them, in some states.
  package func entries(wave: Int? = nil, states: Set<FleetState>? = nil) throws(FleetError) -> [Entry] {
    try reading { connection in
      var entries: [Entry] = []
      let sql =
        "SELECT path, device, inode, wave, state, message, copy, milliseconds, named FROM files "
        + (wave.map { "WHERE wave = \($0) " } ?? "") + "ORDER BY number"
      try connection.forEachRow(sql, []) { row in
        let state = FleetState(rawValue: row[4].text ?? "") ?? .failed
        guard states?.contains(state) ?? true else { return }
        entries.append(
          Entry(
            path: row[0].text ?? "",
            identity: FileIdentity(device: row[1].integer ?? 0, inode: row[2].integer ?? 0),
            isNamed: row[8].integer == 1,
            wave: Int(row[3].integer ?? 0), state: state, message: row[5].text, copy: row[6].text,
            milliseconds: Int(row[7].integer ?? 0)))
      }
      return entries
    }
  }
}

/// The result of the work on a file.
struct FleetResult: Sendable {
  /// The absolute path.
  var path: String
  var state: FleetState
  var message: String?
  var copy: String?
  var milliseconds = 0
}

import SchemaKitFoundation

/// The notes of an online copy about itself in the file, so that it goes on after its process was killed, and so that others
/// know of it.
///
/// - `_schemakit_online`: one row: what is done, by whom, and when that was last known.
/// - `_schemakit_online_tables`: a row for each table, with how far its copy is.
///
/// Whoever reads a schema does not see these tables, nor the shadow tables, logs and triggers.
package struct OnlineJournal {
  let connection: any SQLConnection

  /// The phase of a run.
  enum Phase: String {
    /// Rows are copied; until that ends, all can be dropped without a loss.
    case copying
    /// The change is made, and the old rows are freed.
    case freeing
  }

  /// The row of a run.
  struct Run {
    var phase: Phase
    /// The statements of the run, which only a run with the same statements continues.
    var statements: String
    var cookie: Int64
    var owner: String
    /// The seconds since the owner was last heard of, or since the end of the silence that it has announced.
    var silence: Int64
  }

  /// The progress of a table.
  struct Progress {
    /// The last row that was copied; nil if none was.
    var copied: Int64?
    /// The number of rows in the shadow table.
    var rows: Int64
    /// The last entry of the log whose row was copied again.
    var drained: Int64
  }

  func exists() throws -> Bool {
    try connection.integer("SELECT count(*) FROM main.sqlite_master WHERE name = '_schemakit_online'") == 1
  }

  /// The run in the file; nil if there is none.
  func run() throws -> Run? {
    guard try exists() else { return nil }
    let row = try connection.rows(
      """
      SELECT phase, statements, cookie, owner, CAST(strftime('%s', 'now') AS INTEGER) - heard FROM main._schemakit_online
      """
    ).first
    guard let row, let phase = row[0].text.flatMap(Phase.init) else { return nil }
    return Run(
      phase: phase, statements: row[1].text ?? "", cookie: row[2].integer ?? -1, owner: row[3].text ?? "",
      silence: row[4].integer ?? 0)
  }

  /// The tables of the run.
  func tables() throws -> [SQLName] {
    try connection.texts("SELECT name FROM main._schemakit_online_tables ORDER BY rowid").map { SQLName($0) }
  }

  func begin(_ statements: String, tables: [SQLName], owner: String) throws {
    try connection.run(
      """
      CREATE TABLE main._schemakit_online (phase TEXT NOT NULL, statements TEXT NOT NULL, cookie INTEGER NOT NULL, \
      owner TEXT NOT NULL, heard INTEGER NOT NULL)
      """)
    try connection.run(
      """
      CREATE TABLE main._schemakit_online_tables (name TEXT NOT NULL, copied INTEGER, rows INTEGER NOT NULL DEFAULT 0, \
      drained INTEGER NOT NULL DEFAULT 0)
      """)
    let cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    try connection.run(
      "INSERT INTO main._schemakit_online VALUES ('copying', ?1, ?2, ?3, CAST(strftime('%s', 'now') AS INTEGER))",
      [.text(statements), .integer(cookie), .text(owner)])
    for table in tables {
      try connection.run("INSERT INTO main._schemakit_online_tables (name) VALUES (?1)", [.text(table.text)])
    }
  }

  /// Makes somebody else the owner.
  func take(over owner: String) throws {
    try connection.run(
      "UPDATE main._schemakit_online SET owner = ?1, heard = CAST(strftime('%s', 'now') AS INTEGER)", [.text(owner)])
  }

  /// Lets others know that the owner is at work.
  ///
  /// - Parameter silence: For how many seconds it may not be heard of.
  /// - Throws: `ApplyError` if it is not the owner any more, or the schema is not what it was.
  func beat(owner: String, table: SQLName, silence: Int64 = 0) throws {
    let changed = try connection.run(
      """
      UPDATE main._schemakit_online SET heard = CAST(strftime('%s', 'now') AS INTEGER) + ?2 WHERE owner = ?1
      """, [.text(owner), .integer(silence)])
    guard changed == 1 else { throw ApplyError(reason: .onlineCopyRunning(table: table.text)) }
    guard try isCookieCurrent() else {
      throw ApplyError(reason: .onlineCopyDisturbed(table: table.text))
    }
  }

  /// - Throws: `ApplyError` if somebody else has taken the run over.
  func checkOwner(_ owner: String, table: SQLName) throws {
    guard try run()?.owner == owner else { throw ApplyError(reason: .onlineCopyRunning(table: table.text)) }
  }

  /// True if the schema is what it was when the run last noted it.
  func isCookieCurrent() throws -> Bool {
    try connection.integer("SELECT cookie FROM main._schemakit_online")
      == connection.integer("PRAGMA main.schema_version")
  }

  func noteCookie() throws {
    let cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    try connection.run("UPDATE main._schemakit_online SET cookie = \(cookie)")
  }

  func progress(of table: SQLName) throws -> Progress {
    let row = try connection.rows(
      "SELECT copied, rows, drained FROM main._schemakit_online_tables WHERE name = ?1", [.text(table.text)]
    ).first
    return Progress(copied: row?[0].integer, rows: row?[1].integer ?? 0, drained: row?[2].integer ?? 0)
  }

  func hasIndex(_ name: SQLName) throws -> Bool {
    try connection.integer(
      "SELECT count(*) FROM main.sqlite_master WHERE type = 'index' AND name = ?1", [.text(name.text)]) == 1
  }

  func note(_ progress: Progress, of table: SQLName) throws {
    try connection.run(
      "UPDATE main._schemakit_online_tables SET copied = ?2, rows = ?3, drained = ?4 WHERE name = ?1",
      [
        .text(table.text), progress.copied.map { .integer($0) } ?? .null, .integer(progress.rows),
        .integer(progress.drained),
      ])
  }

  /// Notes that the change is made. The schema may change from now on.
  func noteFreeing() throws { try connection.run("UPDATE main._schemakit_online SET phase = 'freeing'") }

  // MARK: - Others

  /// True if a process copies a table of the file, or frees the old rows.
  func isRunning() throws -> Bool { try run().map(OnlineOwner.isAlive) ?? false }

  /// - Throws: `ApplyError.onlineCopyRunning` while a process copies a table of the file.
  func refuseRunning() throws {
    guard try isRunning() else { return }
    throw ApplyError(reason: .onlineCopyRunning(table: try tables().first?.text ?? ""))
  }

  /// Drops what a run left behind whose process has ended, inside a transaction.
  func cleanUp() throws {
    guard try exists() else { return }
    try refuseRunning()
    try remove()
  }

  /// Drops all that a run has in the file, inside a transaction: what it copied, or the old rows that it was freeing.
  func remove() throws {
    try removeTriggersAndLogs()
    let rest = try connection.rows(
      "SELECT name FROM main.sqlite_master WHERE type = 'table' ORDER BY name = '_schemakit_online'")
    for name in rest.compactMap({ $0[0].text }).map({ SQLName($0) }) where name.isOfOnlineCopy {
      try connection.run("DROP TABLE main.\(name.quoted)")
    }
  }

  /// The tables of the run in a file, whether its change was made, and whether its process is at work; nil where there is none.
  package static func run(
    in connection: any SQLConnection
  ) throws -> (tables: [SQLName], isChanged: Bool, isAlive: Bool)? {
    let journal = OnlineJournal(connection: connection)
    guard let run = try journal.run() else { return nil }
    return (try journal.tables(), run.phase == .freeing, OnlineOwner.isAlive(run))
  }

  func removeTriggersAndLogs() throws {
    let objects = try connection.rows("SELECT type, name FROM main.sqlite_master WHERE type IN ('trigger', 'table')")
    for row in objects {
      guard let type = row[0].text, let name = row[1].text.map({ SQLName($0) }), name.isOfOnlineCopy else { continue }
      let isLog = name.folded.hasPrefix(SQLName("\(SQLName.onlinePrefix)_log_").folded)
      if type == "trigger" { try connection.run("DROP TRIGGER main.\(name.quoted)") }
      if isLog { try connection.run("DROP TABLE main.\(name.quoted)") }
    }
  }
}

/// The process of a machine that carries out an online copy.
enum OnlineOwner {
  /// A name for a run that begins now.
  static func begin() -> String {
    let owner = "\(host)/\(getpid())/\(UInt64.random(in: .min ... .max))"
    return lock.withLock {
      atWork.insert(owner)
      return owner
    }
  }

  /// Notes that a run of this process has ended.
  static func end(_ owner: String) { _ = lock.withLock { atWork.remove(owner) } }

  /// True if the owner of a run is at work, as far as can be told: its process exists, or it was heard of a short time ago.
  static func isAlive(_ run: OnlineJournal.Run) -> Bool {
    let parts = run.owner.split(separator: "/")
    guard parts.count == 3, parts[0] == Substring(host), let process = Int32(parts[1]) else {
      return run.silence < 60
    }
    if process == getpid() { return lock.withLock { atWork.contains(run.owner) } }
    if kill(process, 0) != 0, errno == ESRCH { return false }
    // The number may be another process's by now.
    return run.silence < 3600
  }

  private static let lock = Lock()
  /// The runs of this process.
  nonisolated(unsafe) private static var atWork: Set<String> = []

  private static let host: String = {
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      .replacing("/", with: "_")
  }()
}

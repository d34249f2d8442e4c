/// SchemaKit's own tables in a database: what was applied, and what each schema owns.
///
/// - `_schemakit_meta`: the format of these tables, a row for each data step, recorded step, conversion and exchange of names
///   that was done, and one for the codings of each schema's columns.
/// - `_schemakit_schemas`: a row for each schema, with what a warm open compares.
/// - `_schemakit_history`: a row for each apply, in the same transaction as the apply itself, with what undoing it needs.
/// - `_schemakit_kept` and `_schemakit_kept_1`…: what dropped tables and columns left behind, where that was asked for.
/// - `_schemakit_nulls`: the rows in which a default or a fill replaced NULL.
package struct Ledger {
  /// The newest table format that this version knows and writes: a column of the file has changed its coding.
  package static let format: Int64 = 3
  /// The format of all other files, which versions can read that know nothing of codings.
  static let plainFormat: Int64 = 2

  package let connection: any SQLConnection
  /// True if the tables exist, where that stays as it was found.
  private let presence: Presence?

  private final class Presence {
    var isKnown: Bool?
  }

  /// - Parameter isAlone: True if nothing but this value changes the tables while it is in use, because it is used inside a
  ///   transaction. They are looked at once then.
  package init(connection: any SQLConnection, isAlone: Bool = false) {
    self.connection = connection
    presence = isAlone ? Presence() : nil
  }

  /// The content of a schema's row.
  package struct Record: Sendable, Hashable {
    package var fingerprint: String
    package var declarationDigest: String
    package var schemaCookie: Int64
    package var ownedObjects: Set<SQLName>
  }

  /// True if the tables exist.
  ///
  /// - Throws: `HistoryError` if only some of them exist, or one is not as it should be.
  package func exists() throws -> Bool {
    if let known = presence?.isKnown { return known }
    let format = try storedFormat()
    // The columns of a newer SchemaKit's tables are not known here.
    if let format, format <= Self.format {
      try shape.check(LedgerShape.schemas)
      try shape.check(LedgerShape.history, and: ["undo"])
    }
    presence?.isKnown = format != nil
    return format != nil
  }

  /// Rejects tables of a newer format.
  package func checkFormat() throws {
    guard try exists(), let found = try storedFormat() else { return }
    guard found <= Self.format else {
      throw HistoryError(reason: .newerFormat(found: Int(found), known: Int(Self.format)))
    }
  }

  private var shape: LedgerShape { LedgerShape(connection: connection) }

  /// The format that the tables declare; nil if they do not exist.
  private func storedFormat() throws -> Int64? {
    let tables = [LedgerShape.meta, LedgerShape.schemas, LedgerShape.history]
    guard try tables.contains(where: { try shape.has($0.name) }) else { return nil }
    try shape.check(LedgerShape.meta)
    guard let value = try connection.value("SELECT value FROM main._schemakit_meta WHERE key = 'format'") else {
      throw HistoryError.damaged(LedgerShape.meta.name, .missingRow("format"))
    }
    guard let format = value.integer else {
      throw HistoryError.damaged(LedgerShape.meta.name, .wrongRow("format", .wholeNumber))
    }
    return format
  }

  /// The rows of a query on one of the tables.
  private func rows(
    of table: LedgerShape.OwnTable, _ sql: String, _ bindings: [SQLValue] = []
  ) throws -> [LedgerRow] {
    try connection.onLedger(table) {
      try connection.rows(sql, bindings).map { LedgerRow(table: table.name, values: $0) }
    }
  }

  /// Modifies one of the tables.
  private func run(on table: LedgerShape.OwnTable, _ sql: String, _ bindings: [SQLValue] = []) throws {
    _ = try connection.onLedger(table) { try connection.run(sql, bindings) }
  }

  /// The row of a schema; nil if it does not exist.
  package func record(of schema: String) throws -> Record? {
    guard try exists() else { return nil }
    return try readRecord(of: schema)
  }

  private func readRecord(of schema: String) throws -> Record? {
    let sql = "SELECT fingerprint, declaration, cookie, owned FROM main._schemakit_schemas WHERE name = ?1"
    guard let row = try rows(of: LedgerShape.schemas, sql, [.text(schema)]).first else { return nil }
    return Record(
      fingerprint: try row.text(0, "fingerprint"), declarationDigest: try row.text(1, "declaration"),
      schemaCookie: try row.integer(2, "cookie"), ownedObjects: Set(try row.names(3, "owned")))
  }

  /// Everything that the tables say about a schema.
  package struct Account: Sendable, Hashable {
    package var record: Record
    /// The fingerprints on its live line, oldest first.
    package var liveFingerprints: [String]
    package var doneDataSteps: Set<String>
  }

  /// Returns all that the tables say about a schema, read at once; nil if they have nothing about it, or have a newer
  /// format.
  package func account(of schema: String) throws -> Account? {
    guard try exists(), let format = try storedFormat(), format <= Self.format,
      let record = try readRecord(of: schema)
    else { return nil }
    return Account(
      record: record, liveFingerprints: try readLiveFingerprints(of: schema),
      doneDataSteps: try readDoneDataSteps(of: schema))
  }

  /// Writes the file's current schema cookie into a schema's row.
  package func noteCookie(of schema: String) throws {
    let cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    try run(
      on: LedgerShape.schemas, "UPDATE main._schemakit_schemas SET cookie = \(cookie) WHERE name = ?1", [.text(schema)])
  }

  /// Forgets the cookie, so that whoever opens the file compares it.
  func forgetCookie(of schema: String) throws {
    guard try exists() else { return }
    try run(on: LedgerShape.schemas, "UPDATE main._schemakit_schemas SET cookie = -1 WHERE name = ?1", [.text(schema)])
  }

  /// The objects that a schema may drop when it no longer declares them: those it declared before, unless another
  /// schema of the file declares them too.
  package func droppableObjects(of schema: String) throws -> Set<SQLName> {
    guard let record = try record(of: schema) else { return [] }
    let sql = "SELECT owned FROM main._schemakit_schemas WHERE name <> ?1"
    let others = try rows(of: LedgerShape.schemas, sql, [.text(schema)])
    return try others.reduce(record.ownedObjects) { $0.subtracting(try $1.names(0, "owned")) }
  }

  /// The fingerprints on a schema's live line, oldest first: those that were not undone or abandoned by a downgrade.
  package func liveFingerprints(of schema: String) throws -> [String] {
    try exists() ? readLiveFingerprints(of: schema) : []
  }

  private func readLiveFingerprints(of schema: String) throws -> [String] {
    let sql = "SELECT to_fingerprint FROM main._schemakit_history WHERE schema = ?1 AND live = 1 ORDER BY id"
    return try rows(of: LedgerShape.history, sql, [.text(schema)]).map { try $0.text(0, "to_fingerprint") }
  }

  /// Every apply, oldest first.
  package func entries() throws -> [HistoryEntry] {
    guard try exists() else { return [] }
    let table = LedgerShape.history
    let sql = "SELECT \(table.columns.joined(separator: ", ")) FROM main._schemakit_history ORDER BY id"
    do {
      return try rows(of: table, sql).map { try HistoryEntry($0) }
    } catch let error as HistoryError {
      // Entries that a newer SchemaKit writes are not damaged.
      try checkFormat()
      throw error
    }
  }

  /// Creates the tables if they do not exist. Must run inside the transaction of the apply.
  package func create() throws {
    guard try !exists() else { return }
    try connection.run("CREATE TABLE IF NOT EXISTS main._schemakit_meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID")
    try connection.run(
      "INSERT OR IGNORE INTO main._schemakit_meta (key, value) VALUES ('format', \(Self.plainFormat))")
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS main._schemakit_schemas (
        name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, declaration TEXT NOT NULL, cookie INTEGER NOT NULL,
        owned TEXT NOT NULL
      ) WITHOUT ROWID
      """)
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS main._schemakit_history (
        id INTEGER PRIMARY KEY, schema TEXT NOT NULL, applied_at TEXT NOT NULL, kind TEXT NOT NULL,
        from_fingerprint TEXT NOT NULL, to_fingerprint TEXT NOT NULL, summary TEXT NOT NULL, plan TEXT NOT NULL,
        milliseconds INTEGER NOT NULL, program TEXT NOT NULL, library TEXT NOT NULL, engine TEXT NOT NULL,
        live INTEGER NOT NULL DEFAULT 1, undo TEXT
      )
      """)
    presence?.isKnown = true
  }

  /// The number of the newest entry.
  package func lastEntry() throws -> Int? {
    try connection.integer("SELECT max(id) FROM main._schemakit_history").map { Int($0) }
  }

  /// Returns the record that undoing an entry needs; nil if it was not kept, for example by an older SchemaKit.
  package func undoRecord(of entry: Int) throws -> UndoRecord? {
    guard
      let value = try connection.value("SELECT undo FROM main._schemakit_history WHERE id = \(entry)"), !value.isNull
    else { return nil }
    return try UndoRecord(json: value.text ?? "", entry: entry)
  }

  /// Records that what an entry kept is gone: undoing it loses that as if it had never been kept.
  package func noteDiscarded(_ values: [KeptValues], of entry: Int) throws {
    guard try exists() else { return }
    let lines = values.map { "\ndiscard \($0.words) kept in \($0.storage)" }.joined()
    try run(
      on: LedgerShape.history, "UPDATE main._schemakit_history SET summary = summary || ?1 WHERE id = \(entry)",
      [.text(lines)])
    // Without a readable record, undo is impossible and says so itself.
    guard var record = try? undoRecord(of: entry) else { return }
    record.losses += values.compactMap(\.loss)
    try run(
      on: LedgerShape.history, "UPDATE main._schemakit_history SET undo = ?1 WHERE id = \(entry)",
      [.text(try record.json())])
  }

  /// Carries what was known of the file over from an old schema cookie to the current one: only tables of ours changed.
  package func followCookie(from cookie: Int64) throws {
    guard try exists(), let present = try connection.integer("PRAGMA main.schema_version") else { return }
    try run(
      on: LedgerShape.schemas,
      "UPDATE main._schemakit_schemas SET cookie = \(present) WHERE cookie = \(cookie)")
  }

  /// Removes an entry from the live line, because it is undone.
  package func leave(_ entry: Int) throws {
    try connection.run("UPDATE main._schemakit_history SET live = 0 WHERE id = \(entry)")
  }

  /// Forgets a schema that the file did not have before.
  package func removeRecord(of schema: String) throws {
    try connection.run("DELETE FROM main._schemakit_schemas WHERE name = ?1", [.text(schema)])
  }

  /// Forgets that data steps were done, so that they are run again.
  package func forgetDataSteps(_ names: [String], of schema: String) throws {
    for name in names {
      try connection.run("DELETE FROM main._schemakit_meta WHERE key = ?1", [.text(Self.stepKey(schema, name))])
    }
  }

  /// Adds an entry. When its fingerprint is already on the live line, everything after that point leaves the line.
  ///
  /// The time and the engine are those of the connection, unless the entry has others.
  package func append(_ entry: HistoryEntry, undo: UndoRecord? = nil) throws {
    // A recorded step that only works on rows does not change the schema.
    if entry.isLive, entry.kind != .apply || entry.fromFingerprint != entry.toFingerprint {
      try run(
        on: LedgerShape.history,
        """
        UPDATE main._schemakit_history SET live = 0 WHERE schema = ?1 AND live = 1 AND id >= \
        (SELECT min(id) FROM main._schemakit_history WHERE schema = ?1 AND live = 1 AND to_fingerprint = ?2)
        """, [.text(entry.schema), .text(entry.toFingerprint)])
    }
    let time = entry.appliedAt.isEmpty ? Self.now : SQLQuoting.literal(entry.appliedAt)
    let engine = entry.engine.isEmpty ? "sqlite_version()" : SQLQuoting.literal(entry.engine)
    try run(
      on: LedgerShape.history,
      """
      INSERT INTO main._schemakit_history (schema, applied_at, kind, from_fingerprint, to_fingerprint, summary, plan, \
      milliseconds, program, library, engine, live, undo) \
      VALUES (?1, \(time), ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, \(engine), ?10, ?11)
      """,
      [
        .text(entry.schema), .text(entry.kind.rawValue), .text(entry.fromFingerprint), .text(entry.toFingerprint),
        .text(entry.summary), .text(entry.plan), .integer(Int64(entry.milliseconds)), .text(entry.program),
        .text(entry.library), .integer(entry.isLive ? 1 : 0), try undo.map { .text(try $0.json()) } ?? .null,
      ])
  }

  /// The time in UTC as ISO 8601.
  private static let now = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"

  /// The names of the data steps that were done in this file for a schema, or that it never needed.
  package func doneDataSteps(of schema: String) throws -> Set<String> {
    try exists() ? readDoneDataSteps(of: schema) : []
  }

  private func readDoneDataSteps(of schema: String) throws -> Set<String> {
    let prefix = Self.stepKey(schema, "")
    let keys = try connection.texts(
      "SELECT key FROM main._schemakit_meta WHERE substr(key, 1, length(?1)) = ?1", [.text(prefix)])
    return Set(keys.map { String($0.dropFirst(prefix.count)) })
  }

  /// Records that data steps need not be done any more.
  package func noteDataSteps(_ names: [String], of schema: String) throws {
    for name in names {
      try run(
        on: LedgerShape.meta,
        """
        INSERT INTO main._schemakit_meta (key, value) VALUES (?1, strftime('%Y-%m-%dT%H:%M:%fZ', 'now')) \
        ON CONFLICT (key) DO NOTHING
        """, [.text(Self.stepKey(schema, name))])
    }
  }

  /// A schema's name may contain anything, so it is prefixed with its length.
  private static func stepKey(_ schema: String, _ name: String) -> String {
    "data step \(schema.unicodeScalars.count) \(schema) \(name)"
  }

  /// Writes a schema's row.
  package func store(_ record: Record, of schema: String) throws {
    let owned = record.ownedObjects.sorted().map(\.quoted).joined(separator: ", ")
    try run(
      on: LedgerShape.schemas,
      """
      INSERT INTO main._schemakit_schemas (name, fingerprint, declaration, cookie, owned) VALUES (?1, ?2, ?3, ?4, ?5) \
      ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, declaration = excluded.declaration, \
      cookie = excluded.cookie, owned = excluded.owned
      """,
      [
        .text(schema), .text(record.fingerprint), .text(record.declarationDigest), .integer(record.schemaCookie),
        .text(owned),
      ])
  }
}

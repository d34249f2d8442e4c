import Foundation
import Logging

/// A database with the declared schema: the synchronous door to it.
///
/// A session exists only once the file has been planned, migrated and verified, so that nothing is ever saved to or
/// loaded from a schema that differs from the declared one. It is confined to one task or thread at a time.
///
/// *Cost:* opening a file that is in sync reads the schema cookie and one row, whatever the number of tables.
public final class Session: RecordWriter {
  public let store: RecordStore
  /// The files that rows name, stored beside the database.
  public let attachments: AttachmentStore
  /// What opening did to the file.
  public let openReport: OpenReport

  /// What opening a database did to it.
  public enum OpenReport: Sendable {
    /// The ledger agreed; nothing was introspected.
    case warm
    /// The file was compared, and migrated where it differed.
    case compared(ApplyReport)
  }

  /// Opens a database, and migrates it to the schema before it returns.
  ///
  /// - Parameters:
  ///   - path: The file; it is created when it does not exist, unless the configuration is read-only.
  ///   - schema: The models.
  ///   - configure: Changes the configuration.
  /// - Throws: `DeclarationError`, `SchemaError`, `PlanError` with the plan attached, `HistoryError` for a newer file,
  ///   `ApplyError` after a rollback, `SQLiteError` from the engine.
  public convenience init(
    at path: String, schema: ModelSchema, configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configure(&configuration)
    try Self.copySeed(to: path, configuration: configuration)
    let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    let isNew = (size ?? 0) == 0
    let connection = try SQLiteConnection(
      path: path, mode: configuration.isReadOnly ? .readOnly : .readWriteCreate, busyTimeout: configuration.busyTimeout)
    if isNew, !configuration.isReadOnly { try connection.execute("PRAGMA journal_mode = WAL") }
    try self.init(connection, schema: schema, configuration: configuration)
  }

  /// Opens a database in memory, with the schema created.
  public convenience init(inMemory schema: ModelSchema, configure: (inout Configuration) -> Void = { _ in }) throws {
    var configuration = Configuration()
    configure(&configuration)
    try self.init(try SQLiteConnection.memory(), schema: schema, configuration: configuration)
  }

  /// Migrates a database over a connection of yours: one that you opened, or that you borrow from another library.
  ///
  /// - Parameter connection: Stays in use by the session; a borrowed one is never closed.
  public init(
    over connection: SQLiteConnection, schema: ModelSchema, configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configure(&configuration)
    store = RecordStore(connection, models: schema.models)
    openReport = try Self.bring(connection, to: schema, configuration: configuration)
    attachments = try store.followAttachments(of: schema, configuration)
  }

  private init(_ connection: SQLiteConnection, schema: ModelSchema, configuration: Configuration) throws {
    store = RecordStore(connection, models: schema.models)
    openReport = try Self.bring(connection, to: schema, configuration: configuration)
    if !configuration.isReadOnly { try connection.execute("PRAGMA foreign_keys = ON") }
    attachments = try store.followAttachments(of: schema, configuration)
  }

  /// A session for the program's own work while a migration is under way.
  init(during connection: SQLiteConnection, schema: ModelSchema, configuration: Configuration) {
    store = RecordStore(connection, models: schema.models)
    openReport = .warm
    attachments = AttachmentStore(connection, columns: AttachmentColumn.all(in: schema), onRemoval: { _ in })
    store.attachments = attachments
  }

  /// Reads every change that SchemaKit made to this database, oldest first.
  public func history() throws -> [HistoryEntry] { try Ledger(connection: connection).entries() }

  private static func copySeed(to path: String, configuration: Configuration) throws {
    guard let seed = configuration.seedFile, !configuration.isReadOnly, !FileManager.default.fileExists(atPath: path)
    else { return }
    let source = try SQLiteConnection(path: seed, mode: .readOnly, busyTimeout: configuration.busyTimeout)
    let copy = path + ".seed-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    do {
      let destination = try SQLiteConnection(path: copy, mode: .readWriteCreate)
      try SQLiteConnection.backup(from: source, to: destination)
    }
    do {
      // A link never replaces a file: whoever comes second keeps the file of the first.
      try FileManager.default.linkItem(atPath: copy, toPath: path)
    } catch {
      guard !FileManager.default.fileExists(atPath: path) else { return }
      try FileManager.default.moveItem(atPath: copy, toPath: path)
    }
  }

  private static func bring(
    _ connection: SQLiteConnection, to schema: ModelSchema, configuration: Configuration
  ) throws -> OpenReport {
    let declaration = try schema.declaration()
    if try isWarm(connection, declaration: declaration) { return .warm }
    let known = try KnownCatalog(connection)
    let loaded = try SchemaLoader(source: schema.name).load(declaration, known: known.schema)
    for note in loaded.notes { configuration.logger.notice("\(note)") }
    var options = Migrator.Options()
    options.known = known
    options.program = configuration.program
    options.onProgress = configuration.onProgress
    options.isCancelled = configuration.isCancelled
    options.runDataStep = schema.dataStepRunner(over: connection, configuration: configuration)
    options.onPlan = { plan in
      if !plan.isEmpty { configuration.logger.debug("\(plan.summaryLines.joined(separator: "; "))") }
      try configuration.onPlan(plan)
    }
    let mayMigrate = configuration.migration.grant(&options, for: loaded.target, over: connection)
    let migrator = Migrator(connection: connection, target: loaded.target, options: options)
    guard mayMigrate, !configuration.isReadOnly else {
      try migrator.refuseNewerFile()
      let plan = try migrator.plan()
      guard plan.isEmpty else { throw PlanError(reason: .pending(plan)) }
      return .compared(ApplyReport(plan: plan, outcome: .unchanged, milliseconds: 0))
    }
    let report = try connection.withCancellation(check: configuration.isCancelled) { try migrator.migrate() }
    return .compared(report)
  }

  /// Whether the ledger says that this very declaration was applied to this very schema.
  private static func isWarm(_ connection: SQLiteConnection, declaration: SchemaDeclaration) throws -> Bool {
    let sql = """
      SELECT declaration, cookie FROM main._schemakit_schemas WHERE name = ?1 \
      AND (SELECT value FROM main._schemakit_meta WHERE key = 'format') <= \(Ledger.format)
      """
    do {
      let cookie = try connection.integer("PRAGMA main.schema_version")
      guard let row = try connection.rows(sql, [.text(declaration.name)]).first else { return false }
      return row[0].text == declaration.digest && row[1].integer == cookie
    } catch let error as SQLiteError where error.message.hasPrefix("no such table") {
      return false
    }
  }
}

extension RecordStore {
  /// Removes from now on the files of attachments that no row names any more.
  fileprivate func followAttachments(
    of schema: ModelSchema, _ configuration: Configuration
  ) throws -> AttachmentStore {
    let store = AttachmentStore(
      connection, columns: AttachmentColumn.all(in: schema), onRemoval: configuration.onAttachmentsRemoved)
    attachments = store
    if !configuration.isReadOnly, try store.watch() { watchCommits() }
    return store
  }
}

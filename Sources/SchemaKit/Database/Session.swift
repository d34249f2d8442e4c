import SchemaKitFoundation

/// A database with the declared schema, for synchronous use.
///
/// A session exists only once the file has been planned, migrated and verified, so that nothing is ever saved to or
/// fetched from a schema that differs from the declared one. It is confined to one task or thread at a time.
///
/// *Cost:* opening a file that is in sync reads the schema cookie and one row, whatever the number of tables.
public final class Session: RecordWriter {
  public let store: RecordStore
  /// The files that rows refer to, stored beside the database.
  public let attachments: AttachmentStore
  /// A report on what opening did to the file.
  public let openReport: OpenReport

  /// A report on what opening a database did to it.
  public enum OpenReport: Sendable {
    /// The ledger agreed; nothing was introspected.
    case warm
    /// The file was compared, and migrated if it differed.
    case compared(ApplyReport)
    /// The file lacked these recorded steps, and has them now.
    case recorded([RecordedMigrationReport])
    /// The file has moved on from the declared schema and was opened as it is.
    case newer(HistoryError)
  }

  /// Opens a database, and migrates it to the schema before it returns.
  ///
  /// - Parameters:
  ///   - path: The file; it is created if it does not exist, unless the configuration is read-only.
  ///   - schema: The models.
  ///   - configure: Changes the configuration.
  /// - Throws: `DeclarationError`, `SchemaError`, `PlanError` with the plan attached, `HistoryError` for a newer file,
  ///   `ApplyError` after a rollback, `MigrationError` if recorded steps do not apply, `SQLiteError` from the engine.
  public convenience init(
    at path: String, schema: ModelSchema, configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configure(&configuration)
    try SQLiteConnection.checkPath(path)
    try Self.copySeed(to: path, configuration: configuration)
    let connection = try SQLiteConnection(path: path, mode: configuration.mode, configuration.connectionOptions)
    do {
      // A file with zero pages is new.
      if !configuration.isReadOnly, try connection.integer("PRAGMA main.page_count") == 0 {
        try connection.execute("PRAGMA journal_mode = WAL")
      }
      try self.init(connection, schema: schema, configuration: configuration)
    } catch let error as SQLiteError {
      throw connection.explainedKey(error)
    }
  }

  /// Opens an in-memory database, with the schema created.
  public convenience init(inMemory schema: ModelSchema, configure: (inout Configuration) -> Void = { _ in }) throws {
    var configuration = Configuration()
    configure(&configuration)
    let connection = try SQLiteConnection(path: "", mode: .memory, configuration.connectionOptions)
    try self.init(connection, schema: schema, configuration: configuration)
  }

  /// Migrates a database over a connection of yours: one that you opened, or that you borrow from another library.
  ///
  /// The functions and collations of the configuration are added to the connection, and stay on a borrowed one.
  ///
  /// - Parameter connection: Stays in use by the session; a borrowed one is never closed.
  public init(
    over connection: SQLiteConnection, schema: ModelSchema, configure: (inout Configuration) -> Void = { _ in }
  ) throws {
    var configuration = Configuration()
    configure(&configuration)
    try connection.take(configuration.connectionOptions)
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

  /// A session over a database that has the schema.
  init(on connection: SQLiteConnection, schema: ModelSchema, openReport: OpenReport) {
    store = RecordStore(connection, models: schema.models)
    self.openReport = openReport
    // Nothing follows the rows that name files: without a folder, none can be stored.
    attachments = AttachmentStore(connection, columns: AttachmentColumn.all(in: schema), onRemoval: { _ in })
    store.attachments = attachments
  }

  /// A session for the program's own work while a migration is in progress.
  init(during connection: SQLiteConnection, schema: ModelSchema, configuration: Configuration) {
    store = RecordStore(connection, models: schema.models)
    // The rows may still have the form of the release before.
    store.codedColumns = CodedColumns(of: [])
    openReport = .warm
    attachments = AttachmentStore(connection, columns: AttachmentColumn.all(in: schema), onRemoval: { _ in })
    store.attachments = attachments
  }

  /// Closes the database; closing it again does nothing.
  ///
  /// Statements are finalized, observations end, and a file that nobody else has open is checkpointed. Afterwards every
  /// call throws ``SQLiteConnectionError/closed(path:)``. Without it a session closes when nobody holds it any more.
  ///
  /// - Throws: ``SQLiteConnectionError/inUse(_:)`` inside a transaction, or inside a call of this session.
  public func close() throws { try store.close() }

  /// Reads every change that SchemaKit made to this database, oldest first.
  public func history() throws -> [HistoryEntry] { try Ledger(connection: connection).entries() }

  private static func copySeed(to path: String, configuration: Configuration) throws {
    guard let seed = configuration.seedFile, !configuration.isReadOnly, !FileManager.default.fileExists(atPath: path)
    else { return }
    if configuration.openParameters.fileSystem != nil {
      throw SQLiteConnectionError.openParameter(name: "fileSystem", .withSeed)
    }
    // A seed may be encrypted with the same key, or not at all.
    var options = configuration.connectionOptions.forCopy
    options.key = nil
    var source = try SQLiteConnection(path: seed, mode: .readOnly, options)
    if configuration.key != nil, !source.isPlainFile {
      options.key = configuration.key
      source = try SQLiteConnection(path: seed, mode: .readOnly, options)
    }
    try source.probe()
    let copy = path + ".seed-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: copy) }
    if let key = configuration.key, source.isPlainFile {
      try source.encryptedCopy(toNewFile: copy, key: key)
    } else {
      let destination = try SQLiteConnection(path: copy, mode: .readWriteCreate, key: configuration.key)
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
}

extension RecordStore {
  /// From now on, removes the files of attachments that no row refers to any more.
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

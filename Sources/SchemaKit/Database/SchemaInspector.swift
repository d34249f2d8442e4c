import SchemaKitFoundation

/// Examines a database without opening it for use: what it declares, and what a migration would do.
public struct SchemaInspector {
  package let connection: SQLiteConnection
  /// The file; nil while there is none, which counts as an empty one.
  private let path: String?

  /// Opens a database for inspection. Every statement that would write is refused.
  ///
  /// A file that does not exist counts as empty, and is not created.
  ///
  /// - Parameters:
  ///   - trustsSchema: True if the file's schema may call any function: see ``Configuration/trustsSchema``.
  ///   - functions: Functions in Swift that the schema may call: see ``Configuration/functions``.
  ///   - collations: Collations in Swift that the schema may name.
  ///   - key: The key of an encrypted file: see ``Configuration/key``.
  /// - Throws: `SQLiteError` if the file cannot be read or is not a database, ``SQLiteConnectionError/notAPath(_:)``.
  public init(
    at path: String, busyTimeout: Double = 10, trustsSchema: Bool = true, functions: [SQLFunction] = [],
    collations: [SQLCollation] = [], key: EncryptionKey? = nil
  ) throws {
    try SQLiteConnection.checkPath(path)
    let exists = FileManager.default.fileExists(atPath: path)
    self.path = exists ? path : nil
    connection = try SQLiteConnection.knowing(functions: functions, collations: collations) {
      exists
        ? try SQLiteConnection.openedForInspection(
          path: path, busyTimeout: busyTimeout, trustsSchema: trustsSchema, key: key)
        : try SQLiteConnection.memory()
    }
  }

  /// Plans the migration to a schema.
  ///
  /// ```swift
  /// let plan = try SchemaInspector(at: "notes.db").plan(to: NotesModels.schema)
  /// for hazard in plan.hazards { print(hazard.code.rawValue, hazard.message) }
  /// ```
  ///
  /// *Cost:* reads the catalog, and scans the tables that the plan's hazards depend on.
  public func plan(to schema: ModelSchema) throws -> MigrationPlan {
    try connection.sharingAdditions {
      let loaded = try SchemaLoader(source: schema.name).load(schema.declaration())
      return try schema.withRowFunctions(on: connection) {
        try Change(over: connection, to: loaded.target).plan()
      }
    }
  }

  /// Migrates the database, data steps included, and rolls everything back.
  ///
  /// ```swift
  /// let report = try SchemaInspector(at: "notes.db").dryRun(to: NotesModels.schema)
  /// print(report.plan.steps.count, report.milliseconds)
  /// ```
  ///
  /// *Cost:* that of the migration: it takes the write lock and as much room on the disk.
  ///
  /// - Parameter configure: Changes the configuration, as for `Session`, beginning with what the inspector was given; the
  ///   file is not copied.
  /// - Returns: The plan and how long it took, with the outcome `.rehearsed`, or `.unchanged` if nothing is to be done.
  /// - Throws: The errors that opening a `Session` would throw.
  public func dryRun(
    to schema: ModelSchema, configure: (inout Configuration) -> Void = { _ in }
  ) throws -> ApplyReport {
    var configuration = Configuration()
    let given = connection.options
    configuration.busyTimeout = given.busyTimeout
    configuration.trustsSchema = given.trustsSchema
    configuration.functions = given.additions.functions
    configuration.collations = given.additions.collations
    configuration.key = given.key
    configure(&configuration)
    // The inspector's own connection refuses to write.
    let writer = try SQLiteConnection(
      path: path ?? "", mode: path == nil ? .memory : .readWrite, configuration.connectionOptions)
    return try writer.sharingAdditions { try dryRun(on: writer, to: schema, configuration) }
  }

  private func dryRun(
    on connection: SQLiteConnection, to schema: ModelSchema, _ configuration: Configuration
  ) throws -> ApplyReport {
    let target = configuration.target(try SchemaLoader(source: schema.name).load(schema.declaration()).target)
    var (request, isAllowed) = configuration.request(to: target, over: connection)
    guard isAllowed else {
      let plan = try self.plan(to: schema)
      guard plan.isEmpty else { throw PlanError(reason: .pending(plan)) }
      return ApplyReport(plan: plan, outcome: .unchanged, milliseconds: 0)
    }
    request.isDryRun = true
    request.runDataStep = schema.dataStepRunner(over: connection, configuration: configuration)
    return try schema.withRowFunctions(on: connection) {
      try Change(over: connection, to: target, request).apply()
    }
  }

  /// Reads every change that SchemaKit made to the database, oldest first.
  public func history() throws -> [HistoryEntry] { try Ledger(connection: connection).entries() }

  /// The statements that create the database's schema, in a valid order.
  public func statements() throws -> [String] {
    try connection.sharingAdditions { try SchemaReader.read(connection).creationStatements }
  }
}

import SchemaKitFoundation

/// Examines a database without opening it for use: what it declares, and what a migration would do.
public struct SchemaInspector {
  private let connection: SQLiteConnection

  /// Opens a database for inspection. Every statement that would write is refused.
  ///
  /// - Parameters:
  ///   - trustsSchema: Whether the file's schema may call any function: see ``Configuration/trustsSchema``.
  ///   - functions: Functions in Swift that the schema may call: see ``Configuration/functions``.
  ///   - collations: Collations in Swift that the schema may name.
  /// - Throws: `SQLiteError` if the file does not exist, cannot be read or is not a database.
  public init(
    at path: String, busyTimeout: Double = 10, trustsSchema: Bool = true, functions: [SQLFunction] = [],
    collations: [SQLCollation] = []
  ) throws {
    connection = try SQLiteConnection.knowing(functions: functions, collations: collations) {
      try SQLiteConnection.openedForInspection(path: path, busyTimeout: busyTimeout, trustsSchema: trustsSchema)
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
        try Migrator(connection: connection, target: loaded.target).plan()
      }
    }
  }

  /// Plans the migration to a schema and saves the plan, for `Configuration.Migration.planned` or `apply --plan`.
  ///
  /// *Cost:* the same as `plan(to:)`.
  ///
  /// - Parameter policy: The consent given with the plan.
  public func savedPlan(to schema: ModelSchema, allowing policy: PlanPolicy = .lossless) throws -> SavedPlan {
    try connection.sharingAdditions {
      let loaded = try SchemaLoader(source: schema.name).load(schema.declaration())
      let known = try KnownCatalog(connection)
      var options = Migrator.Options()
      options.known = known
      options.request.policy = policy
      return SavedPlan(
        try Migrator(connection: connection, target: loaded.target, options: options).plan(), from: known.schema,
        to: loaded.target, consent: policy, createdAt: Date().formatted(.iso8601))
    }
  }

  /// Reads every change that SchemaKit made to the database, oldest first.
  public func history() throws -> [HistoryEntry] { try Ledger(connection: connection).entries() }

  /// The statements that create the database's schema, in a valid order.
  public func statements() throws -> [String] {
    try connection.sharingAdditions { try SchemaReader.read(connection).creationStatements }
  }
}

import Foundation

/// Looks at a database without opening it for use: what it declares, and what a migration would do.
public struct SchemaInspector {
  private let connection: SQLiteConnection

  /// Opens a database to look at it. Every statement that would write is refused.
  ///
  /// - Parameter trustsSchema: Whether the file's schema may call any function: see ``Configuration/trustsSchema``.
  /// - Throws: `SQLiteError` when the file is not there, cannot be read or is no database.
  public init(at path: String, busyTimeout: Double = 10, trustsSchema: Bool = true) throws {
    connection = try SQLiteConnection.openedForInspection(
      path: path, busyTimeout: busyTimeout, trustsSchema: trustsSchema)
  }

  /// Plans the way to a schema.
  ///
  /// *Cost:* reads the catalog, and scans the tables that the plan's hazards depend on.
  public func plan(to schema: ModelSchema) throws -> MigrationPlan {
    let loaded = try SchemaLoader(source: schema.name).load(schema.declaration())
    return try schema.withRowFunctions(on: connection) {
      try Migrator(connection: connection, target: loaded.target).plan()
    }
  }

  /// Plans the way to a schema and keeps the plan, for `Configuration.Migration.planned` or `apply --plan`.
  ///
  /// *Cost:* as that of `plan(to:)`.
  ///
  /// - Parameter policy: The consent that goes with the plan.
  public func savedPlan(to schema: ModelSchema, allowing policy: PlanPolicy = .lossless) throws -> SavedPlan {
    let loaded = try SchemaLoader(source: schema.name).load(schema.declaration())
    let known = try KnownCatalog(connection)
    var options = Migrator.Options()
    options.known = known
    options.request.policy = policy
    return SavedPlan(
      try Migrator(connection: connection, target: loaded.target, options: options).plan(), from: known.schema,
      to: loaded.target, consent: policy, createdAt: Date().formatted(.iso8601))
  }

  /// Reads every change that SchemaKit made to the database, oldest first.
  public func history() throws -> [HistoryEntry] { try Ledger(connection: connection).entries() }

  /// The statements that make the database's schema, in an order that works.
  public func statements() throws -> [String] { try SchemaReader.read(connection).creationStatements }
}

/// A database with the declared schema, safe to share between tasks.
///
/// ```swift
/// let db = try await Database(at: "notes.db", schema: NotesModels.schema)
/// ```
///
/// The initializer is the only way to get one, and it returns only when the file was planned, migrated and verified.
public actor Database {
  private let session: Session
  /// What opening did to the file.
  public nonisolated let openReport: Session.OpenReport

  /// Opens a database, and migrates it to the schema before it returns. See ``Session/init(at:schema:configure:)``.
  public init(
    at path: String, schema: ModelSchema, configure: @Sendable (inout Configuration) -> Void = { _ in }
  ) async throws {
    session = try Session(at: path, schema: schema, configure: configure)
    openReport = session.openReport
  }

  /// Opens a database in memory, with the schema created.
  public init(inMemory schema: ModelSchema, configure: @Sendable (inout Configuration) -> Void = { _ in }) async throws
  {
    session = try Session(inMemory: schema, configure: configure)
    openReport = session.openReport
  }

  /// Runs work on the database without interruption by other tasks.
  public func run<Value: Sendable>(_ body: @Sendable (Session) throws -> Value) throws -> Value { try body(session) }

  /// Runs work in a transaction: committed when the body returns, taken back when it throws.
  public func transaction<Value: Sendable>(_ body: @Sendable (Session) throws -> Value) throws -> Value {
    try session.connection.transaction { try body(session) }
  }

  /// Reads every change that SchemaKit made to this database, oldest first.
  public func history() throws -> [HistoryEntry] { try session.history() }
}

/// A database on a server: what it declares, what a change would do, and the change.
///
/// A plan is made, proved and carried out as on a file, in one transaction. Where the connection is lost, everything begins
/// anew with what is in the database then: a change is made once, whatever became of the first attempt.
///
/// ```swift
/// let connection = try DqliteConnection(to: ["127.0.0.1:9001"], database: "notes")
/// let report = try RemoteDatabase(over: connection).migrate(to: NotesModels.schema)
/// print(report.outcome)
/// ```
public struct RemoteDatabase {
  /// The connection, which connects again by itself.
  public let connection: any SQLConnection
  /// The number of times that a change is tried if the connection is lost.
  public var attempts = 5

  /// Works over a connection.
  public init(over connection: any SQLConnection) {
    self.connection = (connection as? SQLiteConnection)?.server?.connection ?? connection
  }

  /// Plans the change to a schema.
  ///
  /// *Cost:* reads the catalog, and scans the tables that the plan's hazards depend on, all on the server.
  ///
  /// - Throws: `SQLiteError`, ``RemoteError``.
  public func plan(to schema: ModelSchema) throws -> MigrationPlan {
    let target = try SchemaLoader(source: schema.name).load(schema.declaration()).target
    var request = ChangeRequest()
    request.plan.profile = planProfile
    return try retrying { try Change(over: connection, to: target, request).plan() }
  }

  /// Brings the database to a schema in one transaction, or leaves it as it was.
  ///
  /// Data steps, which are written in Swift over a session, cannot be carried out on a server.
  ///
  /// *Cost:* that of the plan's steps, all on the server.
  ///
  /// - Parameter policy: The consent to losses.
  /// - Throws: `PlanError` for what lacks consent, `ApplyError` after a rollback, `SQLiteError`, ``RemoteError``.
  public func migrate(to schema: ModelSchema, allowing policy: PlanPolicy = .lossless) throws -> ApplyReport {
    let target = try SchemaLoader(source: schema.name).load(schema.declaration()).target
    return try migrate(to: target, ChangeRequest(allowing: policy))
  }

  /// Every change that SchemaKit made to the database, oldest first.
  public func history() throws -> [HistoryEntry] {
    try retrying { try Ledger(connection: connection).entries() }
  }

  /// The statements that create the database's schema, in a valid order.
  public func statements() throws -> [String] {
    try retrying { try SchemaReader.read(connection).creationStatements }
  }

  /// Brings the database to a schema, with everything that a caller may choose.
  ///
  /// A commit whose outcome is unknown is settled by what the database holds afterwards: a new entry in its history, or,
  /// where none is written, the schema.
  package func migrate(to target: TargetSchema, _ request: ChangeRequest) throws -> ApplyReport {
    var planned: MigrationPlan?
    var request = request
    request.runDataStep = { _ in throw RemoteError(reason: .unsupported(.onlyWithFile(.dataSteps))) }
    request.plan.profile = request.plan.profile ?? planProfile
    let onPlan = request.observer.onPlan
    request.observer.onPlan = { plan in
      try onPlan(plan)
      if !plan.isEmpty { planned = plan }
    }
    let before = try retrying { try Ledger(connection: connection).entries().count }
    var unknown: RemoteError?
    func made(_ milliseconds: Int) -> ApplyReport? {
      planned.map {
        ApplyReport(
          plan: $0, outcome: .applied, milliseconds: milliseconds,
          notes: ["The connection was lost while the change was made permanent; the database has it."])
      }
    }
    do {
      return try retrying {
        if unknown != nil, try Ledger(connection: connection).entries().count > before, let report = made(0) {
          return report
        }
        do {
          let report = try Change(over: connection, to: target, request).apply()
          if unknown != nil, report.outcome == .unchanged { return made(report.milliseconds) ?? report }
          return report
        } catch let error as RemoteError {
          if case .outcomeUnknown = error.reason { unknown = error }
          throw error
        }
      }
    } catch {
      // A later attempt's error does not tell what became of the first.
      throw unknown ?? error
    }
  }

  /// Runs work again from its beginning where a connection is lost, which leaves nothing half done.
  func retrying<T>(_ body: () throws -> T) throws -> T {
    var attempt = 1
    while true {
      let lost = lostTransactions
      do {
        return try body()
      } catch {
        guard attempt < attempts, Self.isLost(error) || lostTransactions > lost else { throw error }
        attempt += 1
      }
    }
  }

  var planProfile: EngineProfile.Name? {
    (connection as? any ServerConnection)?.planProfile.flatMap { EngineProfile.Name(rawValue: $0) }
  }

  private var lostTransactions: Int { (connection as? any ServerConnection)?.lostTransactions ?? 0 }

  /// True if an error is the loss of a connection.
  private static func isLost(_ error: any Error) -> Bool {
    switch (error as? RemoteError)?.reason {
    case .connectionLost, .outcomeUnknown, .lockTaken: true
    default: false
    }
  }
}

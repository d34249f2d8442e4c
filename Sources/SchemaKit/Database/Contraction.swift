import Dispatch
import SchemaKitFoundation

/// The rest of a migration, which goes on while the program works with the file.
///
/// A file that was opened with ``MigrationPhase/prepare`` serves the program at once. The slow work is done here, over a
/// connection and on a thread of its own: columns and tables that the schema no longer has are dropped, and indexes are
/// made. Tables are copied in short transactions, so that others go on reading and writing
/// (`PlanPolicy.strategy`, ``StrategyChoice/online``); an index of another table keeps writers waiting for as long as SQLite takes to sort it.
///
/// ```swift
/// let db = try await Database(at: path, schema: schema) { $0.phase = .prepare }
/// if let contraction = db.contraction {
///   for await step in contraction.progress { print(step.step.object, step.fraction ?? 0) }
///   try await contraction.finish()
/// }
/// ```
///
/// When the program ends first, whoever opens the file next goes on, with the rows that were copied already.
public final class Contraction: Sendable {
  /// The progress of the work, up to ten times a second; the stream ends with the work. Only the newest value is buffered.
  public let progress: AsyncStream<ApplyProgress>
  private let state: State

  /// Begins to finish the migration of a file.
  ///
  /// - Parameters:
  ///   - path: The file, which the program has opened already.
  ///   - schema: The models.
  ///   - configure: The configuration that it was opened with.
  public init(at path: String, schema: ModelSchema, configure: @escaping @Sendable (inout Configuration) -> Void) {
    let (stream, continuation) = AsyncStream.makeStream(of: ApplyProgress.self, bufferingPolicy: .bufferingNewest(1))
    progress = stream
    let state = State()
    self.state = state
    DispatchQueue(label: "SchemaKit.contraction").async {
      state.end(with: Result { try Self.run(path, schema, configure, state, continuation) })
      continuation.finish()
    }
  }

  deinit { cancel() }

  /// Stops the work; what is copied already is removed, and the file serves the program as before.
  public func cancel() { state.cancel() }

  /// Waits for the end of the work.
  ///
  /// - Returns: The report on the work.
  /// - Throws: `PlanError` for what needs consent, `ApplyError` after a rollback or a cancellation, `SQLiteError` from the
  ///   engine. The file serves the program as before.
  @discardableResult
  public func finish() async throws -> Session.OpenReport { try await state.result().get() }

  private static func run(
    _ path: String, _ schema: ModelSchema, _ configure: (inout Configuration) -> Void, _ state: State,
    _ progress: AsyncStream<ApplyProgress>.Continuation
  ) throws -> Session.OpenReport {
    func contract(_ strategy: StrategyChoice?) throws -> Session.OpenReport {
      let session = try Session(at: path, schema: schema) { configuration in
        configure(&configuration)
        // Should a newer program have expanded the file meanwhile, it stays as it is.
        configuration.phase = .complete
        if let strategy, var permission = configuration.migration.permission as? AutomaticMigration {
          permission.policy.strategy = strategy
          configuration.migration = Configuration.Migration(permission)
        }
        // The file is there, and the connection of the program follows its attachments.
        configuration.seedFile = nil
        configuration.onAttachmentsRemoved = { _ in }
        let tell = configuration.onProgress
        configuration.onProgress = {
          tell($0)
          progress.yield($0)
        }
        let isCancelled = configuration.isCancelled
        configuration.isCancelled = { isCancelled() || state.isCancelled }
      }
      defer { try? session.close() }
      return session.openReport
    }
    do {
      return try contract(.online)
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason, hazards.allSatisfy({ $0.code == .notOnline }) else {
        throw error
      }
      return try contract(nil)
    }
  }

  /// The state of the work. `lock` guards its fields.
  private final class State: @unchecked Sendable {
    private let lock = Lock()
    private var stops = false
    private var outcome: Result<Session.OpenReport, any Error>?
    private var waiting: [CheckedContinuation<Result<Session.OpenReport, any Error>, Never>] = []

    var isCancelled: Bool { lock.withLock { stops } }

    func cancel() { lock.withLock { stops = true } }

    func end(with outcome: Result<Session.OpenReport, any Error>) {
      let waiting = lock.withLock {
        self.outcome = outcome
        defer { self.waiting = [] }
        return self.waiting
      }
      for continuation in waiting { continuation.resume(returning: outcome) }
    }

    func result() async -> Result<Session.OpenReport, any Error> {
      await withCheckedContinuation { continuation in
        let known = lock.withLock {
          if outcome == nil { waiting.append(continuation) }
          return outcome
        }
        if let known { continuation.resume(returning: known) }
      }
    }
  }
}

import Dispatch
public import SchemaKit
import SchemaKitFoundation

/// Interrupts a migration at every point at which a machine can stop or a disk can fail, and examines what is left.
///
/// ```swift
/// let report = try await CrashMatrix(schema: .sql(old), rows: rows, to: .models(schema), journal: .wal).run()
/// print(report)
/// ```
///
/// The migration is run once on a file system that records every operation on the database, its journal and its WAL.
/// **Crash points:** after every operation the machine stops; of what was not synced, everything, nothing, every other
/// write, or only what was written to databases has reached the disk, and the last write may be torn. The resulting
/// state is written to files, and SQLite recovers them. **Fault points:** the migration is run repeatedly, and each
/// time another operation fails, with each ``DiskFault``.
///
/// Afterwards `PRAGMA integrity_check` must be ok, and the schema, every row, the settings and SchemaKit's history must
/// be those of the old file or those of the new one, never a mixture; and the migration, run again, must lead to the
/// new one. A migration that returned without an error under a fault must have left the new one.
///
/// *Cost:* about a millisecond for each state of the disk, and one migration for each fault point. A few rows in each
/// table are as good as thousands. Files that recovered to the same bytes are examined once.
public struct CrashMatrix: Sendable {
  /// A journal mode, which makes the transactions of the database atomic. See
  /// [PRAGMA journal_mode](https://sqlite.org/pragma.html#pragma_journal_mode).
  public enum Journal: String, Sendable, Hashable, CaseIterable {
    /// A rollback journal that is deleted by the commit.
    case rollback = "DELETE"
    /// A rollback journal whose file stays and is emptied by the commit.
    case truncate = "TRUNCATE"
    /// A rollback journal whose file stays and whose header is zeroed by the commit.
    case persist = "PERSIST"
    /// A write-ahead log.
    case wal = "WAL"
  }

  /// The way in which a disturbed migration ended.
  public enum Ending: String, Sendable, Hashable {
    /// The machine stopped.
    case crashed
    /// It threw an error.
    case threw
    /// It returned, since the fault did not matter or came too late.
    case returned
  }

  /// The progress of a run.
  public struct Progress: Sendable, Hashable {
    /// The kind of points that are being tested.
    public enum Stage: String, Sendable, Hashable {
      case crashPoints
      case faultPoints
    }
    public let stage: Stage
    /// The number of points of this stage that are done.
    public let done: Int
    public let total: Int
  }

  let journal: Journal
  let pragmas: [String]
  let faults: [DiskFault]
  let prepare: @Sendable (SQLiteConnection) throws -> Void
  let migrate: @Sendable (SQLiteConnection) throws -> Void
  let verify: @Sendable (String, Ending) throws -> Void
  /// The crash points that are tested; nil for all of them.
  var sample: CrashSample?

  /// Tests the migration from one schema to another.
  ///
  /// - Parameters:
  ///   - old: The schema that the file has first.
  ///   - rows: Statements that fill it.
  ///   - new: The schema to migrate to.
  ///   - journal: The journal mode of the database.
  ///   - policy: The consent that the migration has.
  ///   - pragmas: Run on each connection, such as `PRAGMA cache_size = 4`, which makes SQLite write before the commit.
  ///   - faults: The faults to try at each operation.
  public init(
    schema old: TestedSchema, rows: [String] = [], to new: TestedSchema, journal: Journal = .rollback,
    allowing policy: PlanPolicy = .lossless, pragmas: [String] = [], faults: [DiskFault] = DiskFault.allCases
  ) {
    self.init(
      journal: journal, pragmas: pragmas, faults: faults,
      prepare: { connection in
        try old.bring(connection, allowing: .lossless)
        for statement in rows { try connection.execute(statement) }
      }, migrate: { try new.bring($0, allowing: policy) })
  }

  /// Tests the migration from the models of an old version to those of a new one, with rows saved by the old.
  public init(
    schema old: ModelSchema, to new: ModelSchema, journal: Journal = .rollback,
    allowing policy: PlanPolicy = .lossless, pragmas: [String] = [], faults: [DiskFault] = DiskFault.allCases,
    rows: @escaping @Sendable (Session) throws -> Void
  ) {
    self.init(
      journal: journal, pragmas: pragmas, faults: faults, prepare: { try rows(Session(over: $0, schema: old)) },
      migrate: { try TestedSchema.models(new).bring($0, allowing: policy) })
  }

  /// Tests any change of a database.
  ///
  /// - Parameters:
  ///   - prepare: Creates the old file, on a connection to a new one.
  ///   - migrate: Changes it, on a connection that it must not keep. It is run many times, each time on a copy of what
  ///     is left of the old file, including files that are already new. Its work through other connections is not
  ///     interrupted, except for `SQLiteConnection.backup(toNewFile:)`.
  ///   - verify: Examines a recovered database and the files beside it, and throws if something is wrong.
  public init(
    journal: Journal = .rollback, pragmas: [String] = [], faults: [DiskFault] = DiskFault.allCases,
    prepare: @escaping @Sendable (SQLiteConnection) throws -> Void,
    migrate: @escaping @Sendable (SQLiteConnection) throws -> Void,
    verify: @escaping @Sendable (_ path: String, _ ending: Ending) throws -> Void = { _, _ in }
  ) {
    self.journal = journal
    self.pragmas = pragmas
    self.faults = faults
    self.prepare = prepare
    self.migrate = migrate
    self.verify = verify
  }

  /// Tests every point.
  ///
  /// - Parameter onProgress: Called from time to time, from the thread that does the work.
  /// - Throws: ``CrashMatrixError`` if a point is violated, or if there was nothing to interrupt; what the migration
  ///   throws when nothing disturbs it; `CancellationError`.
  @discardableResult
  public func run(onProgress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> CrashReport {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            with: Result { try CrashRun(self, onProgress: onProgress, isCancelled: { flag.isSet }).report() })
        }
      }
    } onCancel: {
      flag.set()
    }
  }
}

/// The mark that the task of a run was cancelled.
final class CancellationFlag: @unchecked Sendable {
  // `lock` guards `value`.
  private let lock = Lock()
  private var value = false

  var isSet: Bool { lock.withLock { value } }
  func set() { lock.withLock { value = true } }
}

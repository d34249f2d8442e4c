import Dispatch
public import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// Migrates the files of every version of a program to the newest one, directly and version by version.
///
/// ```swift
/// let report = try await UpgradeMatrix([
///   .init("1.0", schema: .sql(first), rows: ["INSERT INTO note VALUES (1, 'a')"]),
///   .init("2.0", schema: .models(schema)),
/// ]).run()
/// ```
///
/// A file of each version is created, with its rows. After the migrations, its schema must be that of a file created by
/// the newest version, a second plan must be empty, `PRAGMA integrity_check` and `PRAGMA foreign_key_check` must find
/// nothing, and the rows must be the same both ways: someone who skipped versions must not have different rows than
/// someone who took them all.
///
/// *Cost:* one migration for each pair of versions; a few rows in each table are enough.
public struct UpgradeMatrix: Sendable {
  /// A version of a program and its files.
  public struct Version: Sendable {
    /// The name, for reports.
    public let name: String
    let schema: TestedSchema
    let rows: [String]

    /// Describes a version.
    ///
    /// - Parameters:
    ///   - name: The name, for reports.
    ///   - schema: The schema of its files.
    ///   - rows: Statements that fill such a file.
    public init(_ name: String, schema: TestedSchema, rows: [String] = []) {
      self.name = name
      self.schema = schema
      self.rows = rows
    }
  }

  /// The progress of a run.
  public struct Progress: Sendable, Hashable {
    /// The number of versions that are done.
    public let done: Int
    public let total: Int
  }

  let versions: [Version]
  let policy: PlanPolicy

  /// Tests the migrations from all versions to the last one.
  ///
  /// - Parameter policy: The consent that every migration has.
  public init(_ versions: [Version], allowing policy: PlanPolicy = .lossless) {
    self.versions = versions
    self.policy = policy
  }

  /// Tests the recorded migrations of a folder: each of its `.sql` files, ordered by name, makes a version.
  ///
  /// - Parameter rows: Statements that fill a file of a version, by the name of the version's file.
  /// - Throws: `SchemaError` if the folder cannot be read or holds no `.sql` file, or if no file matches the name given
  ///   for some rows.
  public init(
    migrations folder: String, rows: [String: [String]] = [:], allowing policy: PlanPolicy = .lossless
  ) throws {
    let steps = try MigrationFolder(reading: folder).steps
    guard !steps.isEmpty else { throw SchemaError(source: folder, problem: "the folder holds no .sql file") }
    let names = steps.map { $0.name + ".sql" }
    if let unknown = rows.keys.sorted().first(where: { !names.contains($0) }) {
      throw SchemaError(source: folder, problem: "there are rows for \(unknown), and no such file")
    }
    self.versions = names.enumerated().map { index, name in
      Version(name, schema: .steps(Array(steps.prefix(index + 1))), rows: rows[name] ?? [])
    }
    self.policy = policy
  }

  /// Runs all migrations.
  ///
  /// - Parameter onProgress: Called after each version, from the thread that does the work.
  /// - Throws: ``UpgradeMatrixError`` if a migration does not lead where it must, or if there is none; what creating a
  ///   file of a version throws; `CancellationError`.
  @discardableResult
  public func run(onProgress: @escaping @Sendable (Progress) -> Void = { _ in }) async throws -> UpgradeReport {
    let flag = CancellationFlag()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async {
          continuation.resume(
            with: Result { try UpgradeRun(self).report(onProgress: onProgress, isCancelled: { flag.isSet }) })
        }
      }
    } onCancel: {
      flag.set()
    }
  }
}

import SchemaKit
import SchemaKitOperations

/// One run of an upgrade matrix.
struct UpgradeRun {
  private let versions: [UpgradeMatrix.Version]
  private let policy: PlanPolicy
  private let folder: TestFolder
  private let fresh: DatabaseSchema

  init(_ matrix: UpgradeMatrix) throws {
    guard matrix.versions.count > 1, let newest = matrix.versions.last else { throw UpgradeMatrixError.tooFewVersions }
    versions = matrix.versions
    policy = matrix.policy
    folder = try TestFolder()
    fresh = try UpgradePaths.fresh(of: UpgradeStop(newest.name, newest.schema))
  }

  func report(
    onProgress: (UpgradeMatrix.Progress) -> Void, isCancelled: @escaping () -> Bool
  ) throws -> UpgradeReport {
    var report = UpgradeReport()
    report.versions = versions.count
    for index in versions.indices {
      if isCancelled() { throw CancellationError() }
      let result = try paths(from: index).run(in: folder, named: "\(index)")
      report.migrations += result.migrations
      if index < versions.count - 1 { report.rows += result.rows }
      report.violations += result.findings.map {
        UpgradeReport.Violation(version: versions[index].name, way: $0.way.words, problem: $0.message)
      }
      onProgress(UpgradeMatrix.Progress(done: index + 1, total: versions.count))
    }
    guard report.violations.isEmpty else { throw UpgradeMatrixError.violated(report) }
    return report
  }

  private func paths(from index: Int) -> UpgradePaths {
    let (version, last) = (versions[index], versions.count - 1)
    let later = index < last ? versions[(index + 1)...] : versions[last...]
    return UpgradePaths(
      make: { path in
        let connection = try SQLiteConnection(
          path: path, mode: .readWriteCreate, fileSystem: RecordingFileSystem.name)
        try version.schema.bring(connection, allowing: .lossless)
        for statement in version.rows { try connection.execute(statement) }
      }, stops: later.map { UpgradeStop($0.name, $0.schema) }, policy: policy, fresh: fresh)
  }
}

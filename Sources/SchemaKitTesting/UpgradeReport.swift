/// The results of an ``UpgradeMatrix``.
public struct UpgradeReport: Sendable, Hashable {
  /// A migration that does not lead where it must.
  public struct Violation: Sendable, Hashable {
    /// The version that the file had first.
    public let version: String
    /// The path of the migration: directly, version by version, or both compared.
    public let way: String
    /// A description of the problem.
    public let problem: String
  }

  /// The number of versions.
  public internal(set) var versions = 0
  /// The number of migrations that were run.
  public internal(set) var migrations = 0
  /// The number of rows in the newest files that came from older ones.
  public internal(set) var rows = 0
  /// Every violation, in the order of the versions.
  public internal(set) var violations: [Violation] = []
}

extension UpgradeReport: CustomStringConvertible {
  /// The numbers, and every violation on a line.
  public var description: String {
    let numbers = """
      \(versions) versions, \(migrations) migrations, \(rows) \(rows == 1 ? "row" : "rows") brought along
      \(violations.count) \(violations.count == 1 ? "violation" : "violations")
      """
    return ([numbers] + violations.map(\.description)).joined(separator: "\n")
  }
}

extension UpgradeReport.Violation: CustomStringConvertible {
  public var description: String { "from \(version), \(way): \(problem)" }
}

/// The reason why an ``UpgradeMatrix`` does not pass.
public enum UpgradeMatrixError: Error, Sendable, Hashable {
  /// Some migrations do not lead where they must.
  case violated(UpgradeReport)
  /// There are fewer than two versions, so there is nothing to migrate.
  case tooFewVersions
}

extension UpgradeMatrixError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .violated(let report): "Not every file reaches the newest version as it must. \(report)"
    case .tooFewVersions: "There are fewer than two versions, so nothing was tested. Give the older ones too."
    }
  }
}

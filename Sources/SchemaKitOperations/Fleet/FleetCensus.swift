/// Which schemas the files of a fleet have.
public struct FleetCensus: Sendable {
  /// A schema with the files that have it.
  public struct Schema: Sendable {
    /// The fingerprint of the schema.
    public let fingerprint: String
    /// The number of files that have it.
    public internal(set) var fileCount: Int
    /// The number of them that have a history.
    public internal(set) var recordedCount: Int
    /// One of them.
    public internal(set) var example: String
    /// True if the files need no change.
    public let isCurrent: Bool
    /// The plan that the files need, made without examining their rows.
    public let plan: MigrationPlan
  }

  /// The schemas, the most common first.
  public internal(set) var schemas: [Schema] = []
  /// The files that could not be examined, or are newer.
  public internal(set) var problems: [FleetProblem] = []
  /// True if every file was looked at.
  public internal(set) var isComplete = true

  /// The number of files that were examined or have a problem.
  public var fileCount: Int { schemas.reduce(0) { $0 + $1.fileCount } + problems.count }
}

extension Fleet {
  /// Finds out which schemas the files have, and which of them the fleet's schema differs from.
  ///
  /// *Cost:* reads the catalog of each file, and no rows.
  public func census() -> FleetCensus {
    var fleet = self
    fleet.request.isQuick = true
    fleet.memory = memory.emptied()
    let found = Shared((census: FleetCensus(), indices: [Key: Int]()))
    forEachFile { [fleet] file in
      do {
        let examination = try fleet.examine(file.path)
        let key = Key(
          fingerprint: Fingerprint.of(examination.schema), isCurrent: examination.plan.isEmpty)
        found.change { found in
          let index = found.indices[key] ?? found.census.schemas.count
          if index == found.census.schemas.count {
            found.indices[key] = index
            found.census.schemas.append(
              FleetCensus.Schema(
                fingerprint: key.fingerprint, fileCount: 0, recordedCount: 0, example: file.path,
                isCurrent: key.isCurrent, plan: examination.plan))
          }
          found.census.schemas[index].fileCount += 1
          if file.path < found.census.schemas[index].example { found.census.schemas[index].example = file.path }
          if examination.isInLedger { found.census.schemas[index].recordedCount += 1 }
        }
      } catch {
        let problem = fleet.options.problem(file.path, error, isNamed: file.isNamed)
        found.change { $0.census.problems.append(problem) }
      }
    }
    var census = found.value.census
    census.schemas.sort { ($1.fileCount, $0.example) < ($0.fileCount, $1.example) }
    census.problems = problems(census.problems)
    census.isComplete = census.fileCount == files.files.count + files.missing.count
    return census
  }

  /// Problems in the order of their files, with the files of a list that are missing.
  func problems(_ found: [FleetProblem]) -> [FleetProblem] {
    (found + files.missing.map { FleetProblem(path: $0, state: .failed, message: FleetMessage.missing($0)) })
      .sorted { $0.path < $1.path }
  }

  private struct Key: Hashable {
    var fingerprint: String
    var isCurrent: Bool
  }
}

/// The schema after a step of a folder of recorded migrations, for files that are brought there by the steps they lack.
///
/// The steps are replayed for each file, since what they are replayed on is not shared.
package struct RecordedTarget: Sendable {
  package var folder: MigrationFolder
  /// The number of steps that lead there.
  package var count: Int
  /// Objects that are ignored.
  package var ignores: @Sendable (SQLName) -> Bool
  /// The program's models, whose functions and work the steps may need.
  package var models: ModelSchema?

  package init(
    _ folder: MigrationFolder, count: Int, ignores: @escaping @Sendable (SQLName) -> Bool = { _ in false },
    models: ModelSchema? = nil
  ) {
    self.folder = folder
    self.count = count
    self.ignores = ignores
    self.models = models
  }

  /// The schema after fewer steps.
  package func shortened(to count: Int) -> RecordedTarget {
    var target = self
    target.count = count
    return target
  }

  /// Returns the number of steps that a file has.
  package func appliedCount(of connection: SQLiteConnection) throws -> Int {
    try runner().status(of: connection).applied.count
  }

  private func runner() throws -> MigrationRunner {
    var runner = try MigrationRunner(folder)
    runner.ignores = ignores
    return runner
  }

  private var names: [String] { folder.steps.prefix(count).map(\.name) }

  /// Applies the steps that a file lacks, each in a transaction of its own.
  package func bring(_ connection: SQLiteConnection, allowing policy: PlanPolicy) throws {
    let (runner, status) = try runner().fitted(to: connection, checkingResult: false)
    try runner.settle(connection)
    let wanted = Set(names)
    for step in runner.folder.steps where status.missing.contains(step.name) && wanted.contains(step.name) {
      var request = ChangeRequest(allowing: policy)
      if let models { request.work = models.recordedWork(over: connection) }
      try (models ?? ModelSchema {}).withRowFunctions(on: connection) {
        _ = try runner.apply(step, on: connection, request)
      }
    }
  }

  /// Returns the steps that a file still needs, as the plan to the schema of the last one.
  package func plan(for connection: SQLiteConnection) throws -> MigrationPlan {
    guard let last = names.last, let target = try runner().target(of: last) else {
      throw SchemaError(source: folder.path, problem: "the folder holds no .sql file")
    }
    return try (models ?? ModelSchema {}).withRowFunctions(on: connection) {
      try Change(over: connection, to: target).plan()
    }
  }

  /// Returns the number of steps that a file has, after noting them in a file that says nothing of steps.
  ///
  /// - Parameter last: The step that its release had last; nil for the last one whose schema it has.
  /// - Throws: `MigrationError` for a file that has the schema of no step, or of another one.
  package func settle(_ connection: SQLiteConnection, at last: String?) throws -> Int {
    let runner = try runner()
    let (status, file) = try connection.snapshot {
      (try runner.status(of: connection), try SchemaReader.read(connection))
    }
    if status.applied.isEmpty, status.unknown.isEmpty, !file.isEmpty {
      guard let index = try index(of: last, in: runner, for: file) else {
        throw MigrationError(.notBaselined(fitting: nil))
      }
      try runner.baseline(through: index, on: connection, program: "")
      return index + 1
    }
    try runner.check(status, of: connection)
    return status.applied.count
  }

  private func index(of step: String?, in runner: MigrationRunner, for file: DatabaseSchema) throws -> Int? {
    let steps = runner.folder.steps
    guard let step else {
      return runner.replay.states.lastIndex { runner.differences(from: $0.schema, to: file).isEmpty }
    }
    if let index = steps.firstIndex(where: { $0.name == step }) { return index }
    throw SchemaError(
      source: folder.path,
      problem: "there is no step \(step); \(NearestName.hint(for: step, among: steps.map(\.name)))")
  }
}

import Foundation

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitCommands
@testable import SchemaKitOperations

/// A folder of recorded steps that exists in memory only.
struct MigrationFixture {
  var folder = MigrationFolder(path: "migrations")

  /// Adds steps, each a name with its SQL, as they are recorded.
  init(_ steps: [(name: String, sql: String)]) throws {
    for step in steps { try add(step.name, step.sql) }
  }

  mutating func add(_ name: String, _ sql: String, before: String? = nil, after: String? = nil) throws {
    folder.steps.append(
      try Migration(name: name, path: "migrations/\(name).sql", sql: sql, before: before, after: after))
    folder.checksums = MigrationChecksums(of: folder.steps)
  }

  /// Records the step to a schema, as `migrations new` does.
  mutating func record(
    _ name: String, to sql: String, renames: [String] = [], policy: PlanPolicy = .destructive
  ) throws {
    var target = try TemporaryDatabase.target(sql)
    for rename in renames { try target.hints.add(rename: rename) }
    let recording = MigrationRecording(replay: try MigrationReplay(folder.steps))
    let plan = try recording.plan(target, policy: policy)
    folder.steps.append(
      try recording.step(plan, name: name, path: "migrations/\(name).sql", behind: folder.steps, to: target))
    folder.checksums = MigrationChecksums(of: folder.steps)
  }

  /// Brings a file through all steps that it lacks.
  @discardableResult
  func apply(
    to file: TemporaryDatabase, configure: (inout ChangeRequest) -> Void = { _ in }
  ) throws -> [ApplyReport] {
    let connection = try SQLiteConnection(path: file.path, mode: .readWriteCreate)
    var runner = try MigrationRunner(folder)
    let status = try runner.status(of: connection)
    runner = try runner.following(status)
    try runner.check(status, of: connection)
    try runner.settle(connection)
    var request = ChangeRequest()
    configure(&request)
    return try runner.folder.steps.filter { status.missing.contains($0.name) }.map {
      try runner.apply($0, on: connection, request)
    }
  }

  /// The names of the steps that a file lacks.
  func missing(in file: TemporaryDatabase) throws -> [String] {
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    return try MigrationRunner(folder).status(of: connection).missing
  }
}

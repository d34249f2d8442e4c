import Foundation

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// A database file in a folder of its own, removed when the test lets go of it.
final class TemporaryDatabase {
  let folder: URL
  let path: String

  /// Creates a file from SQL, through a connection that knows nothing of the product.
  ///
  /// A test whose SQL the running SQLite cannot read is skipped; see ``Engine/require(_:)``.
  init(_ sql: String = "", name: String = "test.db") throws {
    try Engine.require(sql)
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemakit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    path = folder.appendingPathComponent(name).path
    let database = try RawSQLite(path)
    if !sql.isEmpty { try database.exec(sql) }
    database.close()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The bytes of the file.
  var bytes: Data { get throws { try Data(contentsOf: URL(fileURLWithPath: path)) } }

  /// Opens the file anew, with no product code in between.
  func reopened() throws -> RawSQLite { try RawSQLite(path) }

  /// All rows of a query, as texts, from a connection opened for it.
  func query(_ sql: String) throws -> [[RawValue]] {
    let database = try reopened()
    defer { database.close() }
    return try database.rows(sql)
  }

  /// The first value of a query.
  func value(_ sql: String) throws -> RawValue? { try query(sql).first?.first }

  /// Runs SQL on a connection opened for it.
  func exec(_ sql: String) throws {
    try Engine.require(sql)
    let database = try reopened()
    defer { database.close() }
    try database.exec(sql)
  }

  /// Migrates the file to a schema given as SQL.
  @discardableResult
  func migrate(
    to sql: String, allowing policy: PlanPolicy = .lossless, hints: MigrationHints? = nil,
    configure: (inout ChangeRequest) -> Void = { _ in }
  ) throws -> ApplyReport {
    let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
    var request = ChangeRequest(allowing: policy)
    configure(&request)
    return try Change(over: connection, to: try Self.target(sql, hints: hints), request).apply()
  }

  /// Plans the way to a schema given as SQL.
  func plan(
    to sql: String, hints: MigrationHints? = nil, strategy: StrategyChoice = .auto
  ) throws -> MigrationPlan {
    let connection = try SQLiteConnection.openedForInspection(path: path)
    var request = ChangeRequest()
    request.plan.policy.strategy = strategy
    return try Change(over: connection, to: try Self.target(sql, hints: hints), request).plan()
  }

  /// Loads SQL as a target.
  static func target(_ sql: String, hints: MigrationHints? = nil) throws -> TargetSchema {
    try Engine.require(sql)
    var target = try SchemaSource.sql(sql, source: "target.sql").load().target
    if let hints { target.hints = hints }
    return target
  }
}

extension PlanPolicy {
  /// Consent to dropping, but not to changing values.
  static let destructive = PlanPolicy(allowing: [Allowance(.hazardClass(.destructive))])

  /// Everything lossless, with a rebuild of every table that changes: for tests of what a rebuild does.
  static let copying: PlanPolicy = {
    var policy = PlanPolicy.lossless
    policy.strategy = .rebuild
    return policy
  }()
}

extension StrategyChoice {
  /// Puts a file into the journal mode that the strategy needs.
  var journal: String { self == .online ? "PRAGMA journal_mode = WAL; " : "" }
}

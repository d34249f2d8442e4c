@testable import SchemaKit

/// An engine elsewhere: it takes SQL and returns rows, and nothing else of SQLite can be reached through it.
///
/// A class, as a connection has identity: its transaction and its settings.
final class DistantEngine: SQLConnection {
  private let connection: SQLiteConnection
  /// Beginnings of statements that have no effect here, as of a PRAGMA that the engine does not know.
  var ignored: [String] = []
  /// Every statement that was sent.
  private(set) var statements: [String] = []

  init(path: String) throws {
    connection = try SQLiteConnection(path: path, mode: .readWrite)
  }

  private func send<T>(_ sql: String, _ nothing: T, _ body: () throws -> T) rethrows -> T {
    statements.append(sql)
    return ignored.contains(where: sql.hasPrefix) ? nothing : try body()
  }

  var engineVersionNumber: Int { connection.engineVersionNumber }
  var isInTransaction: Bool { connection.isInTransaction }

  func execute(_ sql: String) throws { try send(sql, ()) { try connection.execute(sql) } }

  func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
    try send(sql, 0) { try connection.run(sql, bindings) }
  }

  func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    try send(sql, ()) { try connection.forEachRow(sql, bindings, body) }
  }

  func prepareOnly(_ sql: String) throws { try send(sql, ()) { try connection.prepareOnly(sql) } }
}

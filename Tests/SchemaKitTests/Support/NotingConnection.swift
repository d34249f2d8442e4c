@testable import SchemaKit

/// A connection that notes every statement that goes through it.
final class NotingConnection: SQLConnection {
  private let connection: SQLiteConnection
  private(set) var statements: [String] = []
  /// Called with each statement before it runs.
  var onStatement: (String) throws -> Void = { _ in }

  init(_ connection: SQLiteConnection) { self.connection = connection }

  private func note(_ sql: String) throws {
    statements.append(sql)
    try onStatement(sql)
  }

  var engineVersionNumber: Int { connection.engineVersionNumber }
  var isInTransaction: Bool { connection.isInTransaction }
  func execute(_ sql: String) throws {
    try note(sql)
    try connection.execute(sql)
  }
  func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
    try note(sql)
    return try connection.run(sql, bindings)
  }
  func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    try note(sql)
    try connection.forEachRow(sql, bindings, body)
  }
  func prepareOnly(_ sql: String) throws { try connection.prepareOnly(sql) }
}

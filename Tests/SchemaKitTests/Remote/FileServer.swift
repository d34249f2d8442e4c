@testable import SchemaKit

/// A server that is a file of this machine, with what servers have in common: no RETURNING, and connections that are lost.
///
/// It has identity because it is a connection.
final class FileServer: ServerConnection {
  private let file: SQLiteConnection
  private(set) var lostTransactions = 0
  private(set) var lastInsertedRowID: Int64 = 0
  private(set) var isClosed = false
  var repairsTexts = true
  /// How many statements were sent.
  private(set) var statements: [String] = []
  private var loss: RemoteError?

  init(_ path: String) throws { file = try SQLiteConnection(path: path) }

  var engineVersionNumber: Int { file.engineVersionNumber }
  var isInTransaction: Bool { loss != nil || file.isInTransaction }

  /// Loses the connection: what is open is rolled back, and statements fail until the program rolls back too.
  func lose() throws {
    guard isInTransaction else { return }
    try file.execute("ROLLBACK")
    lostTransactions += 1
    loss = RemoteError(reason: .connectionLost(problem: "as the test wants"))
  }

  func close() { isClosed = true }

  func execute(_ sql: String) throws {
    if sql.uppercased() == "ROLLBACK", loss != nil {
      loss = nil
      return
    }
    try sending(sql) { try file.execute(sql) }
  }

  func run(_ sql: String, _ bindings: [SQLValue]) throws -> Int {
    if sql.uppercased() == "ROLLBACK", loss != nil {
      loss = nil
      return 0
    }
    return try sending(sql) {
      let changes = try file.run(sql, bindings)
      // That of the latest INSERT, whatever this one did.
      lastInsertedRowID = file.lastInsertRowID
      return changes
    }
  }

  func forEachRow(_ sql: String, _ bindings: [SQLValue], _ body: ([SQLValue]) throws -> Void) throws {
    if sql.contains("RETURNING") { throw RemoteError(reason: .unsupported(.statement("RETURNING"))) }
    try sending(sql) {
      try file.withStatement(sql) { statement in
        try statement.bind(bindings)
        try file.run(statement) { row in
          for column in 0..<Int(row.columnCount) where !repairsTexts && (try? row.text(at: column)) == nil {
            guard row.row()[column].text == nil else {
              throw RemoteError(reason: .brokenText(column: column, name: nil))
            }
          }
          try body(row.row())
        }
      }
    }
  }

  func prepareOnly(_ sql: String) throws { try sending(sql) { try file.prepareOnly(sql) } }

  private func sending<Result>(_ sql: String, _ body: () throws -> Result) throws -> Result {
    if let loss { throw loss }
    statements.append(sql)
    return try body()
  }
}

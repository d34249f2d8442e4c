import Foundation
import SchemaKitRemote
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("libSQL: random schema pairs", .enabled(if: SqldServer.isWanted))
struct LibSQLPairTests {
  @Test("the database has the schema and rows that a file would have, or the change is refused")
  func pairs() throws {
    let server = try SqldServer()
    try RemotePairs.run(on: "libSQL", seed: 47_260_301) { file, script, hints in
      let connection = try server.connection()
      defer { connection.close() }
      try Self.empty(connection)
      return try Self.migrate(file, script, hints, over: connection)
    }
  }

  private static func migrate(
    _ file: URL, _ script: String, _ hints: [String], over connection: LibSQLConnection
  ) throws -> PropertyRun.Outcome {
    try RemotePairs.load(file, into: connection)
    let before = try state(of: connection)
    let request = ChangeRequest(allowing: .destructive)
    do {
      let report = try RemoteDatabase(over: connection)
        .migrate(to: RemotePairs.target(script, hints), request)
      if report.outcome != .unchanged {
        try FileManager.default.removeItem(at: file)
        try LibSQLServer.copy(connection, toNewFile: file.path)
      }
      return .applied
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { return .failed("\(error)") }
      guard try state(of: connection) == before else { return .failed("refused, and changed") }
      let rest = hazards.filter { $0.code != .openTransaction }
      return rest.isEmpty
        ? .unavailable("open transaction")
        : .refused(hazards.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "\n"))
    } catch {
      return .failed("\(error)")
    }
  }

  /// What a refusal must leave as it is.
  private static func state(of connection: LibSQLConnection) throws -> [[SQLValue]] {
    let objects = try connection.rows("SELECT type, name, sql, rootpage FROM sqlite_schema ORDER BY rowid")
    let counts = try objects.filter { $0[0] == .text("table") }.map { row in
      try connection.rows("SELECT count(*) FROM \(SQLQuoting.identifier(row[1].text ?? ""))")[0]
    }
    return objects + counts
  }

  private static func empty(_ connection: LibSQLConnection) throws {
    try connection.execute("PRAGMA foreign_keys = OFF; BEGIN")
    for kind in ["trigger", "view", "table"] {
      let names = try connection.texts(
        "SELECT name FROM sqlite_schema WHERE type = ?1 AND name NOT LIKE 'sqlite!_%' ESCAPE '!'", [.text(kind)])
      for name in names { try connection.execute("DROP \(kind) IF EXISTS \(SQLQuoting.identifier(name))") }
    }
    if try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_sequence'") == 1 {
      try connection.execute("DELETE FROM sqlite_sequence")
    }
    try connection.execute("COMMIT; PRAGMA foreign_keys = ON")
  }
}

import Foundation
import SchemaKitRemote
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("dqlite: random schema pairs", .enabled(if: DqliteCluster.isWanted))
struct DqlitePairTests {
  @Test("the database has the schema and rows that a file would have, or the change is refused")
  func pairs() throws {
    let cluster = try DqliteCluster()
    var number = 0
    try RemotePairs.run(on: "dqlite", seed: 47_260_101) { file, script, hints in
      number += 1
      return try Self.migrate(file, script, hints, over: try cluster.connection(to: "pair\(number)"))
    }
  }

  /// Takes a file to the cluster, changes it there, and takes it back.
  private static func migrate(
    _ file: URL, _ script: String, _ hints: [String], over connection: DqliteConnection
  ) throws -> PropertyRun.Outcome {
    try RemotePairs.load(file, into: connection)
    let before = try connection.files().map(\.content)
    let request = ChangeRequest(allowing: .destructive)
    do {
      let report = try RemoteDatabase(over: connection).migrate(to: RemotePairs.target(script, hints), request)
      if report.outcome != .unchanged { try fetch(connection, to: file) }
      return .applied
    } catch let error as PlanError {
      guard case .refused(_, let hazards) = error.reason else { return .failed("\(error)") }
      guard try connection.files().map(\.content) == before else { return .failed("refused, and changed") }
      return .refused(hazards.map { "\($0.code.rawValue) \($0.message)" }.joined(separator: "\n"))
    } catch {
      return .failed("\(error)")
    }
  }

  private static func fetch(_ connection: DqliteConnection, to file: URL) throws {
    for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    for (name, content) in try connection.files() {
      try Data(content).write(to: URL(fileURLWithPath: file.path + (name.hasSuffix("-wal") ? "-wal" : "")))
    }
    // The log goes into the file, as the judge compares its bytes.
    let reader = try RawSQLite(file.path)
    try reader.exec("PRAGMA journal_mode = DELETE")
    reader.close()
  }
}

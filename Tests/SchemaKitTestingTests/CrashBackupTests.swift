import Foundation
import SchemaKit
import SchemaKitOperations
import Testing

@testable import SchemaKitTesting

@Suite("A backup that is interrupted")
struct CrashBackupTests {
  /// What is wrong with a copy.
  struct Flaw: Error, CustomStringConvertible {
    let description: String
  }

  private static func copy(of path: String) -> String { path + ".copy" }

  /// Whether there is a whole copy. A database without any content cannot be taken for one; anything between throws.
  private static func isComplete(_ path: String) throws -> Bool {
    guard FileManager.default.fileExists(atPath: copy(of: path)) else { return false }
    let connection = try SQLiteConnection(path: copy(of: path), mode: .readWrite)
    let findings = try connection.texts("PRAGMA integrity_check")
    guard findings == ["ok"] else { throw Flaw(description: "the copy is damaged: \(findings)") }
    let copied = try DatabaseDump(connection)
    if copied.objects.isEmpty { return false }
    let differences = try copied.differences(from: DatabaseDump(SQLiteConnection(path: path, mode: .readWrite)))
    guard differences.isEmpty else { throw Flaw(description: "the copy is half a copy, in \(differences)") }
    return true
  }

  @Test(
    "leaves the source alone, and a copy that is whole, empty or absent",
    arguments: [CrashMatrix.Journal.rollback, .wal])
  func backup(journal: CrashMatrix.Journal) async throws {
    let matrix = CrashMatrix(journal: journal) { connection in
      try connection.execute(Way.spilling.old)
      for statement in Way.spilling.rows { try connection.execute(statement) }
    } migrate: { connection in
      let path = try #require(connection.filePath)
      if try Self.isComplete(path) { return }
      try? FileManager.default.removeItem(atPath: Self.copy(of: path))
      try connection.backup(toNewFile: Self.copy(of: path))
    } verify: { path, ending in
      let exists = FileManager.default.fileExists(atPath: Self.copy(of: path))
      if ending == .threw, exists { throw Flaw(description: "the failed backup left a file behind") }
      let isComplete = try Self.isComplete(path)
      if ending == .returned, !isComplete { throw Flaw(description: "the backup returned, and there is no whole copy") }
    }
    let report = try await matrix.run()
    print("backup, \(journal.rawValue): \(report.oneLine)")
    #expect(report.operations > 10 && report.faultPoints > 20)
  }
}

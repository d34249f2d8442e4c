import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The SQLite that the tests run on")
struct EngineVersionTests {
  private static let expected = ProcessInfo.processInfo.environment["SCHEMAKIT_EXPECTED_SQLITE"]

  @Test("is the one that `make matrix` meant", .enabled(if: expected != nil, "no version is expected"))
  func isTheOneMeant() throws {
    #expect(SQLiteConnection.engineVersion == Self.expected)
    let folder = try CommandFolder()
    #expect(try folder.run("--version").output.contains("SQLite \(Self.expected ?? "")"))
  }

  @Test("from 3.38 on, it has all that no build leaves out, so a probe that fails is wrong")
  func hasAllButModules() throws {
    guard try SQLiteConnection.memory().engineVersionNumber >= SQLiteVersion(3, 38).number else { return }
    let isNewest = try SQLiteConnection.memory().engineVersionNumber >= SQLiteVersion(3, 53).number
    let optional: [Engine.Feature] = [.fts5, .fts4, .rtree, .columnMetadata] + (isNewest ? [] : [.alterConstraints])
    #expect(Engine.Feature.allCases.filter { !Engine.has($0) && !optional.contains($0) } == [])
  }

  @Test("encrypts every file where `make matrix` means it to, and none elsewhere")
  func encryptsFiles() throws {
    let folder = try CommandFolder()
    try folder.database("ours.db", "CREATE TABLE t (a)")
    try folder.write("CREATE TABLE t (a);", to: "t.sql")
    #expect(try folder.run("apply", "its.db", "--to", "t.sql", "--create", "--yes").status == 0)
    for file in ["ours.db", "its.db"] {
      #expect(try folder.bytes(file).starts(with: Data("SQLite format 3".utf8)) == !EncryptedFiles.areOn)
    }
  }

  @Test("is new enough")
  func isNewEnough() throws {
    #expect(try SQLiteConnection.memory().engineVersionNumber >= SQLiteVersion(3, 33).number)
    #expect(Engine.version == SQLiteConnection.engineVersion)
  }
}

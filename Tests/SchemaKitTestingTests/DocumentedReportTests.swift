import Foundation
import SchemaKit
import SchemaKitTesting
import Testing

@Suite("Reports in the documentation")
struct DocumentedReportTests {
  /// The fenced blocks of text in a page, one after the other.
  private static func blocks(in path: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    return page.matches(of: /```text\n([^`]*)\n```/).map { String($0.output.1) }
  }

  /// Another SQLite may need other operations; the words stay.
  private static func words(_ report: String) -> String { report.replacing(/\d+/, with: "0") }

  @Test("have the words of the reports that their examples print")
  func reports() async throws {
    let rows = ["INSERT INTO note (text) VALUES ('Buy bread'), (NULL)"]
    let crashes = try await CrashMatrix(schema: .sql(UpgradeTests.version1), rows: rows, to: .models(schema)).run()
    let upgrades = try await UpgradeMatrix([
      .init("1.0", schema: .sql(UpgradeTests.version1), rows: rows), .init("3.0", schema: .models(schema)),
    ]).run()
    #expect(
      try Self.blocks(in: "docs/testing-upgrades.md").map(Self.words)
        == [Self.words("\(crashes)"), Self.words("\(upgrades)")])
  }

  @Test("have the words that the article shows, of what passes and of what does not")
  func article() async throws {
    let schema = ModelSchema { Chore.self }
    let upgrades = try await UpgradeMatrix([
      .init("1.0", schema: ReleaseTests.first, rows: ReleaseTests.rows), .init("2.0", schema: .models(schema)),
    ]).run()
    let error = try await #require(throws: UpgradeMatrixError.self) { try await ReleaseTests.wavering.run() }
    let crashes = try await CrashMatrix(
      schema: ReleaseTests.first, rows: ReleaseTests.rows, to: .models(schema)
    ).run()
    let shown = try Self.blocks(in: "Sources/SchemaKit/SchemaKit.docc/TestingAnUpgrade.md")
    let printed = ["\(upgrades)", "\(error)", "\(crashes)"]
    #expect(shown.map(Self.words) == printed.map(Self.words), "printed is: \(printed)")
  }
}

import Foundation
import Testing

@Suite("Size of the documentation")
struct DocumentationSizeTests {
  /// The pages that are made from the code or by it, which may be as long as it needs.
  private static let generated = [
    "docs/codes.md", "docs/sqlite-versions.md", "docs/real-files.md", "docs/evidence.md", "docs/engines.md",
  ]

  /// What `wc -w` counts.
  private func words(_ path: String) throws -> Int {
    try Document(path).lines.joined(separator: "\n").split(whereSeparator: \.isWhitespace).count
  }

  @Test("the README has at most 1,300 words, with Install on its first screen")
  func readme() throws {
    #expect(try words("README.md") <= 1_300)
    #expect(try Document("README.md").lines.prefix(30).contains("## Install"))
  }

  @Test("what is written by hand in docs has at most 34,000 words")
  func pages() throws {
    let counts = try Document.paths(in: "docs").filter { !Self.generated.contains($0) }.map { ($0, try words($0)) }
    let total = counts.map(\.1).reduce(0, +)
    let longest = counts.sorted { $0.1 > $1.1 }.prefix(5).map { "\($0.0) \($0.1)" }
    #expect(total <= 34_000, "\(total) words; the longest pages: \(longest)")
    #expect(counts.count > 10)
  }
}

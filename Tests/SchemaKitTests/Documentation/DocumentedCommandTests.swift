import Foundation
import Testing

@Suite("Commands in the documentation")
struct DocumentedCommandTests {
  /// The documents that show commands.
  private static let paths =
    [
      "README.md", "docs/hazards.md", "docs/command-line.md", "docs/json.md", "docs/lint.md", "docs/migrations.md",
      "docs/moving.md", "docs/quick-start.md", "docs/deploying.md", "docs/d1.md", "docs/transactions.md",
      "docs/fleet.md", "docs/expand-and-contract.md", "docs/agents.md", "docs/testing-upgrades.md",
    ] + articles
  private static let articles = [
    "RenamingAColumn", "ChangingAType", "RecordingMigrations", "CIInFiveMinutes", "AdoptingADatabase",
    "SharingOneFile", "RunningBesideGRDB", "GuaranteesInShort",
  ].map { "\(Document.catalog)/\($0).md" }

  // The documents show one version's words and plans, and the shell of that version.
  @Test(
    "every command prints what the document shows",
    .enabled(if: Engine.version.hasPrefix("3.40."), "the documents show what SQLite 3.40 prints"), arguments: paths)
  func commands(path: String) throws {
    let document = try Document(path)
    let folder = try CommandFolder()
    var count = 0
    var refreshed: [(Range<Int>, [String])] = []
    for block in document.blocks {
      if let name = block.fileName, ["sql", "toml"].contains(block.language) {
        try folder.write(block.lines.joined(separator: "\n") + "\n", to: name)
      }
      guard block.language == "console" else { continue }
      let shown = Transcript(block.lines)
      #expect(!shown.entries.isEmpty, "\(path):\(block.range.lowerBound) is a console block without a command")
      count += shown.entries.count
      let real = try shown.run(in: folder)
      guard real.normalized != shown.normalized else { continue }
      if Document.isRefreshing {
        refreshed.append((block.range, real.lines))
      } else {
        #expect(shown.normalized == real.normalized, "\(path):\(block.range.lowerBound)")
      }
    }
    #expect(count > 0)
    if !refreshed.isEmpty {
      try Document.refresh(path) { document in
        for (range, lines) in refreshed.reversed() { document.replace(range, with: lines) }
      }
    }
  }

  @Test("documents with commands are all run")
  func nothingIsLeftOut() throws {
    for document in try Document.all() where document.blocks.contains(where: { $0.language == "console" }) {
      #expect(Self.paths.contains(document.path), "\(document.path) shows commands that nothing runs")
    }
  }

  @Test("blocks are in a language that a test looks after")
  func languages() throws {
    for document in try Document.all() {
      for block in document.blocks {
        #expect(
          ["swift", "console", "sql", "sh", "text", "toml", "yaml", "python"].contains(block.language),
          "\(document.path):\(block.range.lowerBound) is \"\(block.info)\"")
      }
    }
  }

  @Test("every workflow that is shown is a file among the examples")
  func workflows() throws {
    var count = 0
    for document in try Document.all() {
      for block in document.blocks where block.language == "yaml" {
        let name = try #require(block.fileName, "\(document.path):\(block.range.lowerBound) names no file")
        let file = SourceTree.root.appendingPathComponent("Examples/CI/\(name)")
        #expect(try String(contentsOf: file, encoding: .utf8) == block.lines.joined(separator: "\n") + "\n", "\(name)")
        count += 1
      }
    }
    #expect(count > 3)
  }

  @Test("a transcript differs when its output does, and not when only a duration does")
  func normalizing() {
    let shown = Transcript(["$ schemactl apply a.db", "Applied in 12 ms; verified."])
    #expect(Transcript(["$ schemactl apply a.db", "Applied in 3.4 s; verified."]).normalized == shown.normalized)
    #expect(Transcript(["$ schemactl apply a.db", "Applied in 12 ms."]).normalized != shown.normalized)
  }

  @Test("every make target that is named exists")
  func makeTargets() throws {
    let makefile = try String(contentsOf: SourceTree.root.appendingPathComponent("Makefile"), encoding: .utf8)
    for document in try Document.all() {
      for match in document.lines.joined(separator: "\n").matches(of: /(?:`|\n)make ([a-z-]+)/) {
        #expect(makefile.contains("\n\(match.output.1):"), "\(document.path) names make \(match.output.1)")
      }
    }
  }
}

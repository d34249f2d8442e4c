import Foundation
import Testing

@Suite("The DocC catalog")
struct CatalogTests {
  /// The names of the articles, without the root page.
  private static func articles() throws -> [String] {
    try Document.paths(in: Document.catalog).map { path in
      String(path.dropFirst(Document.catalog.count + 1).dropLast(3))
    }.filter { $0 != "SchemaKit" }
  }

  /// The entries of the root page's groups that are symbols.
  private static func grouped() throws -> [String] {
    try Document("\(Document.catalog)/SchemaKit.md").prose.compactMap { line in
      line.wholeMatch(of: /- ``([^`]+)``/).map { String($0.output.1) }
    }
  }

  /// The texts of the library's sources.
  private static func sources() throws -> [String] {
    try ["SQLiteSchema", "SchemaKit"].flatMap { try SourceTree.swiftFiles(in: "Sources/\($0)").map(\.text) }
  }

  /// The public types that stand in no other one.
  private static func types(in sources: [String]) -> Set<String> {
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol"]
    return Set(
      sources.flatMap { $0.split(separator: "\n") }.filter { $0.hasPrefix("public ") }.compactMap { line in
        let words = line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }
        return words.firstIndex { kinds.contains($0) }.flatMap { words.indices.contains($0 + 1) ? $0 + 1 : nil }
          .map { String(words[$0]) }
      })
  }

  /// Whether some source declares a member of this name.
  private static func declares(_ name: Substring, in sources: [String]) -> Bool {
    let words = ["func \(name)", "var \(name):", "let \(name):", "case \(name)", "\(name)("]
    return sources.contains { text in words.contains { text.contains($0) } }
  }

  @Test("the root page groups every public type once")
  func groups() throws {
    let grouped = try Self.grouped()
    // The compiler leaves the version out of the symbols that it tells of.
    let types = try Self.types(in: Self.sources()).subtracting(["SchemaKitVersion"])
    #expect(types.count > 50)
    #expect(Set(grouped).count == grouped.count, "a type is in two groups")
    for type in types.subtracting(grouped).sorted() {
      Issue.record("\(type) is in no group of \(Document.catalog)/SchemaKit.md")
    }
    for type in Set(grouped).subtracting(types).sorted() { Issue.record("there is no public type \(type)") }
  }

  @Test("the root page lists every article, and every link to an article or a symbol leads somewhere")
  func links() throws {
    let articles = try Self.articles()
    let sources = try Self.sources()
    let types = Self.types(in: sources)
    #expect(articles.count == 10)
    let root = try Document("\(Document.catalog)/SchemaKit.md").prose
    for name in articles { #expect(root.contains("- <doc:\(name)>"), "the root page does not list \(name)") }
    for name in try Self.articles() + ["SchemaKit"] {
      let text = try Document("\(Document.catalog)/\(name).md").prose.joined(separator: "\n")
      for match in text.matches(of: /doc:([\w-]+)/) {
        #expect(articles.contains(String(match.output.1)), "\(name).md links \(match.output.1)")
      }
      for match in text.matches(of: /``([^`]+)``/) where match.output.1 != "SchemaKit" {
        let parts = match.output.1.split(separator: "/").map { $0.prefix { $0 != "(" } }
        #expect(types.contains(String(parts[0])), "\(name).md links \(match.output.1)")
        for part in parts.dropFirst() {
          #expect(Self.declares(part, in: sources), "\(name).md links \(match.output.1)")
        }
      }
    }
  }

  /// The articles whose texts are compared with what their examples print.
  private static let printing = ["GettingStarted", "TestingAnUpgrade"]

  @Test("every article has a block that a test compiles, runs or compares, and none that no test looks at")
  func blocks() throws {
    for name in try Self.articles() {
      let blocks = try Document("\(Document.catalog)/\(name).md").blocks
      let languages = Set(blocks.map(\.language))
      #expect(!languages.isDisjoint(with: ["swift", "console", "yaml"]), "\(name).md shows nothing that is tried")
      #expect(languages.contains("text") == Self.printing.contains(name), "\(name).md: texts that are compared")
      #expect(!languages.contains("sh"), "\(name).md shows commands that nothing runs; make them a console block")
      for block in blocks where block.language == "sql" {
        #expect(block.fileName != nil, "\(name).md:\(block.range.lowerBound) is SQL that nothing reads")
      }
    }
  }

  @Test("articles are short, and end with where to read more")
  func shape() throws {
    for name in try Self.articles() {
      let document = try Document("\(Document.catalog)/\(name).md")
      #expect(document.lines.count <= 150, "\(name).md has \(document.lines.count) lines")
      let headings = document.prose.filter { $0.hasPrefix("## ") }
      #expect(headings.contains("## What can go wrong"), "\(name).md")
      #expect(headings.last == "## Where to read more", "\(name).md")
    }
  }
}

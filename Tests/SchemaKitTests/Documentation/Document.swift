import Foundation

/// A Markdown file of the project, cut into lines and fenced blocks.
///
/// With `SCHEMAKIT_REFRESH_DOCS=1` in the environment the tests write what they would otherwise compare: the outputs of
/// commands and the generated tables.
struct Document {
  /// A fenced block: what stands behind the opening fence, and the lines between the fences.
  struct Block {
    var info: String
    var range: Range<Int>
    var lines: [String]

    var language: String { info.split(separator: " ").first.map { String($0) } ?? "" }
    /// The file that the block is the content of; nil for most blocks.
    var fileName: String? { info.split(separator: " ").dropFirst().first.map { String($0) } }
  }

  /// The path from the project's root.
  let path: String
  private(set) var lines: [String]

  init(_ path: String) throws {
    self.path = path
    let text = try String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
  }

  /// The catalog of the documentation site.
  static let catalog = "Sources/SchemaKit/SchemaKit.docc"

  /// The pages that `make command-pages` writes.
  static let commandPages = "docs/commands"

  /// The README, the guide for contributors, everything in `docs/`, and the articles of the catalog.
  static func all() throws -> [Document] {
    try (["README.md", "CONTRIBUTING.md"] + paths(in: "docs") + paths(in: commandPages) + paths(in: catalog))
      .map { try Document($0) }
  }

  /// The Markdown files of a folder.
  static func paths(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: SourceTree.root.appendingPathComponent(folder).path)
      .filter { $0.hasSuffix(".md") }.sorted().map { "\(folder)/\($0)" }
  }

  static var isRefreshing: Bool { ProcessInfo.processInfo.environment["SCHEMAKIT_REFRESH_DOCS"] == "1" }
  private static let lock = NSLock()

  /// Changes the file on disk; nobody else may do so meanwhile.
  static func refresh(_ path: String, _ change: (inout Document) throws -> Void) throws {
    try lock.withLock {
      var document = try Document(path)
      let before = document.lines
      try change(&document)
      guard document.lines != before else { return }
      let url = SourceTree.root.appendingPathComponent(path)
      try document.lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
    }
  }

  mutating func replace(_ range: Range<Int>, with new: [String]) { lines.replaceSubrange(range, with: new) }

  /// All fenced blocks in order.
  var blocks: [Block] {
    var blocks: [Block] = []
    var start: Int?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      if let first = start {
        blocks.append(
          Block(
            info: String(lines[first - 1].dropFirst(3)), range: first..<index, lines: Array(lines[first..<index])))
        start = nil
      } else {
        start = index + 1
      }
    }
    return blocks
  }

  /// The lines outside of fenced blocks.
  var prose: [String] {
    let fenced = blocks.map { ($0.range.lowerBound - 1)...$0.range.upperBound }
    return lines.indices.filter { index in !fenced.contains { $0.contains(index) } }.map { lines[$0] }
  }

  /// The body of the table under a header, and where it stands; of several with the same header, one by its number.
  func table(headed header: String, number: Int = 0) -> (range: Range<Int>, rows: [[String]])? {
    guard let head = lines.indices.filter({ lines[$0] == header }).dropFirst(number).first else { return nil }
    let start = head + 2
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    let rows = lines[start..<end].map { line in
      line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
    }
    return (start..<end, rows)
  }

  /// The targets of all links, but for those that DocC resolves.
  var links: [String] {
    prose.joined(separator: "\n").matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }
      .filter { !$0.hasPrefix("doc:") }
  }

  /// The anchors that GitHub gives to the headings.
  var anchors: Set<String> {
    Set(
      prose.filter { $0.hasPrefix("#") }.map { heading in
        heading.drop { $0 == "#" || $0 == " " }.lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
          .replacingOccurrences(of: " ", with: "-")
      })
  }
}

import Foundation
import SchemaKit
import Testing

@Suite("Swift in the documentation")
struct DocumentedSwiftTests {
  /// The files in which examples are compiled.
  private static let homes = [
    "Tests/SchemaKitTests/Documentation/Examples", "Tests/SchemaKitTestingTests/Examples", "Sources/notes-schema",
    "Sources/NotesSample", "Tests/MacroTests/Tests/MacroTests",
  ]

  @Test("every block of Swift is compiled as a part of the tests or of the sample")
  func everyBlockIsCompiled() throws {
    let files = try Self.homes.flatMap { try SourceTree.swiftFiles(in: $0) }.map { file in
      file.text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }
    var count = 0
    for document in try Document.all() {
      for block in document.blocks where block.language == "swift" && block.fileName == nil {
        count += 1
        #expect(
          files.contains { Self.contains(block.lines, in: $0) },
          "\(document.path):\(block.range.lowerBound) is in no file that is compiled")
      }
    }
    #expect(count > 10)
  }

  /// Whether lines stand in a file one after the other, all indented by the same width.
  static func contains(_ block: [String], in file: [String]) -> Bool {
    guard let first = block.first, block.count <= file.count else { return false }
    return (0...(file.count - block.count)).contains { start in
      guard file[start].hasSuffix(first) else { return false }
      let indent = file[start].dropLast(first.count)
      guard indent.allSatisfy({ $0 == " " }) else { return false }
      return zip(block, file[start...]).allSatisfy { line, real in line.isEmpty ? real.isEmpty : real == indent + line }
    }
  }

  @Test("a block that differs in one line is not found")
  func containment() {
    let file = ["enum A {", "  let a = 1", "", "  let b = 2", "}"]
    #expect(Self.contains(["let a = 1", "", "let b = 2"], in: file))
    #expect(!Self.contains(["let a = 1", "", "let b = 3"], in: file))
    #expect(!Self.contains(["let a = 1", "  let b = 2"], in: file))
  }

  @Test("the README's manifest is one that the package manager reads, with products that exist")
  func manifest() throws {
    let readme = try Document("README.md")
    let block = try #require(readme.blocks.first { $0.info == "swift Package.swift" })
    let folder = try CommandFolder()
    try folder.write(block.lines.joined(separator: "\n") + "\n", to: "Package.swift")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift", "package", "--package-path", folder.url.path, "dump-package"]
    let file = folder.url("dump.json")
    try Data().write(to: file)
    process.standardOutput = try FileHandle(forWritingTo: file)
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let dump = try #require(try JSONSerialization.jsonObject(with: folder.bytes("dump.json")) as? [String: Any])
    #expect((dump["dependencies"] as? [Any])?.count == 1)
    let own = try String(contentsOf: SourceTree.root.appendingPathComponent("Package.swift"), encoding: .utf8)
    let products = block.lines.joined(separator: "\n").matches(of: /product\(name: "(\w+)", package: "SchemaKit"/)
    #expect(!products.isEmpty)
    for product in products { #expect(own.contains(".library(name: \"\(product.output.1)\"")) }
  }

  @Test("the README's program opens, migrates and reads a real file, and consents to nothing by itself")
  func readme() throws {
    let file = try TemporaryDatabase("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT, legacy TEXT)")
    try file.exec("INSERT INTO notes VALUES (1, 'Buy bread', NULL), (2, NULL, 'x')")
    #expect(throws: PlanError.self) { try ReadmeExamples.open(file.path) }
    try file.exec("UPDATE notes SET legacy = NULL")
    let titles = try ReadmeExamples.open(file.path)
    #expect(titles == ["Buy bread", "untitled", "First"])
    #expect(try ReadmeExamples.open(file.path) == ["Buy bread", "untitled", "First", "First"])
  }

  @Test("the README's records are saved, found and changed")
  func records() throws {
    let file = try TemporaryDatabase()
    let session = try Session(at: file.path, schema: ModelSchema { ReadmeExamples.Note.self })
    try session.save([("A", ["x"]), ("B", [])].map { ReadmeExamples.Note(id: nil, title: $0, tags: $1) })
    #expect(try ReadmeExamples.save(session)?.tags == ["sand", "spice"])
    #expect(try file.query("SELECT tags FROM notes WHERE id = 3") == [[.text(#"["sand","spice"]"#)]])
  }
}

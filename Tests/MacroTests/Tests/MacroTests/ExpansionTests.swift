import Foundation
import Testing

/// What `@Model` writes, which the page of the macro shows.
@Suite("Expansion of @Model")
struct ExpansionTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  private let source: String
  private let page: String

  init() throws {
    source = try String(contentsOf: Self.folder.appendingPathComponent("Expansions/Note.swift"), encoding: .utf8)
    let page = Self.folder.appendingPathComponent("../../../../docs/model-macro.md").standardizedFileURL
    self.page = try String(contentsOf: page, encoding: .utf8)
  }

  /// The lines that all macros of a source text write, without indentation and without those that attribute errors.
  private func written(for source: String) throws -> [String] {
    let result = try Compiler.check(source, options: ["-Xfrontend", "-dump-macro-expansions"])
    #expect(result.status == 0, "\(result.output)")
    return lines(result.output).filter { line in
      // The name of an expansion, and the lines around its text.
      !["@__swiftmacro_", "------", "#sourceLocation("].contains { line.hasPrefix($0) }
    }
  }

  private func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }

  @Test("the page shows an example that compiles")
  func example() throws {
    let example = try #require(source.components(separatedBy: "@Model").last)
    #expect(page.contains("@Model" + example), "the page has another example than \(example)")
  }

  @Test("the page shows every line that is written, in order, and no other")
  func expansion() throws {
    // The page leaves out two properties, and the index of one of them.
    let left = ["var body", "var modified", "static let indexes"]
    let short = source.split(separator: "\n").filter { line in !left.contains { line.contains($0) } }
    let section = try #require(page.components(separatedBy: "## What is written").last)
    let block = section.components(separatedBy: "```")[1]
    #expect(block.hasPrefix("text\n"))
    let written = try self.written(for: short.joined(separator: "\n"))
    #expect(written == Array(lines(block).dropFirst()), "\(written.joined(separator: "\n"))")
  }
}

import Foundation
import Testing

@testable import SchemaKitCommands

@Suite("Documentation for agents")
struct AgentsPageTests {
  private static let path = "docs/agents.md"

  private func text(_ path: String) throws -> String {
    try String(contentsOf: SourceTree.root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test(
    "the page fits 2 kB, links nothing that a package lacks, and knows every exit code of a command that ends by itself"
  )
  func page() throws {
    #expect(try text(Self.path).utf8.count <= 2_048)
    let document = try Document(Self.path)
    #expect(document.links.isEmpty)
    let rows = try #require(document.table(headed: "| Exit code | Go on |")).rows
    let codes = rows.flatMap { $0[0].split(separator: ", ").compactMap { Int32($0) } }
    let outcomes: [Outcome] = [.done, .failed, .usage, .pending, .refused, .newer, .busy]
    #expect(codes == outcomes.map(\.rawValue))
  }

  @Test("make install and every package have the page")
  func packages() throws {
    for script in ["Makefile", "scripts/dist.sh"] {
      #expect(try text(script).contains(/docs\/agents\.md.*schemactl\/AGENTS\.md/), "\(script)")
    }
    #expect(try text("scripts/dist/package.py").contains("AGENTS = \"share/schemactl/AGENTS.md\""))
  }

  @Test("llms.txt has the page, and links every other page with its title")
  func index() throws {
    let script = SourceTree.root.appendingPathComponent("scripts/docs/llms.sh").path
    let run = try CommandRun([script, "/base"], in: CommandFolder(), program: "/bin/sh")
    #expect(run.status == 0)
    #expect(run.output.hasPrefix("# SchemaKit\n\n> "))
    #expect(run.output.contains("## For agents"))
    for path in try Document.paths(in: "docs") + Document.paths(in: "docs/commands")
    where path != Self.path {
      let title = try #require(try Document(path).lines.first).dropFirst(2)
      #expect(run.output.contains("- [\(title)](/base/"), "\(path)")
    }
  }
}

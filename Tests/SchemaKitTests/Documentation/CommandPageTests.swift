import Foundation
import Testing

@Suite("Pages of the commands")
struct CommandPageTests {
  private static let script = SourceTree.root.appendingPathComponent("scripts/docs/commands.py").path

  /// The pages that the script makes of the help of the program, by their names.
  private func generate() throws -> [String: String] {
    let folder = try CommandFolder()
    let run = try CommandRun(
      ["python3", Self.script, CommandRun.schemactl, "pages"], in: folder, program: "/usr/bin/env")
    try #require(run.status == 0, "\(run.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url("pages").path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try String(contentsOf: folder.url("pages/\($0)"), encoding: .utf8)) })
  }

  @Test("are what the program's help says")
  func pages() throws {
    let made = try generate()
    let names = try Document.paths(in: Document.commandPages).map { String($0.split(separator: "/").last ?? "") }
    #expect(names == made.keys.sorted(), "make command-pages writes them anew")
    for name in names {
      let page = try Document("\(Document.commandPages)/\(name)").lines.joined(separator: "\n")
      #expect(page == made[name], "make command-pages writes \(name) anew")
    }
  }

  @Test("have every command with every option of its help")
  func options() throws {
    let dump = try CommandFolder().run("--experimental-dump-help")
    let root = try JSONDecoder().decode(HelpTests.Dump.self, from: Data(dump.output.utf8)).command
    let shared = try Document("\(Document.commandPages)/options.md").prose.joined(separator: "\n")
    let commands = (root.subcommands ?? []).filter { !["help", "options"].contains($0.commandName) }
    #expect(commands.count > 8)
    for command in commands {
      let page = try Document("\(Document.commandPages)/\(command.commandName).md").lines.joined(separator: "\n")
      for leaf in command.subcommands ?? [command] {
        #expect(page.contains(leaf.abstract ?? "?"), "\(leaf.commandName)")
        for argument in leaf.arguments ?? [] {
          let abstract = (argument.abstract ?? "?").replacing("\n", with: " ")
          #expect(page.contains(abstract) || shared.contains(abstract), "\(leaf.commandName): \(abstract)")
        }
      }
    }
  }

  @Test("are linked from the page about the command line")
  func links() throws {
    let linked = try Document("docs/command-line.md").links
    for path in try Document.paths(in: Document.commandPages) {
      #expect(linked.contains(String(path.dropFirst("docs/".count))), "docs/command-line.md does not link \(path)")
    }
  }
}

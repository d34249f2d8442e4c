import Foundation
import Testing

@Suite("Findings in a repository of several services")
struct MonorepoTests {
  /// A repository whose services have a schema each; commands run in the folder of one.
  private func repository() throws -> (root: CommandFolder, service: [String]) {
    let root = try CommandFolder()
    for service in ["api", "mail"] {
      try FileManager.default.createDirectory(
        at: root.url("services/\(service)/db"), withIntermediateDirectories: true)
      try root.write(
        "CREATE TABLE \(service) (id INTEGER PRIMARY KEY,\n  size INTEGRE);\n", to: "services/\(service)/db/schema.sql")
    }
    try root.database("services/api/app.db", "CREATE TABLE api (id INTEGER PRIMARY KEY)")
    return (root, ["-c", "cd services/api && exec \"$0\" \"$@\"", CommandRun.schemactl])
  }

  @Test(
    "each path that is annotated exists at the root of the repository",
    arguments: [
      ["check", "app.db", "--to", "db/schema.sql"], ["lint", "db/schema.sql"], ["lint", "./db/../db/schema.sql"],
    ], ["github", "sarif"])
  func paths(command: [String], format: String) throws {
    let (root, service) = try repository()
    let run = try CommandRun(
      service + command + ["--path-prefix", "services/api", "--format", format], in: root, program: "/bin/sh")
    #expect(run.status == 2, "\(run.errors)")
    let found = run.output.matches(of: /(?:file=|"uri"\s*:\s*")([^,"]+)/).map { String($0.output.1) }
    #expect(!found.isEmpty, "\(run.output)")
    for path in found { #expect(path == "services/api/db/schema.sql" && root.exists(path)) }
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

/// The validators and packages of Python that `scripts/json-validators.sh` fetches.
enum Validators {
  static let folder = SourceTree.root.appendingPathComponent(".build-validators")

  /// Whether they are there, or have to be.
  static let isExpected =
    FileManager.default.fileExists(atPath: folder.path) || ProcessInfo.processInfo.environment["CI"] != nil

  /// The Python that the packages were fetched for.
  static var interpreter: String {
    get throws {
      try String(contentsOf: folder.appendingPathComponent("interpreter"), encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  static let environment = [
    "PYTHONPATH": folder.appendingPathComponent("packages").path, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1",
  ]

  /// What `validate.py` says, a list of sentences under each heading.
  struct Report: Decodable {
    var schemas: [String]
    var outputs: [String]
    var unseen: [String]
    var accepted: [String]
    var words: [String]
    var sarif: [String]
    var junit: [String]
    var counts: [String: Int]? = nil
  }

  /// The validators do not run.
  struct Failure: Error, CustomStringConvertible { var description: String }

  /// All outputs, held against all schemas in one run.
  static let report = Result<Report, any Error> {
    let scenes = try JSONOutputs()
    let run = try CommandRun(
      [
        SourceTree.root.appendingPathComponent("scripts/json-validators/validate.py").path,
        SourceTree.root.appendingPathComponent("docs/schemas").path, scenes.outputs.url.path, folder.path,
      ], in: scenes.folder, program: try interpreter, environment: environment)
    guard run.status == 0 else { throw Failure(description: run.errors) }
    var report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
    report.counts = scenes.counts
    return report
  }
}

@Suite(
  "Schemas of the outputs for programs",
  .enabled(if: Validators.isExpected, "the validators are not there; make setup-tests fetches them"),
  .needs(.dropColumn), .needs(.strict), .serialized)
struct JSONSchemaTests {
  private static let isUsual = Engine.version.hasPrefix("3.40.")

  @Test("every output fits the schema of its kind")
  func outputs() throws {
    let report = try Validators.report.get()
    #expect(report.outputs == [])
    #expect((report.counts?["plan"] ?? 0) > 25 && (report.counts?["check"] ?? 0) > 8)
  }

  @Test("every schema is one of draft 2020-12, takes no unknown field, and explains each field")
  func schemas() throws {
    let report = try Validators.report.get()
    #expect(report.schemas == [])
  }

  @Test("a schema refuses each field that is gone, of another type, or outside of its list, and any unknown field")
  func damaged() throws {
    let report = try Validators.report.get()
    #expect(report.accepted == [])
  }

  @Test(
    "every field of every schema is in some output",
    .enabled(if: isUsual, "other versions of SQLite take other ways, so that some words are in no plan"))
  func fields() throws {
    let report = try Validators.report.get()
    #expect(report.unseen == [])
  }

  @Test(
    "every word of every list is in some output, but for a few that take special files or disks",
    .enabled(if: isUsual, "other versions of SQLite take other ways, so that some words are in no plan"))
  func words() throws {
    let rare = [
      "$.file.encoding: UTF-16be", "$.file.journalMode: truncate", "$.file.journalMode: persist",
      "$.file.journalMode: memory", "$.file.journalMode: off", "#/$defs/hazardCode: ",
    ]
    let words = try Validators.report.get().words
    #expect(words.filter { word in !rare.contains { word.contains($0) } } == [])
  }

  @Test("SARIF is valid by the schema that OASIS publishes, with findings and without")
  func sarif() throws {
    let report = try Validators.report.get()
    #expect(report.sarif == [])
    #expect((report.counts?["sarif"] ?? 0) > 8)
  }

  @Test("JUnit is valid by the schema that Jenkins publishes, with failures and without")
  func junit() throws {
    let report = try Validators.report.get()
    #expect(report.junit == [])
    #expect((report.counts?["junit"] ?? 0) > 8)
  }
}

/// What needs no validator.
@Suite("Schemas of the outputs for programs, beside the code")
struct JSONSchemaListTests {
  /// The values that a schema allows at a place.
  private func list(_ kind: String, _ path: String...) throws -> [String] {
    let url = SourceTree.root.appendingPathComponent("docs/schemas/\(kind).schema.json")
    var value = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
    for step in path { value = try #require(value[step] as? [String: Any], "\(kind): \(step)") }
    return try #require(value["enum"] as? [String])
  }

  @Test("codes and words are those of the code")
  func lists() throws {
    #expect(
      try list("plan", "$defs", "hazard", "properties", "class") == HazardClass.allCases.map(\.rawValue))
    #expect(
      try list("lint", "$defs", "finding", "properties", "severity") == Finding.Severity.allCases.map(\.rawValue))
    #expect(try list("saved-plan", "properties", "strategy") == StrategyChoice.allCases.map(\.rawValue))
    #expect(
      try list("plan", "properties", "rehearsal", "properties", "queries", "items", "properties", "verdict")
        == QueryComparison.Verdict.allCases.map(\.rawValue))
    for word in try list("plan", "$defs", "strategy") { #expect(MigrationStep.Strategy(rawValue: word) != nil) }
    for word in try list("plan", "$defs", "statement", "properties", "role") {
      #expect(PlannedStatement.Role(rawValue: word) != nil)
    }
  }

  @Test("every command that writes JSON is in the table of the page, with a schema that is there")
  func commands() throws {
    struct Dump: Decodable {
      struct Command: Decodable {
        struct Argument: Decodable {
          var valueName: String?
          var allValues: [String]?
        }
        var commandName: String
        var arguments: [Argument]?
        var subcommands: [Command]?

        /// The commands that have a form called json.
        func names(behind words: [String] = []) -> [String] {
          let own = (arguments ?? []).contains { $0.valueName == "format" && $0.allValues?.contains("json") == true }
          let inner = (subcommands ?? []).flatMap { $0.names(behind: words + [$0.commandName]) }
          return (own ? [words.joined(separator: " ")] : []) + inner
        }
      }
      var command: Command
    }
    let dump = try CommandFolder().run("--experimental-dump-help").output
    let commands = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command.names()
    #expect(commands.count > 8 && commands.contains("migrations status"))
    let table = try #require(Document("docs/json.md").table(headed: "| Written by | Schema |"))
    let shown = table.rows.flatMap { $0[0].matches(of: /`([a-z-]+(?: [a-z]+)?)/).map { String($0.output.1) } }
    #expect(Set(commands).subtracting(shown) == [])
    let linked = Set(table.rows.compactMap { $0[1].firstMatch(of: /\(schemas\/([a-z-]+\.schema\.json)\)/)?.output.1 })
    let folder = SourceTree.root.appendingPathComponent("docs/schemas").path
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { !$0.contains(".toml.") }
    #expect(Set(files) == Set(linked.map { String($0) }))
  }

  @Test(
    "an error is a sentence on standard error, and no JSON",
    arguments: [
      (1, "plan a.db --to gone.sql"), (1, "check a.db --to broken.sql"), (1, "lint broken.sql"), (1, "doctor gone.db"),
      (1, "history gone.db"), (1, "undo a.db --yes"), (64, "apply a.db --to t.sql"), (1, "inspect broken.sql"),
      (1, "migrations status a.db --migrations gone"), (1, "doctor broken.sql"),
    ])
  func errors(status: Int32, line: String) throws {
    let folder = try CommandFolder()
    try folder.database("a.db", "CREATE TABLE a (b)")
    try folder.write("CREATE TABLE t (", to: "broken.sql")
    try folder.write("CREATE TABLE t (a); CREATE TABLE a (b);", to: "t.sql")
    let run = try CommandRun(line.split(separator: " ").map { String($0) } + ["--format", "json"], in: folder)
    #expect(run.status == status && run.output == "", "\(run.output)")
    #expect(run.errors.hasPrefix("schemactl: "))
  }
}

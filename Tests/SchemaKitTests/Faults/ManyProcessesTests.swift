import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Many processes on one file", .serialized)
struct ManyProcessesTests {
  private static let before = """
    CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, stars INT);
    CREATE INDEX note_text ON note (text);
    """
  private static let after = """
    CREATE TABLE note (
      id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL, stars INT CHECK (stars BETWEEN 0 AND 5),
      colour TEXT NOT NULL DEFAULT 'white'
    );
    CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE INDEX note_text ON note (text);
    CREATE INDEX note_stars ON note (stars);
    """
  /// What the old program's rows would not fit into any more.
  private static let incompatible = after.replacing(
    "colour TEXT NOT NULL DEFAULT 'white'", with: "colour TEXT NOT NULL"
  )
  .replacing("stars INT", with: "stars INT, weight INT")

  /// Eight processes that open files, and one that writes to them, for as many rounds as a test has.
  private struct Crew {
    let openers: [KillProbe]
    let writer: KillProbe
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemakit-\(UUID().uuidString)")
    let schema: String

    init(schema sql: String) throws {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      schema = folder.appendingPathComponent("after.sql").path
      try sql.write(toFile: schema, atomically: true, encoding: .utf8)
      openers = try (0..<8).map { _ in try KillProbe(arguments: ["open"]) }
      writer = try KillProbe(arguments: ["insert"])
    }

    /// Lets all processes loose on a file at once, and returns what they answer.
    func round(path: String, writing count: Int?) throws -> (outcomes: [String], written: String) {
      let runs = openers.map { ($0, "\(path) \(schema)") } + (count.map { [(writer, "\(path) \($0)")] } ?? [])
      for (probe, line) in runs { try probe.send(line) }
      for (probe, _) in runs { #expect(probe.firstLine() == "ready") }
      for (probe, _) in runs { try probe.send("go") }
      return (openers.map { $0.firstLine() }.sorted(), count == nil ? "" : writer.firstLine())
    }

    func end() throws {
      for probe in openers + [writer] {
        probe.endInput()
        #expect(try probe.wait().exitCode == 0)
      }
      try? FileManager.default.removeItem(at: folder)
    }
  }

  @Test("of eight that open a fresh file at once, one makes it and all succeed")
  func freshFiles() throws {
    let crew = try Crew(schema: Self.after)
    for round in 0..<100 {
      let path = crew.folder.appendingPathComponent("fresh-\(round).db").path
      let outcomes = try crew.round(path: path, writing: nil).outcomes
      #expect(outcomes == ["applied"] + Array(repeating: "unchanged", count: 7))
      let database = try RawSQLite(path)
      #expect(try database.rows("SELECT kind FROM _schemakit_history") == [[.text("apply")]])
      #expect(try database.rows("PRAGMA integrity_check") == [[.text("ok")]])
    }
    try crew.end()
  }

  @Test(
    "of eight that open an old file at once, one migrates, beside a writer whose rows all stay",
    arguments: ["delete", "wal"])
  func oldFiles(journalMode: String) throws {
    let crew = try Crew(schema: Self.after)
    var rounds = (whole: 0, rows: 0)
    for _ in 0..<50 {
      let file = try TemporaryDatabase("PRAGMA journal_mode = \(journalMode); \(Self.before)")
      try file.exec("INSERT INTO note (text, stars) VALUES ('old', 1), ('older', 2)")
      let (outcomes, written) = try crew.round(path: file.path, writing: 20)
      #expect(outcomes == ["applied"] + Array(repeating: "unchanged", count: 7))
      #expect(written == "20 done")
      let expected = ["old", "older"] + (0..<20).map { "written \($0)" }
      #expect(try file.query("SELECT text FROM note ORDER BY id").compactMap { $0[0].string } == expected)
      #expect(try file.query("SELECT kind FROM _schemakit_history") == [[.text("apply")]])
      try file.expectSettled(at: Self.after)
      rounds.whole += 1
      rounds.rows += expected.count
    }
    #expect(rounds.whole == 50 && rounds.rows == 50 * 22)
    try crew.end()
  }

  @Test("a writer whose rows do not fit the new schema is told, and what it was told is in stays")
  func refusedWriter() throws {
    let crew = try Crew(schema: Self.incompatible)
    for round in 0..<50 {
      let mode = round % 2 == 0 ? "delete" : "wal"
      let file = try TemporaryDatabase("PRAGMA journal_mode = \(mode); \(Self.before)")
      let (outcomes, written) = try crew.round(path: file.path, writing: round % 5)
      // With rows in it, the new column without a default is refused; whoever came first decides.
      let isRefused = outcomes.contains { $0.contains("SK104") }
      let acknowledged = Int(written.prefix { $0.isNumber }) ?? -1
      let rows = try file.query("SELECT text FROM note ORDER BY id").compactMap { $0[0].string }
      #expect(rows == (0..<max(acknowledged, 0)).map { "written \($0)" })
      let applied = outcomes.count { $0 == "applied" }
      let unchanged = outcomes.count { $0 == "unchanged" }
      if isRefused {
        #expect(applied == 0 && !rows.isEmpty, "\(outcomes)")
      } else {
        #expect(applied == 1 && unchanged == 7, "\(outcomes)")
        #expect(acknowledged == 0, "\(written)")
      }
      #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
      let history = try file.query("SELECT name FROM sqlite_master WHERE name = '_schemakit_history'")
      #expect(history.isEmpty == (applied == 0))
    }
    try crew.end()
  }
}

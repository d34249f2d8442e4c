import Foundation
import Testing

@testable import SchemaKit

/// Histories that were dropped, or that come from elsewhere, in files that are opened anew each time.
@Suite("A history that does not fit its file")
struct LostHistoryTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);", to: "1.sql")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT '');", to: "2.sql")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY);", to: "3.sql")
  }

  private static let dropLedger = ["history", "schemas", "meta"].map { "DROP TABLE _schemakit_\($0);" }.joined()

  /// The codes that `doctor` finds in a file; `history` must tell the same of them.
  private func codes(_ name: String = "a.db") throws -> [String] {
    let doctor = try folder.run("doctor", name, "--format", "json")
    let found = (doctor.json["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    let history = try folder.run("history", name, "--format", "json")
    #expect(history.status == 0)
    let told = (history.json["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    #expect(told == found.filter { ["SD204", "SD205"].contains($0) })
    let text = try folder.run("history", name)
    for code in told { #expect(text.lastLine.hasPrefix(code), "\(text.output)") }
    if told.contains("SD205") { #expect(doctor.status == 2) }
    return found
  }

  private func apply(_ schema: String, _ more: String..., to name: String = "a.db") throws {
    let run = try CommandRun(["apply", name, "--to", schema, "--yes", "--create"] + more, in: folder)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("a file that only SchemaKit changed has no finding, from its adoption to an undo")
  func fitting() throws {
    try folder.database("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)")
    #expect(try codes() == [])
    try apply("1.sql")
    #expect(try codes() == [])
    try apply("2.sql")
    #expect(try codes() == [])
    #expect(try folder.run("undo", "a.db", "--yes").status == 0)
    #expect(try codes() == [])
    try folder.database("a.db", "CREATE TABLE of_others (a); ANALYZE")
    #expect(try codes() == [])
  }

  @Test(
    "a schema that something else changed is told, until apply has found that the file has one",
    arguments: [false, true])
  func changedElsewhere(isAdopted: Bool) throws {
    if isAdopted { try folder.database("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)") }
    try apply("1.sql")
    try folder.database("a.db", "ALTER TABLE t DROP COLUMN a")
    #expect(try codes() == ["SD204"])
    #expect(try folder.run("undo", "a.db", "--yes").status == (isAdopted ? 1 : 4))
    try apply("3.sql")
    #expect(try codes() == [])
  }

  @Test("a history that came from another file is told")
  func otherFile() throws {
    try apply("2.sql", to: "other.db")
    try folder.database("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)")
    let other = folder.url("other.db").path
    let copies = ["history", "schemas", "meta"].map { "INSERT INTO _schemakit_\($0) SELECT * FROM o._schemakit_\($0);" }
    try apply("1.sql")
    let empty = ["history", "schemas", "meta"].map { "DELETE FROM _schemakit_\($0);" }
    try folder.database("a.db", "ATTACH '\(other)' AS o; " + empty.joined() + copies.joined())
    #expect(try codes() == ["SD204"])
  }

  @Test("a history that was dropped is told where a table of its own is left")
  func nullsLeft() throws {
    try folder.database("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, NULL)")
    try apply("2.sql", "--no-backup")
    #expect(try codes() == [])
    try folder.database("a.db", Self.dropLedger)
    #expect(try codes() == ["SD205"])
    #expect(try folder.run("history", "a.db").output.contains("table _schemakit_nulls is left of it"))
    try apply("2.sql")
    #expect(try codes() == [])
  }

  @Test("a history that was dropped is told where kept values are left, listed or not")
  func keptLeft() throws {
    try folder.database("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'v')")
    try apply("3.sql", "--keep", "--no-backup")
    try folder.database("a.db", Self.dropLedger)
    #expect(try codes() == ["SD205", "SD203"])
    try folder.database("a.db", "DROP TABLE _schemakit_kept")
    #expect(try codes() == ["SD205"])
    try folder.database("a.db", "DROP TABLE _schemakit_kept_1")
    #expect(try codes() == [])
  }

  @Test("what a script has kept is not a trace of a history", .needs(.catalogReset))
  func keptByScript() throws {
    try folder.database("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'v')")
    let script = try folder.run("plan", "a.db", "--to", "3.sql", "--keep", "--format", "sql").output
    try folder.database("a.db", script.replacingOccurrences(of: ".bail on", with: ""))
    #expect(try codes() == ["SD203"])
  }

  @Test("a history that was dropped is told where a copy beside the file has it")
  func copyBeside() throws {
    try folder.database("a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'v')")
    try apply("3.sql", "--allow", "destructive")
    try folder.database("a.db", Self.dropLedger)
    #expect(try codes() == [], "the copy was made before there was a history")
    try folder.database("a.db", "ALTER TABLE t ADD COLUMN a TEXT; UPDATE t SET a = 'w'")
    try apply("1.sql")
    try apply("3.sql", "--allow", "destructive")
    try folder.database("a.db", Self.dropLedger)
    #expect(try codes() == ["SD205"])
    #expect(try folder.run("history", "a.db").output.contains("a.db.before-"))
  }

  @Test("a schema of models is compared by its objects where it was adopted")
  func models() throws {
    let path = folder.url("m.db").path
    try folder.database("m.db", "CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    _ = try Session(at: path, schema: ModelSchema { PetOne.self })
    #expect(try codes("m.db") == [])
    try folder.database("m.db", "DROP TABLE pets")
    #expect(try codes("m.db") == ["SD204"])
  }
}

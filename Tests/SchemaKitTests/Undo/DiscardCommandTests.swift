import Foundation
import Testing

@Suite("schemactl history --discard-kept")
struct DiscardCommandTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w); INSERT INTO t VALUES (1, 'a', 1), (2, 'b', NULL);")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);", to: "b.sql")
    _ = try folder.run("apply", "a.db", "--to", "b.sql", "--yes", "--keep")
  }

  @Test("without a terminal it takes --yes; until then it only shows what is kept")
  func confirmation() throws {
    let before = try folder.bytes("a.db")
    let run = try folder.run("history", "a.db", "--discard-kept")
    #expect(run.status == 64)
    #expect(run.output == "a.db keeps for undo:\n  entry 1   1 value of t.w in _schemakit_kept_1\n")
    #expect(run.errors.contains("pass --yes to discard this. Nothing was changed."))
    #expect(try folder.bytes("a.db") == before)
    #expect(try folder.run("history", "a.db", "--yes").status == 64)
    #expect(try folder.run("history", "none.db", "--discard-kept", "--yes").status == 1)
    #expect(!folder.exists("none.db"))
  }

  @Test("it says what was discarded; history and undo know of it; a second time there is nothing")
  func discard() throws {
    let run = try folder.run("history", "a.db", "--discard-kept", "--yes")
    #expect(run.status == 0)
    #expect(run.lastLine.hasPrefix("Discarded 1 row in 1 table."))
    #expect(try folder.run("history", "a.db").output.contains("discard 1 value of t.w kept in _schemakit_kept_1"))
    let again = try folder.run("history", "a.db", "--discard-kept")
    #expect(again.status == 0)
    #expect(again.output == "a.db keeps nothing for undo.\n")
    let undo = try folder.run("undo", "a.db", "--yes")
    #expect(undo.status == 0)
    #expect(undo.errors.contains("The values of column t.w in 1 row are gone."))
    #expect(try folder.rows(of: "a.db", "SELECT w FROM t") == [[.null], [.null]])
  }

  @Test("JSON has what was discarded, and --quiet has nothing")
  func json() throws {
    let json = try folder.run("history", "a.db", "--discard-kept", "--yes", "--format", "json").json
    #expect(json["outcome"] as? String == "discarded")
    let kept = try #require((json["kept"] as? [[String: Any]])?.first)
    #expect(kept["object"] as? String == "t.w")
    #expect(kept["rows"] as? Int == 1)
    #expect(kept["entry"] as? Int == 1)
    let again = try folder.run("history", "a.db", "--discard-kept", "--yes", "--format", "json").json
    #expect(again["outcome"] as? String == "unchanged")
    #expect(try folder.run("history", "a.db", "--discard-kept", "--yes", "--quiet").output.isEmpty)
  }

  @Test("a locked database exits with 5 and keeps everything")
  func locked() throws {
    let other = try RawSQLite(folder.url("a.db").path)
    defer { other.close() }
    try other.exec("BEGIN IMMEDIATE")
    let run = try folder.run("history", "a.db", "--discard-kept", "--yes", "--lock-timeout", "0.1")
    #expect(run.status == 5)
    #expect(run.errors.contains("a.db is locked by another program"))
    try other.exec("ROLLBACK")
    #expect(try folder.rows(of: "a.db", "SELECT count(*) FROM _schemakit_kept_1") == [[.int(1)]])
  }
}

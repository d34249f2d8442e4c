import Foundation
import Testing

@Suite("schemactl doctor and full-text indexes that triggers feed")
struct DoctorFullTextTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private static let table = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, deleted_at TEXT);
    """
  private static let rows =
    "INSERT INTO note VALUES (1, 'secret plan', NULL), (2, 'secret, deleted', '1'), (3, 'public', NULL);"

  /// An index whose triggers leave deleted rows out.
  private static func selective(_ module: String) -> String {
    let row = module == "fts5" ? "rowid" : "docid"
    let arguments = module == "fts5" ? "body, content='note', content_rowid='id'" : "content=\"note\", body"
    let delete =
      module == "fts5"
      ? "INSERT INTO note_fts (note_fts, rowid, body) VALUES ('delete', old.id, old.body)"
      : "DELETE FROM note_fts WHERE docid = old.id"
    return """
      CREATE VIRTUAL TABLE note_fts USING \(module)(\(arguments));
      CREATE TRIGGER note_ai AFTER INSERT ON note WHEN new.deleted_at IS NULL
        BEGIN INSERT INTO note_fts (\(row), body) VALUES (new.id, new.body); END;
      CREATE TRIGGER note_ad BEFORE DELETE ON note WHEN old.deleted_at IS NULL BEGIN \(delete); END;
      """
  }

  private func codes(_ arguments: String...) throws -> [String] {
    let before = try folder.bytes("a.db")
    let run = try CommandRun(["doctor", "a.db", "--format", "json"] + arguments, in: folder)
    #expect(try folder.bytes("a.db") == before, "the file was changed")
    return (run.json["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
  }

  private func found(_ word: String) throws -> [[RawValue]] {
    let file = try RawSQLite(folder.url("a.db").path)
    defer { file.close() }
    return try file.rows("SELECT rowid FROM note_fts WHERE note_fts MATCH '\(word)' ORDER BY 1")
  }

  @Test("an index that lacks nothing but what its triggers leave out is sound", arguments: ["fts5", "fts4"])
  func sound(module: String) throws {
    try folder.database("a.db", Self.table + Self.selective(module) + Self.rows)
    #expect(try codes() == [])
    #expect(try codes("--quick") == [])
    #expect(try found("secret") == [[.int(1)]])
  }

  @Test("one that differs otherwise is made anew without what its triggers leave out", arguments: ["fts5", "fts4"])
  func remedy(module: String) throws {
    try folder.database(
      "a.db", Self.table + Self.selective(module) + Self.rows + "UPDATE note SET body = 'covert plan' WHERE id = 1;")
    let run = try CommandRun(["doctor", "a.db", "--format", "json"], in: folder)
    let finding = try #require((run.json["findings"] as? [[String: Any]] ?? []).first)
    #expect(finding["code"] as? String == "SD105")
    let sql = try #require(finding["sql"] as? [String])
    #expect(sql.count == 4)
    let file = try RawSQLite(folder.url("a.db").path)
    for statement in sql { try file.exec(statement) }
    file.close()
    #expect(try found("secret") == [])
    #expect(try found("covert") == [[.int(1)]])
    #expect(try codes() == [])
  }

  @Test("where no trigger leaves rows out, missing rows are counted, and the advice says what it does")
  func missing() throws {
    try folder.database(
      "a.db",
      Self.table + Self.rows + "CREATE VIRTUAL TABLE note_fts USING fts5(body, content='note', content_rowid='id');"
        + "INSERT INTO note_fts (rowid, body) SELECT id, body FROM note WHERE id < 3;")
    let text = try folder.run("doctor", "a.db").output
    #expect(text.contains("a search misses 1 row."), "\(text)")
    #expect(text.contains("If its program leaves this row out on purpose, do not."), "\(text)")
  }

  @Test("an index of other texts than those of its content is not compared, and nobody is told to fill it")
  func otherTexts() throws {
    try folder.database(
      "a.db",
      Self.table
        + """
        CREATE VIRTUAL TABLE note_fts USING fts5(body, content='note', content_rowid='id');
        CREATE TRIGGER note_ai AFTER INSERT ON note BEGIN
          INSERT INTO note_fts (rowid, body) VALUES (new.id, replace(new.body, 'secret', '')); END;
        """ + Self.rows)
    let run = try folder.run("doctor", "a.db")
    #expect(run.output.contains("trigger note_ai fills it with something else"), "\(run.output)")
    #expect(!run.output.contains("VALUES ('rebuild')"))
  }
}

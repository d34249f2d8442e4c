import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("schemactl undo, --keep and backups")
struct UndoCommandTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "a.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w); INSERT INTO t VALUES (1, 'a', 1), (2, 'b', NULL);")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);", to: "b.sql")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix(".db") }.sorted()
  }

  @Test("--keep needs no consent and makes no copy; undo asks for --yes, brings everything back and says so")
  func keepAndUndo() throws {
    #expect(try folder.run("apply", "a.db", "--to", "b.sql", "--yes", "--keep").status == 0)
    #expect(try names() == ["a.db"])
    #expect(try folder.run("undo", "a.db").status == 64)
    let dry = try folder.run("undo", "a.db", "--yes", "--dry-run")
    #expect(dry.status == 0)
    #expect(dry.lastLine.contains("rolled back"))
    #expect(try folder.rows(of: "a.db", "SELECT * FROM t").first?.count == 2)
    let undo = try folder.run("undo", "a.db", "--yes")
    #expect(undo.status == 0)
    #expect(undo.errors.contains("undoing entry 1"))
    #expect(
      try folder.rows(of: "a.db", "SELECT id, v, w FROM t") == [
        [.int(1), .text("a"), .int(1)], [.int(2), .text("b"), .null],
      ])
    let again = try folder.run("undo", "a.db", "--yes")
    #expect(again.status == 1)
    #expect(again.errors.contains("no change in its history that could be undone"))
    #expect(try folder.run("history", "a.db").output.contains("undo entry 1"))
    #expect(try folder.run("undo", "none.db", "--yes").status == 1)
    #expect(try names() == ["a.db"])
  }

  @Test("before anything is lost a copy is made beside the database, never over another, and --no-backup makes none")
  func backups() throws {
    let apply = ["apply", "a.db", "--to", "b.sql", "--yes", "--allow", "SK102"]
    let first = try CommandRun(apply, in: folder)
    #expect(first.status == 0)
    let copies = try names().filter { $0.hasPrefix("a.db.before-") }
    #expect(copies.count == 1)
    #expect(first.errors.contains("a.db was copied to a.db.before-"))
    #expect(try folder.rows(of: copies[0], "SELECT w FROM t WHERE id = 1") == [[.int(1)]])
    #expect(try folder.rows(of: copies[0], "PRAGMA integrity_check") == [[.text("ok")]])

    // The same schema loses something once more.
    #expect(try folder.run("undo", "a.db", "--yes").status == 0)
    _ = try folder.rows(of: "a.db", "UPDATE t SET w = 5")
    #expect(try CommandRun(apply, in: folder).status == 0)
    #expect(try names().filter { $0.hasPrefix("a.db.before-") }.count == 2)
    #expect(try folder.rows(of: copies[0], "SELECT w FROM t WHERE id = 1") == [[.int(1)]])

    #expect(try folder.run("undo", "a.db", "--yes").status == 0)
    _ = try folder.rows(of: "a.db", "UPDATE t SET w = 6")
    #expect(try CommandRun(apply + ["--no-backup"], in: folder).status == 0)
    #expect(try names().filter { $0.hasPrefix("a.db.before-") }.count == 2)
    #expect(try CommandRun(apply + ["--no-backup", "--backup", "x.db"], in: folder).status == 64)
  }

  @Test("rows that come back to a parent that is gone since are refused with the place where they stand")
  func keptOrphans() throws {
    try folder.database(
      "o.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, v TEXT, p INTEGER NOT NULL REFERENCES p);
      INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1, 'a', 1), (2, 'b', 2);
      """)
    try folder.write("CREATE TABLE p (id INTEGER PRIMARY KEY);", to: "p.sql")
    #expect(try folder.run("apply", "o.db", "--to", "p.sql", "--yes", "--keep").status == 0)
    _ = try folder.rows(of: "o.db", "DELETE FROM p WHERE id = 2")
    let refused = try folder.run("undo", "o.db", "--yes")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("1 row of c would refer to rows of p that do not exist"))
    #expect(
      refused.errors.contains(
        "What was kept stands in _schemakit_kept_1, where \"_schemakit_k2\" is c.p. Insert the rows that are missing into p, "
          + "or give what was kept others to refer to, with UPDATE there."), "\(refused.errors)")
    _ = try folder.rows(of: "o.db", "UPDATE _schemakit_kept_1 SET _schemakit_k2 = 1 WHERE _schemakit_k2 = 2")
    #expect(try folder.run("undo", "o.db", "--yes").status == 0)
    #expect(
      try folder.rows(of: "o.db", "SELECT * FROM c") == [
        [.int(1), .text("a"), .int(1)], [.int(2), .text("b"), .int(1)],
      ])
  }

  @Test("the same for a column that comes back, whose parent has another name since")
  func keptOrphanValues() throws {
    try folder.database(
      "o.db",
      """
      CREATE TABLE p (id INTEGER PRIMARY KEY);
      CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p);
      INSERT INTO p VALUES (1), (2); INSERT INTO c VALUES (1, 1), (2, 2);
      """)
    try folder.write(
      "CREATE TABLE q ( -- schemakit: renamed from p\nid INTEGER PRIMARY KEY);\nCREATE TABLE c (id INTEGER PRIMARY KEY);",
      to: "q.sql")
    #expect(try folder.run("apply", "o.db", "--to", "q.sql", "--yes", "--keep").status == 0)
    _ = try folder.rows(of: "o.db", "DELETE FROM q WHERE id = 2")
    let refused = try folder.run("undo", "o.db", "--yes")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("_schemakit_kept_1, where \"_schemakit_k1\" is c.p. Insert"), "\(refused.errors)")
    #expect(refused.errors.contains("missing into q, or"))
    _ = try folder.rows(of: "o.db", "INSERT INTO q VALUES (2)")
    #expect(try folder.run("undo", "o.db", "--yes").status == 0)
    #expect(try folder.rows(of: "o.db", "SELECT * FROM c") == [[.int(1), .int(1)], [.int(2), .int(2)]])
  }

  @Test("a lossless change makes no copy unless a file is named, and a refused one never does")
  func noBackup() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w, x);", to: "c.sql")
    #expect(try folder.run("apply", "a.db", "--to", "b.sql", "--yes").status == 3)
    #expect(try folder.run("apply", "a.db", "--to", "b.sql", "--yes", "--backup", "x.db").status == 3)
    #expect(try names() == ["a.db"])
    #expect(try folder.run("apply", "a.db", "--to", "c.sql", "--yes").status == 0)
    #expect(try names() == ["a.db"])
  }

  @Test("a copy that cannot be made leaves the database alone")
  func impossibleBackup() throws {
    let run = try folder.run(
      "apply", "a.db", "--to", "b.sql", "--yes", "--allow", "SK102", "--backup", "no/such/folder/x.db")
    #expect(run.status == 1)
    #expect(try folder.rows(of: "a.db", "SELECT count(w) FROM t") == [[.int(1)]])
  }

  @Test("before values are converted a copy is made, and undo names it; where no row has any, none is")
  func conversion() throws {
    try folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER /* schemakit: convert length(v) */, w);", to: "c.sql")
    let apply = try folder.run("apply", "a.db", "--to", "c.sql", "--yes")
    #expect(apply.status == 0)
    let copy = try #require(try names().first { $0.hasPrefix("a.db.before-") })
    #expect(apply.errors.contains("a.db was copied to \(copy)"))
    #expect(try folder.rows(of: copy, "SELECT v FROM t") == [[.text("a")], [.text("b")]])
    let undo = try folder.run("undo", "a.db", "--yes")
    #expect(undo.errors.contains("The values of column t.v were converted and stay as they are now."))
    #expect(undo.errors.contains("The values from before are in a.db.before-"), "\(undo.errors)")

    try folder.database("none.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w);")
    #expect(try folder.run("apply", "none.db", "--to", "c.sql", "--yes").status == 0)
    #expect(try names().filter { $0.hasPrefix("none.db.before-") } == [])
  }

  @Test("undo names no copy that was made before another change, and none that is gone")
  func otherCopy() throws {
    let apply = ["apply", "a.db", "--to", "b.sql", "--yes", "--allow", "SK102"]
    #expect(try CommandRun(apply, in: folder).status == 0)
    #expect(try folder.run("undo", "a.db", "--yes").errors.contains("The values from before are in a.db.before-"))
    _ = try folder.rows(of: "a.db", "UPDATE t SET w = 5")
    #expect(try CommandRun(apply + ["--no-backup"], in: folder).status == 0)
    #expect(try !folder.run("undo", "a.db", "--yes").errors.contains("The values from before"))
    _ = try folder.rows(of: "a.db", "UPDATE t SET w = 6")
    #expect(try CommandRun(apply + ["--backup", "kept.db"], in: folder).status == 0)
    try FileManager.default.createDirectory(at: folder.url("d"), withIntermediateDirectories: false)
    try FileManager.default.moveItem(at: folder.url("kept.db"), to: folder.url("d/kept.db"))
    #expect(try !folder.run("undo", "a.db", "--yes").errors.contains("The values from before"))
  }

  @Test("undo names the copy also behind a long list of what does not come back, and counts no remark as a loss")
  func copyBehindLongList() throws {
    let texts = ["a", "b", "c", "d", "e"]
    try folder.database(
      "w.db",
      "CREATE TABLE w (id INTEGER PRIMARY KEY, \(texts.map { "\($0) TEXT" }.joined(separator: ", ")));"
        + "INSERT INTO w VALUES (1, \(texts.map { _ in "'n/a'" }.joined(separator: ", ")));")
    let columns = texts.map { "\($0) INTEGER /* schemakit: convert CAST(\($0) AS INTEGER) */" }
    try folder.write("CREATE TABLE w (id INTEGER PRIMARY KEY, \(columns.joined(separator: ", ")));", to: "w.sql")
    #expect(try folder.run("apply", "w.db", "--to", "w.sql", "--yes").status == 0)
    let undo = try folder.run("undo", "w.db", "--yes").errors
    #expect(undo.contains("The values of column w.a were converted and stay as they are now."), "\(undo)")
    #expect(undo.contains("The values from before are in w.db.before-") && !undo.contains("that changed in"), "\(undo)")
  }

  @Test("a copy that somebody's writing overtakes is made anew under the lock")
  func overtakenCopy() throws {
    let path = folder.url("a.db").path
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    let copy = try MigrationBackup.copy(connection, to: path + ".copy")
    let first = try connection.transaction(.immediate) { () -> Data in
      try copy.renewIfStale(for: connection)
      return try folder.bytes("a.db.copy")
    }
    _ = try folder.rows(of: "a.db", "INSERT INTO t VALUES (3, 'late', 3)")
    try connection.transaction(.immediate) { try copy.renewIfStale(for: connection) }
    #expect(try folder.rows(of: "a.db.copy", "SELECT v FROM t WHERE id = 3") == [[.text("late")]])
    #expect(try folder.bytes("a.db.copy") != first)
    #expect(throws: SQLiteError.self) { try MigrationBackup.copy(connection, to: copy.path) }
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(left.filter { $0.contains(".part-") } == [])
  }

  @Test("a copy can be read by those who can read the database, and by nobody else")
  func rightsOfCopies() throws {
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.url("a.db").path)
    let apply = ["apply", "a.db", "--to", "b.sql", "--yes", "--allow", "SK102", "--backup", "copy.db"]
    #expect(try CommandRun(apply, in: folder).status == 0)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url("copy.db").path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try names() == ["a.db", "copy.db"])
  }

  @Test("a damaged database is named as such where its copy finds that out, and no copy is left")
  func damagedSource() throws {
    try folder.database(
      "big.db",
      """
      PRAGMA page_size = 4096; CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, 'row ' || i, 1 FROM n;
      """)
    var bytes = try folder.bytes("big.db")
    bytes.replaceSubrange(4096 * 9..<4096 * 10, with: Data(repeating: 0x5A, count: 4096))
    try bytes.write(to: folder.url("big.db"))
    let run = try folder.run("apply", "big.db", "--to", "b.sql", "--yes", "--quick", "--allow", "SK102")
    let found = EncryptedFiles.areOn ? "HMAC verification failed" : "its copy does not pass quick_check: "
    #expect(run.status == 1 && run.errors.contains("big.db is damaged: \(found)"), "\(run.errors)")
    #expect(try names() == ["a.db", "big.db"] && folder.bytes("big.db") == bytes)
  }

  @Test("a copy that cannot be written says so, that nothing was changed, and what to do")
  func unwritableCopy() throws {
    let name = String(repeating: "x", count: 300)
    let run = try folder.run("apply", "a.db", "--to", "b.sql", "--yes", "--allow", "SK102", "--backup", name)
    #expect(run.status == 1)
    #expect(run.errors.contains("a.db cannot be copied to xxx"))
    #expect(run.errors.contains("Nothing was changed. Name another place with --backup, or go without one"))
  }

  @Test("every level of verification applies the same change, and an unknown one is wrong usage")
  func verification() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT, w, CHECK (id > 0));", to: "c.sql")
    for level in ["full", "counts", "paranoid"] {
      let run = try folder.run(
        "apply", "a.db", "--to", "c.sql", "--yes", "--strategy", "rebuild", "--verify", level, "--format", "json")
      #expect(run.status == 0)
      #expect(run.json["verificationMilliseconds"] is Int)
      let statements =
        (run.json["steps"] as? [[String: Any]])?.flatMap { $0["statements"] as? [[String: Any]] ?? [] } ?? []
      let proofs = statements.filter { $0["role"] as? String == "verification" }
      // The rows, their values, and what the new CHECK says of them.
      #expect(proofs.count == (level == "counts" ? 2 : 3))
      #expect(try folder.rows(of: "a.db", "SELECT id, v, w FROM t").count == 2)
      #expect(try folder.run("undo", "a.db", "--yes").status == 0)
    }
    #expect(try folder.run("apply", "a.db", "--to", "c.sql", "--yes", "--verify", "some").status == 64)
  }
}

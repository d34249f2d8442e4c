import Foundation
import Testing

@Suite("schemactl doctor")
struct DoctorCommandTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  /// Makes a database and returns the codes that are found in it, with the exit code.
  private func codes(_ sql: String, _ arguments: String..., damaging change: (inout Data) -> Void = { _ in }) throws
    -> (
      [String], Int32
    )
  {
    try folder.database("a.db", sql)
    var bytes = try folder.bytes("a.db")
    change(&bytes)
    try bytes.write(to: folder.url("a.db"))
    let run = try CommandRun(["doctor", "a.db", "--format", "json"] + arguments, in: folder)
    #expect(try folder.bytes("a.db") == bytes, "the file was changed")
    let findings = run.json["findings"] as? [[String: Any]] ?? []
    return (findings.compactMap { $0["code"] as? String }, run.status)
  }

  private static let rows = """
    CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t (a);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO t SELECT i, 'row ' || i FROM n;
    """

  @Test("a healthy file has no finding and exits with 0")
  func healthy() throws {
    #expect(try codes(Self.rows) == ([], 0))
    let run = try folder.run("doctor", "a.db")
    #expect(run.status == 0)
    #expect(run.output.hasSuffix("\nhealthy: a.db, by integrity_check\n"))
    #expect(run.output.contains("1 table, 1 index; no history of SchemaKit's"))
    #expect(try folder.run("doctor", "a.db", "--quick").output.hasSuffix("by quick_check\n"))
    let quiet = try folder.run("doctor", "a.db", "-q")
    #expect(quiet.status == 0 && quiet.output == "" && quiet.errors == "")
  }

  @Test("the key of a WITHOUT ROWID table holds no NULL, in whatever order SQLite checks its columns")
  func keyInAnotherOrder() throws {
    let table =
      "DROP TABLE IF EXISTS t; CREATE TABLE t (a TEXT, b TEXT NOT NULL, c TEXT NOT NULL, PRIMARY KEY (c)) WITHOUT ROWID;"
    #expect(try codes(table + "INSERT INTO t VALUES (NULL, 'y', 'z')") == ([], 0))
    #expect(try codes(table + "INSERT INTO t VALUES (NULL, 'y', 'z')", "--quick") == ([], 0))
    let broken = """
      DROP TABLE t; CREATE TABLE t (a TEXT, b TEXT, c TEXT NOT NULL, PRIMARY KEY (c)) WITHOUT ROWID;
      INSERT INTO t VALUES (1, NULL, 'z');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE TABLE t (a TEXT, b TEXT NOT NULL, c TEXT NOT NULL, PRIMARY KEY (c)) WITHOUT ROWID';
      """
    #expect(try codes(broken) == (["SD102"], 2))
  }

  @Test("a page that was overwritten is damage, and exits with 1")
  func damagedPage() throws {
    let found = try codes(Self.rows) { bytes in
      bytes.replaceSubrange(4096 * 5..<4096 * 6, with: Data(repeating: 0x5A, count: 4096))
    }
    #expect(found.0.contains("SD101") && found.1 == 1)
    let run = try folder.run("doctor", "a.db")
    #expect(run.output.contains("! SD101  error: damaged file") && run.output.contains(".recover"))
  }

  @Test("an index that has lost a row is damage that REINDEX mends")
  func damagedIndex() throws {
    let sql = """
      CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1), (2); PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE INDEX i ON t (a DESC)' WHERE name = 'i';
      """
    #expect(try codes(sql) == (["SD101"], 1))
    #expect(try folder.run("doctor", "a.db").output.contains("REINDEX;"))
    try folder.database("a.db", "REINDEX")
    #expect(try folder.run("doctor", "a.db").status == 0)
  }

  @Test("a file that was cut, one that is not a database and one that is not there are errors")
  func unreadable() throws {
    #expect(try codes(Self.rows) { $0 = $0.prefix($0.count / 2 + 100) }.1 == 1)
    try folder.write(String(repeating: "no database at all. ", count: 100), to: "not.db")
    let run = try folder.run("doctor", "not.db")
    #expect(run.status == 1 && run.errors.contains("not.db is encrypted, or not an SQLite database"))
    let missing = try folder.run("doctor", "gone.db")
    #expect(missing.status == 1 && !folder.exists("gone.db"))
  }

  @Test("rows that break a CHECK, and rows without their parent, are counted")
  func rows() throws {
    let sql = """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p, n CHECK (n > 0));
      CREATE INDEX c_by_p ON c (p);
      PRAGMA ignore_check_constraints = ON; INSERT INTO c VALUES (1, 7, 1), (2, 8, -1), (3, NULL, -1);
      """
    #expect(try codes(sql) == (["SD102", "SD103"], 2))
    let output = try folder.run("doctor", "a.db").output
    #expect(output.contains("CHECK constraint failed in c, in 2 rows."))
    #expect(output.contains("2 rows of c (id 1, 2) refer to rows of p that do not exist."))
  }

  @Test("what does not compile, and foreign keys without an index, are those of lint")
  func schema() throws {
    let sql = """
      CREATE TABLE p (id INTEGER PRIMARY KEY); CREATE TABLE c (p INTEGER REFERENCES p, day DATE);
      CREATE VIEW v AS SELECT b FROM p; CREATE TRIGGER g AFTER INSERT ON p BEGIN INSERT INTO gone VALUES (1); END;
      CREATE VIEW w AS SELECT * FROM p WHERE id = "one";
      """
    let found = try codes(sql)
    #expect(Set(found.0) == ["SL101", "SL401", "SL501", "SL502"] && found.1 == 2)
  }

  @Test("leftovers, kept rows and a damaged history are told apart")
  func ownTables() throws {
    #expect(try codes("CREATE TABLE t (a); CREATE TABLE _schemakit_new_t (a);") == (["SD201"], 2))
    try folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);", to: "1.sql")
    try folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY);", to: "2.sql")
    _ = try folder.run("apply", "k.db", "--to", "1.sql", "--yes", "--create")
    try folder.database("k.db", "INSERT INTO a VALUES (1, 'v')")
    _ = try folder.run("apply", "k.db", "--to", "2.sql", "--yes", "--keep")
    let kept = try folder.run("doctor", "k.db")
    #expect(kept.status == 0)
    #expect(kept.output.contains("· SD203  note") && kept.output.contains("history with 2 entries"))
    try folder.database("k.db", "UPDATE _schemakit_meta SET value = 99 WHERE key = 'format'")
    let newer = try folder.run("doctor", "k.db")
    #expect(newer.status == 2 && newer.output.contains("! SD202  warning") && newer.output.contains("format 99"))
    #expect(newer.output.contains("a history that cannot be read"))
  }

  @Test("a file that serves an older program, or has something left to remove, is a note until that ends")
  func expanded() throws {
    try folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);", to: "1.sql")
    try folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY, y TEXT -- schemakit: renamed from x\n);", to: "2.sql")
    _ = try folder.run("apply", "e.db", "--to", "1.sql", "--yes", "--create")
    #expect(try folder.run("apply", "e.db", "--to", "2.sql", "--yes", "--expand").status == 0)
    let expanded = try folder.run("doctor", "e.db")
    #expect(expanded.status == 0 && expanded.output.contains("· SD206  note"))
    #expect(try folder.run("apply", "e.db", "--to", "2.sql", "--yes", "--contract").status == 0)
    #expect(try !folder.run("doctor", "e.db").output.contains("SD206"))
  }

  @Test("the record of rows whose NULL was replaced is not a leftover, but a trace when the history is gone")
  func replacedNulls() throws {
    try folder.write("CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT NOT NULL DEFAULT '');", to: "1.sql")
    try folder.database(
      "n.db", "CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT); INSERT INTO a VALUES (1, NULL), (2, 'v')")
    #expect(try folder.run("apply", "n.db", "--to", "1.sql", "--yes", "--create").status == 0)
    #expect(try folder.rows(of: "n.db", "SELECT count(*) FROM _schemakit_nulls") == [[.int(1)]])
    let run = try folder.run("doctor", "n.db")
    #expect(run.status == 0 && run.output.contains("healthy"), "\(run.output)")
    let own = ["history", "schemas", "meta"].map { "DROP TABLE _schemakit_\($0);" }.joined()
    try folder.database("n.db", own)
    #expect(try folder.run("doctor", "n.db").output.contains("SD205"))
  }

  @Test("tables without statistics, and pages that hold nothing, are notes")
  func storage() throws {
    #expect(
      try codes(
        "CREATE TABLE t (a); CREATE INDEX i ON t (a); INSERT INTO t VALUES (1); ANALYZE; CREATE TABLE u (a); INSERT INTO u VALUES (1)"
      )
        == (["SD303"], 0))
    try folder.database(
      "b.db",
      "CREATE TABLE t (a); WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) "
        + "INSERT INTO t SELECT zeroblob(4000) FROM n; DELETE FROM t WHERE rowid > 100")
    let run = try folder.run("doctor", "b.db")
    #expect(run.status == 0 && run.output.contains("· SD304  note") && run.output.contains("of them free"))
  }

  @Test("a file that somebody writes to in WAL mode is examined all the same")
  func activeWriter() throws {
    let writer = try RawSQLite(folder.url("w.db").path)
    defer { writer.close() }
    try writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (a); BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
    let run = try folder.run("doctor", "w.db")
    #expect(run.status == 0 && run.output.contains("journal mode wal, write-ahead log"))
    try writer.exec("COMMIT")
    #expect(try writer.rows("SELECT a FROM t") == [[.int(1)]])
  }

  @Test("a file that is locked exits with 5")
  func locked() throws {
    let writer = try RawSQLite(folder.url("l.db").path)
    defer { writer.close() }
    try writer.exec("CREATE TABLE t (a); BEGIN EXCLUSIVE")
    #expect(try folder.run("doctor", "l.db", "--lock-timeout", "0.1").status == 5)
  }

  @Test("the journal of a program that was stopped is told of, and the file is whole")
  func hotJournal() throws {
    let writer = try RawSQLite(folder.url("h.db").path)
    defer { writer.close() }
    try writer.exec("CREATE TABLE t (a); INSERT INTO t VALUES (1); PRAGMA cache_size = 5; BEGIN IMMEDIATE")
    try writer.exec(
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) INSERT INTO t SELECT zeroblob(4000) FROM n"
    )
    // A copy of the moment, as a crash leaves it.
    for name in ["h.db", "h.db-journal"] {
      try folder.bytes(name).write(to: folder.url(name.replacingOccurrences(of: "h.db", with: "x.db")))
    }
    let run = try folder.run("doctor", "x.db")
    #expect(run.status == 0 && run.output.contains("· SD301  note") && run.output.contains("took it back"))
    #expect(try folder.rows(of: "x.db", "SELECT count(*) FROM t") == [[.int(1)]])
  }

  @Test("Ctrl-C stops the check and exits with 130")
  func interruption() throws {
    // Takes longer for all rows than anybody waits.
    try folder.database(
      "s.db",
      "CREATE TABLE t (a CHECK (length(hex(zeroblob(100000 + a))) > 0)); PRAGMA ignore_check_constraints = ON;"
        + "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300000) INSERT INTO t SELECT i FROM n;"
    )
    let schemactl = CommandRun.schemactl
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", "\(schemactl) doctor s.db & p=$!; sleep 2; kill -INT $p; wait $p"]
    process.currentDirectoryURL = folder.url
    let errors = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = errors
    try process.run()
    let text = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
    #expect(text.contains("schemactl: checking the file for damage …"))
    #expect(text.contains("interrupted"))
  }

  private static let search = """
    CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT);
    INSERT INTO books VALUES (1, 'Persuasion'), (2, 'Emma');
    CREATE VIRTUAL TABLE search USING fts5(title, content='books', content_rowid='id');
    """
  private static let rebuild = "INSERT INTO search (search) VALUES ('rebuild');"

  @Test("a full-text index that was never filled, or was written past, is found, and SQLite mends it")
  func fullTextIndex() throws {
    #expect(try codes(Self.search) == (["SD105"], 2))
    let text = try folder.run("doctor", "a.db").output
    #expect(text.contains("Full-text index search is not what the texts of books make of it"), "\(text)")
    #expect(text.contains(Self.rebuild))
    try folder.database("a.db", Self.rebuild)
    #expect(try folder.run("doctor", "a.db").status == 0)
    try folder.database("a.db", "UPDATE books SET title = 'Sanditon' WHERE id = 1")
    #expect(try folder.run("doctor", "a.db").status == 2)
    #expect(try folder.run("doctor", "a.db", "--quick").status == 0)
  }

  @Test("a full-text index that holds its texts itself is compared with them")
  func ownFullTextIndex() throws {
    let sql = """
      CREATE VIRTUAL TABLE search USING fts5(title);
      INSERT INTO search VALUES ('Persuasion');
      """
    #expect(try codes(sql) == ([], 0))
    try folder.database("a.db", "UPDATE search_content SET c0 = 'Emma'")
    let text = try folder.run("doctor", "a.db").output
    #expect(text.contains("SD105") && text.contains("Full-text index search is not what its texts make of it"))
    try folder.database("a.db", Self.rebuild)
    #expect(try folder.run("doctor", "a.db").status == 0)
  }

  @Test("a full-text index whose content is gone is named")
  func fullTextWithoutContent() throws {
    try folder.database("a.db", Self.search + "DROP TABLE books;")
    let run = try folder.run("doctor", "a.db")
    #expect(run.status == 2)
    #expect(run.output.contains("Full-text index search cannot be compared with its texts; SQLite says: "))
  }

  @Test("while somebody writes, full-text indexes are not compared, and that is said")
  func fullTextUnderLock() throws {
    try folder.database("a.db", "PRAGMA journal_mode = wal;" + Self.search + Self.rebuild)
    let other = try RawSQLite(folder.url("a.db").path)
    defer { other.close() }
    try other.exec("BEGIN IMMEDIATE")
    let run = try folder.run("doctor", "a.db")
    #expect(run.output.contains("was not compared with its texts: somebody else is writing"))
  }

  @Test("a full-text index without texts is not a fault", arguments: ["fts5(t, content='')", "fts4(t, content='')"])
  func contentless(module: String) throws {
    let sql = "CREATE VIRTUAL TABLE search USING \(module); INSERT INTO search (rowid, t) VALUES (1, 'a');"
    #expect(try codes(sql) == ([], 0))
  }

  @Test("a table with a function of another program hides no damage of others")
  func foreignFunction() throws {
    func codes(damaging change: (inout Data) -> Void = { _ in }) throws -> ([String], Int32) {
      try? FileManager.default.removeItem(at: folder.url("a.db"))
      return try self.codes(Self.foreign, damaging: change)
    }
    #expect(try codes() == (["SD104"], 2))
    #expect(try folder.run("doctor", "a.db").output.contains("Table u cannot be checked row by row; SQLite says: "))
    let found = try codes { bytes in
      bytes.replaceSubrange(4096 * 5..<4096 * 6, with: Data(repeating: 0x5A, count: 4096))
    }
    #expect(found.0.contains("SD101") && found.0.contains("SD104") && found.1 == 1, "\(found)")
  }

  private static let foreign = """
    PRAGMA page_size = 4096; \(rows) CREATE TABLE u (a); INSERT INTO u VALUES (1); PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = 'CREATE TABLE u (a CHECK (mine(a)))' WHERE name = 'u';
    """
}

import Foundation
import SchemaKitRemote
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Commands with databases on libSQL servers")
struct LibSQLCommandTests {
  private static let before = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE note (id INTEGER PRIMARY KEY, author INTEGER REFERENCES author ON DELETE CASCADE, text TEXT);
    INSERT INTO author VALUES (1, 'Ada'); INSERT INTO note VALUES (1, 1, 'Engine'), (2, 1, NULL);
    """
  private static let after = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE note (id INTEGER PRIMARY KEY, author INTEGER REFERENCES author ON DELETE CASCADE, text TEXT CHECK (text <> ''));
    """
  private static let marker = "eyJmarker.of.the-token"

  private func run(
    _ arguments: [String], in folder: CommandFolder, _ environment: [String: String] = [:]
  ) throws -> CommandRun {
    try CommandRun(arguments, in: folder, program: "remote-tool", environment: environment)
  }

  @Test(
    "an address with a secret, or one that nobody agreed to, is wrong usage, and the secret is not repeated",
    arguments: ["plan", "apply", "check", "history", "undo", "inspect", "diff", "doctor", "lint"])
  func addresses(command: String) throws {
    let folder = try CommandFolder()
    try folder.write(Self.after, to: "s.sql")
    for address in [
      "libsql://notes.turso.io?authToken=\(Self.marker)", "https://x.example/?token=\(Self.marker)",
      "http://ada:\(Self.marker)@127.0.0.1:1/", "libsql://x.example/#\(Self.marker)",
      "--to=libsql://x.example?jwt=\(Self.marker)",
    ] {
      for program in ["remote-tool", "schemactl"] {
        let result = try CommandRun([command, "s.db", address, "-v"], in: folder, program: program)
        #expect(result.status == 64, "\(result.errors)")
        #expect(!(result.output + result.errors).contains(Self.marker), "\(result.errors)")
      }
    }
    try folder.write(
      "database = \"libsql://x.example?authToken=\(Self.marker)\"\nschema = \"s.sql\"\n", to: "schemactl.toml")
    let settings = try run([command], in: folder)
    #expect(settings.status != 0)
    #expect(!(settings.output + settings.errors).contains(Self.marker), "\(settings.errors)")
  }

  @Test("a token over http to another machine, and one for two hosts, are refused")
  func hosts() throws {
    let folder = try CommandFolder()
    try folder.write(Self.after, to: "s.sql")
    let token = ["SCHEMACTL_TOKEN": Self.marker]
    let clear = try run(["plan", "http://192.0.2.1", "--to", "s.sql", "--insecure"], in: folder, token)
    #expect(clear.status == 64)
    #expect(clear.errors.contains("over http"), "\(clear.errors)")
    let far = try run(["plan", "http://192.0.2.1", "--to", "s.sql"], in: folder)
    #expect(far.status == 64)
    #expect(far.errors.contains("--insecure"), "\(far.errors)")
    let two = try run(["diff", "http://127.0.0.1:1", "http://localhost:1"], in: folder, token)
    #expect(two.status == 64)
    #expect(two.errors.contains("different hosts"), "\(two.errors)")
    let plan = try run(["plan", "http://127.0.0.1:1", "--to", "https://x.invalid"], in: folder, token)
    #expect(plan.status == 64)
    #expect(plan.errors.contains("different hosts"), "\(plan.errors)")
    try folder.write("", to: "empty")
    for file in ["empty", "missing"] {
      let result = try run(["plan", "http://127.0.0.1:1", "--to", "s.sql", "--token-file", file], in: folder)
      #expect(result.status == (file == "empty" ? 64 : 1), "\(result.errors)")
    }
  }

  @Test(
    "a token is sent, and stands in no output, error, saved plan, copy or history", .enabled(if: SqldServer.isWanted))
  func tokenIsNowhere() throws {
    let folder = try CommandFolder()
    let server = try SqldServer(token: folder.url("token"))
    let token = try String(contentsOf: folder.url("token"), encoding: .utf8).trimmingCharacters(in: .newlines)
    try #require(token.count > 40)
    let given = try ServerToken(token)
    let connection = try LibSQLConnection(to: server.address, token: given)
    try connection.execute(Self.before)
    try folder.write(Self.after, to: "s.sql")
    try folder.write("CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", to: "less.sql")
    let address = server.address
    let runs: [([String], [Int32])] = [
      (["plan", address, "--to", "s.sql", "-v"], [0]), (["plan", address, "--to", "s.sql", "--format", "json"], [0]),
      (["plan", address, "--to", "s.sql", "--out", "plan.json"], [0]),
      (["check", address, "--to", "s.sql", "-v"], [2]),
      (["apply", address, "--plan", "plan.json", "--yes", "-v"], [0]),
      (["apply", address, "--to", "less.sql", "--yes", "--allow", "destructive", "--format", "ndjson"], [0]),
      (["apply", address, "--to", "missing.sql", "--yes", "-v"], [1]), (["history", address, "--format", "json"], [0]),
      (["inspect", address], [0]), (["undo", address, "--yes", "-v"], [0]), (["diff", address, "s.sql"], [0, 2]),
      (["doctor", address], [64]), (["plan", address + "1", "--to", "s.sql", "-v"], [1, 64]),
      (["plan", address, "--to", "s.sql", "--token", "x"], [64]),
    ]
    var written = ""
    for (arguments, statuses) in runs {
      for way in [arguments + ["--token-file", "token"], arguments] {
        let isFile = way.count > arguments.count
        guard !isFile || ["plan", "check", "inspect"].contains(arguments[0]) else { continue }
        let result = try run(way, in: folder, isFile ? [:] : ["SCHEMACTL_TOKEN": token])
        #expect(statuses.contains(result.status), "\(way) \(result.status) \(result.errors)")
        written += result.output + result.errors
      }
    }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where name != "token" {
      written += String(decoding: try folder.bytes(name), as: UTF8.self)
    }
    for table in try connection.texts("SELECT name FROM sqlite_schema WHERE type = 'table'") {
      written += "\(try connection.rows("SELECT * FROM \(SQLQuoting.identifier(table))"))"
    }
    #expect(written.contains("CHECK"))
    #expect(!written.contains(token))
    #expect(!written.contains(token.split(separator: ".")[2]))
    // Without it, or with another one, nothing is answered.
    for environment in [[:], ["SCHEMACTL_TOKEN": Self.marker]] {
      let result = try run(["plan", address, "--to", "s.sql", "-v"], in: folder, environment)
      #expect(result.status == 1)
      #expect(result.errors.contains("SCHEMACTL_TOKEN"), "\(result.errors)")
      #expect(!result.errors.contains(Self.marker))
    }
  }

  @Test("plan, apply, check, history, inspect, diff and undo work on a server", .enabled(if: SqldServer.isWanted))
  func commands() throws {
    let server = try SqldServer()
    let folder = try CommandFolder()
    let address = server.address
    try server.connection().execute(Self.before)
    try folder.write(Self.after, to: "s.sql")
    #expect(try run(["check", address, "--to", "s.sql"], in: folder).status == 2)
    #expect(try run(["plan", address, "--to", "s.sql", "--out", "plan.json"], in: folder).status == 0)
    let applied = try run(["apply", address, "--plan", "plan.json", "--yes"], in: folder)
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try run(["check", address, "--to", "s.sql"], in: folder).status == 0)
    #expect(try run(["plan", "new.db", "--to", address], in: folder).output.contains("note"))
    #expect(try server.connection().integer("SELECT count(*) FROM note") == 2)
    #expect(try run(["history", address], in: folder).output.contains("note"))
    #expect(try run(["inspect", address], in: folder).output.contains("CHECK (text <> '')"))
    #expect(try run(["undo", address, "--yes"], in: folder).status == 0)
    #expect(try run(["check", address, "--to", "s.sql"], in: folder).status == 2)
    #expect(try server.connection().integer("SELECT count(*) FROM note") == 2)
  }

  @Test(
    "a plan saved for libSQL is applied to a server and to a file, and one for more is refused by name",
    .enabled(if: SqldServer.isWanted))
  func samePlan() throws {
    let server = try SqldServer()
    let folder = try CommandFolder()
    let address = server.address
    try server.connection().execute(Self.before)
    try folder.database("notes.db", Self.before)
    try folder.write(Self.after, to: "s.sql")
    #expect(
      try run(["plan", "notes.db", "--to", "s.sql", "--profile", "libsql", "--out", "l.json"], in: folder).status == 0)
    let saved = try folder.bytes("l.json")
    #expect(try run(["plan", "notes.db", "--to", "s.sql", "--out", "local.json"], in: folder).status == 0)
    #expect(
      try run(["plan", "notes.db", "--to", "s.sql", "--profile", "dqlite", "--out", "d.json"], in: folder).status == 0)
    for plan in ["local.json", "d.json"] {
      let refused = try run(["apply", address, "--plan", plan, "--yes"], in: folder)
      #expect(refused.status == 4, "\(plan) \(refused.errors)")
      #expect(refused.errors.contains("note"), "\(refused.errors)")
    }
    for place in [address, "notes.db"] {
      let applied = try run(["apply", place, "--plan", "l.json", "--yes"], in: folder)
      #expect(applied.status == 0, "\(applied.errors)")
      #expect(try run(["check", place, "--to", "s.sql"], in: folder).status == 0)
    }
    #expect(try folder.bytes("l.json") == saved)
    let there = try server.connection().texts(
      "SELECT sql FROM sqlite_schema WHERE name IN ('note', 'author') ORDER BY name")
    let here = try folder.rows(
      of: "notes.db", "SELECT sql FROM sqlite_schema WHERE name IN ('note', 'author') ORDER BY name")
    #expect(here.map { $0[0] } == there.map { .text($0) })
    #expect(try server.connection().integer("SELECT count(*) FROM note") == 2)
  }

  @Test("before values are lost, the whole database is copied to this machine", .enabled(if: SqldServer.isWanted))
  func copies() throws {
    let server = try SqldServer()
    let folder = try CommandFolder()
    let connection = try server.connection()
    try connection.execute(Self.before)
    try connection.execute(
      """
      CREATE TABLE odd (k TEXT COLLATE NOCASE, n REAL, b, g AS (n * 2), PRIMARY KEY (k, n DESC)) WITHOUT ROWID;
      CREATE TABLE seq (id INTEGER PRIMARY KEY AUTOINCREMENT, v, UNIQUE (v));
      CREATE TABLE hidden (rowid TEXT, v);
      CREATE TABLE nameless (rowid TEXT, oid INTEGER, _rowid_ UNIQUE);
      INSERT INTO nameless VALUES ('x', 3, 2), ('y', 1, 1), ('z', 2, 3); DELETE FROM nameless WHERE oid = 3;
      CREATE VIRTUAL TABLE words USING fts5 (text, content='note', content_rowid='id');
      CREATE VIRTUAL TABLE own USING fts5 (text);
      CREATE VIRTUAL TABLE place USING rtree (id, a, b);
      CREATE VIEW v AS SELECT * FROM note;
      CREATE INDEX by_text ON note (text COLLATE NOCASE DESC) WHERE text IS NOT NULL;
      CREATE TRIGGER tr AFTER INSERT ON note BEGIN INSERT INTO own VALUES (new.text); END;
      INSERT INTO odd VALUES ('a', 1e999, X'00'), ('B', -1e999, CAST(X'61ff00' AS TEXT)), ('c', 0.1, NULL);
      INSERT INTO seq VALUES (7, 'x'); DELETE FROM seq; INSERT INTO seq (v) VALUES (CAST('a' || char(0) || 'b' AS TEXT));
      INSERT INTO hidden (_rowid_, rowid, v) VALUES (-5, 'x', 9223372036854775807), (9, 'y', '1');
      INSERT INTO words (rowid, text) SELECT id, text FROM note; INSERT INTO own VALUES ('the engine'); INSERT INTO place VALUES (1, 0, 1);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO odd SELECT 'k' || i, i, randomblob(300) FROM n;
      PRAGMA user_version = 12
      """)
    try folder.write("CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", to: "s.sql")
    func digest(_ rows: (String) throws -> String) throws -> [String] {
      try [
        "SELECT group_concat(quote(k) || quote(n) || hex(b) || typeof(b)) FROM (SELECT * FROM odd ORDER BY k, n)",
        "SELECT group_concat(_rowid_ || quote(rowid) || quote(v)) FROM hidden",
        "SELECT id || hex(v) || typeof(v) || (SELECT group_concat(name || seq) FROM sqlite_sequence) FROM seq",
        "SELECT group_concat(rowid || oid || _rowid_) FROM nameless NOT INDEXED",
        "SELECT group_concat(rowid) FROM words WHERE words MATCH 'engine'",
        "SELECT group_concat(text) FROM own WHERE own MATCH 'engine'", "SELECT group_concat(id || a || b) FROM place",
        "SELECT group_concat(type || name || coalesce(sql, '')) FROM (SELECT * FROM sqlite_schema ORDER BY type, name)",
      ].map(rows)
    }
    let there = try digest { try "\(connection.value($0) ?? .null)" }
    let arguments = ["apply", server.address, "--to", "s.sql", "--yes", "--allow", "destructive"]
    let applied = try run(arguments, in: folder)
    #expect(applied.status == 0, "\(applied.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("before-") }
    let copy = try #require(names.first)
    #expect(names.count == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.url(copy).path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let file = try SQLiteConnection(path: folder.url(copy).path, mode: .readWrite)
    #expect(try digest { try "\(file.value($0) ?? .null)" } == there)
    #expect(try file.texts("PRAGMA integrity_check") == ["ok"])
    #expect(try file.integer("PRAGMA user_version") == 12)
    #expect(try run(["undo", server.address, "--yes"], in: folder).errors.contains(copy))
  }

  @Test("what cannot be copied exactly is refused by name, and nothing is changed", .enabled(if: SqldServer.isWanted))
  func uncopied() throws {
    let server = try SqldServer()
    let folder = try CommandFolder()
    let connection = try server.connection()
    try connection.execute(Self.before)
    // libSQL has functions and statements that SQLite does not.
    try connection.execute("CREATE TABLE vectors (v F32_BLOB(3)); CREATE INDEX near ON vectors (libsql_vector_idx(v))")
    try folder.write("CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", to: "s.sql")
    let arguments = [
      "apply", server.address, "--to", "s.sql", "--yes", "--allow", "destructive", "--ignore", "vectors*",
      "--ignore", "libsql*", "--ignore", "near*",
    ]
    let refused = try run(arguments, in: folder)
    #expect(refused.status == 1, "\(refused.errors)")
    #expect(refused.errors.contains("near") && refused.errors.contains("--no-backup"), "\(refused.errors)")
    #expect(try connection.integer("SELECT count(*) FROM note") == 2)
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(files.filter { $0.contains("before-") } == [])
  }
}

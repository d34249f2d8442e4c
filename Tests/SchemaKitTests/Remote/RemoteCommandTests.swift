import Foundation
import SchemaKit
import SchemaKitRemote
import Testing

@Suite("Commands with databases on servers")
struct RemoteCommandTests {
  private static let before = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE note (id INTEGER PRIMARY KEY, author INTEGER REFERENCES author ON DELETE CASCADE, text TEXT);
    INSERT INTO author VALUES (1, 'Ada'); INSERT INTO note VALUES (1, 1, 'Engine'), (2, 1, NULL);
    """
  private static let after = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ''));
    CREATE TABLE note (id INTEGER PRIMARY KEY, author INTEGER REFERENCES author ON DELETE CASCADE, text TEXT);
    """

  private func run(_ arguments: [String], in folder: CommandFolder) throws -> CommandRun {
    try CommandRun(arguments, in: folder, program: "remote-tool")
  }

  @Test("a program that reaches no server says how to get one that does")
  func without() throws {
    let folder = try CommandFolder()
    try folder.write(Self.after, to: "s.sql")
    for command in [["plan"], ["apply", "--yes"], ["check"]] {
      let result = try CommandRun(
        [command[0], "dqlite://127.0.0.1:1/x", "--to", "s.sql"] + command.dropFirst(), in: folder)
      #expect(result.status == 64)
      #expect(result.errors.contains("build it with the trait Remote"), "\(result.errors)")
    }
  }

  @Test(
    "a wrong address, or a machine that nobody agreed to, is wrong usage",
    arguments: [
      ("dqlite://127.0.0.1/x", "a port is missing"), ("dqlite://127.0.0.1:1", "name of the database is missing"),
      ("dqlite://u:p@127.0.0.1:1/x", "SCHEMACTL_TOKEN"), ("rqlite://127.0.0.1:1/x", "does not know"),
      ("dqlite://192.0.2.1:1/x", "--insecure"),
    ])
  func addresses(address: String, words: String) throws {
    let folder = try CommandFolder()
    try folder.write(Self.after, to: "s.sql")
    let result = try run(["plan", address, "--to", "s.sql"], in: folder)
    #expect(result.status == 64)
    #expect(result.errors.contains(words), "\(result.errors)")
  }

  @Test("what only a file allows is refused by name")
  func filesOnly() throws {
    let folder = try CommandFolder()
    for command in [["doctor"], ["history", "--discard-kept", "--yes"]] {
      let result = try run([command[0], "dqlite://127.0.0.1:1/x"] + command.dropFirst(), in: folder)
      #expect(result.status == 64, "\(command) \(result.errors)")
      #expect(result.errors.contains("files only"), "\(result.errors)")
    }
  }

  @Test("plan, apply, check, history, inspect and undo work on a cluster", .enabled(if: DqliteCluster.isWanted))
  func cluster() throws {
    let cluster = try DqliteCluster()
    let folder = try CommandFolder()
    let address = "dqlite://\(cluster.addresses.joined(separator: ","))/notes"
    try cluster.connection(to: "notes").execute(Self.before)
    try folder.write(Self.after, to: "s.sql")
    #expect(try run(["check", address, "--to", "s.sql"], in: folder).status == 2)
    #expect(try run(["plan", address, "--to", "s.sql", "--out", "plan.json"], in: folder).status == 0)
    let applied = try run(["apply", address, "--plan", "plan.json", "--yes"], in: folder)
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try run(["check", address, "--to", "s.sql"], in: folder).status == 0)
    #expect(try cluster.connection(to: "notes").integer("SELECT count(*) FROM note") == 2)
    #expect(try run(["history", address], in: folder).output.contains("rebuild author"))
    #expect(try run(["inspect", address], in: folder).output.contains("CHECK (name <> '')"))
    #expect(try run(["undo", address, "--yes"], in: folder).status == 0)
    #expect(try run(["check", address, "--to", "s.sql"], in: folder).status == 2)
    #expect(try cluster.connection(to: "notes").integer("SELECT count(*) FROM note") == 2)
  }

  @Test("the same saved plan is applied to a cluster and to a file", .enabled(if: DqliteCluster.isWanted))
  func samePlan() throws {
    let cluster = try DqliteCluster()
    let folder = try CommandFolder()
    let address = "dqlite://\(cluster.addresses.joined(separator: ","))/notes"
    try cluster.connection(to: "notes").execute(Self.before)
    try folder.database("notes.db", Self.before)
    try folder.write(Self.after, to: "s.sql")
    #expect(
      try run(["plan", "notes.db", "--to", "s.sql", "--profile", "dqlite", "--out", "d.json"], in: folder).status == 0)
    #expect(try run(["plan", "notes.db", "--to", "s.sql", "--out", "local.json"], in: folder).status == 0)
    // An edit of the catalog, which a cluster does not permit.
    let refused = try run(["apply", address, "--plan", "local.json", "--yes"], in: folder)
    #expect(refused.status == 4, "\(refused.errors)")
    #expect(refused.errors.contains("author"), "\(refused.errors)")
    for place in [address, "notes.db"] {
      let applied = try run(["apply", place, "--plan", "d.json", "--yes"], in: folder)
      #expect(applied.status == 0, "\(applied.errors)")
      #expect(try run(["check", place, "--to", "s.sql"], in: folder).status == 0)
    }
    #expect(try cluster.connection(to: "notes").integer("SELECT count(*) FROM note") == 2)
  }

  @Test("before values are lost, a copy of the database is made on this machine", .enabled(if: DqliteCluster.isWanted))
  func copies() throws {
    let cluster = try DqliteCluster()
    let folder = try CommandFolder()
    let address = "dqlite://\(cluster.addresses.joined(separator: ","))/notes"
    try cluster.connection(to: "notes").execute(Self.before)
    try folder.write("CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);", to: "s.sql")
    let arguments = ["apply", address, "--to", "s.sql", "--yes", "--allow", "destructive"]
    let applied = try run(arguments, in: folder)
    #expect(applied.status == 0, "\(applied.errors)")
    let copies = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("before-") }
    let copy = try #require(copies.first)
    #expect(copies.count == 1)
    let file = try RawSQLite(folder.url(copy).path)
    defer { file.close() }
    #expect(try file.rows("SELECT text FROM note ORDER BY id") == [[.text("Engine")], [.null]])
    #expect(try file.rows("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try run(["undo", address, "--yes"], in: folder).errors.contains(copy))
  }
}

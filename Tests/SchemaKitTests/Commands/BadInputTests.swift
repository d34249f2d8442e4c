import Foundation
import Testing

@Suite("Bad input to the commands")
struct BadInputTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.write("CREATE TABLE note (id INTEGER PRIMARY KEY);", to: "schema.sql")
  }

  /// Every command that takes a database must give one sentence about a bad one, and leave it alone.
  private func expectOneSentence(_ database: String, containing words: String) throws {
    let before = try? folder.bytes(database)
    for arguments in [
      ["plan", database, "--to", "schema.sql"], ["check", database, "--to", "schema.sql"],
      ["apply", database, "--to", "schema.sql", "--yes"], ["history", database],
    ] {
      let run = try CommandRun(arguments, in: folder)
      #expect(run.status == 1, "\(arguments)")
      #expect(run.output.isEmpty)
      #expect(run.errors.contains(words))
      #expect(run.errors.split(separator: "\n").count == 1)
      #expect((try? folder.bytes(database)) == before)
    }
  }

  @Test("a text file is not a database")
  func notADatabase() throws {
    try folder.write(String(repeating: "This is only a text. ", count: 100), to: "text.db")
    try expectOneSentence("text.db", containing: "text.db is encrypted, or not an SQLite database")
  }

  @Test("a truncated file is called damaged")
  func truncated() throws {
    try folder.database(
      "whole.db",
      """
      CREATE TABLE a (x);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999) INSERT INTO a SELECT i FROM n;
      """
    )
    try folder.bytes("whole.db").prefix(6000).write(to: folder.url("short.db"))
    try expectOneSentence("short.db", containing: "short.db is damaged or cut short")
  }

  @Test("a directory cannot be opened")
  func directory() throws {
    try FileManager.default.createDirectory(at: folder.url("folder"), withIntermediateDirectories: true)
    try expectOneSentence("folder", containing: "it is a directory")
  }

  @Test("an empty DATABASE, as an unset variable of the shell leaves it, is wrong usage")
  func emptyName() throws {
    for arguments in [
      ["plan", "", "--to", "schema.sql"], ["apply", "", "--to", "schema.sql", "--yes"], ["history", ""], ["undo", ""],
      ["doctor", ""],
    ] {
      let run = try CommandRun(arguments, in: folder)
      #expect(run.status == 64, "\(arguments)")
      #expect(run.errors == "schemactl: DATABASE is empty; perhaps a variable of the shell is not set.\n")
    }
  }

  @Test("a folder of migrations that is not there is named, with how it is made")
  func missingFolder() throws {
    let run = try folder.run("apply", "a.db", "--migrations", "steps", "--yes")
    #expect(run.status == 1 && run.output.isEmpty)
    #expect(run.errors.contains("steps: there is no such folder; schemactl migrations new makes it"))
    #expect(!folder.exists("a.db") && !folder.exists("steps"))
  }

  @Test("a missing database counts as empty and is not created, except by apply")
  func missing() throws {
    let plan = try folder.run("plan", "new.db", "--to", "schema.sql")
    #expect(plan.status == 0)
    #expect(plan.output.hasPrefix("new.db (new file): 1 change in 1 table"))
    #expect(try folder.run("check", "new.db", "--to", "schema.sql").status == 2)
    #expect(!folder.exists("new.db"))
    #expect(try folder.run("apply", "new.db", "--to", "schema.sql", "--yes", "--create").status == 0)
    #expect(try folder.rows(of: "new.db", "SELECT name FROM sqlite_master WHERE name = 'note'").count == 1)
    #expect(try folder.run("history", "absent.db").status == 1)
    #expect(try folder.run("apply", "absent/new.db", "--to", "schema.sql", "--yes").status == 1)
  }

  @Test("a file of no bytes is an empty database")
  func zeroBytes() throws {
    try folder.write("", to: "zero.db")
    #expect(try folder.run("check", "zero.db", "--to", "schema.sql").status == 2)
    #expect(try folder.bytes("zero.db").isEmpty)
    #expect(try folder.run("apply", "zero.db", "--to", "schema.sql", "--yes").status == 0)
    #expect(try folder.run("check", "zero.db", "--to", "schema.sql").status == 0)
  }

  @Test("invalid SQL is reported with line and column")
  func invalidSQL() throws {
    try folder.write("CREATE TABLE a (x);\nCREATE TABLE b (y,, z);\n", to: "bad.sql")
    let run = try folder.run("plan", "new.db", "--to", "bad.sql")
    #expect(run.status == 1)
    #expect(run.errors.hasPrefix("schemactl: bad.sql:2:19: ") || run.errors.hasPrefix("schemactl: bad.sql:2:18: "))
    try folder.write("CREATE TABLE a (x);\nCREATE TABLE b (y PRIMARY KEY, z PRIMARY KEY);\n", to: "refused.sql")
    let refused = try folder.run("plan", "new.db", "--to", "refused.sql")
    #expect(refused.status == 1)
    #expect(refused.errors.contains("refused.sql:2: table \"b\" has more than one primary key"))
    let missing = try folder.run("plan", "new.db", "--to", "absent.sql")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("absent.sql"))
  }

  /// Root may read and write everything, so the programs run as nobody.
  static let nobody: [String]? =
    geteuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")
    ? ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : nil

  @Test("a file without permission is not touched", .enabled(if: nobody != nil))
  func permissions() throws {
    let prefix = try #require(Self.nobody)
    try folder.database("closed.db", "CREATE TABLE other (a);")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: folder.url("closed.db").path)
    let probe = try CommandRun(["--version"], in: folder, prefix: prefix)
    // A checkout under a private home directory cannot be reached without rights; then there is nothing to judge.
    guard probe.status == 0 else { return }
    let unreadable = try CommandRun(["plan", "closed.db", "--to", "schema.sql"], in: folder, prefix: prefix)
    #expect(unreadable.status == 1)
    #expect(unreadable.errors.contains("no permission to read it"))
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: folder.url("closed.db").path)
    let before = try folder.bytes("closed.db")
    let readOnly = try CommandRun(
      ["apply", "closed.db", "--to", "schema.sql", "--yes", "--allow", "destructive"], in: folder, prefix: prefix)
    #expect(readOnly.status == 1)
    #expect(readOnly.errors.contains("closed.db is read-only"))
    #expect(try folder.bytes("closed.db") == before)
    #expect(try CommandRun(["plan", "closed.db", "--to", "schema.sql"], in: folder, prefix: prefix).status == 0)
  }

  @Test("a database that cannot be reached is not a missing one", arguments: ["plan", "apply", "check"])
  func unreachable(command: String) throws {
    let folder = try CommandFolder()
    try folder.write("CREATE TABLE t (a);", to: "s.sql")
    let name = String(repeating: "x", count: 300) + ".db"
    let run = try folder.run(command, name, "--to", "s.sql")
    #expect(run.status == 1)
    #expect(run.errors.contains("cannot be reached: File name too long. Nothing was changed."), "\(run.errors)")
    try folder.write("", to: "file")
    for name in ["file/", "none/"] {
      let run = try folder.run(command, name, "--to", "s.sql")
      #expect(run.status == 1)
      #expect(run.errors.contains("\(name) cannot be reached: a name that ends in a slash is a folder's."))
    }
  }

  @Test("plan refuses what apply could not create")
  func planInMissingFolder() throws {
    let folder = try CommandFolder()
    try folder.write("CREATE TABLE t (a);", to: "s.sql")
    for command in ["plan", "apply"] {
      let run = try folder.run(command, "none/a.db", "--to", "s.sql")
      #expect(run.status == 1)
      #expect(run.errors.contains("cannot create none/a.db: its folder does not exist."))
    }
  }
}

import Foundation
import Testing

@Suite("Files that cannot be read, told to CI systems")
struct UnreadableReportTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database("app.db", "CREATE TABLE t (id INTEGER PRIMARY KEY);")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY);", to: "s.sql")
    try folder.write("this is no database, whatever its name says", to: "letter.db")
  }

  @Test(
    "check reports a file that is not a database in every form", arguments: ["github", "sarif", "junit", "markdown"])
  func notADatabase(format: String) throws {
    let run = try folder.run("check", "letter.db", "--to", "s.sql", "--format", format)
    #expect(run.status == 1)
    #expect(run.output.contains("SC310"), "\(run.output)")
    #expect(run.output.contains("letter.db is encrypted, or not an SQLite database"), "\(run.output)")
    #expect(run.errors.contains("letter.db is encrypted, or not an SQLite database"))
  }

  @Test("check tells of a locked database and of a missing one, with the exit codes that they have")
  func lockedOrMissing() throws {
    let holder = try RawSQLite(folder.url("app.db").path)
    defer { holder.close() }
    try holder.exec("BEGIN EXCLUSIVE")
    let locked = try folder.run("check", "app.db", "--to", "s.sql", "--format", "github", "--lock-timeout", "0")
    #expect(locked.status == 5)
    #expect(locked.output.hasPrefix("::error file=app.db,title=SC310 "), "\(locked.output)")
    let missing = try folder.run("check", "absent.db", "--no-create", "--to", "s.sql", "--format", "markdown")
    #expect(missing.status == 1)
    #expect(missing.output.contains("- ❌ absent.db cannot be read\n"), "\(missing.output)")
    #expect(missing.output.contains("| SC310 | `absent.db` |"), "\(missing.output)")
  }

  @Test("lint tells of a database that cannot be read")
  func lint() throws {
    let holder = try RawSQLite(folder.url("app.db").path)
    defer { holder.close() }
    try holder.exec("BEGIN EXCLUSIVE")
    let run = try folder.run("lint", "app.db", "--format", "github", "--lock-timeout", "0")
    #expect(run.status == 5)
    #expect(run.output.hasPrefix("::error file=app.db,title=SC310 "), "\(run.output)")
  }

  @Test("a comment for a pull request says what is true")
  func markdown() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, more TEXT);", to: "more.sql")
    let same = try folder.run("check", "app.db", "--to", "s.sql", "--format", "markdown")
    #expect(same.output.contains("- ✅ app.db has the schema of s.sql\n"), "\(same.output)")
    let other = try folder.run("check", "app.db", "--to", "more.sql", "--format", "markdown")
    #expect(other.output.contains("- ❌ app.db does not have the schema of more.sql\n"), "\(other.output)")
    // The name of a test case has no detail of the change, so that a CI system can follow it.
    let junit = try folder.run("check", "app.db", "--to", "more.sql", "--format", "junit")
    #expect(junit.output.contains(#"name="SC101 t: app.db has the schema of more.sql""#), "\(junit.output)")
  }

  @Test(
    "a WAL database in a folder that cannot be written says what its readers need",
    .enabled(if: BadInputTests.nobody != nil), .needsPlainFiles("the header of the file says that it is in WAL mode"))
  func writeAheadLog() throws {
    let prefix = try #require(BadInputTests.nobody)
    try FileManager.default.createDirectory(at: folder.url("closed"), withIntermediateDirectories: true)
    try folder.database("closed/w.db", "PRAGMA journal_mode = WAL; CREATE TABLE t (a);")
    for (path, rights) in [("closed/w.db", 0o644), ("closed", 0o555), ("", 0o755)] {
      try FileManager.default.setAttributes([.posixPermissions: rights], ofItemAtPath: folder.url(path).path)
    }
    guard try CommandRun(["--version"], in: folder, prefix: prefix).status == 0 else { return }
    for words in [["inspect", "closed/w.db"], ["plan", "closed/w.db", "--to", "s.sql"], ["doctor", "closed/w.db"]] {
      let run = try CommandRun(words, in: folder, prefix: prefix)
      #expect(run.status == 1)
      #expect(run.errors.contains("is in WAL mode, and whoever reads it needs closed/w.db-shm"), "\(run.errors)")
      #expect(!run.errors.contains("cannot be written ("))
    }
  }
}

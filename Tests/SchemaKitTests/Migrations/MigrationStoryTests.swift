import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

private let hasGit = ["/usr/bin/git", "/usr/local/bin/git", "/opt/homebrew/bin/git"].contains {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// A repository in which two branches change a schema, as its people would live it.
@Suite("A repository with recorded migrations", .enabled(if: hasGit, "needs git"))
struct MigrationStoryTests {
  private static let users = "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age TEXT);\n"
  private static let tags = "\n\n\nCREATE TABLE tags (id INTEGER PRIMARY KEY, label TEXT);\n"
  private static let titled = "CREATE TABLE users (id INTEGER PRIMARY KEY, title TEXT NOT NULL, age INTEGER);\n"
  private static let mailed =
    "CREATE TABLE users (id INTEGER PRIMARY KEY, title TEXT NOT NULL, age INTEGER, email TEXT DEFAULT '');\n"

  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try git("init", "-q", "-b", "main")
    try folder.write("*.db*\n.out\n.err\n", to: ".gitignore")
  }

  @discardableResult
  private func git(_ words: String..., mayFail: Bool = false) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git"] + words
    process.currentDirectoryURL = folder.url
    process.environment = ProcessInfo.processInfo.environment.merging([
      "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
      "GIT_COMMITTER_EMAIL": "a@example.org", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
    ]) { $1 }
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    if !mayFail { #expect(process.terminationStatus == 0, "git \(words)") }
    return process.terminationStatus
  }

  private func commit(_ schema: String, _ step: String, _ options: String...) throws {
    try folder.write(schema, to: "schema.sql")
    let run = try CommandRun(["migrations", "new", step, "--to", "schema.sql"] + options, in: folder)
    #expect(run.status == 0, "\(run.errors)")
    try git("add", "-A")
    try git("commit", "-q", "-m", step)
  }

  private func check(_ words: String...) throws -> CommandRun {
    try CommandRun(["check", "--to", "schema.sql", "--migrations", "migrations"] + words, in: folder)
  }

  /// A database with a row that went through the first steps of the folder as it is now, or that is empty.
  private func database(_ number: Int, steps: Int) throws {
    let name = "\(number).db"
    guard steps > 0 else { return }
    let run = try CommandRun(["apply", name, "--migrations", "migrations", "--yes", "--create", "-q"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let column = steps > 2 ? "title" : "name"
    try folder.database(name, "INSERT INTO users (id, \(column), age) VALUES (7, 'Ann', '31')")
  }

  @Test(
    "nothing in a base is evaluated, and one that begins with a dash is no option of git's",
    arguments: [
      "$(touch pwned)", "'; touch pwned; '", "`touch pwned`", "x\ntouch pwned", "--output=pwned", "-O./pwned",
    ])
  func hostileBase(base: String) throws {
    try commit(Self.users, "init")
    let run = try check("--base=\(base)")
    #expect(run.status == 64, "\(run.output)\(run.errors)")
    #expect(run.errors.contains("is neither a folder nor a revision"))
    for place in ["pwned", "migrations/pwned"] { #expect(!folder.exists(place)) }
  }

  /// The line of a text in which a word is first found.
  private static func line(of word: String, in text: String) throws -> Int {
    let before = try #require(text.range(of: word)).lowerBound
    return text[..<before].count { $0 == "\n" } + 1
  }

  @Test("two branches conflict, the check says where, and ten databases at three versions end alike")
  func story() throws {
    try commit(Self.users, "init")
    for number in 1...3 { try database(number, steps: 1) }
    try git("checkout", "-q", "-b", "titles")
    try commit(Self.titled, "titles", "--rename", "users.name=users.title", "--allow", "SK103:users.age")
    // A database of the branch, which has the step under its first number.
    try database(11, steps: 3)
    try git("checkout", "-q", "main")
    try commit(Self.users + Self.tags, "tags")
    for number in 4...6 { try database(number, steps: 2) }

    // The merge stops, on purpose, and the check annotates the file to look at.
    try git("checkout", "-q", "titles")
    #expect(try git("merge", "-q", "main", mayFail: true) != 0)
    try folder.write(Self.titled + Self.tags, to: "schema.sql")
    var run = try check("--format", "github")
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("::error file=migrations/checksums.txt,line=3,title=SC308"))
    run = try CommandRun(["migrations", "rebase", "--base", "main"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "migrations/0003-titles.sql\n")
    run = try check("--base", "main", "--format", "github")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.hasPrefix("::warning file=migrations/0003-titles.sql,line=11,title=SK103"))
    try git("add", "-A")
    try git("commit", "-q", "-m", "merge")
    for number in 7...9 { try database(number, steps: 3) }
    run = try CommandRun(["migrations", "status", "11.db"], in: folder)
    #expect(run.status == 2)
    #expect(run.output.contains("0003-titles (as 0002-titles)"), "\(run.output)")

    // A third change, on main, which does not know of the second: both change one table.
    try git("checkout", "-q", "main")
    try commit(
      "CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age TEXT, email TEXT DEFAULT '');\n" + Self.tags,
      "emails")
    #expect(try git("merge", "-q", "titles", mayFail: true) != 0)
    try folder.write(Self.mailed + Self.tags, to: "schema.sql")
    run = try CommandRun(["migrations", "rebase", "--base", "titles"], in: folder)
    #expect(run.status == 1)
    #expect(run.errors.contains("change users"))
    run = try CommandRun(["migrations", "rebase", "--base", "titles", "--to", "schema.sql"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output == "migrations/0004-emails.sql\n")
    run = try check("--base", "titles", "--format", "json")
    #expect(run.status == 0, "\(run.output)")
    #expect((run.json["newSteps"] as? [String: Any])?["steps"] as? [String] == ["0004-emails"])
    try git("add", "-A")
    try git("commit", "-q", "-m", "merge")

    // Somebody forgets to record a change, and the check names its line.
    try folder.write(Self.mailed + "CREATE TABLE forgotten (x);\n" + Self.tags, to: "schema.sql")
    run = try check("--format", "github")
    #expect(run.status == 2)
    #expect(run.output.hasPrefix("::error file=schema.sql,line=2,col=1,title=SC201"))
    // The line is that of the column which changed, in a table that begins before it.
    try folder.write(
      Self.mailed.replacingOccurrences(of: "age INTEGER", with: "\n  age NUMERIC") + Self.tags, to: "schema.sql")
    run = try check("--format", "github", "--path-prefix", "services/api")
    let place = try Self.line(of: "age", in: String(contentsOf: folder.url("schema.sql"), encoding: .utf8))
    #expect(
      run.output.hasPrefix("::error file=services/api/schema.sql,line=\(place),col=3,title=SC201"), "\(run.output)")
    #expect(run.status == 2)
    #expect(try check("--fail-on", "never").status == 0)
    // Marks of a merge in the schema itself are annotated as well.
    try folder.write(Self.mailed + "<<<<<<< ours\n", to: "schema.sql")
    run = try check("--format", "github")
    #expect(run.status == 1)
    #expect(run.output.hasPrefix("::error file=schema.sql,line=2,title=SC309"), "\(run.output)")
    try folder.write(Self.mailed + Self.tags, to: "schema.sql")

    for number in 1...11 {
      let status = try CommandRun(["migrations", "status", "\(number).db", "-q"], in: folder)
      #expect(status.status == 2)
      let apply = try CommandRun(
        ["apply", "\(number).db", "--migrations", "migrations", "--yes", "--create"], in: folder)
      #expect(apply.status == 0, "\(number): \(apply.errors)")
      #expect(try check("\(number).db", "-q").status == 0)
      let rows = try folder.rows(of: "\(number).db", "SELECT id, title, age, email FROM users")
      #expect(rows == (number == 10 ? [] : [[.int(7), .text("Ann"), .int(31), .text("")]]), "\(number)")
    }
  }
}

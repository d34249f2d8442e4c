import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("schemactl apply --strategy online")
struct OnlineCommandTests {
  private static func folder(_ mode: String = "WAL") throws -> CommandFolder {
    let folder = try CommandFolder()
    let database = try RawSQLite(folder.url("a.db").path)
    try database.exec(
      "PRAGMA journal_mode = \(mode); CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); "
        + "INSERT INTO t VALUES (1, '1'), (2, '20');")
    database.close()
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER);", to: "s.sql")
    return folder
  }

  private static let arguments = ["apply", "a.db", "--to", "s.sql", "--strategy", "online", "--yes"]

  @Test("the plan says that the table is copied online, and apply does it")
  func applied() throws {
    let folder = try Self.folder()
    let plan = try folder.run("plan", "a.db", "--to", "s.sql", "--strategy", "online")
    #expect(plan.output.contains("online") && plan.output.contains("while others write"))
    let run = try CommandRun(Self.arguments + ["--max-lock", "5", "--max-wal", "8", "--wal-wait", "1"], in: folder)
    #expect(run.status == 0, "\(run.errors)")
    let database = try RawSQLite(folder.url("a.db").path)
    defer { database.close() }
    #expect(try database.rows("SELECT id, a FROM t") == [[.int(1), .int(1)], [.int(2), .int(20)]])
    #expect(try folder.run("history", "a.db").output.contains("online"))
    #expect(try folder.run("undo", "a.db", "--yes").status == 0)
    #expect(try database.rows("SELECT a FROM t") == [[.text("1")], [.text("20")]])
  }

  @Test("a saved plan is carried out online as well")
  func saved() throws {
    let folder = try Self.folder()
    #expect(try folder.run("plan", "a.db", "--to", "s.sql", "--strategy", "online", "--out", "p.json").status == 0)
    let run = try folder.run("apply", "a.db", "--plan", "p.json", "--yes", "--max-lock", "5")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try folder.run("history", "a.db").output.contains("online"))
  }

  @Test(
    "limits without an online copy, or out of range, are wrong usage",
    arguments: [
      ["--max-lock", "5"], ["--max-wal", "5"], ["--wal-wait", "5"], ["--strategy", "online", "--max-lock", "0"],
      ["--strategy", "online", "--max-wal", "0"], ["--strategy", "online", "--wal-wait", "-1"],
    ])
  func usage(options: [String]) throws {
    let folder = try Self.folder()
    let run = try CommandRun(["apply", "a.db", "--to", "s.sql", "--yes"] + options, in: folder)
    #expect(run.status == 64, "\(run.errors)")
  }

  @Test("what cannot be copied online is refused with SK212 and exit code 3")
  func refused() throws {
    let folder = try Self.folder("DELETE")
    let run = try CommandRun(Self.arguments, in: folder)
    #expect(run.status == 3)
    #expect(run.output.contains("SK212") && run.output.contains("journal_mode = WAL"))
  }

  @Test("while another process copies, apply ends with exit code 5, and doctor reports what one left that was killed")
  func running() throws {
    let folder = try Self.folder()
    let connection = try SQLiteConnection(path: folder.url("a.db").path, mode: .readWrite)
    let journal = OnlineJournal(connection: connection)
    let owner = OnlineOwner.begin()
    try journal.begin("a change", tables: ["t"], owner: owner)
    for strategy in ["online", "auto"] {
      let run = try folder.run("apply", "a.db", "--to", "s.sql", "--yes", "--strategy", strategy)
      #expect(run.status == 5)
      #expect(run.errors.contains("copies t online"))
    }
    let doctor = try folder.run("doctor", "a.db")
    #expect(doctor.status == 0 && doctor.output.contains("SD207") && !doctor.output.contains("SD201"))
    try journal.take(over: "elsewhere/1/1")
    try connection.execute("UPDATE _schemakit_online SET heard = heard - 100")
    #expect(try folder.run("doctor", "a.db").output.contains("SD201"))
    #expect(try folder.run("apply", "a.db", "--to", "s.sql", "--yes").status == 0)
    #expect(try !folder.run("doctor", "a.db").output.contains("SD201"))
  }
}

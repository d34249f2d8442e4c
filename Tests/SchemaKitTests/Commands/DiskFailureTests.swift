import CSQLite
import Foundation
import SchemaKit
import Testing

@testable import SchemaKitCommands

@Suite("Commands on a disk that takes no more")
struct DiskFailureTests {
  let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.database(
      "big.db",
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, amount TEXT, body TEXT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000)
      INSERT INTO t SELECT i, i, printf('%0100d', i) FROM n;
      """)
  }

  /// Runs a command that may make no file larger than some KB.
  private func run(limit: Int, _ arguments: String...) throws -> CommandRun {
    let limiting = ["/bin/bash", "-c", "ulimit -f \(limit); exec \"$@\"", "bash"]
    return try CommandRun(
      arguments, in: folder, prefix: limiting, environment: ["SQLITE_TMPDIR": folder.url.path])
  }

  /// The bytes of the file; of one that is encrypted what it holds, since a rollback encrypts pages anew.
  private func content() throws -> [[RawValue]] {
    guard EncryptedFiles.areOn else { return [[.blob([UInt8](try folder.bytes("big.db")))]] }
    return try ["PRAGMA integrity_check", "PRAGMA page_count", "SELECT * FROM sqlite_master", "SELECT * FROM t"]
      .flatMap { try folder.rows(of: "big.db", $0) }
  }

  /// How large the file is, in KB.
  private var kilobytes: Int { get throws { try folder.bytes("big.db").count / 1024 } }

  @Test("a write beyond the limit of file sizes leaves the file as it was, without a journal, and names the limit")
  func rolledBack() throws {
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, amount INTEGER NOT NULL, body TEXT);", to: "t.sql")
    let before = try content()
    let run = try run(limit: kilobytes + 3000, "apply", "big.db", "--to", "t.sql", "--yes", "-q")
    #expect(run.status == 1)
    #expect(run.errors.contains("Everything was rolled back; nothing was changed in big.db."), "\(run.errors)")
    #expect(run.errors.contains("a limit of file sizes (ulimit -f)"), "\(run.errors)")
    #expect(!folder.exists("big.db-journal"))
    #expect(try content() == before)
  }

  @Test("a step's data file that finds no room is rolled back on the disk as well")
  func recordedMigration() throws {
    try FileManager.default.createDirectory(at: folder.url("m"), withIntermediateDirectories: true)
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, amount TEXT, body TEXT);", to: "m/0001-first.sql")
    #expect(try folder.run("migrations", "hash", "--migrations", "m").status == 0)
    #expect(try folder.run("migrations", "baseline", "big.db", "--migrations", "m", "--at", "0001-first").status == 0)
    try folder.write("CREATE TABLE u (id INTEGER PRIMARY KEY, body TEXT);", to: "m/0002-second.sql")
    try folder.write("INSERT INTO u (id, body) SELECT id, body FROM t;", to: "m/0002-second.after.sql")
    #expect(try folder.run("migrations", "hash", "--migrations", "m").status == 0)
    let before = try content()
    let run = try run(limit: kilobytes + 3000, "apply", "big.db", "--migrations", "m", "--yes", "--no-backup")
    #expect(run.status == 1)
    #expect(run.errors.contains("Everything was rolled back; nothing was changed in big.db."), "\(run.errors)")
    #expect(!folder.exists("big.db-journal"))
    #expect(try content() == before)
  }

  @Test("a journal that still stands beside the file is named, and that it must stay there")
  func standingJournal() throws {
    let magic = Data([0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7])
    try magic.write(to: folder.url("big.db-journal"))
    let path = folder.url("big.db").path
    for code in [SQLITE_FULL, SQLITE_IOERR | 3 << 8] {
      let error = SQLiteError(code: code, message: "disk I/O error")
      let sentence = ErrorReport.of(error, path: path, lockTimeout: 10, isVerbose: false).sentence
      #expect(sentence.contains("the journal \(path)-journal holds the previous contents and must stay beside it"))
      #expect(!sentence.contains("was rolled back"))
    }
  }

  @Test(
    "temporary files that find no room are told with their folder, by the first error",
    .needsPlainFiles("SQLCipher keeps in memory what SQLite puts into temporary files"))
  func temporaryFiles() throws {
    try folder.database("small.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, NULL);")
    try folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY,\n a TEXT NOT NULL -- schemakit: fill zeroblob(60000000)\n);", to: "t.sql"
    )
    let run = try run(limit: 20000, "plan", "small.db", "--to", "t.sql")
    #expect(run.status == 1)
    #expect(!run.errors.contains("no transaction is active"), "\(run.errors)")
    #expect(run.errors.contains("SQLite's temporary files go to \(folder.url.path)"), "\(run.errors)")
  }
}

import Foundation
import Testing

@testable import SchemaKit

/// Needs SQLCipher in the place of SQLite, as `make check-cipher` runs it.
@Suite(
  "Damage of encrypted databases", .enabled(if: SQLiteConnection.canEncrypt, "SQLite is linked, which does not encrypt")
)
struct EncryptedDamageTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try folder.write("sesame\n", to: "k")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);", to: "one.sql")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, g TEXT AS (a || '') STORED);", to: "two.sql")
  }

  private var key: EncryptionKey { get throws { try EncryptionKey(passphrase: "sesame") } }

  private func run(_ arguments: String...) throws -> CommandRun {
    try CommandRun(arguments + ["--key-file", "k"], in: folder)
  }

  /// Makes an encrypted file with many pages, one of which was overwritten, and returns its bytes.
  private func makeDamaged() throws -> Data {
    #expect(try run("apply", "a.db", "--to", "one.sql", "--create", "--yes").status == 0)
    let connection = try SQLiteConnection(path: folder.url("a.db").path, mode: .readWrite, key: key)
    try connection.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO t SELECT i, 'row ' || i FROM n
      """)
    try connection.close()
    var bytes = try folder.bytes("a.db")
    let page = bytes.count / 4096 - 5
    bytes.replaceSubrange(4096 * page..<4096 * page + 12, with: Data(repeating: 0x5A, count: 12))
    try bytes.write(to: folder.url("a.db"))
    return bytes
  }

  @Test("a change is refused as damage before anything is written")
  func change() throws {
    let bytes = try makeDamaged()
    for options in [["--no-backup"], ["--backup", "b.db", "--quick"]] {
      let run = try CommandRun(["apply", "a.db", "--to", "two.sql", "--yes", "--key-file", "k"] + options, in: folder)
      #expect(run.status == 1)
      #expect(run.errors.contains("a.db is damaged"), "\(run.errors)")
      #expect(try folder.bytes("a.db") == bytes && !folder.exists("b.db"))
    }
  }

  @Test("the check of the file and a copy name the page")
  func named() throws {
    let page = try makeDamaged().count / 4096 - 4
    let path = folder.url("a.db").path
    let line = "HMAC verification failed for page \(page)"
    #expect(try StorageCheck.damage(of: SQLiteConnection(path: path, mode: .readOnly, key: key)) == [line])
    let error = try #require(throws: SQLiteError.self) {
      try SQLiteConnection(path: path, mode: .readOnly, key: key).backup(toNewFile: folder.url("b.db").path)
    }
    #expect(error.isCorrupt && error.message == line && !folder.exists("b.db"))
  }

  @Test("doctor finds the page, and says no more than once that the file is damaged")
  func doctor() throws {
    let bytes = try makeDamaged()
    for options in [[], ["--quick"]] {
      let run = try CommandRun(["doctor", "a.db", "--key-file", "k"] + options, in: folder)
      #expect(run.status == 1 && run.errors == "", "\(run.errors)")
      #expect(run.output.contains("! SD101  error: damaged file"), "\(run.output)")
      #expect(run.output.contains("SQLite finds 1 problem:\n"), "\(run.output)")
      #expect(run.output.contains("HMAC verification failed for page "), "\(run.output)")
      #expect(try folder.bytes("a.db") == bytes)
    }
  }

  @Test("what a whole file lacks is not taken for damage")
  func missingFunction() throws {
    #expect(try run("apply", "a.db", "--to", "one.sql", "--create", "--yes").status == 0)
    let connection = try SQLiteConnection(path: folder.url("a.db").path, mode: .readWrite, key: key)
    try connection.execute("INSERT INTO t VALUES (1, 'x')")
    #expect(connection.undecryptablePages == [])
    try connection.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, 'a TEXT', 'a TEXT CHECK (mine(a))') WHERE name = 't'
      """)
    try connection.close()
    let found = try run("doctor", "a.db")
    #expect(found.output.contains("SD104") && !found.output.contains("SD101"), "\(found.output)")
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Needs SQLCipher in the place of SQLite, as `make check-cipher` runs it.
@Suite("Encrypted databases", .enabled(if: SQLiteConnection.canEncrypt, "SQLite is linked, which does not encrypt"))
struct EncryptedDatabaseTests {
  private let key: EncryptionKey
  private let other: EncryptionKey

  init() throws {
    key = try EncryptionKey(rawKey: (0..<32).map { UInt8($0 * 7) })
    other = try EncryptionKey(rawKey: (0..<32).map { UInt8($0 * 5) })
  }

  /// A file of the first version with three rows.
  private func pets(in folder: TemporaryDatabase) throws -> String {
    let path = folder.sibling("secret.db")
    let session = try Session(at: path, schema: Pets.one) { $0.key = key }
    try session.connection.execute(Pets.rows)
    try session.close()
    return path
  }

  private func names(in path: String, _ key: EncryptionKey) throws -> [String] {
    try SQLiteConnection(path: path, mode: .readWrite, key: key).texts("SELECT name FROM pets ORDER BY id")
  }

  /// The record of a pet called Rex. Its name alone is in one of a thousand encrypted files by chance.
  private static let row = Data([3, 0, 19] + "Rex".utf8)

  private func isPlain(_ path: String) throws -> Bool {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    return bytes.starts(with: Data("SQLite format 3".utf8)) || bytes.range(of: Self.row) != nil
      || bytes.range(of: Data("CREATE TABLE".utf8)) != nil
  }

  @Test("a new file is encrypted, and only its key opens it")
  func onlyItsKey() throws {
    let folder = try TemporaryDatabase()
    let path = try pets(in: folder)
    #expect(try !isPlain(path))
    #expect(try names(in: path, key) == ["Rex", "Tom", "Ada"])
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let without = try #require(throws: SQLiteError.self) { try Session(at: path, schema: Pets.one) }
    #expect(without.isNotADatabase && without.message == "\(path) is encrypted, or not a database")
    for schema in [Pets.one, Pets.two] {
      let wrong = try #require(throws: SQLiteConnectionError.self) {
        try Session(at: path, schema: schema) { $0.key = other }
      }
      #expect(wrong == .encryption(.wrongKey(path)))
    }
    #expect(throws: SQLiteConnectionError.encryption(.wrongKey(path))) { try SchemaInspector(at: path, key: other) }
    #expect(throws: SQLiteConnectionError.encryption(.wrongKey(path))) { try MigrationUndo(at: path, key: other) }
    #expect(throws: SQLiteConnectionError.encryption(.wrongKey(path))) { try KeptData(at: path, key: other) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  @Test("an attachment, whose file would not be encrypted, is not stored")
  func attachments() throws {
    let folder = try TemporaryDatabase()
    let session = try Session(at: folder.sibling("secret.db"), schema: Pets.one) { $0.key = key }
    let error = #expect(throws: RecordError.self) { try session.attachments.store(Data("Rex".utf8), as: "photo") }
    #expect(error?.description.contains("photo is not stored: the database is encrypted") == true)
    let files = FileManager.default.enumerator(atPath: folder.folder.path)?.compactMap { $0 as? String } ?? []
    #expect(!files.contains { $0.hasSuffix("photo") })
  }

  @Test("a passphrase opens what another program encrypted with it, whatever characters it has")
  func passphrase() throws {
    let folder = try TemporaryDatabase()
    let path = folder.sibling("theirs.db")
    let theirs = try RawSQLite(path)
    try theirs.exec("PRAGMA key = 'it''s größer'; \(Pets.sql) \(Pets.rows)")
    theirs.close()
    let session = try Session(at: path, schema: Pets.two) { $0.key = try? EncryptionKey(passphrase: "it's größer") }
    #expect(session.outcome == .applied)
    try session.close()
    #expect(try names(in: path, EncryptionKey(passphrase: "it's größer")) == ["Rex", "Tom", "Ada"])
  }

  @Test(
    "a file that is not encrypted is refused with a key, and left as it is",
    .needsPlainFiles("opens a file that has no key"))
  func plainFile() throws {
    let file = try TemporaryDatabase(Pets.sql + Pets.rows)
    let before = try file.bytes
    #expect(before.range(of: Self.row) != nil)
    #expect(throws: SQLiteConnectionError.encryption(.plainFile(file.path))) {
      try Session(at: file.path, schema: Pets.two) { $0.key = key }
    }
    #expect(try file.bytes == before)
  }

  @Test("a migration with a copy, its undo and what it keeps stay encrypted", arguments: [true, false])
  func migration(keeps: Bool) throws {
    let folder = try TemporaryDatabase()
    let path = try pets(in: folder)
    var policy = PlanPolicy.lossless
    policy.keepsDropped = keeps
    let copy = folder.sibling("before.db")
    let session = try Session(at: path, schema: Pets.checked) {
      $0.key = key
      $0.backup = .beforeChange(copy)
      $0.migration = .automatic(policy)
      $0.verification = .paranoid
    }
    #expect(session.outcome == .applied)
    try session.close()
    #expect(try !isPlain(path) && !isPlain(copy))
    #expect(try names(in: path, key) == ["Rex", "Tom", "Ada"])
    #expect(try names(in: copy, key) == ["Rex", "Tom", "Ada"])
    #expect(try SchemaInspector(at: path, key: key).plan(to: Pets.checked).isEmpty)
    #expect(try KeptData(at: path, key: key).items.isEmpty)
    _ = try MigrationUndo(at: path, key: key).apply(allowing: .lossless)
    #expect(try SchemaInspector(at: path, key: key).plan(to: Pets.one).isEmpty)
    #expect(try names(in: path, key) == ["Rex", "Tom", "Ada"])
  }

  @Test("every reader of a database has the key, and changes are seen")
  func readers() async throws {
    let folder = try TemporaryDatabase()
    let path = try pets(in: folder)
    let database = try await Database(at: path, schema: Pets.one) { [key] in $0.key = key }
    let counts = try await withThrowingTaskGroup(of: Int64?.self) { group in
      for _ in 0..<8 {
        group.addTask { try await database.read { try $0.connection.integer("SELECT count(*) FROM pets") } }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(counts == [Int64?](repeating: 3, count: 8))
    // The readers would keep the old key.
    await #expect(throws: SQLiteConnectionError.encryption(.inUse)) {
      try await database.run { [other] in try $0.connection.changeKey(to: other) }
    }
    #expect(try await database.read { try $0.connection.integer("SELECT count(*) FROM pets") } == 3)
    try await database.close()
  }

  @Test("a dry run in Swift uses the inspector's key")
  func dryRun() throws {
    let folder = try TemporaryDatabase()
    let path = try pets(in: folder)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    let report = try SchemaInspector(at: path, key: key).dryRun(to: Pets.two)
    #expect(report.outcome == .rehearsed)
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
  }

  // MARK: - Other keys

  @Test(
    "the key is changed in one transaction, and the old one opens nothing afterwards", arguments: ["DELETE", "WAL"])
  func changesKey(mode: String) throws {
    let folder = try TemporaryDatabase()
    let path = try pets(in: folder)
    let connection = try SQLiteConnection(path: path, mode: .readWrite, key: key)
    try connection.execute("PRAGMA journal_mode = \(mode)")
    try connection.transaction {
      #expect(throws: SQLiteConnectionError.encryption(.inUse)) { try connection.changeKey(to: other) }
    }
    try connection.changeKey(to: other)
    #expect(try connection.integer("SELECT count(*) FROM pets") == 3)
    try connection.backup(toNewFile: folder.sibling("copy.db"))
    try connection.close()
    #expect(throws: SQLiteConnectionError.encryption(.wrongKey(path))) {
      try Session(at: path, schema: Pets.one) { $0.key = key }
    }
    #expect(try names(in: path, other) == ["Rex", "Tom", "Ada"])
    #expect(try names(in: folder.sibling("copy.db"), other) == ["Rex", "Tom", "Ada"])
  }

  @Test("a key that cannot be changed stays, and nothing is written with the other one")
  func keyStays() throws {
    let folder = try TemporaryDatabase()
    let path = try pets(in: folder)
    let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: 0, key: key)
    let salted = try EncryptionKey(rawKey: [UInt8](repeating: 3, count: 48))
    #expect(throws: SQLiteConnectionError.encryption(.saltOfAnotherFile)) { try connection.changeKey(to: salted) }
    let writer = try SQLiteConnection(path: path, mode: .readWrite, key: key)
    try writer.execute("BEGIN IMMEDIATE")
    let error = try #require(throws: SQLiteError.self) { try connection.changeKey(to: other) }
    #expect(error.isBusy)
    try writer.execute("ROLLBACK")
    try writer.close()
    try connection.execute("INSERT INTO pets (name) VALUES ('Eve')")
    try connection.close()
    #expect(try names(in: path, key) == ["Rex", "Tom", "Ada", "Eve"])
  }

  @Test("an encrypted copy of a file that is not encrypted has its rows under their rowids, and its header's numbers")
  func encryptedCopy() throws {
    let file = try TemporaryDatabase(
      """
      PRAGMA user_version = 7; PRAGMA application_id = 77; CREATE TABLE notes (text);
      INSERT INTO notes VALUES ('Rex'), ('gone'), ('Tom'); DELETE FROM notes WHERE text = 'gone';
      CREATE TABLE a (i INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO a VALUES (9); DELETE FROM a;
      """)
    let before = try file.bytes
    let path = file.sibling("copy.db")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    try SQLiteConnection(path: file.path, mode: .readWrite).encryptedCopy(toNewFile: path, key: key)
    #expect(try file.bytes == before && !isPlain(path))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o640)
    let copy = try SQLiteConnection(path: path, mode: .readWrite, key: key)
    #expect(
      try copy.rows("SELECT rowid, text FROM notes") == [[.integer(1), .text("Rex")], [.integer(3), .text("Tom")]])
    #expect(try copy.integer("PRAGMA user_version") == 7 && copy.integer("PRAGMA application_id") == 77)
    #expect(try copy.integer("SELECT seq FROM sqlite_sequence") == 9)
    let taken = try #require(throws: SQLiteError.self) {
      try SQLiteConnection(path: file.path, mode: .readWrite).encryptedCopy(toNewFile: path, key: key)
    }
    #expect(taken.message.contains("exists already") && !"\(taken)".contains(key.text))
    #expect(throws: SQLiteConnectionError.encryption(.encrypted)) {
      try copy.encryptedCopy(toNewFile: file.sibling("again.db"), key: key)
    }
    let nowhere = try #require(throws: SQLiteError.self) {
      try SQLiteConnection(path: file.path, mode: .readWrite).encryptedCopy(toNewFile: "/nowhere/copy.db", key: key)
    }
    #expect(!"\(nowhere)".contains(key.text) && "\(nowhere)".contains("/nowhere/copy.db"))
  }

  @Test("a seed file is encrypted as it is copied, or has the key already", arguments: [true, false])
  func seed(isEncrypted: Bool) throws {
    if !isEncrypted { try EncryptedFiles.skip("opens a file that has no key") }
    let folder = try TemporaryDatabase(Pets.sql + Pets.rows, name: "seed.db")
    let seed = isEncrypted ? try pets(in: folder) : folder.path
    let path = folder.sibling("mine.db")
    let session = try Session(at: path, schema: Pets.two) {
      $0.key = key
      $0.seedFile = seed
    }
    try session.close()
    #expect(try !isPlain(path))
    #expect(try names(in: path, key) == ["Rex", "Tom", "Ada"])
  }

  @Test(
    "a seed whose index needs a collation of the program is encrypted as it is copied",
    .needsPlainFiles("opens a file that has no key"))
  func seedWithCollation() throws {
    let folder = try TemporaryDatabase()
    let seed = folder.sibling("seed.db")
    let collation = SQLCollation("length") { $0.count - $1.count }
    let made = try Session(at: seed, schema: Pets.one) { $0.collations = [collation] }
    try made.connection.execute(Pets.rows + "CREATE INDEX by_length ON pets (name COLLATE length)")
    try made.close()
    let path = folder.sibling("mine.db")
    let session = try Session(at: path, schema: Pets.one) {
      $0.key = key
      $0.seedFile = seed
      $0.collations = [collation]
    }
    try session.close()
    #expect(try !isPlain(path))
    #expect(try names(in: path, key) == ["Rex", "Tom", "Ada"])
  }

  @Test("a trace of everything that runs never sees the key")
  func trace() throws {
    let folder = try TemporaryDatabase()
    let lines = TracedLines()
    let passphrase = "open-sesame"
    let session = try Session(at: folder.sibling("a.db"), schema: Pets.one) {
      $0.key = try? EncryptionKey(passphrase: passphrase)
      $0.trace = .statementsWithValues { lines.add($0.sql) }
    }
    try session.connection.execute(Pets.rows)
    try session.connection.changeKey(to: EncryptionKey(passphrase: passphrase + "2"))
    #expect(!lines.all.isEmpty && !lines.all.joined().contains("sesame"))
  }
}

/// What was traced, on whatever thread.
private final class TracedLines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: [String] = []

  var all: [String] { lock.withLock { lines } }

  func add(_ line: String) { lock.withLock { lines.append(line) } }
}

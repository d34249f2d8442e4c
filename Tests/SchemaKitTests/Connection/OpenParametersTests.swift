import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Open parameters")
struct OpenParametersTests {
  let folder: ConnectionFolder

  init() throws { folder = try ConnectionFolder() }

  private func options(_ change: (inout OpenParameters) -> Void) -> ConnectionOptions {
    var options = ConnectionOptions()
    change(&options.parameters)
    return options
  }

  private func refusal(
    _ mode: SQLiteConnection.Mode, _ change: (inout OpenParameters) -> Void
  ) -> SQLiteConnectionError? {
    #expect(throws: SQLiteConnectionError.self) {
      try SQLiteConnection(path: folder.file("a.db"), mode: mode, options(change))
    }
  }

  @Test(
    "a path stays a path with parameters behind it",
    arguments: ["50%41?mode=ro#x.db", "ä b&c=d;e.db", "file:x", "%00.db", "a?immutable=0&nolock=0"])
  func paths(name: String) throws {
    let path = folder.file(name)
    let written = try SQLiteConnection(path: path, mode: .readWriteCreate, options { $0.powersafeOverwrite = false })
    try written.execute("CREATE TABLE t (x); INSERT INTO t VALUES (7)")
    #expect(written.filePath == path)
    #expect(FileManager.default.fileExists(atPath: path))
    let read = try SQLiteConnection(path: path, mode: .readOnly, options { $0.isImmutable = true })
    #expect(try read.integer("SELECT x FROM t") == 7)
    #expect(read.isReadOnly)
  }

  @Test("an immutable file is read although another has locked it, and nothing is made beside it")
  func immutable() throws {
    let path = folder.file("a.db")
    let writer = try SQLiteConnection(path: path)
    try writer.execute("PRAGMA journal_mode = WAL; CREATE TABLE t (x)")
    try writer.close()
    let holder = try SQLiteConnection(path: path)
    try holder.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    let waiting = try SQLiteConnection(path: path, mode: .readOnly, busyTimeout: 0)
    #expect(throws: SQLiteError.self) { try waiting.probe() }
    let reader = try SQLiteConnection(path: path, mode: .readOnly, options { $0.isImmutable = true })
    #expect(try reader.texts("SELECT name FROM sqlite_master") == ["t"])
    #expect(throws: SQLiteError.self) { try reader.execute("DROP TABLE t") }
  }

  @Test("a file without locks is read although another has locked it")
  func unlocked() throws {
    let path = folder.file("a.db")
    try SQLiteConnection(path: path).execute("CREATE TABLE t (x)")
    let holder = try SQLiteConnection(path: path)
    try holder.execute("BEGIN EXCLUSIVE")
    let reader = try SQLiteConnection(path: path, mode: .readOnly, options { $0.isUnlocked = true })
    #expect(try reader.texts("SELECT name FROM sqlite_master") == ["t"])
  }

  @Test("without locks nobody may write", arguments: [SQLiteConnection.Mode.readWrite, .readWriteCreate])
  func writers(mode: SQLiteConnection.Mode) {
    #expect(refusal(mode) { $0.isImmutable = true } == .openParameter(name: "isImmutable", .needsReadOnly))
    #expect(refusal(mode) { $0.isUnlocked = true } == .openParameter(name: "isUnlocked", .needsReadOnly))
    #expect(refusal(mode) { $0.cache = .shared } == .openParameter(name: "cache", .needsReadOnly))
    let error = refusal(mode) { $0.fileSystem = "unix-none" }
    #expect(error?.description.contains("set isReadOnly as well") == true)
  }

  @Test("what is unknown, has a property or cannot be said is refused by name")
  func invalid() {
    #expect(refusal(.readOnly) { $0.fileSystem = "none" }?.description.contains("No VFS") == false)
    #expect(
      refusal(.readOnly) { $0.fileSystem = "none" } == .openParameter(name: "fileSystem none", .unknownFileSystem))
    for name in ["vfs", "mode", "immutable", "nolock", "psow", "cache"] {
      #expect(refusal(.readOnly) { $0.other = [name: "1"] } == .openParameter(name: "other[\(name)]", .hasProperty))
    }
    #expect(refusal(.readOnly) { $0.other = ["": "1"] } == .openParameter(name: "other[]", .unusable))
    #expect(refusal(.readOnly) { $0.other = ["a": "\0"] } == .openParameter(name: "other[a]", .unusable))
    #expect(refusal(.memory) { $0.mustExist = true } == .openParameter(name: "openParameters", .needsFile))
  }

  @Test("parameters of a VFS reach it as they are")
  func other() throws {
    let path = folder.file("a b.db")
    let values = ["key one": "a&b=c%20d", "ü": ""]
    let connection = try SQLiteConnection(path: path, mode: .readWriteCreate, options { $0.other = values })
    let name = try #require(sqlite3_db_filename(connection.handle, "main"))
    for (key, value) in values {
      #expect(sqlite3_uri_parameter(name, key).map { String(cString: $0) } == value)
    }
  }

  @Test("the cache can be shared among readers, or kept apart", arguments: [OpenParameters.Cache.private, .shared])
  func cache(cache: OpenParameters.Cache) throws {
    let path = folder.file("a.db")
    try SQLiteConnection(path: path).execute("CREATE TABLE t (x)")
    let readers = try (1...2).map { _ in
      try SQLiteConnection(path: path, mode: .readOnly, options { $0.cache = cache })
    }
    for reader in readers { #expect(try reader.texts("SELECT name FROM sqlite_master") == ["t"]) }
  }
}

@Suite("Sessions with open parameters")
struct SessionOpenParametersTests {
  let database: TemporaryDatabase

  init() throws { database = try TemporaryDatabase.pets() }

  @Test("a file that must exist is not created")
  func mustExist() throws {
    let path = database.sibling("none.db")
    #expect(throws: SQLiteError.self) {
      try Session(at: path, schema: Pets.one) { $0.openParameters.mustExist = true }
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try Session(at: database.path, schema: Pets.one) { $0.openParameters.mustExist = true }.isWarm)
  }

  @Test("an immutable file is only read, by a session and by a database with its readers", arguments: [false, true])
  func immutable(isUnlocked: Bool) async throws {
    let configure: @Sendable (inout Configuration) -> Void = {
      $0.isReadOnly = true
      if isUnlocked { $0.openParameters.isUnlocked = true } else { $0.openParameters.isImmutable = true }
    }
    let session = try Session(at: database.path, schema: Pets.one, configure: configure)
    #expect(try session.count(PetOne.self) == 3)
    #expect(throws: (any Error).self) { try session.save(PetOne(id: nil, name: "New")) }
    let db = try await Database(at: database.path, schema: Pets.one, configure: configure)
    #expect(try await db.count(PetOne.self) == 3)
    #expect(throws: PlanError.self) { try Session(at: database.path, schema: Pets.two, configure: configure) }
    #expect(throws: SQLiteConnectionError.openParameter(name: "isImmutable", .needsReadOnly)) {
      try Session(at: database.path, schema: Pets.one) { $0.openParameters.isImmutable = true }
    }
  }

  @Test("another VFS has the file, its copies and its migrations", arguments: ["unix-dotfile", "unix-excl"])
  func fileSystem(name: String) async throws {
    let before = database.sibling("before.db")
    let db = try await Database(at: database.path, schema: Pets.checked) {
      $0.openParameters.fileSystem = name
      $0.backup = .beforeChange(before)
    }
    #expect(try await db.count(CheckedPet.self) == 3)
    try await db.backup(to: database.sibling("copy.db"))
    try await db.close()
    #expect(try RawSQLite(before).rows("SELECT count(*) FROM pets") == [[.int(3)]])
    #expect(try RawSQLite(database.sibling("copy.db")).rows("SELECT count(*) FROM pets") == [[.int(3)]])
    #expect(throws: RawSQLiteError.self) { try database.exec("INSERT INTO pets (name) VALUES ('')") }
  }

  @Test("what cannot be combined is refused")
  func refused() throws {
    #expect(throws: SQLiteConnectionError.openParameter(name: "fileSystem", .withSeed)) {
      try Session(at: database.sibling("new.db"), schema: Pets.one) {
        $0.seedFile = database.path
        $0.openParameters.fileSystem = "unix-dotfile"
      }
    }
    #expect(throws: SQLiteConnectionError.openParameter(name: "openParameters", .opened)) {
      try Session(over: .memory(), schema: Pets.one) { $0.openParameters.mustExist = true }
    }
    #expect(throws: SQLiteConnectionError.openParameter(name: "openParameters", .needsFile)) {
      try Session(inMemory: Pets.one) { $0.openParameters.isImmutable = true }
    }
  }
}

import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Opening a database", .serialized)
struct OpeningTests {
  let folder: ConnectionFolder

  init() throws { folder = try ConnectionFolder() }

  private func messageOfOpening(_ path: String, _ mode: SQLiteConnection.Mode) -> String? {
    #expect(throws: SQLiteError.self) {
      try SQLiteConnection(path: path, mode: mode).probe()
    }?.message
  }

  @Test("a file is created, and found again")
  func createAndReopen() throws {
    let path = folder.file("a b's.db")
    do {
      let database = try SQLiteConnection(path: path)
      try database.execute("CREATE TABLE t (x)")
      #expect(database.filePath?.hasSuffix("/a b's.db") == true)
      #expect(!database.isReadOnly && !database.isBorrowed && !database.isInMemory)
    }
    let again = try SQLiteConnection(path: path, mode: .readOnly)
    try again.probe()
    #expect(try again.texts("SELECT name FROM sqlite_master") == ["t"])
    #expect(again.isReadOnly)
    let error = #expect(throws: SQLiteError.self) { try again.execute("DROP TABLE t") }
    #expect(error?.isReadOnly == true)
  }

  @Test("a missing file says so, and is not created", arguments: [SQLiteConnection.Mode.readOnly, .readWrite])
  func missing(mode: SQLiteConnection.Mode) {
    let path = folder.file("none.db")
    #expect(messageOfOpening(path, mode) == "cannot open \(path): it does not exist")
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("a directory, a missing folder and a file as a folder are told apart")
  func reasons() throws {
    try folder.write("", to: "plain")
    let deep = folder.file("none/x.db")
    let below = folder.file("plain/x.db")
    #expect(messageOfOpening(folder.path, .readWriteCreate) == "cannot open \(folder.path): it is a directory")
    #expect(messageOfOpening(deep, .readWriteCreate) == "cannot open \(deep): its folder does not exist")
    #expect(
      messageOfOpening(below, .readWriteCreate) == "cannot open \(below): \(folder.file("plain")) is not a folder")
  }

  @Test("an empty path and one with a NUL are refused")
  func badPaths() {
    #expect(messageOfOpening("", .readWriteCreate) == "the path of the database is empty")
    #expect(messageOfOpening("a\0b", .readWriteCreate) == "the path of the database holds a NUL character")
  }

  @Test(
    "a file may be called what SQLite takes for something else",
    arguments: [":memory:", "file:x", "file:y?mode=memory", "FILE:z", "file::memory:"])
  func specialNames(name: String) throws {
    // Only a relative path can begin with such a name, so the file lies in the working directory for a moment.
    let path = FileManager.default.currentDirectoryPath + "/" + name
    defer { try? FileManager.default.removeItem(atPath: path) }
    let database = try SQLiteConnection(path: name)
    try database.execute("CREATE TABLE t (x)")
    #expect(database.filePath == path)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("a percent sign and a question mark in a path are plain characters")
  func noURI() throws {
    let path = folder.file("50%41?mode=ro#x.db")
    try SQLiteConnection(path: path).execute("CREATE TABLE t (x)")
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("probing notices a file that is not a database, and one that was cut off")
  func probe() throws {
    try folder.write(String(repeating: "not a database ", count: 500), to: "text.db")
    let error = #expect(throws: SQLiteError.self) {
      try SQLiteConnection(path: folder.file("text.db")).probe()
    }
    #expect(error?.isNotADatabase == true)

    let path = folder.file("cut.db")
    try SQLiteConnection(path: path).execute("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(90000))")
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.truncate(atOffset: 8192)
    try handle.close()
    let cut = #expect(throws: SQLiteError.self) { try SQLiteConnection(path: path).probe() }
    #expect(cut?.isCorrupt == true)
  }

  @Test("an empty file is an empty database")
  func emptyFile() throws {
    try folder.write("", to: "empty.db")
    let database = try SQLiteConnection(path: folder.file("empty.db"), mode: .readWrite)
    try database.probe()
    #expect(try database.integer("SELECT count(*) FROM sqlite_master") == 0)
  }

  @Test("no permission is named as the reason", .enabled(if: geteuid() != 0))
  func permission() throws {
    let path = folder.file("locked.db")
    try SQLiteConnection(path: path).execute("CREATE TABLE t (x)")
    try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: path)
    #expect(messageOfOpening(path, .readOnly) == "cannot open \(path): there is no permission to read it")
  }
}

@Suite("Borrowing a handle")
struct BorrowingTests {
  private func lent() throws -> OpaquePointer {
    var handle: OpaquePointer?
    try #require(sqlite3_open_v2(":memory:", &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK)
    return try #require(handle)
  }

  @Test("a handle of another copy of SQLite is refused")
  func foreign() throws {
    let handle = try lent()
    defer { sqlite3_close(handle) }
    #expect(
      throws: SQLiteConnectionError.foreignLibrary(theirs: "2099 other", ours: SQLiteConnection.engineSourceID)
    ) {
      try SQLiteConnection(borrowing: handle, sourceID: "2099 other")
    }
  }

  @Test("a borrowed handle works, stays open, and can be closed by its lender without a statement left")
  func leftOpen() throws {
    let handle = try lent()
    do {
      let database = try SQLiteConnection(borrowing: handle, sourceID: SQLiteConnection.engineSourceID)
      #expect(database.isBorrowed)
      try database.execute("CREATE TABLE t (x)")
      try database.transaction { try database.run("INSERT INTO t VALUES (?)", [.integer(1)]) }
      let allow: (AuthorizerRequest) -> AuthorizerAnswer = { _ in .allow }
      #expect(throws: SQLiteError.self) { try database.withAuthorizer(allow) {} }
      #expect(throws: SQLiteError.self) { try database.installCollationStubs() }
    }
    #expect(sqlite3_exec(handle, "INSERT INTO t VALUES (2)", nil, nil, nil) == SQLITE_OK)
    #expect(sqlite3_next_stmt(handle, nil) == nil)
    #expect(sqlite3_close(handle) == SQLITE_OK)
  }

  @Test("work on a borrowed handle is cancelled before a write and between rows, its lender's handlers untouched")
  func cancelled() throws {
    let handle = try lent()
    defer { sqlite3_close(handle) }
    let database = try SQLiteConnection(borrowing: handle, sourceID: SQLiteConnection.engineSourceID)
    try database.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1), (2), (3)")
    var seen = 0
    let check = { seen == 2 }
    let error = #expect(throws: SQLiteError.self) {
      try database.withCancellation(check: check) {
        try database.forEachRow("SELECT x FROM t", []) { _ in seen += 1 }
      }
    }
    #expect(error?.isInterrupted == true)
    #expect(seen == 2)
  }
}

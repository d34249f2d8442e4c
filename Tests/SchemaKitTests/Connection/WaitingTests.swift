import CSQLite
import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Waiting, interrupting and cancelling")
struct WaitingTests {
  static let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
  let folder: ConnectionFolder
  let path: String

  init() throws {
    folder = try ConnectionFolder()
    path = folder.file("a.db")
    try SQLiteConnection(path: path).execute("CREATE TABLE t (x)")
  }

  private func borrowed(_ body: (SQLiteConnection) throws -> Void) throws {
    var handle: OpaquePointer?
    try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    defer { sqlite3_close_v2(handle) }
    let lent = try #require(handle)
    try body(
      SQLiteConnection(borrowing: lent, sourceID: SQLiteConnection.engineSourceID, busyTimeout: 0.1))
  }

  @Test("a lock that is not given in time is an error that is busy")
  func busy() throws {
    let holder = try SQLiteConnection(path: path)
    let other = try SQLiteConnection(path: path, busyTimeout: 0.1)
    try holder.transaction {
      let error = #expect(throws: SQLiteError.self) { try other.transaction {} }
      #expect(error?.isBusy == true)
      #expect(error?.codeName == "SQLITE_BUSY")
      try borrowed { third in
        let error = #expect(throws: SQLiteError.self) { try third.transaction {} }
        #expect(error?.isBusy == true)
      }
    }
    try other.transaction {}
  }

  @Test("a lock that is given up in time is waited for", arguments: [false, true])
  func waited(isBorrowed: Bool) async throws {
    let path = path
    let holder = Task.detached {
      let holder = try SQLiteConnection(path: path)
      try holder.transaction {
        try holder.run("INSERT INTO t VALUES (1)")
        try "held".write(toFile: path + ".held", atomically: false, encoding: .utf8)
        Thread.sleep(forTimeInterval: 0.15)
      }
    }
    while !FileManager.default.fileExists(atPath: path + ".held") { try await Task.sleep(for: .milliseconds(2)) }
    try waitAndInsert(isBorrowed: isBorrowed)
    try await holder.value
    #expect(try SQLiteConnection(path: path).integer("SELECT sum(x) FROM t") == 3)
  }

  private func waitAndInsert(isBorrowed: Bool) throws {
    if isBorrowed {
      var handle: OpaquePointer?
      try #require(sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
      defer { sqlite3_close_v2(handle) }
      let lent = try #require(handle)
      let database = try SQLiteConnection(borrowing: lent, sourceID: SQLiteConnection.engineSourceID)
      try database.transaction { try database.run("INSERT INTO t VALUES (2)") }
    } else {
      let database = try SQLiteConnection(path: path)
      try database.transaction { try database.run("INSERT INTO t VALUES (2)") }
    }
  }

  @Test("a young wait tries often and a long one rarely")
  func pauses() {
    func attempts(from start: Double, to end: Double) -> Int {
      var (waited, count) = (start, 0)
      while waited < end {
        waited += ConnectionHooks.pause(after: waited)
        count += 1
      }
      return count
    }
    #expect(attempts(from: 0, to: 0.02) >= 400)
    #expect(attempts(from: 0, to: 10) < 4_000)
    #expect(attempts(from: 10, to: 70) < 3_000)
  }

  // What tells of the wait came with SQLite 3.34.
  @Test("a transaction that writes waits for readers once, and once more to commit", .needs(.dropColumn))
  func waitingOnce() throws {
    let reader = try SQLiteConnection(path: path)
    let writer = try SQLiteConnection(path: path, busyTimeout: 0.2)
    try writer.execute("PRAGMA cache_size = 5")
    try reader.execute("BEGIN")
    _ = try reader.rows("SELECT * FROM t")
    // The check is asked whenever the connection is about to wait.
    var asked = 0
    var waits: [Bool] = []
    func note(_ body: () throws -> Void) rethrows {
      asked = 0
      try body()
      waits.append(asked > 0)
    }
    let check = {
      asked += 1
      return false
    }
    try writer.withCancellation(every: 1_000_000_000, check: check) {
      try writer.execute("BEGIN IMMEDIATE")
      for _ in 1...3 {
        try note {
          try writer.run(
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50) INSERT INTO t "
              + "SELECT zeroblob(4000) FROM n")
        }
      }
      note { #expect(throws: SQLiteError.self) { try writer.execute("COMMIT") } }
      #expect(waits == [true, false, false, true])
      try writer.execute("ROLLBACK")
    }
  }

  @Test("a running statement is interrupted from another task, and the connection stays usable")
  func interrupt() async throws {
    let database = try SQLiteConnection.memory()
    let handle = database.interruptHandle
    let task = Task.detached {
      while !Task.isCancelled {
        handle.interrupt()
        try? await Task.sleep(for: .milliseconds(1))
      }
    }
    let error = #expect(throws: SQLiteError.self) { try database.run(Self.endless) }
    task.cancel()
    await task.value
    #expect(error?.isInterrupted == true)
    #expect(try database.integer("SELECT 1") == 1)
  }

  @Test("an interrupt handle outlives its connection")
  func interruptAfterClose() throws {
    var database: SQLiteConnection? = try SQLiteConnection.memory()
    let handle = try #require(database?.interruptHandle)
    database = nil
    handle.interrupt()
    #expect(!handle.isRequested)
  }

  @Test("a check stops a running statement, and its transaction is rolled back")
  func cancelled() throws {
    let database = try SQLiteConnection(path: path)
    var asked = 0
    let check = {
      asked += 1
      return asked > 5
    }
    let error = #expect(throws: SQLiteError.self) {
      try database.withCancellation(every: 100, check: check) {
        try database.transaction {
          try database.run("INSERT INTO t VALUES (1)")
          try database.run(Self.endless)
        }
      }
    }
    #expect(error?.isInterrupted == true)
    #expect(!database.isInTransaction)
    #expect(try database.integer("SELECT count(*) FROM t") == 0)
  }

  @Test("waiting for a lock can be cancelled and is then no busy error", arguments: [false, true])
  func cancelledWait(byHandle: Bool) throws {
    let holder = try SQLiteConnection(path: path)
    let other = try SQLiteConnection(path: path, busyTimeout: 600)
    try holder.transaction {
      var asked = 0
      let check = {
        asked += 1
        if byHandle && asked > 3 { other.interrupt() }
        return !byHandle && asked > 3
      }
      let error = #expect(throws: SQLiteError.self) {
        try other.withCancellation(check: check) { try other.transaction {} }
      }
      #expect(error?.isInterrupted == true)
    }
  }
}

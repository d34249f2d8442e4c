import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Transactions and savepoints")
struct TransactionTests {
  struct Failure: Error, Equatable { var number = 1 }
  let database: SQLiteConnection

  init() throws {
    database = try SQLiteConnection.memory()
    try database.execute("CREATE TABLE t (x UNIQUE)")
  }

  private func rows() throws -> [Int64] { try database.rows("SELECT x FROM t ORDER BY x").compactMap(\.[0].integer) }

  private func insert(_ number: Int64) throws { try database.run("INSERT INTO t VALUES (?)", [.integer(number)]) }

  @Test(
    "a transaction commits and returns its body's result",
    arguments: [TransactionKind.deferred, .immediate, .exclusive])
  func commit(kind: TransactionKind) throws {
    let result = try database.transaction(kind) {
      try insert(1)
      #expect(database.isInTransaction)
      return "done"
    }
    #expect(result == "done")
    #expect(!database.isInTransaction)
    #expect(try rows() == [1])
  }

  @Test("a thrown error takes the transaction back and is the one thrown")
  func rollback() throws {
    #expect(throws: Failure()) {
      try database.transaction {
        try insert(1)
        throw Failure()
      }
    }
    #expect(!database.isInTransaction)
    #expect(try rows() == [])
    try database.transaction { try insert(2) }
    #expect(try rows() == [2])
  }

  @Test("a nested savepoint is rolled back alone, and the outer work goes on")
  func nested() throws {
    try database.transaction {
      try insert(1)
      try database.savepoint {
        try insert(2)
        #expect(throws: Failure(number: 3)) {
          try database.savepoint {
            try insert(3)
            throw Failure(number: 3)
          }
        }
        try insert(4)
      }
      #expect(throws: SQLiteError.self) { try database.savepoint { try insert(1) } }
      #expect(database.isInTransaction)
      try insert(5)
    }
    #expect(try rows() == [1, 2, 4, 5])
  }

  @Test("an outermost savepoint is a transaction of its own")
  func outermostSavepoint() throws {
    try database.savepoint { try insert(1) }
    #expect(throws: Failure()) {
      try database.savepoint {
        try insert(2)
        throw Failure()
      }
    }
    #expect(!database.isInTransaction)
    #expect(try rows() == [1])
  }

  @Test("a failing COMMIT and a failing release are rolled back")
  func failedCommit() throws {
    try database.execute(
      """
      PRAGMA foreign_keys = ON; CREATE TABLE p (x PRIMARY KEY);
      CREATE TABLE c (x REFERENCES p DEFERRABLE INITIALLY DEFERRED)
      """)
    let works: [(() throws -> Void) throws -> Void] = [
      { try database.transaction(.immediate, $0) }, { try database.savepoint($0) },
    ]
    for work in works {
      let error = #expect(throws: SQLiteError.self) { try work { try database.run("INSERT INTO c VALUES (1)") } }
      #expect(error?.isConstraint == true)
      #expect(!database.isInTransaction)
      #expect(try database.integer("SELECT count(*) FROM c") == 0)
    }
  }

  @Test("a rollback by SQLite itself is noticed, and the connection stays usable")
  func automaticRollback() throws {
    try insert(1)
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction {
        try insert(2)
        try database.savepoint { try database.run("INSERT OR ROLLBACK INTO t VALUES (1)") }
      }
    }
    #expect(error?.codeName == "SQLITE_CONSTRAINT_UNIQUE")
    #expect(!database.isInTransaction)
    try database.transaction { try insert(3) }
    #expect(try rows() == [1, 3])
  }

  @Test("a full database is rolled back, and the connection stays usable")
  func full() throws {
    let limit = try #require(try database.setPragma("max_page_count", to: 10))
    #expect(limit == 10)
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction { try database.run("INSERT INTO t VALUES (zeroblob(200000))") }
    }
    #expect(error?.isFull == true)
    #expect(!database.isInTransaction)
    try database.transaction { try insert(1) }
    #expect(try rows() == [1])
  }

  @Test("a COMMIT that readers block is rolled back and says busy")
  func busyCommit() throws {
    let folder = try ConnectionFolder()
    let writer = try SQLiteConnection(path: folder.file("a.db"), busyTimeout: 0.05)
    try writer.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)")
    let reader = try SQLiteConnection(path: folder.file("a.db"), mode: .readOnly)
    try reader.forEachRow("SELECT x FROM t", []) { _ in
      let error = #expect(throws: SQLiteError.self) {
        try writer.transaction { try writer.run("INSERT INTO t VALUES (2)") }
      }
      #expect(error?.isBusy == true)
      #expect(error?.sql == "COMMIT")
      #expect(!writer.isInTransaction)
    }
    try writer.transaction { try writer.run("INSERT INTO t VALUES (3)") }
    #expect(try reader.rows("SELECT x FROM t") == [[.integer(1)], [.integer(3)]])
  }

  @Test("work that passes over the error with which SQLite rolled back writes nothing more", arguments: [false, true])
  func passingOver(isNested: Bool) throws {
    try insert(1)
    var tries: [SQLiteError?] = []
    func lose() throws { try database.run("INSERT OR ROLLBACK INTO t VALUES (1)") }
    func goOn(_ work: () throws -> Void) { tries.append(#expect(throws: SQLiteError.self) { try work() }) }
    let error = #expect(throws: SQLiteError.self) {
      try database.transaction {
        try insert(2)
        goOn { try isNested ? database.savepoint(lose) : lose() }
        #expect(!database.isInTransaction)
        goOn { try insert(3) }
        goOn { try database.savepoint { try insert(4) } }
        goOn { try database.transaction { try insert(5) } }
        goOn { try database.execute("CREATE TABLE u (x); INSERT INTO t VALUES (6)") }
        goOn { try database.execute("SAVEPOINT mine; INSERT INTO t VALUES (7)") }
        #expect(try rows() == [1])
        // Settings are put back all the same.
        try database.execute("PRAGMA foreign_keys = ON")
      }
    }
    #expect(tries.map { $0?.codeName } == Array(repeating: "SQLITE_CONSTRAINT_UNIQUE", count: 6))
    #expect(error?.sql == "INSERT OR ROLLBACK INTO t VALUES (1)")
    #expect(!database.isInTransaction)
    #expect(try rows() == [1])
    #expect(try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'") == ["t"])
    try database.transaction { try insert(8) }
    try insert(9)
    #expect(try rows() == [1, 8, 9])
  }

  @Test("a rehearsal keeps nothing, also where the body passes over a rollback by SQLite itself")
  func rehearsal() throws {
    try insert(1)
    try database.rehearsal { try insert(2) }
    #expect(try rows() == [1])
    #expect(throws: SQLiteError.self) {
      try database.rehearsal {
        try? database.execute("INSERT OR ROLLBACK INTO t VALUES (1)")
        try? insert(3)
      }
    }
    #expect(!database.isInTransaction)
    #expect(try rows() == [1])
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Stubs and the authorizer")
struct StubsAndAuthorizerTests {
  let database: SQLiteConnection

  init() throws { database = try SQLiteConnection.memory() }

  @Test("an unknown collation compares bytes once stubs are installed")
  func collation() throws {
    #expect(throws: SQLiteError.self) { try database.execute("CREATE TABLE t (x, UNIQUE (x COLLATE \"wört\"))") }
    try database.installCollationStubs()
    try database.execute(
      """
      CREATE TABLE t (x COLLATE "wört" UNIQUE);
      INSERT INTO t VALUES ('b'), ('B'), ('a'), (''), ('ab')
      """)
    #expect(try database.texts("SELECT x FROM t ORDER BY x") == ["", "B", "a", "ab", "b"])
    #expect(database.stubbedNames == ["wört"])
  }

  @Test("a stubbed function can stand in an index and a generated column, and gives NULL")
  func function() throws {
    try database.installFunctionStub(named: "slug")
    try database.execute(
      """
      PRAGMA trusted_schema = OFF;
      CREATE TABLE t (x, y AS (slug(x, 1))); CREATE INDEX i ON t (slug(x)); INSERT INTO t (x) VALUES ('a')
      """)
    #expect(try database.rows("SELECT y, slug() FROM t") == [[.null, .null]])
    #expect(database.stubbedNames == ["slug"])
  }

  @Test("stubs are refused on a file")
  func onFile() throws {
    let folder = try ConnectionFolder()
    let file = try SQLiteConnection(path: folder.file("a.db"))
    #expect(throws: SQLiteError.self) { try file.installCollationStubs() }
    #expect(throws: SQLiteError.self) { try file.installFunctionStub(named: "f") }
    #expect(file.stubbedNames.isEmpty)
  }

  @Test(
    "untrusted SQL reaches no other file and loads no code",
    arguments: ["ATTACH ':memory:' AS o", "DETACH x", "VACUUM INTO 'file'", "SELECT load_extension('x')"])
  func denied(sql: String) throws {
    try database.execute("ATTACH ':memory:' AS x")
    let error = #expect(throws: SQLiteError.self) {
      try database.denyingDangerousStatements {
        try database.execute("CREATE TABLE t (x)")
        try database.execute(sql)
      }
    }
    // "not authorized" or "authorization denied".
    #expect(error?.message.contains("authoriz") == true)
    try database.execute("DETACH x")
    #expect(try database.texts("SELECT name FROM sqlite_master") == ["t"])
  }

  @Test("nested authorizers are all asked, also about statements compiled before")
  func nested() throws {
    try database.execute("CREATE TABLE t (x)")
    _ = try database.rows("SELECT x FROM t")
    var read: [String] = []
    try database.denyingDangerousStatements {
      let note: (AuthorizerRequest) -> AuthorizerAnswer = { request in
        if request.action == 20 { read.append("\(request.first ?? "").\(request.second ?? "")") }
        return .allow
      }
      try database.withAuthorizer(note) { try database.rows("SELECT x FROM t") }
      #expect(throws: SQLiteError.self) {
        try database.withAuthorizer(note) { try database.execute("ATTACH ':memory:' AS o") }
      }
      #expect(throws: SQLiteError.self) { try database.execute("ATTACH ':memory:' AS o") }
    }
    #expect(read == ["t.x"])
    try database.execute("ATTACH ':memory:' AS o")
  }
}

@Suite("Backups")
struct BackupTests {
  struct Enough: Error {}

  @Test("a backup equals its source and reports its progress")
  func copies() throws {
    let folder = try ConnectionFolder()
    let source = try SQLiteConnection(path: folder.file("a.db"))
    try source.execute("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000)), ('end')")
    let target = try SQLiteConnection(path: folder.file("b.db"))
    try target.execute("CREATE TABLE old (x)")
    var steps: [BackupProgress] = []
    try SQLiteConnection.backup(from: source, to: target, pagesPerStep: 5) { steps.append($0) }
    #expect(try target.texts("SELECT name FROM sqlite_master") == ["t"])
    #expect(try target.integer("SELECT sum(length(x)) FROM t") == 100_003)
    #expect(steps.count > 4)
    #expect(steps.last?.remainingPages == 0)
    #expect(steps.first.map { $0.totalPages - $0.remainingPages } == 5)
  }

  @Test("a backup that is given up leaves the target as it was")
  func givenUp() throws {
    let folder = try ConnectionFolder()
    let source = try SQLiteConnection(path: folder.file("a.db"))
    try source.execute("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000))")
    let target = try SQLiteConnection(path: folder.file("b.db"))
    try target.execute("CREATE TABLE old (x)")
    #expect(throws: Enough.self) {
      try SQLiteConnection.backup(from: source, to: target, pagesPerStep: 2) { _ in throw Enough() }
    }
    #expect(try target.texts("SELECT name FROM sqlite_master") == ["old"])
    #expect(try target.texts("PRAGMA integrity_check") == ["ok"])
  }

  @Test("a target that another connection is writing is busy in the end")
  func busyTarget() throws {
    let folder = try ConnectionFolder()
    let path = folder.file("b.db")
    let source = try SQLiteConnection(path: folder.file("a.db"), busyTimeout: 0.05)
    try source.execute("CREATE TABLE t (x)")
    let writer = try SQLiteConnection(path: path)
    try writer.execute("CREATE TABLE old (x)")
    let target = try SQLiteConnection(path: path, busyTimeout: 0.05)
    try writer.transaction(.exclusive) {
      let error = #expect(throws: SQLiteError.self) { try SQLiteConnection.backup(from: source, to: target) }
      #expect(error?.isBusy == true)
    }
    try SQLiteConnection.backup(from: source, to: target)
    #expect(try target.texts("SELECT name FROM sqlite_master") == ["t"])
  }
}

import SchemaKitRemote
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("dqlite: schemas and changes", .enabled(if: DqliteCluster.isWanted))
struct DqliteMigrationTests {
  @Test("a schema is read, changed and checked as in a file")
  func migrates() throws {
    let cluster = try DqliteCluster()
    let connection = try cluster.connection(to: "notes")
    try connection.execute(
      """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT, seen DATETIME, gone BOOLEAN);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE, at TEXT);
      CREATE INDEX by_name ON parent (name);
      CREATE TRIGGER seen AFTER INSERT ON child BEGIN UPDATE parent SET gone = 2 WHERE id = new.parent; END;
      INSERT INTO parent VALUES (1, 'one', 2460000.5, 'yes'), (2, 'two', NULL, NULL);
      INSERT INTO child VALUES (1, 1, 'x'), (2, 2, 'y');
      """)
    #expect(
      try connection.rows("SELECT * FROM parent ORDER BY id DESC") == [
        [.integer(2), .text("two"), .null, .integer(2)], [.integer(1), .text("one"), .real(2460000.5), .integer(2)],
      ])
    let schema = """
      CREATE TABLE parent (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ''), seen DATETIME, gone BOOLEAN);
      CREATE TABLE child (id INTEGER PRIMARY KEY, parent INTEGER REFERENCES parent ON DELETE CASCADE, at TEXT);
      CREATE INDEX by_name ON parent (name);
      CREATE TRIGGER seen AFTER INSERT ON child BEGIN UPDATE parent SET gone = 2 WHERE id = new.parent; END;
      """
    let target = try SchemaSource.sql(schema, source: "schema.sql").load().target
    let report = try Change(over: connection, to: target).apply()
    #expect(report.outcome == .applied)

    let again = try cluster.connection(to: "notes")
    #expect(try Change(over: again, to: target).plan().isEmpty)
    #expect(try again.rows("SELECT id, name, seen, gone FROM parent ORDER BY id DESC LIMIT 1").count == 1)
    #expect(try again.integer("SELECT count(*) FROM child") == 2)
    #expect(try Ledger(connection: again).entries().count == 1)
  }

  @Test("the program of the page about clusters works")
  func documented() async throws {
    let cluster = try DqliteCluster(port: 9_001)
    let (note, titles) = try await ClusterExample.use()
    withExtendedLifetime(cluster) {}
    #expect(note.id == 1)
    #expect(titles == ["Milk"])
  }

  @Test("values are read as they are stored, whatever their columns declare")
  func values() throws {
    let cluster = try DqliteCluster()
    let connection = try cluster.connection(to: "values")
    try connection.execute(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a DATETIME, b BOOLEAN, c DATE, d TIMESTAMP, e TEXT)")
    try connection.execute(
      """
      INSERT INTO t VALUES (1, NULL, NULL, 2460000.5, 'x', CAST(X'6100ff62' AS TEXT)), (2, 2.5, 'yes', X'00', 7, ''),
        (3, X'', 2, '', 1e300, 'ü')
      """)
    let rows = try connection.rows("SELECT a, b, c, d FROM t ORDER BY id DESC")
    #expect(
      rows == [
        [.blob([]), .integer(2), .text(""), .real(1e300)], [.real(2.5), .text("yes"), .blob([0]), .integer(7)],
        [.null, .null, .real(2460000.5), .text("x")],
      ])
    #expect(
      try connection.rows("SELECT a FROM t WHERE id = ?1 AND b = ?2", [.integer(3), .integer(2)]) == [[.blob([])]])
    #expect(try connection.texts("VALUES ('a'), ('b') -- end") == ["a", "b"])
    // What it is compiled to holds these bytes.
    #expect(try connection.rows("SELECT X'FF', 'a' || X'FE'")[0][0] == .blob([0xff]))
    #expect(try !connection.rows("explain query plan SELECT a FROM t").isEmpty)
    // A function is called once a row.
    let random = "SELECT CASE WHEN random() % 2 THEN 'a' ELSE 1 END FROM t, t AS u, t AS v"
    #expect(try connection.rows(random).allSatisfy { [.text("a"), .integer(1)].contains($0[0]) })
    func wide(_ count: Int64) -> String {
      "SELECT " + (0..<count).map { "\($0) AS column\($0)" }.joined(separator: ", ")
    }
    #expect(try connection.rows(wide(490)) == [(0..<490).map { .integer($0) }])
    #expect(throws: RemoteError.self) { try connection.rows(wide(491)) }
    // An error that comes while the query runs.
    let overflow = #expect(throws: SQLiteError.self) {
      try connection.rows("SELECT sum(column1) FROM (VALUES (9223372036854775807), (1))")
    }
    #expect(overflow?.message.contains("overflow") == true)
    #expect(try connection.integer("WITH x AS (SELECT count(*) AS n FROM t) SELECT n FROM x") == 3)
    #expect(try connection.rows("SELECT 1, 1 AS \"1\" FROM t LIMIT 1 OFFSET 1;") == [[.integer(1), .integer(1)]])
    // Another query while rows are read: the rest of them is taken in before.
    try connection.execute(
      "WITH RECURSIVE n (i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n LIMIT 5000) INSERT INTO t (id) SELECT i FROM n")
    var count: Int64 = 0
    try connection.forEachRow("SELECT id FROM t", []) { row in
      if count % 1_000 == 0 {
        let found = try connection.integer("SELECT count(*) FROM t WHERE id = ?1", [row[0]])
        #expect(found == 1)
      }
      count += 1
    }
    #expect(count == 5_003)
    // A table with a column more.
    #expect(try connection.rows("SELECT * FROM t WHERE id = 3").first?.count == 6)
    try cluster.connection(to: "values").execute(
      "ALTER TABLE t ADD COLUMN metadata_version; CREATE TABLE data_version (a)")
    #expect(try connection.rows("SELECT * FROM t WHERE id = 3").first?.count == 7)
    #expect(try connection.rows("PRAGMA main.table_xinfo(\"data_version\")").count == 1)
    #expect(try connection.rows("PRAGMA query_only") == [[.integer(0)]])
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO t (id, a) VALUES (?1, ?2)", [.integer(1)]) }
    let many = (1...256).map { SQLValue.integer(Int64($0)) }
    let marks = many.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    #expect(throws: RemoteError.self) { try connection.rows("SELECT \(marks)", many) }
    #expect(
      try connection.rows("SELECT \(marks)".replacing(", ?256", with: ""), Array(many.dropLast())) == [
        Array(many.dropLast())
      ])
    #expect(throws: RemoteError.self) { try connection.run("INSERT INTO t (e) VALUES (?1)", [.text("a\0b")]) }
    #expect(try connection.integer("SELECT count(*) FROM t") == 5_003)
  }

  @Test("a transaction that the server rolls back by itself takes no more statements")
  func rolledBack() throws {
    let cluster = try DqliteCluster()
    let connection = try cluster.connection(to: "rolledback")
    try connection.execute("CREATE TABLE t (a UNIQUE ON CONFLICT ROLLBACK, b UNIQUE); INSERT INTO t VALUES (1, 1)")
    var refused: [String] = []
    func insert(_ values: String) {
      do { try connection.run("INSERT INTO t VALUES \(values)") } catch { refused.append(values) }
    }
    try connection.execute("BEGIN")
    // The second of them leaves the transaction open, the fourth ends it.
    for values in ["(2, 2)", "(3, 1)", "(4, 4)", "(1, 5)", "(6, 6)"] { insert(values) }
    #expect(refused == ["(3, 1)", "(1, 5)", "(6, 6)"])
    #expect(throws: RemoteError.self) { try connection.execute("COMMIT") }
    try connection.execute("ROLLBACK")
    #expect(!connection.isInTransaction)
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
    // Savepoints, nested and let go of together.
    try connection.execute(
      "SAVEPOINT a; SAVEPOINT B; INSERT INTO t VALUES (7, 7); ROLLBACK TO b; SAVEPOINT c; RELEASE A")
    #expect(!connection.isInTransaction)
    try connection.execute("BEGIN; SAVEPOINT a; INSERT INTO t VALUES (8, 8); RELEASE a")
    #expect(connection.isInTransaction)
    try connection.execute("ROLLBACK")
    try connection.savepoint { try connection.run("INSERT INTO t VALUES (9, 9)") }
    #expect(try cluster.connection(to: "rolledback").integer("SELECT sum(a) FROM t") == 10)
  }

  @Test("without a quorum nothing is half done, and the error says so")
  func noQuorum() throws {
    let cluster = try DqliteCluster()
    var limits = DqliteConnection.Limits()
    (limits.answering, limits.leader, limits.connecting) = (8, 3, 1)
    let connection = try cluster.connection(to: "quorum", limits: limits)
    try connection.execute("CREATE TABLE t (a)")
    let leader = try #require(cluster.addresses.firstIndex(of: connection.leader ?? "")) + 1
    let others = [1, 2, 3].filter { $0 != leader }
    for node in others { cluster.tell("stop", node) }
    let target = try SchemaSource.sql("CREATE TABLE t (a NOT NULL DEFAULT 0)", source: "s.sql").load().target
    var database = RemoteDatabase(over: connection)
    database.attempts = 1
    #expect(throws: RemoteError.self) { try database.migrate(to: target, ChangeRequest()) }
    for node in others { cluster.tell("continue", node) }
    let again = try cluster.connection(to: "quorum")
    _ = try RemoteDatabase(over: again).migrate(to: target, ChangeRequest())
    #expect(try Change(over: again, to: target).plan().isEmpty)
    #expect(try Ledger(connection: again).entries().count == 1)
  }

  @Test("of two that make the same change at once, one makes it, and the other finds it made")
  func twoAppliers() async throws {
    let cluster = try DqliteCluster()
    let first = try cluster.connection(to: "two")
    try first.execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x')")
    let outcomes = try await withThrowingTaskGroup(of: ApplyReport.Outcome.self) { group in
      for _ in 0..<2 {
        group.addTask {
          var limits = DqliteConnection.Limits()
          limits.busy = 20
          let connection = try cluster.connection(to: "two", limits: limits)
          let target = try SchemaSource.sql("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL)", source: "s.sql")
            .load().target
          return try RemoteDatabase(over: connection).migrate(to: target, ChangeRequest()).outcome
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(outcomes.sorted { $0.rawValue < $1.rawValue } == [.applied, .unchanged])
    #expect(try Ledger(connection: try cluster.connection(to: "two")).entries().count == 1)
  }
}

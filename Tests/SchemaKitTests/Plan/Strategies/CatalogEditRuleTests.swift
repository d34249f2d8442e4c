import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// One change of a table, with rows that pass it.
struct DefinitionCase: CustomStringConvertible, Sendable {
  var what: String
  var from: String
  var to: String
  /// Values for one row; `N` stands for its number.
  var row: String
  var description: String { what }

  init(_ what: String, _ from: String, _ to: String, row: String = "N, 'aN', N") {
    (self.what, self.from, self.to, self.row) = (what, from, to, row)
  }

  func file(_ count: Int) throws -> TemporaryDatabase {
    try TemporaryDatabase(
      "CREATE TABLE u (k INTEGER PRIMARY KEY);\n" + rows(count) { "INSERT INTO u VALUES (\($0))" } + "\n" + from + ";\n"
        + rows(count) { "INSERT INTO t VALUES (\(row.replacing("N", with: "\($0)")))" }
        + "\nCREATE INDEX i ON t (a); CREATE VIEW v AS SELECT * FROM t;")
  }

  var target: String {
    "CREATE TABLE u (k INTEGER PRIMARY KEY); \(to); CREATE INDEX i ON t (a); CREATE VIEW v AS SELECT * FROM t;"
  }
}

@Suite("CatalogEditRule")
struct CatalogEditRuleTests {
  static let head = "CREATE TABLE t (id INTEGER PRIMARY KEY, "
  static let safeCases = [
    DefinitionCase("drop a CHECK", head + "a TEXT CHECK (a <> ''), b INT)", head + "a TEXT, b INT)"),
    DefinitionCase("drop a table's CHECK", head + "a TEXT, b INT, CHECK (b <> 7000))", head + "a TEXT, b INT)"),
    DefinitionCase("add a CHECK", head + "a TEXT, b INT)", head + "a TEXT CHECK (t.a LIKE 'a%'), b INT)"),
    DefinitionCase("change a CHECK", head + "a TEXT, b INT CHECK (b > 0))", head + "a TEXT, b INT CHECK (b >= 0))"),
    DefinitionCase("drop NOT NULL", head + "a TEXT NOT NULL, b INT)", head + "a TEXT, b INT)"),
    DefinitionCase("add NOT NULL", head + "a TEXT, b INT)", head + "a TEXT NOT NULL, b INT)"),
    DefinitionCase(
      "add ON CONFLICT", head + "a TEXT NOT NULL, b INT)", head + "a TEXT NOT NULL ON CONFLICT IGNORE, b INT)"),
    DefinitionCase("drop a foreign key", head + "a TEXT, b INT REFERENCES u)", head + "a TEXT, b INT)"),
    DefinitionCase("add a foreign key", head + "a TEXT, b INT)", head + "a TEXT, b INT REFERENCES u)"),
    DefinitionCase(
      "change a foreign key's action", head + "a TEXT, b INT REFERENCES u)",
      head + "a TEXT, b INT REFERENCES u ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED)"),
    DefinitionCase("change a type within its affinity", head + "a TEXT, b INT)", head + "a VARCHAR(40), b BIGINT)"),
    DefinitionCase(
      "change a default that no row shows", head + "a TEXT DEFAULT 'x', b INT)", head + "a TEXT DEFAULT 'y', b INT)"),
    DefinitionCase("drop a default that no row shows", head + "a TEXT DEFAULT 'x', b INT)", head + "a TEXT, b INT)"),
    DefinitionCase(
      "add a default where no row holds NULL", head + "a TEXT, b INT)", head + "a TEXT DEFAULT 'y', b INT)"),
    DefinitionCase(
      "several at once, and the columns in another order", head + "a TEXT NOT NULL, b INT CHECK (b > 0))",
      "CREATE TABLE t (b INT NOT NULL, a TEXT, id INTEGER PRIMARY KEY)"),
    DefinitionCase(
      "drop NOT NULL and add a column", head + "a TEXT NOT NULL, b INT)", head + "a TEXT, c INT DEFAULT 5, b INT)"),
    DefinitionCase(
      "drop a CHECK with the column that it reads", head + "a TEXT, b INT, CHECK (b > 0 AND a <> ''))", head + "a TEXT)"
    ),
    DefinitionCase(
      "a table WITHOUT ROWID", "CREATE TABLE t (id INT, a TEXT NOT NULL, b INT, PRIMARY KEY (id, b)) WITHOUT ROWID",
      "CREATE TABLE t (id INT, a TEXT, b INT, PRIMARY KEY (id, b)) WITHOUT ROWID"),
    DefinitionCase(
      "a STRICT table", head + "a TEXT NOT NULL, b INT) STRICT", head + "a TEXT, b INTEGER CHECK (b > 0)) STRICT"),
    DefinitionCase(
      "a table with keys of its own", head + "a TEXT UNIQUE NOT NULL, b INT, UNIQUE (b, a))",
      head + "a TEXT UNIQUE, b INT, UNIQUE (b, a))"),
    DefinitionCase(
      "a table with AUTOINCREMENT and computed columns",
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT NOT NULL, b INT, c AS (b + 1) STORED)",
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b INT, c AS (b + 1) STORED)"),
  ]

  @Test("no row is touched, and the rows read as before", arguments: safeCases, [0, 1, 40])
  func safe(_ example: DefinitionCase, count: Int) throws {
    if example.to == Self.head + "a TEXT)" { try Engine.require(.dropColumn) }
    let file = try example.file(count)
    let dropsColumn = example.to == Self.head + "a TEXT)"
    let wanted = dropsColumn ? "id, a" : "id, a, b"
    let before = try file.query("SELECT \(wanted), typeof(a) FROM t ORDER BY id")
    let root = try file.value("SELECT rootpage FROM sqlite_master WHERE name = 't'")
    let report = try file.migrate(to: example.target, allowing: .destructive)
    let step = try #require(report.plan.steps.first { $0.object.name == "t" && $0.onBehalfOf == nil })
    let ways: [MigrationStep.Strategy] = Engine.has(.alterConstraints) ? [.native, .catalog] : [.catalog]
    #expect(ways.contains(step.strategy), "\(step.reason ?? "")")
    try file.expectSettled(at: example.target)
    #expect(try file.query("SELECT \(wanted), typeof(a) FROM t ORDER BY id") == before)
    #expect(try file.value("SELECT rootpage FROM sqlite_master WHERE name = 't'") == root)
  }

  static let unsafeCases = [
    DefinitionCase("another affinity", head + "a TEXT, b INT)", head + "a TEXT, b TEXT)"),
    DefinitionCase("TEXT becomes INTEGER", head + "a TEXT, b TEXT)", head + "a TEXT, b INTEGER)"),
    DefinitionCase("no type becomes TEXT", head + "a, b INT)", head + "a TEXT, b INT)"),
    DefinitionCase("STRICT dropped", head + "a TEXT, b ANY) STRICT", head + "a TEXT, b ANY)"),
    DefinitionCase(
      "WITHOUT ROWID", "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT)",
      "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT) WITHOUT ROWID"),
    DefinitionCase(
      "INTEGER PRIMARY KEY becomes INT", head + "a TEXT, b INT)", "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT)"),
    DefinitionCase(
      "INT PRIMARY KEY becomes INTEGER", "CREATE TABLE t (id INT PRIMARY KEY, a TEXT, b INT)", head + "a TEXT, b INT)"),
    DefinitionCase("another key", head + "a TEXT, b INT)", "CREATE TABLE t (id INTEGER, a TEXT PRIMARY KEY, b INT)"),
    DefinitionCase(
      "another STORED expression", head + "a TEXT, b INT, c AS (b + 1) STORED)",
      head + "a TEXT, b INT, c AS (b + 2) STORED)"),
    DefinitionCase(
      "STORED becomes VIRTUAL", head + "a TEXT, b INT, c AS (b) STORED)", head + "a TEXT, b INT, c AS (b) VIRTUAL)"),
    DefinitionCase(
      "VIRTUAL becomes STORED", head + "a TEXT, b INT, c AS (b) VIRTUAL)", head + "a TEXT, b INT, c AS (b) STORED)"),
  ]

  @Test("what decides how rows are stored is never done in the catalog", arguments: unsafeCases, [0, 1, 40])
  func unsafe(_ example: DefinitionCase, count: Int) throws {
    let file = try example.file(count)
    let before = try file.query("SELECT id, a, b FROM t ORDER BY id")
    var policy = PlanPolicy.everything
    policy.strategy = .auto
    let report = try file.migrate(to: example.target, allowing: policy)
    #expect(!report.plan.steps.contains { $0.statements.contains { $0.role == .catalog } })
    try file.expectSettled(at: example.target)
    let after = try file.query("SELECT id, a, b FROM t ORDER BY id")
    #expect(after.map { $0.map(\.looseText) } == before.map { $0.map(\.looseText) })
  }

  /// How NOT NULL is dropped on this SQLite.
  private static let relaxing = Engine.has(.alterConstraints) ? MigrationStep.Strategy.native : .catalog

  @Test("rows that a new rule would refuse block the change before anything is written")
  func refusingRows() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a, b); INSERT INTO t VALUES (NULL, 1), (2, -1)")
    #expect(try file.refusals(to: "CREATE TABLE t (a NOT NULL, b)").map(\.code) == [.nullsUnderNotNull])
    #expect(try file.refusals(to: "CREATE TABLE t (a, b CHECK (b > 0))").map(\.code) == [.failingCheck])
  }

  @Test("a CHECK that is NULL for a row lets it pass, whatever ALTER TABLE of this SQLite thinks of it")
  func nullCheck() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a); INSERT INTO t VALUES (NULL), (3)")
    let target = "CREATE TABLE t (a, CONSTRAINT positive CHECK (a > 0))"
    #expect(try file.migrate(to: target).plan.steps.map(\.strategy) == [.catalog])
    try file.expectSettled(at: target)
    try file.exec("INSERT INTO t VALUES (NULL)")
    #expect(throws: RawSQLiteError.self) { try file.exec("INSERT INTO t VALUES (-1)") }
  }

  @Test("a connection that was open before obeys the new rule, kept statements too")
  func otherConnections() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 1)")
    // With the ledger there already, nothing but the edit can tell others that the schema has changed.
    try file.migrate(to: "CREATE TABLE t (a, b)")
    let other = try SQLiteConnection(path: file.path, mode: .readWrite)
    try other.run("INSERT INTO t (a, b) VALUES (?1, 2)", [.integer(2)])
    try file.migrate(to: "CREATE TABLE t (a NOT NULL, b)")
    #expect(throws: SQLiteError.self) { try other.run("INSERT INTO t (a, b) VALUES (?1, 2)", [.null]) }
    #expect(try file.value("SELECT count(*) FROM t WHERE +a IS NULL") == .int(0))
  }

  @Test("a connection of ours in defensive mode is left and put back; a borrowed one makes the plan a rebuild")
  func defensive() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a INT, b); INSERT INTO t VALUES (1, 1)")
    let raw = try file.reopened()
    let handle = try #require(raw.pointer)
    var now: Int32 = 0
    #expect(schemakit_db_config(handle, 1010, 1, &now) == SQLITE_OK)
    let lent = try raw.lent()
    #expect(!lent.canEditCatalog)
    let target = try TemporaryDatabase.target("CREATE TABLE t (a BIGINT, b)")
    let step = try #require(try Change(over: lent, to: target).plan().steps.first)
    #expect(step.strategy == .rebuild)
    #expect(step.passedOver.last?.sentenceOfRejections == "this connection protects the catalog")
    let own = try file.connection()
    #expect(schemakit_db_config(own.handle, 1010, 1, &now) == SQLITE_OK)
    let report = try Change(over: own, to: target).apply()
    #expect(report.plan.steps.map(\.strategy) == [.catalog])
    #expect(schemakit_db_config(own.handle, 1010, -1, &now) == SQLITE_OK)
    #expect(now == 1)
    try file.expectSettled(at: "CREATE TABLE t (a BIGINT, b)")
  }

  @Test("a lender's open transaction with foreign keys on is not an obstacle")
  func lendersTransaction() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE p (k INTEGER PRIMARY KEY, n TEXT); CREATE TABLE c (k REFERENCES p ON DELETE CASCADE);"
        + "INSERT INTO p VALUES (1, 'x'); INSERT INTO c VALUES (1)")
    let raw = try file.reopened()
    try raw.exec("PRAGMA foreign_keys = ON; BEGIN")
    let target = try TemporaryDatabase.target(
      "CREATE TABLE p (k INTEGER PRIMARY KEY, n CLOB); CREATE TABLE c (k REFERENCES p ON DELETE CASCADE)")
    let report = try Change(over: raw.lent(), to: target).apply()
    #expect(report.plan.steps.map(\.strategy) == [.catalog])
    try raw.exec("ROLLBACK")
    #expect(try raw.rows("SELECT sql LIKE '%n TEXT%' FROM sqlite_master WHERE name = 'p'") == [[.int(1)]])
    raw.close()
    #expect(try file.query("SELECT * FROM c") == [[.int(1)]])
  }

  @Test("without the rows, only what no row can refuse is done in the catalog")
  func quick() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a, b NOT NULL); INSERT INTO t VALUES (1, 1)")
    func strategies(_ sql: String) throws -> [MigrationStep.Strategy] {
      let connection = try SQLiteConnection.openedForInspection(path: file.path)
      var request = ChangeRequest()
      request.plan.isQuick = true
      let target = try TemporaryDatabase.target(sql)
      return try Change(over: connection, to: target, request).plan().steps.map(\.strategy)
    }
    #expect(try strategies("CREATE TABLE t (a, b)") == [Self.relaxing])
    let tightening = Engine.has(.alterConstraints) ? MigrationStep.Strategy.native : .rebuild
    #expect(try strategies("CREATE TABLE t (a NOT NULL, b NOT NULL)") == [tightening])
    let checking = ConstraintForm.taken.contains(.checksOverRows) ? MigrationStep.Strategy.native : .rebuild
    #expect(try strategies("CREATE TABLE t (a, b NOT NULL CHECK (b > 0))") == [checking])
    #expect(try strategies("CREATE TABLE t (a DEFAULT 4, b NOT NULL)") == [.rebuild])
  }

  @Test("a choice of strategies keeps the catalog as it is")
  func choice() throws {
    for (choice, strategy) in [
      (StrategyChoice.alter, MigrationStep.Strategy.rebuild), (.rebuild, .rebuild), (.auto, .catalog),
    ] {
      let file = try TemporaryDatabase("CREATE TABLE t (a INT); INSERT INTO t VALUES (1)")
      var policy = PlanPolicy.lossless
      policy.strategy = choice
      #expect(
        try file.migrate(to: "CREATE TABLE t (a BIGINT)", allowing: policy).plan.steps.map(\.strategy) == [strategy])
      try file.expectSettled(at: "CREATE TABLE t (a BIGINT)")
    }
  }
}

extension RawValue {
  /// The value as text, whatever its kind: a conversion that keeps it keeps this.
  fileprivate var looseText: String {
    if case .text(let text) = self { return text }
    return description
  }
}

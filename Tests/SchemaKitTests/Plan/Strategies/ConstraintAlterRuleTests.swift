import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("ConstraintAlterRule")
struct ConstraintAlterRuleTests {
  private func part(
    _ from: String, _ to: String, version: SQLiteVersion = SQLiteVersion(3, 53), hasRows: Bool = true,
    isDecided: Bool = false, fills: Bool = false
  ) throws -> ConstraintAlterRule.Part {
    try ConstraintAlterRule.part(
      of: SchemaText.change("CREATE TABLE t (\(from))", "CREATE TABLE t (\(to))"),
      profile: EngineProfile(version: version), hasRows: hasRows, isDecided: { _ in isDecided },
      writes: { _ in fills })
  }

  @Test("NOT NULL and CHECKs with names are dropped before anything is set")
  func statements() throws {
    let part = try part(
      "a NOT NULL, b, c CONSTRAINT k CHECK (c > 0)", "a, b NOT NULL ON CONFLICT IGNORE, c", hasRows: false)
    #expect(
      part.statements == [
        "ALTER TABLE \"main\".\"t\" ALTER COLUMN \"a\" DROP NOT NULL",
        "ALTER TABLE \"main\".\"t\" DROP CONSTRAINT \"k\"",
        "ALTER TABLE \"main\".\"t\" ALTER COLUMN \"b\" SET NOT NULL ON CONFLICT IGNORE",
      ])
    #expect(part.rest.isEmpty)
  }

  @Test("what ALTER TABLE cannot do, or would do wrongly, is left to others")
  func rest() throws {
    #expect(try !part("a CHECK (a > 0)", "a").rest.droppedChecks.isEmpty)
    #expect(try !part("a", "a CHECK (a > 0)").rest.addedChecks.isEmpty)
    #expect(try part("a", "a CHECK (a > 0)", hasRows: false).rest.isEmpty)
    #expect(try part("a", "a CHECK (a > 0)", isDecided: true).rest.isEmpty)
    #expect(try !part("a", "a NOT NULL DEFAULT 1", fills: true).rest.changedColumns.isEmpty)
    #expect(try !part("a", "a NOT NULL", fills: true).rest.changedColumns.isEmpty)
    #expect(try !part("a INT NOT NULL", "a TEXT").rest.changedColumns.isEmpty)
    #expect(try part("a NOT NULL", "a", version: SQLiteVersion(3, 52)).statements.isEmpty)
  }

  @Test("from 3.54 on a foreign key with a name is dropped, and a CHECK is added over rows")
  func newest() throws {
    let newest = SQLiteVersion(3, 54)
    let drop = "ALTER TABLE \"main\".\"t\" DROP CONSTRAINT \"k\""
    let dropped = try part("a CONSTRAINT k REFERENCES p (x)", "a", version: newest)
    #expect(dropped.statements == [drop] && dropped.rest.isEmpty && !dropped.readsRows)
    let whole = try part("a, CONSTRAINT k FOREIGN KEY (a) REFERENCES p (x)", "a", version: newest)
    #expect(whole.statements == [drop] && whole.rest.isEmpty)
    let added = try part("a", "a CONSTRAINT k CHECK (a > 0)", version: newest)
    #expect(added.statements == ["ALTER TABLE \"main\".\"t\" ADD CONSTRAINT \"k\" CHECK (a > 0)"])
    #expect(added.rest.isEmpty && added.readsRows)
    // Without a name, with a name that another constraint has as well, and before.
    #expect(try !part("a REFERENCES p (x)", "a", version: newest).rest.droppedForeignKeys.isEmpty)
    #expect(
      try !part("a CONSTRAINT k REFERENCES p (x) CONSTRAINT k NOT NULL", "a CONSTRAINT k NOT NULL", version: newest)
        .rest.droppedForeignKeys.isEmpty)
    #expect(try !part("a CONSTRAINT k REFERENCES p (x)", "a").rest.droppedForeignKeys.isEmpty)
  }

  @Test("what this SQLite takes when tried is what its version is known for")
  func tried() throws {
    let version = SQLiteVersion(number: try SQLiteConnection.memory().engineVersionNumber)
    #expect(ConstraintForm.taken == ConstraintForm.known(in: version))
    #expect(try EngineProfile(of: SQLiteConnection.memory(), for: .libsql).constraintForms.isEmpty)
    #expect(try EngineProfile(of: SQLiteConnection.memory()).forRecording.constraintForms.isEmpty)
  }

  private static let needed: Set<ConstraintForm> = [.checksOverRows, .foreignKeys]

  @Test(
    "where the catalog is protected, the newest forms change a table with rows and copy none",
    .enabled(if: needed.isSubset(of: ConstraintForm.taken), "this SQLite lacks DROP CONSTRAINT of a foreign key"))
  func newestForms() throws {
    let old = "CREATE TABLE p (x INTEGER PRIMARY KEY); CREATE TABLE t (a CONSTRAINT k REFERENCES p (x), b);"
    let file = try TemporaryDatabase(old + "INSERT INTO p VALUES (1); INSERT INTO t VALUES (1, NULL), (NULL, 5)")
    let raw = try file.reopened()
    raw.makeDefensive()
    let to = "CREATE TABLE p (x INTEGER PRIMARY KEY); CREATE TABLE t (a, b, CONSTRAINT c CHECK (b > 0));"
    let report = try Change(over: try raw.lent(), to: TemporaryDatabase.target(to)).apply()
    #expect(report.plan.steps.map(\.strategy) == [.native] && report.plan.copiedRows == 0)
    raw.close()
    try file.expectSettled(at: to)
    #expect(try file.query("SELECT a, b FROM t") == [[.int(1), .null], [.null, .int(5)]])
    #expect(throws: (any Error).self) { try file.exec("INSERT INTO t VALUES (2, -1)") }
  }

  @Test(
    "a CHECK is added natively over rows unless this SQLite refuses one for which it is NULL",
    .needs(.alterConstraints), arguments: ["5", "NULL"])
  func checkOverRows(value: String) throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, \(value))")
    let raw = try file.reopened()
    raw.makeDefensive()
    let to = "CREATE TABLE t (id INTEGER PRIMARY KEY, b, CONSTRAINT c CHECK (b > 0));"
    let report = try Change(over: try raw.lent(), to: TemporaryDatabase.target(to)).apply()
    let isNative = value == "5" || ConstraintForm.taken.contains(.checksOverRows)
    #expect(report.plan.steps.map(\.strategy) == [isNative ? .native : .rebuild])
    raw.close()
    try file.expectSettled(at: to)
    #expect(try file.query("SELECT b FROM t") == [[value == "5" ? .int(5) : .null]])
    #expect(throws: (any Error).self) { try file.exec("INSERT INTO t VALUES (2, -1)") }
  }

  @Test("reading every row is known beforehand", arguments: [true, false])
  func reading(hasRows: Bool) throws {
    #expect(try part("a, b", "a NOT NULL, b", hasRows: hasRows).readsRows == hasRows)
    #expect(try !part("a NOT NULL, b", "a, b", hasRows: hasRows).readsRows)
  }

  private static let old = "CREATE TABLE t (a NOT NULL, b, c CONSTRAINT k CHECK (c > 0));"
  private static let target = "CREATE TABLE t (a, b NOT NULL ON CONFLICT IGNORE, c)"

  @Test(
    "SQLite itself takes the statements, and the table reads back as declared", .needs(.alterConstraints),
    arguments: [StrategyChoice.auto, .alter], [0, 1, 40])
  func engine(strategy: StrategyChoice, count: Int) throws {
    let file = try TemporaryDatabase(Self.old + rows(count) { "INSERT INTO t VALUES (\($0), 2, 3);" })
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    let step = try #require(try file.migrate(to: Self.target, allowing: policy).plan.steps.first)
    let isEdited = strategy == .auto && count > 0
    #expect(step.strategy == (isEdited ? .catalog : .native))
    #expect(
      step.passedOver.map(\.sentenceOfRejections) == (isEdited ? ["ALTER TABLE would read the rows once more"] : []))
    try file.expectSettled(at: Self.target)
    #expect(try file.query("SELECT * FROM t").count == count)
  }

  @Test(
    "rows that hold NULL are refused, and the file stays", .needs(.alterConstraints), arguments: StrategyChoice.allCases
  )
  func violatingRow(strategy: StrategyChoice) throws {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO t VALUES (1, NULL, 3)")
    var policy = PlanPolicy.everything
    policy.strategy = strategy
    #expect(try file.refusals(to: Self.target, allowing: policy).map(\.code).contains(.nullsUnderNotNull))
    #expect(try file.query("SELECT b FROM t") == [[.null]])
  }

  @Test("where the catalog is protected, ALTER TABLE does it", .needs(.alterConstraints))
  func defensive() throws {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO t VALUES (1, 2, 3)")
    let raw = try file.reopened()
    var now: Int32 = 0
    let handle = try #require(raw.pointer)
    #expect(schemakit_db_config(handle, 1010, 1, &now) == SQLITE_OK)
    let target = try TemporaryDatabase.target(Self.target)
    let report = try Change(over: try raw.lent(), to: target).apply()
    #expect(report.plan.steps.map(\.strategy) == [.native])
    raw.close()
    try file.expectSettled(at: Self.target)
  }
}

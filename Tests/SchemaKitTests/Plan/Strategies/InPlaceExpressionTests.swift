import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("InPlaceRule: the author's expressions")
struct InPlaceExpressionTests {
  private static let before = "CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR(20) COLLATE NOCASE, b INT, c TEXT);"
  private static let after = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE NOCASE, b INT, c TEXT);"
  private static let index = "CREATE INDEX i ON t (a); CREATE INDEX j ON t (c) WHERE a > 'm';"

  /// A table of some rows, every tenth of them with capitals in `a`.
  private func file(_ count: Int = 40, _ schema: String = before, more: String = "") throws -> TemporaryDatabase {
    try TemporaryDatabase(
      schema + Self.index
        + rows(count) {
          "INSERT INTO t VALUES (\($0), \($0 % 10 == 0 ? "'Ann\($0)'" : "'ann\($0)'"), \($0 % 10 == 0 ? "NULL" : "\($0)"), 'c')"
        } + more)
  }

  private func hints(_ columns: [SQLName: ColumnHints]) -> MigrationHints {
    var hints = MigrationHints()
    hints.tables["t"] = TableHints(columns: columns)
    return hints
  }

  private static let lowering = ColumnHints(conversion: "lower(a)")

  @Test("values that a conversion changes within one affinity are changed where they are, and no other row is written")
  func converts() throws {
    let file = try file()
    let others = try file.query("SELECT * FROM t WHERE id % 10 <> 0")
    let report = try file.migrate(to: Self.after + Self.index, hints: hints(["a": Self.lowering]))
    let step = try #require(report.plan.steps.first)
    #expect(step.strategy == .update && step.rows == 4, "\(step.reason ?? "")")
    #expect(step.changes.contains("a becomes lower(a) in 4 rows"))
    try file.expectSettled(at: Self.after + Self.index)
    // The index compares capitals as equal, the values must not be.
    #expect(try file.query("SELECT a FROM t WHERE id % 10 = 0") == table(4) { [.text("ann\($0 * 10)")] })
    #expect(try file.query("SELECT a FROM t INDEXED BY i WHERE a = 'ANN20'") == [[.text("ann20")]])
    #expect(try file.query("SELECT * FROM t WHERE id % 10 <> 0") == others)
  }

  @Test("where no row changes, the catalog alone is edited; where many do, the table is copied", arguments: [0, 1, 9])
  func otherWays(count: Int) throws {
    let file = try file(count)
    let none = try file.plan(to: Self.after + Self.index, hints: hints(["a": Self.lowering]))
    #expect(none.steps.map(\.strategy) == [.catalog])
    let all = try file.plan(to: Self.after + Self.index, hints: hints(["a": ColumnHints(conversion: "a || '!'")]))
    #expect(all.steps.first?.strategy == (count == 0 ? .catalog : .rebuild))
    let reason = all.steps.first?.passedOver.last?.sentenceOfRejections
    #expect(count == 0 || reason?.contains("\(count == 1 ? "1 row" : "\(count) rows") would change in place") == true)
  }

  @Test("a conversion that gives NULL where it is refused stops the change, and one that empties requires consent")
  func violating() throws {
    let emptying = hints(["a": ColumnHints(conversion: "nullif(a, 'ann7')")])
    let refusing = Self.after.replacing("TEXT COLLATE", with: "TEXT NOT NULL COLLATE")
    #expect(try file().refusals(to: refusing + Self.index, hints: emptying).map(\.code) == [.nullsUnderNotNull])
    #expect(try file().refusals(to: Self.after + Self.index, hints: emptying).map(\.code) == [.lossyConversion])
  }

  @Test("a kind of value is a change as much as a value is")
  func kinds() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a);" + rows(40) { "INSERT INTO t VALUES (\($0), \($0))" }
        + "UPDATE t SET a = '5' WHERE id = 5; UPDATE t SET a = x'36' WHERE id = 6;")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a BLOB)"
    let hints = hints(["a": ColumnHints(conversion: "CAST(CAST(a AS TEXT) AS INTEGER)")])
    let step = try #require(try file.migrate(to: target, hints: hints).plan.steps.first)
    #expect(step.strategy == .update && step.rows == 2)
    try file.expectSettled(at: target)
    #expect(try file.value("SELECT count(*) FROM t WHERE a = id AND typeof(a) = 'integer'") == .int(40))
  }

  @Test("each expression sees the row as it was, under its former names too")
  func rowAsItWas() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR, old VARCHAR, n INT);"
        + rows(40) { "INSERT INTO t VALUES (\($0), 'same', 'same', \($0))" }
        + "UPDATE t SET a = 'first', old = 'second', n = NULL WHERE id = 3;")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, n INT NOT NULL)"
    let hints = hints([
      "a": ColumnHints(conversion: "old"), "b": ColumnHints(renamedFrom: ["old"], conversion: "a"),
      "n": ColumnHints(backfill: "length(a || b)"),
    ])
    let report = try file.migrate(to: target, hints: hints)
    let step = try #require(report.plan.steps.last)
    #expect(step.strategy == .update, "\(step.reason ?? "")")
    #expect(step.changes.contains("NULL in n becomes length(a || b) in 1 row"))
    try file.expectSettled(at: target)
    #expect(try file.query("SELECT a, b, n FROM t WHERE id = 3") == [[.text("second"), .text("first"), .int(11)]])
    #expect(try file.value("SELECT count(*) FROM t WHERE a = 'same' AND b = 'same' AND n = id") == .int(39))
  }

  @Test("no trigger fires")
  func triggers() throws {
    let trigger = "CREATE TRIGGER g AFTER UPDATE ON t BEGIN UPDATE t SET c = 'fired' WHERE id = new.id; END;"
    let file = try file(more: trigger)
    try file.migrate(to: Self.after + Self.index + trigger, hints: hints(["a": Self.lowering]))
    try file.expectSettled(at: Self.after + Self.index + trigger)
    #expect(try file.value("SELECT count(*) FROM t WHERE c = 'fired'") == .int(0))
    #expect(try file.value("SELECT count(*) FROM t WHERE a <> lower(a) COLLATE BINARY") == .int(0))
  }

  @Test(
    "a value that must be unique is not changed where it is: two rows may exchange theirs",
    arguments: ["a VARCHAR UNIQUE", "a VARCHAR, UNIQUE (id, a)", "a VARCHAR"])
  func uniqueValues(column: String) throws {
    let index = column.contains("UNIQUE") ? "" : "CREATE UNIQUE INDEX u ON t (lower(a));"
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column));" + index
        + rows(40) { "INSERT INTO t VALUES (\($0), 'x\($0)')" })
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, \(column.replacing("VARCHAR", with: "TEXT")));" + index
    let exchange = "CASE id WHEN 1 THEN 'x2' WHEN 2 THEN 'x1' ELSE a END"
    let report = try file.migrate(to: target, hints: hints(["a": ColumnHints(conversion: exchange)]))
    let step = try #require(report.plan.steps.first)
    #expect(step.strategy.copiesRows && step.passedOver.contains { $0.sentenceOfRejections.hasPrefix("a is unique") })
    try file.expectSettled(at: target)
    #expect(try file.query("SELECT a FROM t WHERE id < 3 ORDER BY id") == [[.text("x2")], [.text("x1")]])
  }

  @Test(
    "rows without a number to go by are copied",
    arguments: ["id TEXT PRIMARY KEY", "rowid TEXT, oid TEXT, _rowid_ TEXT"])
  func withoutNumbers(columns: String) throws {
    let ending = columns.contains("PRIMARY") ? " WITHOUT ROWID" : ""
    let file = try TemporaryDatabase(
      "CREATE TABLE t (\(columns), a VARCHAR)\(ending);"
        + rows(40) { "INSERT INTO t (\(columns.prefix { $0 != " " }), a) VALUES ('r\($0)', 'a\($0)')" })
    let target = "CREATE TABLE t (\(columns), a TEXT)\(ending);"
    let hints = hints(["a": ColumnHints(conversion: "replace(a, 'a7', 'seven')")])
    let report = try file.migrate(to: target, hints: hints)
    #expect(report.plan.steps.map(\.strategy) == [.rebuild])
    try file.expectSettled(at: target)
    #expect(try file.value("SELECT count(*) FROM t WHERE a = 'seven'") == .int(1))
  }

  @Test("another affinity is copied: the old one would turn the new value back")
  func otherAffinity() throws {
    let file = try file()
    let target = Self.after.replacing("b INT", with: "b TEXT") + Self.index
    let hints = hints(["b": ColumnHints(conversion: "iif(b = 7, 'seven', b)")])
    let report = try file.migrate(to: target.replacing("a TEXT", with: "a VARCHAR(20)"), hints: hints)
    #expect(report.plan.steps.first?.strategy.copiesRows == true)
    #expect(try file.value("SELECT b FROM t WHERE id = 7") == .text("seven"))
  }

  @Test(
    "an expression that reads other rows is computed in one copy",
    arguments: ["max(pos) OVER () + row_number() OVER (ORDER BY id)", "(SELECT max(o.pos) FROM t AS o) + id - 38"])
  func otherRows(expression: String) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, pos INT);" + rows(38) { "INSERT INTO t VALUES (\($0), \($0))" }
        + "INSERT INTO t VALUES (39, NULL), (40, NULL);")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, pos INT NOT NULL)"
    let report = try file.migrate(to: target, hints: hints(["pos": ColumnHints(backfill: expression)]))
    let step = try #require(report.plan.steps.first)
    #expect(step.strategy == .rebuild && step.passedOver.contains { $0.sentenceOfRejections.contains("other rows") })
    try file.expectSettled(at: target)
    let expected: [Int64] = expression.contains("OVER") ? [77, 78] : [39, 40]
    #expect(try file.query("SELECT pos FROM t WHERE id > 38") == expected.map { [.int($0)] })
  }

  @Test("an aggregate in place of a value for each row is refused, and nothing is changed")
  func aggregate() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, pos INT);" + rows(40) { "INSERT INTO t VALUES (\($0), \($0))" }
        + "UPDATE t SET pos = NULL WHERE id = 3;")
    let before = try file.query("SELECT * FROM t")
    let hints = hints(["pos": ColumnHints(backfill: "max(pos) + 1")])
    #expect(throws: (any Error).self) {
      try file.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, pos INT NOT NULL)", hints: hints)
    }
    #expect(try file.query("SELECT * FROM t") == before)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("a value that another table's change takes away is noticed, and everything is rolled back")
  func otherTables() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE a (id INTEGER PRIMARY KEY, v VARCHAR); CREATE TABLE b (id INTEGER PRIMARY KEY, v TEXT);"
        + rows(40) { "INSERT INTO a VALUES (\($0), 'v\($0)'); INSERT INTO b VALUES (\($0), 'w')" }
        + "UPDATE a SET v = 'n/a' WHERE id = 7; UPDATE b SET v = NULL WHERE id = 7;")
    var hints = MigrationHints()
    hints.tables["a"] = TableHints(columns: ["v": ColumnHints(conversion: "nullif(v, 'n/a')")])
    hints.tables["b"] = TableHints(columns: ["v": ColumnHints(backfill: "(SELECT v FROM a WHERE a.id = b.id)")])
    let target =
      "CREATE TABLE a (id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE b (id INTEGER PRIMARY KEY, v TEXT NOT NULL);"
    #expect(throws: (any Error).self) { try file.migrate(to: target, allowing: .everything, hints: hints) }
    #expect(try file.query("SELECT a.v, b.v FROM a JOIN b USING (id) WHERE id = 7") == [[.text("n/a"), .null]])
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
  }

  @Test("what comes of a default is not seen by expressions of the author's")
  func defaultsComeLater() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);" + rows(40) { "INSERT INTO t VALUES (\($0), 'a', 'b')" }
        + "UPDATE t SET a = NULL, b = NULL WHERE id = 7;")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL DEFAULT 'x', b TEXT NOT NULL)"
    let hints = hints(["b": ColumnHints(backfill: "coalesce(a, 'none')")])
    #expect(try file.migrate(to: target, hints: hints).plan.steps.map(\.strategy) == [.update])
    try file.expectSettled(at: target)
    #expect(try file.query("SELECT a, b FROM t WHERE id = 7") == [[.text("x"), .text("none")]])
  }

  /// A change with the expression, what it leads to, and why it is no update.
  static let suspendedObjects: [(from: String, to: String, column: SQLName, hint: ColumnHints, reason: String)] = [
    (
      "a VARCHAR NOT NULL, b TEXT", "a TEXT, b TEXT", "a", ColumnHints(conversion: "nullif(a, 'v7')"),
      "NOT NULL of a still holds"
    ),
    (
      "a VARCHAR, b TEXT, g TEXT AS (lower(a)) UNIQUE", "a TEXT, b TEXT, g TEXT AS (lower(a)) UNIQUE", "a",
      ColumnHints(conversion: "CASE a WHEN 'v7' THEN 'v8' WHEN 'v8' THEN 'v7' ELSE a END"), "a is unique"
    ),
    (
      "a VARCHAR, b TEXT, g TEXT AS (lower(a)), CHECK (g <> 'seven')", "a TEXT, b TEXT, g TEXT AS (lower(a))", "a",
      ColumnHints(conversion: "replace(a, 'v7', 'seven')"), "CHECK (g <> 'seven') still holds"
    ),
    (
      "a TEXT, b TEXT, CHECK ((a IS NULL) = (b IS NULL))",
      "a TEXT NOT NULL, b TEXT NOT NULL DEFAULT 'x', CHECK ((a IS NULL) = (b IS NULL))", "a",
      ColumnHints(backfill: "'y'"), "half done"
    ),
    (
      "a INT, b TEXT", "a INTEGER, b TEXT, c INT DEFAULT 0 CHECK (c < a)", "a", ColumnHints(conversion: "abs(a)"),
      "half done"
    ),
    (
      "a VARCHAR REFERENCES p (k), b TEXT", "a TEXT, b TEXT", "a", ColumnHints(conversion: "replace(a, 'v7', 'x')"),
      "foreign key on p still holds"
    ),
  ]

  @Test("what SQLite would refuse in the middle of an update is done by a copy", arguments: suspendedObjects.indices)
  func obstacle(index: Int) throws {
    let (from, to, column, hint, reason) = Self.suspendedObjects[index]
    let isNumber = from.hasPrefix("a INT,")
    let isFilled = hint.backfill != nil
    let parent = "CREATE TABLE p (k TEXT PRIMARY KEY);"
    let file = try TemporaryDatabase(
      parent + rows(40) { "INSERT INTO p VALUES ('v\($0)')" } + "CREATE TABLE t (id INTEGER PRIMARY KEY, \(from));"
        + rows(40) { "INSERT INTO t (id, a, b) VALUES (\($0), \(isNumber ? "\($0)" : "'v\($0)'"), 'b')" }
        + (isNumber ? "UPDATE t SET a = -7 WHERE id = 7;" : "")
        + (isFilled ? "UPDATE t SET a = NULL, b = NULL WHERE id = 7;" : ""))
    let target = parent + "CREATE TABLE t (id INTEGER PRIMARY KEY, \(to));"
    let report = try file.migrate(to: target, allowing: .everything, hints: hints([column: hint]))
    let step = try #require(report.plan.steps.first)
    #expect(step.strategy.copiesRows)
    #expect(step.passedOver.contains { $0.sentenceOfRejections.contains(reason) }, "\(step.passedOver)")
    try file.expectSettled(at: target)
    #expect(try file.value("SELECT count(*) FROM t WHERE id <> 7 AND a IS NOT NULL") == .int(39))
  }

  struct Pet: Model {
    let id: Int64?
    var name: String
    var size: Int

    static let table = ModelTable("pet", as: Self.init) {
      Column("id", \Pet.id).primaryKey()
      Column("name", \Pet.name)
      Column("size", \Pet.size).backfill(from: "name") { (name: String) in name.count }
    }
  }

  @Test("a function in Swift fills values where they are, as an expression does")
  func swiftFunction() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT NOT NULL, size INTEGER);"
        + rows(40) { "INSERT INTO pet VALUES (\($0), 'REX\($0)', \($0))" }
        + "UPDATE pet SET size = NULL WHERE id IN (7, 18);")
    let session = try Session(at: file.path, schema: ModelSchema { Pet.self })
    guard case .compared(let report) = session.openReport else { throw CancellationError() }
    let step = try #require(report.plan.steps.first)
    #expect(step.strategy == .update && step.rows == 2, "\(step.reason ?? "")")
    #expect(step.changes.last == "NULL in size becomes what Swift computes in 2 rows")
    let pets = try session.all(Pet.self, orderBy: { [$0.id.ascending] })
    #expect(pets.map(\.size) == (1...40).map { $0 == 7 ? 4 : $0 == 18 ? 5 : $0 })
  }

  @Test("a conversion that was done in place is done once")
  func once() throws {
    let lengthening = hints(["a": ColumnHints(conversion: "iif(id = 3, a || '!', a)")])
    let file = try file()
    try file.migrate(to: Self.after + Self.index, hints: lengthening)
    try file.migrate(to: Self.after.replacing("a TEXT", with: "a CLOB") + Self.index, hints: lengthening)
    #expect(try file.value("SELECT a FROM t WHERE id = 3") == .text("ann3!"))
  }
}

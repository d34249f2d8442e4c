import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The costs of strategies")
struct StrategyCostTests {
  private func update(_ rows: Int, indexes: Int) -> Double {
    StrategyCost.updating(rows, of: 1_000, rowBytes: 160, indexes: indexes).total
  }

  @Test(
    "an update of rows whose columns no index reads costs less than a copy, and one of many rows that it reads more")
  func updates() {
    let copy = StrategyCost(copied: 1_000).total
    #expect(update(1_000, indexes: 0) < copy / 2)
    #expect(update(1, indexes: 0) < copy / 100)
    #expect(update(100, indexes: 1) < copy && update(900, indexes: 1) > copy)
  }

  @Test("a ratio has one digit where it is small, and none where it tells nothing")
  func ratios() {
    func ratio(_ cost: Int, _ other: Int) -> String? {
      StrategyCost(copied: cost).ratio(to: StrategyCost(copied: other))
    }
    #expect(ratio(5, 0) == nil && ratio(10, 10) == nil && ratio(9, 10) == nil)
    #expect(ratio(15, 10) == "1.5" && ratio(20, 10) == "2" && ratio(1_234, 10) == "123")
  }

  static let rowsToFill = [
    ("CREATE INDEX i ON t (id, k)", MigrationStep.Strategy.update), ("CREATE INDEX i ON t (b)", .swap),
  ]

  @Test("a default for most rows is stored where they are, unless more is moved so than copied", arguments: rowsToFill)
  func fill(index: String, strategy: MigrationStep.Strategy) throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, k INT); \(index); CREATE INDEX j ON t (k);"
        + rows(400) { "INSERT INTO t VALUES (\($0), \($0 < 10 ? "'x'" : "NULL"), \($0))" })
    let target =
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT NOT NULL DEFAULT 'y', k INT); \(index); CREATE INDEX j ON t (k)"
    let step = try #require(try file.migrate(to: target).plan.steps.first)
    #expect(step.strategy == strategy, "\(step.reason ?? "")")
    try file.expectSettled(at: target)
    #expect(try file.query("SELECT b, count(*), sum(k) FROM t GROUP BY b").count == 2)
    #expect(try file.value("SELECT count(*) FROM t NOT INDEXED WHERE b = 'y' AND k = id") == .int(391))
    #expect(try file.value("PRAGMA integrity_check") == .text("ok"))
  }

  @Test("the rows of an update that costs more are told as other numbers are")
  func words() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT); CREATE INDEX i ON t (b); BEGIN;"
        + rows(2_000) { "INSERT INTO t VALUES (\($0), NULL)" } + "COMMIT")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT NOT NULL DEFAULT 0); CREATE INDEX i ON t (b)"
    let reason = try #require(try file.plan(to: target).steps.first?.reason)
    #expect(reason.contains("2,000 of 2,000 rows would change in place, about "), "\(reason)")
  }

  @Test(
    "many columns are dropped one by one where a copy would convert values, or foreign keys stay on",
    arguments: EngineProfile.Name.allCases)
  func lastResort(name: EngineProfile.Name) throws {
    try Engine.require(.dropColumn)
    let children = "CREATE TABLE child (t INTEGER REFERENCES t ON DELETE CASCADE)"
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b, c, d, e, f, a); \(children); INSERT INTO child VALUES (1), (2);"
        + rows(40) { "INSERT INTO t (id, a) VALUES (\($0), '007')" })
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a); \(children)"
    let plan = try ScriptedMigration(of: file.path, to: TemporaryDatabase.target(target), for: name).plan
    #expect(plan.steps.map(\.strategy) == [.native], "\(plan.steps.compactMap(\.reason))")
    #expect(plan.refusals(under: .everything).isEmpty)
    #expect(try file.plan(to: target).steps.map(\.strategy) == [.rebuild])
  }
}

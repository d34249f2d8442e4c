import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Faults of before, beside a change that could mend them in silence")
struct CarriedFaultTests {
  @Test(
    "AUTOINCREMENT that comes back leaves a higher mark as it is", arguments: [StrategyChoice.auto, .rebuild, .alter])
  func mark(strategy: StrategyChoice) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, b INT); INSERT INTO t VALUES (1000, 1); DELETE FROM t;
      INSERT INTO t VALUES (5, 1), (6, 2)
      """, ["PRIMARY KEY AUTOINCREMENT": "PRIMARY KEY"])
    try file.database.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, b INT)") {
      $0.plan.policy.strategy = strategy
    }
    #expect(try file.database.query("SELECT name, seq FROM sqlite_sequence") == [[.text("t"), .int(1000)]])
    try file.database.exec("INSERT INTO t (b) VALUES (9)")
    #expect(try file.database.query("SELECT max(id) FROM t") == [[.int(1001)]])
  }

  @Test("a text becomes the number of a row only with consent", arguments: ["'007', '1e2'", "5.0, 2.0"])
  func rowNumber(values: String) throws {
    let values = values.split(separator: ", ")
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, z, b TEXT);
      INSERT INTO t VALUES (1, \(values[0]), 'a'), (3, \(values[1]), 'c')
      """, ["z, b": "z INTEGER, b"])
    let before = try file.values(of: ["z", "b"])
    let target = "CREATE TABLE t (id INTEGER, z INTEGER PRIMARY KEY, b TEXT)"
    let error = #expect(throws: PlanError.self) {
      var policy = PlanPolicy.lossless
      _ = try policy.add(allow: "SK205")
      try file.database.migrate(to: target, allowing: policy)
    }
    guard case .refused(_, let hazards)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.first?.column == "z")
    #expect(try file.values(of: ["z", "b"]) == before)
  }

  @Test(
    "a column under two names holds the same bytes under both",
    arguments: [("INTEGER", "'007'"), ("INTEGER", "'1e2'"), ("TEXT", "5"), ("TEXT", "7.5")])
  func expanded(type: String, value: String) throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, z BLOB); INSERT INTO t VALUES (1, \(value))", ["z BLOB": "z \(type)"])
    var hints = MigrationHints()
    hints.tables["t", default: TableHints()].columns["y", default: ColumnHints()].renamedFrom = ["z"]
    try file.database.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, y \(type))", hints: hints) {
      $0.phase = .expand
    }
    #expect(try file.database.query("SELECT quote(z) || '', quote(y) || '' FROM t") == [[.text(value), .text(value)]])
  }
}

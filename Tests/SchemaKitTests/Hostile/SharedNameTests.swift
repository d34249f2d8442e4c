import SchemaKit
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Triggers have a namespace of their own: one may have the name of a table, a view, or an index.
@Suite("Triggers that share their name with another object")
struct SharedNameTests {
  private static let trigger = "CREATE TRIGGER t AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.a); END;"

  @Test("a table changes that has a trigger of its own name", arguments: StrategyChoice.allCases)
  func sameTable(strategy: StrategyChoice) throws {
    let file = try TemporaryDatabase(
      "\(strategy.journal)CREATE TABLE log (a); CREATE TABLE t (a TEXT, b TEXT); \(Self.trigger)")
    let target = "CREATE TABLE log (a); CREATE TABLE t (a TEXT, b TEXT NOT NULL DEFAULT '', c INT); \(Self.trigger)"
    try file.migrate(to: target) { $0.plan.policy.strategy = strategy }
    try file.exec("INSERT INTO t (a) VALUES ('x')")
    #expect(try file.query("SELECT * FROM log") == [[.text("x")]])
    #expect(try file.plan(to: target).isEmpty)
  }

  @Test("a table changes and so does the trigger of its name")
  func bothChange() throws {
    let file = try TemporaryDatabase("CREATE TABLE log (a); CREATE TABLE t (a TEXT); \(Self.trigger)")
    let target =
      "CREATE TABLE log (a); CREATE TABLE t (a TEXT, b TEXT); "
      + Self.trigger.replacing("new.a", with: "new.b")
    try file.migrate(to: target)
    try file.exec("INSERT INTO t (a, b) VALUES ('x', 'y')")
    #expect(try file.query("SELECT * FROM log") == [[.text("y")]])
    #expect(try file.plan(to: target).isEmpty)
  }

  @Test("a table gets the name that one of its triggers has")
  func renamed() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE log (a); CREATE TABLE old (a TEXT); INSERT INTO old VALUES ('w'); "
        + Self.trigger.replacing("ON t", with: "ON old"))
    let target = "CREATE TABLE log (a); CREATE TABLE t ( -- schemakit: renamed from old\na TEXT); \(Self.trigger)"
    try file.migrate(to: target)
    try file.exec("INSERT INTO t (a) VALUES ('x')")
    #expect(try file.query("SELECT * FROM log") == [[.text("x")]])
    #expect(try file.query("SELECT a FROM t") == [[.text("w")], [.text("x")]])
    #expect(try file.plan(to: target).isEmpty)
  }

  @Test("a virtual table with a trigger of its name on another table stays as it is", .needs(.fts5))
  func virtualTable() throws {
    let schema = { (columns: String) in
      """
      CREATE TABLE n (\(columns)); CREATE VIRTUAL TABLE t USING fts5 (a);
      CREATE TRIGGER t AFTER INSERT ON n BEGIN INSERT INTO t VALUES (new.a); END;
      """
    }
    let file = try TemporaryDatabase(schema("a TEXT"))
    let plan = try file.migrate(to: schema("a TEXT, b TEXT")).plan
    #expect(plan.hazards.filter { !$0.isNote } == [])
    #expect(plan.steps.filter { $0.onBehalfOf == nil }.map(\.object.name) == ["n"])
    try file.exec("INSERT INTO n (a) VALUES ('word')")
    #expect(try file.query("SELECT a FROM t WHERE t MATCH 'word'") == [[.text("word")]])
  }

  @Test("a view and a trigger of its name are both examined for what they read")
  func viewAndTrigger() throws {
    let rest = """
      CREATE TABLE log (a);
      CREATE VIEW t AS SELECT a FROM n;
      CREATE TRIGGER t AFTER INSERT ON n BEGIN INSERT INTO log VALUES ("b"); END;
      """
    let file = try TemporaryDatabase("CREATE TABLE n (a TEXT, b TEXT); INSERT INTO n VALUES ('x', NULL);")
    // Beside an INSERT SQLite finds the column only through its row.
    try file.exec(rest.replacing("\"b\"", with: "(SELECT \"b\" FROM n)"))
    let plan = try file.plan(
      to: "CREATE TABLE n (a TEXT);" + rest.replacing("\"b\"", with: "(SELECT \"b\" FROM n)"))
    #expect(plan.hazards.contains { $0.code == .brokenObject && !$0.isNote })
  }

  @Test("somebody else's trigger that has the name of a model's table is left alone")
  func unmanaged() throws {
    let file = try TemporaryDatabase.pets()
    try file.exec(
      """
      CREATE TABLE log (a);
      CREATE TRIGGER pets AFTER INSERT ON pets BEGIN INSERT INTO log VALUES (new.id); END;
      """)
    for schema in [Pets.one, Pets.checked] {
      let plan = try #require(try Session(at: file.path, schema: schema).plan)
      #expect(Set(plan.unmanaged) == ["log", "pets"])
    }
    try file.exec("INSERT INTO pets (name) VALUES ('Eve')")
    #expect(try file.value("SELECT count(*) FROM log") == .int(1))
  }
}

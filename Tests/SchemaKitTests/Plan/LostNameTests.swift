import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Names that mean something else once their column is gone")
struct LostNameTests {
  struct Case: Sendable, CustomStringConvertible {
    var before: String
    /// The changes of the declared text.
    var edits: [(String, String)]
    /// What is named, with the column.
    var lost: [String]
    /// A query whose result the change makes another one.
    var query: String?

    var description: String { "\(before) \(edits)" }

    init(_ before: String, _ edits: [(String, String)], _ lost: [String] = [], _ query: String? = nil) {
      self.before = before
      self.edits = edits
      self.lost = lost
      self.query = query
    }
  }

  private static let truth = "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT, \"true\" INT); "
  private static let dropped = [(", \"true\" INT", "")]
  private static let twins = "CREATE TABLE a (k INT, x INT); CREATE TABLE b (k INT, x INT); "

  static let cases = [
    // A bare true is the column, as long as there is one.
    Case(truth + "CREATE VIEW v AS SELECT id, true AS x FROM t;", dropped, ["v true"], "SELECT x FROM v"),
    Case(truth + "CREATE VIEW v AS SELECT id FROM t WHERE b = TRUE;", dropped, ["v true"], "SELECT id FROM v"),
    Case(
      truth + "CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET b = true WHERE id = new.id; END;", dropped,
      ["g true"]),
    Case(truth + "CREATE INDEX i ON t (b) WHERE true > 1;", dropped, ["i true"]),
    Case(truth + "CREATE INDEX i ON t (b IS  True);", dropped, ["i true"]),
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT, false INT, CHECK (b <> false));", [(" false INT,", "")],
      ["t false"]),
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT, true INT, g INT AS (b + true) STORED);", [(" true INT,", "")],
      ["t true"]),
    // A text in double quotes.
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, x TEXT); CREATE INDEX i ON t (b) WHERE b <> \"x\";",
      [(", x TEXT", "")], ["i x"]),
    Case("CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT CHECK (b <> \"x\"), x TEXT);", [(", x TEXT", "")], ["t x"]),
    // A column of the query around.
    Case(
      "CREATE TABLE book (writer INT, pen INT); CREATE TABLE author (pen INT); CREATE VIEW v AS SELECT pen, (SELECT count(*) FROM book WHERE writer = pen) AS n FROM author;",
      [(", pen INT", "")], ["v pen"]),
    Case(
      "CREATE TABLE book (writer INT, pen INT); CREATE TABLE author (pen INT); CREATE TRIGGER g AFTER DELETE ON author BEGIN DELETE FROM author WHERE EXISTS (SELECT 1 FROM book WHERE writer = pen); END;",
      [(", pen INT", "")], ["g pen"]),
    Case(
      "CREATE TABLE t (id, x); CREATE TABLE u (id, x); CREATE VIEW w AS SELECT * FROM t; CREATE VIEW v AS SELECT id FROM u WHERE EXISTS (SELECT 1 FROM w WHERE x = 1);",
      [("(id, x)", "(id)")], ["v x"]),
    Case(
      "CREATE TABLE book (writer INT, pen INT); CREATE TABLE author (pen INT); CREATE VIEW v AS SELECT pen, (SELECT count(*) FROM book WHERE writer = pen) AS n FROM author;",
      [(", pen INT", ", ink INT -- schemakit: renamed from pen\n")], ["v pen"]),
    Case(
      "CREATE TABLE t (id, x); CREATE TABLE u (id, y); CREATE VIEW w AS SELECT q.x FROM (SELECT 1 AS x, 2 AS y) AS q WHERE y IN (SELECT id FROM t WHERE x = 2);",
      [("(id, x)", "(id)")], ["w x"]),
    // A join that compares one column less.
    Case(
      twins + "CREATE VIEW v AS SELECT a.k FROM a NATURAL JOIN b;", [("b (k INT, x INT)", "b (k INT)")], ["v x"]),
    Case(twins + "CREATE VIEW v AS SELECT * FROM a NATURAL JOIN b;", [("a (k INT, x INT)", "a (k INT)")], ["v x"]),
    Case(
      twins + "CREATE VIEW v AS SELECT a.k FROM a NATURAL JOIN b;",
      [("b (k INT, x INT)", "b (k INT, y INT -- schemakit: renamed from x\n)")], ["v x"]),
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE VIEW v AS SELECT x.id FROM t AS x NATURAL JOIN t AS y;",
      [(", b)", ")")], ["v b"]),
    Case(
      "CREATE TABLE t (id, a, b); CREATE TABLE log (n); CREATE TRIGGER g AFTER INSERT ON log BEGIN DELETE FROM log WHERE n NOT IN (SELECT x.id FROM t AS x NATURAL JOIN t AS y); END;",
      [(", b)", ")")], ["g b"]),
    // Nothing means anything else.
    Case(truth + "CREATE VIEW v AS SELECT id, TRUE AS x FROM t;", [("b INT, ", "")]),
    Case(
      truth + "CREATE VIEW v AS SELECT id, true AS x FROM t;",
      [(", \"true\" INT", ""), ("true AS x", "1 AS x")]),
    Case(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, b INT, true INT, CHECK (b <> true));",
      [(" true INT,", ""), ("b <> true", "b > 0")]),
    Case(twins + "CREATE VIEW v AS SELECT a.k FROM a JOIN b USING (k);", [("b (k INT, x INT)", "b (k INT)")]),
    Case(
      "CREATE TABLE a (k INT, x INT); CREATE TABLE b (k INT, y INT); CREATE VIEW v AS SELECT a.k FROM a NATURAL JOIN b;",
      [(", y INT)", ")")]),
    Case(
      "CREATE TABLE a (k INT, x INT); CREATE TABLE b (k INT, y INT); CREATE VIEW v AS SELECT * FROM a NATURAL JOIN b; CREATE VIEW w AS SELECT b.k FROM b NATURAL JOIN (SELECT k FROM a);",
      [(", y INT)", ")")]),
    Case(
      "CREATE TABLE t (id, x); CREATE TABLE u (id, x); CREATE VIEW v AS SELECT u.x FROM u JOIN t ON u.id = t.id;",
      [("t (id, x)", "t (id)")]),
    Case(
      "CREATE TABLE t (id, x); CREATE VIEW v AS SELECT x FROM t;",
      [("x);", "y -- schemakit: renamed from x\n);"), ("SELECT x", "SELECT y")]),
  ]

  @Test("are named with the column, and wait for consent", arguments: cases)
  func lost(_ example: Case) throws {
    let file = try TemporaryDatabase(example.before)
    let declared = example.edits.reduce(example.before) { $0.replacing($1.0, with: $1.1, maxReplacements: 1) }
    let plan = try file.plan(to: declared)
    let hazards = plan.hazards.filter { $0.code == .brokenObject }
    let found = hazards.compactMap { hazard -> String? in
      switch hazard.cause.wording as? BrokenObjectHazard {
      case .lostName(_, _, let column)?, .naturalJoin(_, _, let column, isLost: true)?:
        return "\(hazard.table) \(column.text)"
      default: return nil
      }
    }
    #expect(found == example.lost, "\(hazards.map(\.message))")
    #expect(hazards.count == found.count && hazards.allSatisfy { $0.hazardClass == .fault })
    let consent = PlanPolicy(allowing: [.hazardClass(.destructive), .hazardClass(.lossy)].map { .init($0) })
    guard !example.lost.isEmpty else {
      try file.migrate(to: declared, allowing: consent)
      return
    }
    #expect(throws: (any Error).self) { try file.migrate(to: declared, allowing: consent) }
    try file.migrate(
      to: declared,
      allowing: PlanPolicy(
        allowing: [.hazardClass(.destructive), .hazardClass(.lossy), .hazardClass(.fault)].map { .init($0) }))
    #expect(try file.plan(to: declared).isEmpty)
  }

  @Test("the rows of a view are others without the column, which is why the plan asks", .needs(.dropColumn))
  func otherRows() throws {
    for example in Self.cases {
      guard let query = example.query else { continue }
      let file = try TemporaryDatabase(example.before + "INSERT INTO t VALUES (1, 1, 5), (2, 5, 5)")
      let before = try file.query(query)
      let declared = example.edits.reduce(example.before) { $0.replacing($1.0, with: $1.1, maxReplacements: 1) }
      try file.migrate(
        to: declared,
        allowing: PlanPolicy(allowing: [.hazardClass(.destructive), .hazardClass(.fault)].map { .init($0) }))
      #expect(try file.query(query) != before)
    }
  }
}

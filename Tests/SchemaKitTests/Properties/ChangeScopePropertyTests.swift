import Foundation
import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("The part of a file that a change can touch")
struct ChangeScopePropertyTests {
  /// Objects beside those that change, of which `OTHER` is one. Some lead to it and some do not.
  private static let bystanders = [
    "CREATE TABLE z1 (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX z1_a ON z1 (a)",
    "CREATE TABLE z2 (id INTEGER PRIMARY KEY, z1 INT REFERENCES z1 ON DELETE CASCADE)",
    "CREATE TABLE z3 (id INTEGER PRIMARY KEY, other REFERENCES OTHER ON UPDATE CASCADE)",
    "CREATE TABLE z4 (id INTEGER PRIMARY KEY, z3 REFERENCES z3); CREATE TABLE z5 (id INTEGER PRIMARY KEY, z4 REFERENCES z4)",
    "CREATE TABLE y1 (a, b); CREATE VIEW y2 AS SELECT a FROM y1; CREATE VIEW y3 AS SELECT * FROM y2, OTHER",
    "CREATE TABLE y4 (a, b); CREATE VIEW y5 AS SELECT missing FROM y4",
    "CREATE TABLE y6 (a, b); CREATE TABLE y7 (a); CREATE TRIGGER y8 AFTER INSERT ON y6 BEGIN DELETE FROM y7; END",
    "CREATE TABLE x1 (a, b); CREATE TRIGGER x2 AFTER UPDATE ON x1 BEGIN DELETE FROM OTHER; END",
    "CREATE TABLE x3 (a, b); CREATE TRIGGER x4 AFTER UPDATE ON x3 BEGIN DELETE FROM nowhere; END",
    "CREATE TABLE x5 (id INTEGER PRIMARY KEY AUTOINCREMENT, a UNIQUE, b CHECK (length(b) < 9)) ",
  ]

  @Test("a plan for this part, and what its proof finds, are those for the whole file")
  func equalPlans() throws {
    let environment = ProcessInfo.processInfo.environment
    let pairs = environment["SCHEMAKIT_PROPERTY_PAIRS"].flatMap(Int.init) ?? 300
    let first = environment["SCHEMAKIT_PROPERTY_SEED"].flatMap(Int.init) ?? 53_260_101
    print("property test: base seed \(first), \(pairs) pairs")
    var compared = 0
    for seed in first..<(first + pairs) {
      let pair = try SchemaPair.make(seed: seed)
      let file = try TemporaryDatabase()
      let database = try file.reopened()
      try database.exec("PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF")
      try database.exec(pair.oldScript)
      let tables = try database.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE TABLE%'")
      guard case .text(let table)? = tables.first?.first else { continue }
      let beside = Self.bystanders.indices.filter { (seed >> ($0 % 7) ^ seed / 3 ^ $0).isMultiple(of: 3) }
        .map { Self.bystanders[$0].replacing("OTHER", with: SQLName(table).quoted) }.joined(separator: ";\n")
      try database.exec(beside)
      for row in pair.rows { try? database.exec(row) }
      database.close()
      var target = try TemporaryDatabase.target(pair.newScript)
      target.ownsWholeFile = false
      for hint in pair.hints { try target.hints.add(rename: hint) }
      for case .text(let name) in tables.joined() where pair.foldedTableMap[asciiFolded(name)] == nil {
        target.hints.removedTables.insert(SQLName(name))
      }
      let whole = Result { try Self.plan(file, target, whole: true) }
      let part = Result { try Self.plan(file, target, whole: false) }
      switch (whole, part) {
      case (.success(let whole), .success(let part)):
        compared += 1
        let differences = Self.differences(between: whole, and: part)
        #expect(differences == [], "seed \(seed)")
      case (.failure(let whole), .failure(let part)): #expect("\(whole)" == "\(part)", "seed \(seed)")
      default: Issue.record("seed \(seed): only one of both could be planned: \(whole), \(part)")
      }
    }
    #expect(compared > pairs / 2)
  }

  /// The names of the parts in which two plans differ.
  private static func differences(between whole: MigrationPlan, and part: MigrationPlan) -> [String] {
    var part = part
    let unmanaged = whole.unmanaged.sorted() == part.unmanaged.sorted()
    part.unmanaged = whole.unmanaged
    let parts = [
      "steps": whole.steps == part.steps, "hazards": whole.hazards == part.hazards,
      "impacts": whole.impacts == part.impacts, "conditions": whole.scriptConditions == part.scriptConditions,
      "unmanaged": unmanaged, "plan": whole == part,
    ]
    return parts.filter { !$0.value }.map(\.key).sorted()
  }

  private static func plan(_ file: TemporaryDatabase, _ target: TargetSchema, whole: Bool) throws -> MigrationPlan {
    var request = ChangeRequest(allowing: .everything)
    request.plan.plansWhole = whole
    return try Change(over: SQLiteConnection.openedForInspection(path: file.path), to: target, request).plan()
  }

  @Test(
    "a table that only a declared expression reads belongs to the change",
    arguments: [
      "nm TEXT NOT NULL -- schemakit: fill (SELECT n FROM o WHERE o.id = k)",
      "k TEXT -- schemakit: convert (SELECT n FROM \"o\" WHERE o.id = k)",
    ])
  func readByExpression(column: String) throws {
    let other = "CREATE TABLE o (id INTEGER PRIMARY KEY, n TEXT)"
    let file = try TemporaryDatabase(
      "\(other); INSERT INTO o VALUES (1, 'one'), (2, 'two'); CREATE TABLE t (id INTEGER PRIMARY KEY, k INT); INSERT INTO t VALUES (1, 1), (2, 2)"
    )
    let isNew = column.hasPrefix("nm")
    try file.migrate(
      to: "\(other); CREATE TABLE t (id INTEGER PRIMARY KEY, \(isNew ? "k INT, " : "")\(column)\n)",
      allowing: .everything)
    #expect(try file.query("SELECT \(isNew ? "nm" : "k") FROM t ORDER BY id") == [[.text("one")], [.text("two")]])
  }

  @Test("a parent whose writes fail before is not called broken by a new child")
  func brokenBefore() throws {
    let file = try TemporaryDatabase("CREATE TABLE p (a UNIQUE, b); CREATE TABLE c (p REFERENCES p)")
    let plan = try file.plan(
      to: "CREATE TABLE p (a UNIQUE, b); CREATE TABLE c (p REFERENCES p); CREATE TABLE n (p REFERENCES p (a))")
    #expect(plan.hazards.isEmpty)
  }

  @Test("tables that nothing leads to are left out, and those that something leads to are not")
  func parts() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a); CREATE TABLE hub (id INTEGER PRIMARY KEY);
      CREATE TABLE child (t REFERENCES t, hub REFERENCES hub); CREATE TABLE grandchild (c REFERENCES child (t));
      CREATE TABLE beside (hub REFERENCES hub); CREATE INDEX beside_i ON beside (hub);
      CREATE TABLE seen (a); CREATE VIEW v AS SELECT * FROM 'seen';
      CREATE TABLE fired (a); CREATE TABLE logged (a); CREATE TABLE logs (l REFERENCES logged);
      CREATE TRIGGER g AFTER INSERT ON fired BEGIN DELETE FROM logged; END;
      """)
    let schema = try SchemaReader.read(SQLiteConnection(path: file.path, mode: .readOnly))
    func scope(_ names: SQLName...) -> Set<SQLName> { ChangeScope(of: Set(names), besides: [], in: [schema]).names }
    let always: Set<SQLName> = ["seen", "v", "fired", "logged", "logs"]
    #expect(scope("t") == always.union(["t", "child", "grandchild", "hub"]))
    #expect(scope("beside_i") == always.union(["beside_i", "beside", "hub"]))
    #expect(scope("hub") == always.union(["hub", "child", "beside", "grandchild", "t"]))
    let part = schema.limited(to: ChangeScope(of: ["t"], besides: [], in: [schema]))
    #expect(part.indexes.isEmpty && part.tables["beside"] == nil && part.triggers.count == 1)
  }
}

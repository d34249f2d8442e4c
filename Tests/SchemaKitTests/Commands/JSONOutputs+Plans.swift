import Foundation

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitCommands
@testable import SchemaKitOperations
@testable import SchemaKitReports

extension JSONOutputs {
  /// Plans that are empty, small, refused, lossy, blocked, not examined, and large.
  func planScenes() throws {
    try keep("plan", 0, "plan gone.db --to shop.sql")
    try keep("plan", 0, "plan shop.db --to shop.db")
    try keep("plan", 3, "plan shop.db --to shop.sql --exit-code")
    try keep("plan", 0, "plan shop.db --to shop.sql --quick")
    try keep("plan", 0, "plan shop.db --to shop.sql --running file")
    try keep("plan", 0, "plan shop.db --to shop.db --running shop.sql")
    try keep("plan", 2, "plan shop.db --to shop.sql --exit-code --allow lossy --allow destructive --keep")
    try keep("plan", 0, "plan shop.db --to shop.sql --strategy rebuild --allow SK101:old")
    try keep("plan", 0, "plan shop.db --to shop.sql --ignore old --ignore search*")
    try keep("plan", 0, "plan shop.db --to empty.sql --allow-empty")
    try folder.write("CREATE TABLE c (p REFERENCES nowhere);", to: "fault.sql")
    try keep("plan", 3, "plan fault.db --to fault.sql --exit-code")

    try folder.database(
      "dup.db",
      """
      CREATE TABLE a (x TEXT, y); INSERT INTO a VALUES ('1', 2), ('1', 'x'), (NULL, 3);
      CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO b VALUES (1, 'nobody');
      """)
    try folder.write(
      """
      CREATE TABLE a (x TEXT NOT NULL UNIQUE, y INTEGER CHECK (y < 3)) STRICT;
      CREATE TABLE b (id INTEGER PRIMARY KEY, a TEXT REFERENCES a (x));
      """, to: "dup.sql")
    try keep("plan", 0, "plan dup.db --to dup.sql")
    try folder.database(
      "null.db", "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, NULL)")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL);", to: "null.sql")
    try keep("plan", 0, "plan null.db --to null.sql")
    try keep("plan", 0, "plan null.db --to null.sql --quick")
    try keep("plan", 3, "apply null.db --to null.sql --yes")

    let rows = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) INSERT INTO t"
    try folder.database("big.db", "CREATE TABLE t (a TEXT, b); CREATE INDEX i ON t (b); \(rows) SELECT i, i FROM n")
    try folder.write("CREATE TABLE t (a INTEGER, b); CREATE INDEX i ON t (b);", to: "big.sql")
    try keep("plan", 0, "plan big.db --to big.sql")
    try folder.database(
      "online.db", "PRAGMA journal_mode = WAL; CREATE TABLE t (a TEXT, b); INSERT INTO t VALUES ('1', 2)")
    try folder.write("CREATE TABLE t (a INTEGER, b);", to: "online.sql")
    try keep("plan", 0, "plan online.db --to online.sql --strategy online")
    try save("plan online.db --to online.sql --strategy online", to: "online.json")
    try folder.database(
      "fill.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); \(rows) SELECT i, CASE WHEN i > 5 THEN 'x' END FROM n")
    try folder.write(
      "CREATE TABLE t (\n  id INTEGER PRIMARY KEY,\n  a TEXT NOT NULL DEFAULT ''\n);", to: "fill.sql")
    try keep("plan", 0, "plan fill.db --to fill.sql")
    try folder.database(
      "auto.db",
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT); CREATE INDEX i ON t (a); INSERT INTO t VALUES (9, '1'); ANALYZE"
    )
    try folder.write(
      "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a INTEGER); CREATE INDEX i ON t (a);", to: "auto.sql")
    try keep("plan", 0, "plan auto.db --to auto.sql --strategy rebuild")
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); CREATE INDEX i ON t (a);", to: "plain.sql")
    try keep("plan", 0, "plan auto.db --to plain.sql")
  }

  /// Databases that are refused, rehearsed, changed, left as they are, newer, and changed back.
  func applyScenes() throws {
    try folder.bytes("shop.db").write(to: folder.url("a.db"))
    try folder.write(
      """
      SELECT name FROM customers;
      SELECT fax FROM customers;
      SELECT email FROM customers;
      SELECT nothing;
      SELECT * FROM orders WHERE customer = 1;
      """, to: "queries.sql")
    let consent = "--allow lossy --allow destructive"
    try keep("plan", 3, "apply a.db --to shop.sql --yes")
    try keepEvents(3, "apply a.db --to shop.sql --yes")
    try keepEvents(0, "apply a.db --to shop.sql --dry-run \(consent)")
    try keepEvents(0, "apply a.db --to shop.sql --rehearse \(consent)")
    try keepEvents(64, "apply a.db --to shop.sql \(consent)", last: "error")
    try keep("plan", 0, "apply a.db --to shop.sql --dry-run \(consent)")
    try keep("plan", 1, "apply a.db --to shop.sql --rehearse --queries queries.sql \(consent)")
    try keep("plan", 0, "apply a.db --to shop.sql --rehearse --quick \(consent)")
    try keep("plan", 0, "apply a.db --to shop.sql --yes --keep --no-backup --verify paranoid \(consent)")
    try keep("plan", 0, "apply a.db --to shop.sql --yes")
    try keep("snapshot", 0, "inspect a.db")
    try keep("doctor", 0, "doctor a.db")
    try keep("history", 0, "history a.db")
    try keep("plan", 0, "undo a.db --yes --no-backup \(consent)")
    try keep("plan", 0, "apply new.db --to t.sql --dry-run")
    try keep("plan", 0, "apply new.db --to t.sql --rehearse")
    try keep("plan", 0, "apply new.db --to t.sql --yes --create")
    try keep("plan", 0, "apply same.db --to t.sql --yes")
    try folder.database("wal.db", "PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY)")
    try keep("plan", 0, "apply wal.db --to t.sql --rehearse")

    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT);", to: "t2.sql")
    try run(0, "apply new.db --to t2.sql --yes -q")
    try keep("plan", 4, "apply new.db --to t.sql --yes --create")
    try keep("plan", 4, "plan new.db --to t.sql --exit-code")
    for kind in ["check", "sarif", "junit"] { try keep(kind, 4, "check new.db --to t.sql") }
  }

  /// Histories that are empty, of one kind and of all, and what they keep.
  func historyScenes() throws {
    try keep("history", 0, "history a.db")
    try keep("history", 0, "history same.db")
    try keep("kept", 0, "history a.db --discard-kept --yes")
    try folder.database("drop.db", "CREATE TABLE gone (a, b); INSERT INTO gone VALUES (1, 2)")
    try run(0, "apply drop.db --to t.sql --yes --keep -q --no-backup")
    try keep("kept", 0, "history drop.db --discard-kept --yes")
    try keep("kept", 0, "history drop.db --discard-kept --yes")
    try folder.database("drop.db", "ALTER TABLE t ADD COLUMN other")
    try keep("history", 0, "history drop.db")
    try folder.database("none.db", "CREATE TABLE t (a)")
    try keep("history", 0, "history none.db")
  }

  /// Plans that were saved with every option and hint, and one that is stale.
  func savedPlanScenes() throws {
    try save(
      "plan shop.db --to shop.sql --allow destructive --allow SK103:orders --allow downgrade --ignore tmp_* "
        + "--strict-order --keep", to: "all.json")
    try save("plan gone.db --to t.sql", to: "new.json")
    try save("plan fault.db --to fault.sql --allow SK203", to: "fault.json")
    try save("plan shop.db --to shop.sql --quick --strategy alter", to: "quick.json")
    try save("plan null.db --to null.sql --strategy rebuild", to: "blocked.json")
    try save("plan same.db --to t.sql", to: "empty.json")
    try save("plan fill.db --to fill.sql", to: "fill.json")
    try folder.write(
      """
      CREATE TABLE clients ( -- schemakit: renamed from customers
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL, -- schemakit: removed fax
        note TEXT NOT NULL -- schemakit: fill ''
      );
      -- schemakit: removed old
      CREATE TABLE orders (
        id INTEGER PRIMARY KEY,
        customer TEXT, -- schemakit: convert 'c' || customer
        date TEXT,
        total REAL
      );
      """, to: "hints.sql")
    try save("plan shop.db --to hints.sql --allow destructive", to: "hints.json")
    try folder.database("shop.db", "CREATE TABLE extra (a)")
    try keep("plan", 4, "apply shop.db --plan all.json --yes")
    try keepEvents(4, "apply shop.db --plan all.json --yes")
    try keep("plan", 0, "apply gone.db --plan new.json --yes --create")
  }

  /// What only models can say: tables of others, types that may differ, and work that the program does itself.
  func modelScenes() throws {
    let schema = ModelSchema {
      PetTwo.self
      CodedVisit.self
      DataStep("first", after: .tableAdded(PetTwo.self), files: .all) { _ in }
      DataStep("ages", after: .columnAdded(\PetTwo.age)) { _ in }
      DataStep("late", after: .schemaChanged, files: .all) { _ in }
    }
    let file = try TemporaryDatabase(
      "CREATE TABLE other (a); CREATE TABLE pets (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")
    let saved = try SchemaInspector(at: file.path).savedPlan(to: schema)
    try keep("saved-plan", text: saved.json())
    try keep("plan", text: saved.plan.report(.json))
    var check = CheckReport(schema: "models")
    check.database = (name: "pets.db", isNewFile: false, status: .pending(saved.plan))
    try keep("check", text: check.json())
    let activities: [ApplyProgress.Activity] = [
      .fileCheck, .step, .copying, .rewriting, .comparing, .indexing, .dataStep, .references, .waiting,
    ]
    for activity in activities {
      var progress = ApplyProgress(
        activity: activity, stepIndex: 0, stepCount: 2, step: saved.plan.steps[0], rows: 100, rowsDone: 50,
        elapsed: .seconds(2))
      if activity == .waiting { progress.processes = ["python3 17"] }
      try keep("apply-event", text: ProgressEvent(progress, journalBytes: 512).line)
    }
  }
}

/// A model whose columns have codings that are not those of their types.
private struct CodedVisit: Model {
  enum Kind: String, CaseIterable, ColumnValue { case first, second }
  let id: Int64?
  var at: Date
  var kind: Kind

  static let table = ModelTable("coded_visits", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("at", \.at, storing: .millisecondsSince1970)
    Column("kind", \.kind)
  }
}

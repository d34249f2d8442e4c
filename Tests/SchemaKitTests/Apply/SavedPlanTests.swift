import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Saved plan")
struct SavedPlanTests {
  private static let before = """
    CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT, legacy TEXT);
    CREATE INDEX by_body ON note (body);
    INSERT INTO note VALUES (1, 'a', 'x'), (2, 'b', NULL);
    """
  private static let after = """
    CREATE TABLE "a note" ( -- schemakit: renamed from note
      id INTEGER PRIMARY KEY,
      text TEXT NOT NULL, -- schemakit: renamed from body
      size INTEGER NOT NULL, -- schemakit: fill length(text)
      kind TEXT -- schemakit: removed legacy
    );
    CREATE INDEX by_body ON "a note" (text);
    """

  /// Plans the way to a schema and keeps the plan.
  private func save(
    _ file: TemporaryDatabase, to sql: String = after, allowing policy: PlanPolicy = .lossless, ignored: [String] = []
  ) throws -> SavedPlan {
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    var target = try TemporaryDatabase.target(sql)
    target.ignores = NamePatterns.matcher(ignored)
    return SavedPlan(
      try Change(over: connection, to: target).plan(), from: try SchemaReader.read(connection), to: target,
      ignored: ignored, consent: policy, createdAt: "2026-01-02T03:04:05Z")
  }

  /// What a saved plan says of the file as it is now; nothing when it is still the right one.
  private func differences(_ saved: SavedPlan, in file: TemporaryDatabase) throws -> [String] {
    let connection = try SQLiteConnection.openedForInspection(path: file.path)
    let plan = try Change(over: connection, to: try saved.targetSchema(source: "plan.json")).plan()
    do {
      try saved.check(plan, on: connection)
      return []
    } catch let error as PlanError {
      guard case .stale(let current, let differences) = error.reason else { throw error }
      #expect(current == plan)
      #expect("\(error)".contains("Nothing was changed"))
      return differences.map(\.sentence)
    }
  }

  @Test("what is written is read back, with hints, consent and patterns")
  func roundTrip() throws {
    var policy = PlanPolicy(
      allowing: [.init(.hazardClass(.lossy)), .init(.code(.droppedColumn), table: "a note", column: "le\"gacy")])
    policy.allowsDowngrade = true
    policy.keepsDropped = true
    let saved = try save(TemporaryDatabase(Self.before), allowing: policy, ignored: ["tmp_*"])
    #expect(saved.target.hints.tables["a note"]?.columns["size"]?.backfill == "length(text)")
    let read = try SavedPlan(json: Data(saved.json().utf8))
    #expect(read.json() == saved.json())
    // The sentences of its hazards are kept as they were; everything else is read back as values.
    #expect(read.plan.hazards.map(\.message) == saved.plan.hazards.map(\.message))
    #expect(read.plan.hazards.map(\.remedy) == saved.plan.hazards.map(\.remedy))
    var (left, right) = (read.plan, saved.plan)
    (left.hazards, right.hazards) = ([], [])
    #expect(left == right && read.consent == saved.consent && read.target == saved.target)
    #expect(read.sourceObjects == saved.sourceObjects && read.createdAt == saved.createdAt)
    let target = try read.targetSchema(source: "plan.json")
    #expect(target.fingerprint == saved.plan.targetFingerprint)
    #expect(target.ignores("TMP_x"))
    #expect(!target.ignores("note"))
  }

  @Test("models, with their loose types and data steps, are read back too")
  func models() throws {
    let schema = ModelSchema {
      PetOne.self
      DataStep("early", after: .tableAdded(PetOne.self)) { _ in }
      DataStep("late", after: .schemaChanged, files: .all) { _ in }
    }
    let file = try TemporaryDatabase("CREATE TABLE other (a)")
    let saved = try SchemaInspector(at: file.path).savedPlan(to: schema)
    let read = try SavedPlan(json: Data(saved.json().utf8))
    // A saved plan cannot ask the types of a program what they read.
    func withoutReaders(_ hints: MigrationHints) -> MigrationHints {
      var hints = hints
      for (table, own) in hints.tables { hints.tables[table]?.forms = own.forms.mapValues { DeclaredForm($0.form) } }
      return hints
    }
    var expected = saved
    expected.target.hints = withoutReaders(saved.target.hints)
    #expect(read == expected)
    #expect(read.dataSteps == ["late"])
    #expect(read.target.hints == withoutReaders(try schema.declaration().hints))
    #expect(try read.targetSchema(source: "").digest == schema.declaration().digest)
  }

  @Test("a text that is not a saved plan, or not the one that was saved, is refused by its name")
  func damaged() throws {
    let json = try save(TemporaryDatabase(Self.before)).json()
    func problem(_ text: String) -> String {
      do {
        _ = try SavedPlan(json: Data(text.utf8), source: "plan.json")
        return ""
      } catch {
        #expect(error.source == "plan.json")
        #expect("\(error)".hasSuffix("Nothing was changed."))
        return error.problem
      }
    }
    #expect(problem("CREATE TABLE t (a)").contains("not JSON"))
    #expect(problem("").contains("not JSON"))
    #expect(problem(String(json.dropLast(40))).contains("not JSON"))
    #expect(problem("[1]").contains("not a saved plan"))
    #expect(problem(#"{"formatVersion": 2, "objects": []}"#).contains("not a saved plan"))
    #expect(problem(#"{"formatVersion": 2, "kind": "schemakit-plan"}"#).contains("damaged"))
    #expect(problem(#"{"formatVersion": 3, "kind": "schemakit-plan"}"#).contains("format 3"))
    #expect(problem(json.replacingOccurrences(of: "\"count\" : 1", with: "\"count\" : 2")).contains("checksum"))
    #expect(problem(json.replacingOccurrences(of: "DROP TABLE", with: "DROP  TABLE")).contains("checksum"))
    #expect(
      problem(json.replacingOccurrences(of: "{\n  \"checksum\"", with: "{\n \"a\": 1, \"checksum\"")).contains(
        "checksum"))
    // As a version writes it that knows more kinds of changes: the checksum fits.
    var unknown = json.replacing(/"edit" : "\w+"/, with: "\"edit\" : \"paint\"")
    let seal = try SavedPlanSeal.of(Data(unknown.utf8))
    unknown = unknown.replacing(/"checksum" : "[^"]+"/, with: "\"checksum\" : \"\(seal)\"")
    #expect(problem(unknown).contains("a change that this SchemaKit does not know"))
    let compact = try JSONSerialization.data(withJSONObject: try JSONSerialization.jsonObject(with: Data(json.utf8)))
    #expect(
      problem(String(decoding: compact, as: UTF8.self)) == "", "spacing and the order of keys are nobody's business")
  }

  @Test("a plan is still good when only rows came that no hazard is about")
  func stillGood() throws {
    let file = try TemporaryDatabase(Self.before)
    let saved = try save(file)
    #expect(try differences(saved, in: file) == [])
    try file.exec("INSERT INTO note VALUES (3, 'c', NULL); UPDATE note SET legacy = NULL")
    #expect(try differences(saved, in: file) == [])
  }

  @Test("a plan is stale when a hazard has grown, with the number then and now")
  func grown() throws {
    let file = try TemporaryDatabase(Self.before)
    let saved = try save(file)
    try file.exec("UPDATE note SET legacy = 'y'")
    #expect(try differences(saved, in: file) == ["SK102 a note.legacy concerned 1 row, now 2 rows"])
  }

  @Test("a plan is stale when there is a hazard that was not there")
  func new() throws {
    let file = try TemporaryDatabase(Self.before)
    let saved = try save(file)
    try file.exec("INSERT INTO note VALUES (3, NULL, NULL)")
    #expect(
      try differences(saved, in: file) == [
        "SK104 a note.size is new: 1 row", "SK104 a note.text is new: 1 row",
      ])
  }

  @Test("a plan is stale when the schema changed, and names what came, went and changed")
  func otherSchema() throws {
    let file = try TemporaryDatabase(Self.before)
    let saved = try save(file)
    try file.exec(
      """
      DROP INDEX by_body; CREATE TABLE extra (a); ALTER TABLE note ADD COLUMN more TEXT;
      CREATE TRIGGER watch AFTER INSERT ON note BEGIN SELECT 1; END
      """)
    let differences = try differences(saved, in: file)
    #expect(
      differences.first
        == "the database has another schema: table note changed; table extra, trigger watch came; index by_body went")
    #expect(differences.contains { $0.contains("steps for extra were none, and are drop") })
  }

  @Test("a plan for an empty table is stale once the table has rows that need another way")
  func filled() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a)")
    let saved = try save(file, to: "CREATE TABLE t (a, b TEXT NOT NULL DEFAULT (1 + 1))")
    #expect(saved.plan.steps.map(\.strategy) == [.native])
    try file.exec("INSERT INTO t VALUES (1)")
    let differences = try differences(saved, in: file)
    #expect(differences.count == 1)
    #expect(differences.first?.hasPrefix("the steps for t were native") == true)
  }

  @Test("another engine is named only when it would do it another way")
  func otherEngine() throws {
    let file = try TemporaryDatabase(Self.before)
    let saved = try save(file)
    var plan = saved.plan
    plan.engine = SQLiteVersion(3, 30)
    let older = SavedPlan(
      plan: plan, consent: .lossless, createdAt: "", target: saved.target, sourceObjects: saved.sourceObjects)
    #expect(try differences(older, in: file) == [])
    plan.steps[0].statements[0].sql += " "
    let other = SavedPlan(
      plan: plan, consent: .lossless, createdAt: "", target: saved.target, sourceObjects: saved.sourceObjects)
    let sentences = try differences(other, in: file)
    #expect(sentences.first?.hasPrefix("the plan was made for SQLite 3.30.0, and this is 3.") == true)
    #expect(sentences.last == "the statements for a note are different")
  }

  @Test("statements that only verify do not make a plan stale")
  func otherVerification() throws {
    let file = try TemporaryDatabase(Self.before)
    let saved = try save(file)
    var plan = saved.plan
    for index in plan.steps.indices { plan.steps[index].statements.removeAll { $0.role == .verification } }
    #expect(plan != saved.plan)
    #expect(saved.isSame(as: plan, file: try SchemaReader.read(try file.connection())))
  }

  @Test("statistics that came or went since do not make a plan stale, and are carried over", arguments: [true, false])
  func statistics(hadStatistics: Bool) throws {
    let file = try TemporaryDatabase(Self.before + (hadStatistics ? "ANALYZE;" : ""))
    let target =
      "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT CHECK (body <> ''), legacy INTEGER);"
      + "CREATE INDEX by_body ON note (body);"
    let saved = try save(file, to: target, allowing: PlanPolicy(allowing: [.init(.hazardClass(.lossy))]))
    #expect(saved.plan.steps.contains { [.rebuild, .swap].contains($0.strategy) })
    try file.exec(hadStatistics ? "DROP TABLE sqlite_stat1" : "ANALYZE")
    #expect(try differences(saved, in: file) == [])
  }

  @Test(
    "a table whose definition is written anew must be as it was; another may change",
    arguments: [
      ("body INTEGER", [MigrationStep.Strategy.rebuild]), ("body CLOB", [.catalog]),
      ("body TEXT, kind TEXT", [.native]),
    ],
    [
      "ALTER TABLE note ADD COLUMN currency TEXT", "ALTER TABLE note ADD COLUMN vat AS (id * 2)",
      "DROP TABLE note; CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT DEFAULT 'none' CHECK (body <> ''))",
      "DROP TABLE note; CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT COLLATE NOCASE)",
    ])
  func redefined(to: (columns: String, strategies: [MigrationStep.Strategy]), edit: String) throws {
    let start = "CREATE TABLE note (id INTEGER PRIMARY KEY, body TEXT);"
    let target = "CREATE TABLE note (id INTEGER PRIMARY KEY, \(to.columns))"
    let saved = try save(TemporaryDatabase(start), to: target, allowing: .everything, ignored: ["tmp_*"])
    #expect(saved.plan.steps.map(\.strategy) == to.strategies)
    #expect(try differences(saved, in: TemporaryDatabase(start + "CREATE TABLE tmp_x (a);")) == [])
    let changed = try TemporaryDatabase(start + edit)
    let sentences = try differences(saved, in: changed)
    #expect(!sentences.isEmpty)
    if to.strategies != [.native] {
      #expect(
        sentences.contains("the plan drops note or writes it anew, without what changed in it since"),
        "\(sentences)")
    }
  }

  @Test(
    "what is replaced or dropped must be as it was",
    arguments: [
      "DROP VIEW v; CREATE VIEW v AS SELECT a AS newer FROM t",
      "DROP TRIGGER r; CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 2; END",
      "DROP INDEX i; CREATE UNIQUE INDEX i ON t (a, b)", "ALTER TABLE d ADD COLUMN y",
    ])
  func replaced(edit: String) throws {
    let start = """
      CREATE TABLE t (a, b); CREATE TABLE d (x); CREATE VIEW v AS SELECT a FROM t; CREATE INDEX i ON t (a);
      CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 1; END;
      """
    let target = """
      CREATE TABLE t (a, b); CREATE VIEW v AS SELECT b FROM t; CREATE INDEX i ON t (b);
      CREATE TRIGGER r AFTER INSERT ON t BEGIN SELECT 3; END;
      """
    let saved = try save(TemporaryDatabase(start), to: target, allowing: .everything)
    #expect(try differences(saved, in: TemporaryDatabase(start)) == [])
    let sentences = try differences(saved, in: TemporaryDatabase(start + edit))
    #expect(sentences.contains { $0.hasSuffix("anew, without what changed in it since") }, "\(sentences)")
  }

  @Test("what somebody writes between the plan and the lock is seen under the lock")
  func race() throws {
    let file = try TemporaryDatabase(Self.before)
    let saved = try save(file, allowing: .everything)
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    var request = ChangeRequest(allowing: saved.consent)
    var calls = 0
    request.observer.onPlan = { plan in
      try saved.check(plan, on: connection)
      calls += 1
      if calls == 1 { try file.exec("UPDATE note SET legacy = 'y'") }
    }
    let change = Change(over: connection, to: try saved.targetSchema(source: "plan.json"), request)
    #expect(throws: PlanError.self) { try change.apply() }
    #expect(calls == 1)
    #expect(try file.query("SELECT legacy FROM note") == [[.text("y")], [.text("y")]])
    #expect(!connection.isInTransaction)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("A declared schema that is broken in itself")
struct DeclaredFaultTests {
  private static let broken = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, feed REFERENCES feed_old);
    CREATE TABLE log (line);
    CREATE VIEW titles AS SELECT title FROM item;
    CREATE TRIGGER copied AFTER INSERT ON log BEGIN INSERT INTO archive VALUES (new.line); END;
    """
  private static let consent = PlanPolicy(allowing: [.init(.code(.brokenObject))])

  @Test("it needs consent, in a new file and in one that worked before", arguments: [true, false])
  func consent(isNew: Bool) throws {
    let before = """
      CREATE TABLE feed_old (id INTEGER PRIMARY KEY); CREATE TABLE archive (line);
      CREATE TABLE item (id INTEGER PRIMARY KEY, feed REFERENCES feed_old, title TEXT);
      CREATE TABLE log (line); CREATE VIEW titles AS SELECT title FROM item;
      CREATE TRIGGER copied AFTER INSERT ON log BEGIN INSERT INTO archive VALUES (new.line); END;
      INSERT INTO item VALUES (1, NULL, NULL);
      """
    let database = try TemporaryDatabase(isNew ? "" : before)
    let plan = try database.plan(to: Self.broken)
    let faults = plan.hazards.filter { $0.code == .brokenObject }
    #expect(faults.map(\.table) == ["item", "log", "titles"])
    #expect(faults.allSatisfy { $0.isDeclaredFault && $0.hazardClass == .fault })
    #expect(throws: PlanError.self) { try database.migrate(to: Self.broken, allowing: .destructive) }
    try database.migrate(to: Self.broken, allowing: Self.consent)
    #expect(try database.query("SELECT name FROM sqlite_master WHERE type = 'view'") == [[.text("titles")]])
    #expect(try database.query("SELECT count(*) FROM item") == [[.int(isNew ? 0 : 1)]])
    #expect(try database.plan(to: Self.broken).isEmpty)
  }

  @Test("consent for one object is not consent for another")
  func oneObject() throws {
    let database = try TemporaryDatabase()
    var policy = PlanPolicy.lossless
    try policy.add(allow: "SK203:item")
    let plan = try database.plan(to: Self.broken)
    #expect(plan.refusals(under: policy).map(\.table) == ["log", "titles"])
    #expect(plan.refusals(under: PlanPolicy(allowing: [.init(.hazardClass(.fault))])).isEmpty)
  }

  @Test("a saved hazard says whose fault it is, and one that was saved before there were faults is read")
  func saved() throws {
    let hazards = try TemporaryDatabase().plan(to: Self.broken).hazards
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    typealias Entry = SavedPlanDocument.HazardEntry
    let data = try encoder.encode(hazards.map(Entry.init))
    let same = try JSONDecoder().decode([Entry].self, from: data).map(\.hazard)
    #expect(same.map(\.isDeclaredFault) == [true, true, true] && same.map(\.message) == hazards.map(\.message))
    #expect(same.map(\.remedy) == hazards.map(\.remedy) && same.map(\.object) == hazards.map(\.object))
    let older = String(decoding: data, as: UTF8.self).replacing("\"declaredFault\":true,", with: "")
    let read = try JSONDecoder().decode([Entry].self, from: Data(older.utf8)).map(\.hazard)
    #expect(read.count == 3 && read.allSatisfy { $0.hazardClass == .blocked })
  }

  @Test("what a change breaks of objects that are not declared stays blocked")
  func brokenByChange() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a, b); CREATE VIEW mine AS SELECT b FROM t;")
    var target = try TemporaryDatabase.target("CREATE TABLE t (id INTEGER PRIMARY KEY, a);")
    target.ownsWholeFile = false
    let connection = try SQLiteConnection(path: database.path, mode: .readWrite)
    let change = Change(over: connection, to: target, ChangeRequest(allowing: .everything))
    #expect(try change.plan().hazards.filter { $0.code == .brokenObject }.map(\.hazardClass) == [.blocked])
    #expect(throws: PlanError.self) { try change.apply() }
    #expect(try database.query("SELECT b FROM mine").isEmpty)
  }

  @Test("a function that only other programs have is said, and does not stop the apply")
  func lackedFunction() throws {
    let schema = """
      CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM t;
      CREATE TRIGGER r INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (only_elsewhere(new.a)); END;
      """
    let database = try TemporaryDatabase("CREATE TABLE t (a)")
    let plan = try database.migrate(to: schema).plan
    #expect(plan.hazards.map(\.code) == [.unsupportedEngine])
    #expect(plan.hazards.map(\.hazardClass) == [.note])
    #expect(try database.query("SELECT count(*) FROM sqlite_master WHERE name IN ('v', 'r')") == [[.int(2)]])
  }

  @Test("lint calls it an error")
  func lint() throws {
    let schema = try SchemaSource.sql(Self.broken, source: "broken.sql").load().target.schema
    let errors = try SchemaLint.findings(in: schema).kept.filter { $0.severity == .error }
    #expect(Set(errors.map(\.code)) == ["SL102", "SL501", "SL502"])
  }
}

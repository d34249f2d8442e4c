import Foundation
import Testing

@testable import SchemaKit

@Suite("Conversions that have been done")
struct SpentConversionTests {
  private static let old = "CREATE TABLE people (id INTEGER PRIMARY KEY, active TEXT);"

  private static func target(_ type: String, _ hint: String = "convert active = 'yes'", more: String = "") -> String {
    """
    CREATE TABLE people (
      id INTEGER PRIMARY KEY,
      active \(type)\(more) -- schemakit: \(hint)
    );
    """
  }

  private func converted() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO people VALUES (1, 'yes'), (2, 'no');")
    try file.migrate(to: Self.target("INTEGER"), allowing: .lossless)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])
    return file
  }

  @Test(
    "a hint that stays in the schema does not convert its own results at the next change",
    arguments: [("BOOLEAN", ""), ("INTEGER", " UNIQUE"), ("REAL", "")])
  func staysBehind(type: String, more: String) throws {
    let file = try converted()
    try file.migrate(to: Self.target(type, more: more), allowing: .lossless)
    #expect(
      try file.query("SELECT active = 1, active = 0 FROM people ORDER BY id") == [
        [.int(1), .int(0)], [.int(0), .int(1)],
      ])
    try file.expectSettled(at: Self.target(type, more: more))
  }

  @Test("a hint that stays behind in a table that gets another name is done as well")
  func renamedTable() throws {
    let file = try converted()
    let target = """
      CREATE TABLE members ( -- schemakit: renamed from people
        id INTEGER PRIMARY KEY,
        active REAL -- schemakit: convert active = 'yes'
      );
      """
    try file.migrate(to: target, allowing: .lossless)
    #expect(try file.query("SELECT active = 1 FROM members ORDER BY id") == [[.int(1)], [.int(0)]])
  }

  @Test("another conversion of the same column is done")
  func another() throws {
    let file = try converted()
    try file.migrate(
      to: Self.target("TEXT", "convert CASE active WHEN 1 THEN 'on' ELSE 'off' END"), allowing: .lossless)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.text("on")], [.text("off")]])
  }

  @Test("what was converted before an undo is not converted when the change is made again")
  func undone() throws {
    let file = try converted()
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.text("1")], [.text("0")]])
    try file.migrate(to: Self.target("INTEGER"), allowing: .lossless)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])
  }

  @Test("the plan says that a conversion is not done again, and how it would be")
  func note() throws {
    let plan = try converted().plan(to: Self.target("REAL"))
    let note = try #require(plan.hazards.first { $0.isNote && $0.code == .lossyConversion })
    #expect(
      note.message
        == "The conversion of people.active was done in this file before and is not done again; the values are taken over as they are."
    )
    #expect(note.remedy?.contains("another expression") == true)
    #expect(plan.refusals(under: .lossless).isEmpty)
  }

  @Test("a conversion beside a change that leaves the type is not done, and the plan says so once")
  func typeStays() throws {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO people VALUES (1, 'yes'), (2, 'no');")
    let target = Self.target("TEXT", "convert upper(active)", more: " CHECK (length(active) > 1)")
    let plan = try file.plan(to: target)
    let note = try #require(plan.hazards.first { $0.isNote && $0.code == .lossyConversion })
    #expect(note.message.hasPrefix("The conversion of people.active is not done: the column stays TEXT"))
    #expect(note.remedy?.contains("UPDATE") == true)
    try file.migrate(to: target)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.text("yes")], [.text("no")]])
  }

  @Test("a conversion that waited for its change of type is done with it")
  func waiting() throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.old)
    try file.exec("INSERT INTO people VALUES (1, 'yes'), (2, 'no')")
    try file.migrate(to: Self.target("TEXT", more: " DEFAULT 'no'"))
    try file.migrate(to: Self.target("INTEGER"))
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])
  }

  @Test("a plan that is refused spends nothing")
  func refused() throws {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO people VALUES (1, 'yes'), (2, NULL);")
    let strict = Self.target("INTEGER NOT NULL")
    #expect(throws: PlanError.self) { try file.migrate(to: strict) }
    try file.exec("UPDATE people SET active = 'no' WHERE id = 2")
    try file.migrate(to: strict)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])
  }

  @Test("the file that a dry run looked at is converted afterwards")
  func rehearsed() throws {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO people VALUES (1, 'yes');")
    try file.migrate(to: Self.target("INTEGER")) { $0.isDryRun = true }
    try file.migrate(to: Self.target("INTEGER"))
    #expect(try file.value("SELECT active FROM people") == .int(1))
  }
}

@Suite("Conversions of models that have been done")
struct SpentModelConversionTests {
  private struct First: Model {
    let id: Int
    var active: String
    static let table = Table("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active)
    }
  }

  private struct Second: Model {
    let id: Int
    var active: Bool
    static let table = Table("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(sql: "active = 'yes'")
    }
  }

  private struct Third: Model, Equatable {
    let id: Int
    var active: Double
    static let table = Table("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(sql: "active = 'yes'")
    }
  }

  private struct Renamed: Model {
    let id: Int
    var state: Double
    static let table = Table("members", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("state", \.state).renamed(from: "active").converting(sql: "active = 'yes'")
    }
    .renamed(from: "people")
  }

  private static let third = [Third(id: 1, active: 1), Third(id: 2, active: 0)]

  private func open<T: Model>(_ file: TemporaryDatabase, _ model: T.Type) throws -> Session {
    var policy = PlanPolicy.lossless
    // Some of the models are like those before them.
    policy.allowsDowngrade = true
    return try Session(at: file.path, schema: ModelSchema { model.self }) { $0.migration = .automatic(policy) }
  }

  private func first() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase()
    try open(file, First.self).save([First(id: 1, active: "yes"), First(id: 2, active: "no")])
    return file
  }

  private func all(_ file: TemporaryDatabase) throws -> [Third] {
    try open(file, Third.self).all(Third.self, orderBy: { [$0.id.ascending] })
  }

  @Test("one that stays in the declaration does not convert its own results when the type changes again")
  func staysBehind() throws {
    let file = try first()
    _ = try open(file, Second.self)
    #expect(try all(file) == Self.third)
  }

  @Test("a file that missed the release between is converted")
  func skipped() throws {
    #expect(try all(first()) == Self.third)
  }

  @Test("rows of a file that was new when the conversion was declared are not converted")
  func newFile() throws {
    let file = try TemporaryDatabase()
    try open(file, Second.self).save([Second(id: 1, active: true), Second(id: 2, active: false)])
    #expect(try all(file) == Self.third)
  }

  @Test("rows of a file that somebody else brought to the schema are not converted")
  func adopted() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE people (id INTEGER PRIMARY KEY, active INTEGER NOT NULL);
      INSERT INTO people VALUES (1, 1), (2, 0);
      """)
    _ = try open(file, Second.self)
    #expect(try all(file) == Self.third)
  }

  @Test("it is known when table and column have other names")
  func renamed() throws {
    let file = try first()
    _ = try open(file, Second.self)
    _ = try open(file, Renamed.self)
    #expect(try file.query("SELECT state FROM members ORDER BY id") == [[.real(1)], [.real(0)]])
  }

  private struct InSwift: Model {
    let id: Int
    var active: Bool
    static let table = Table("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(from: "active") { (old: String) in old == "yes" }
    }
  }

  private struct StillInSwift: Model {
    let id: Int
    var active: String
    static let table = Table("people", as: Self.init) {
      // The number of functions before it must not matter.
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(from: "active") { (old: Bool) in old ? "on" : "off" }
    }
  }

  private struct AgainInSwift: Model {
    let id: Int
    var active: Int
    static let table = Table("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(from: "active") { (old: String) in old == "yes" ? 1 : 0 }
    }
  }

  private struct BackInSwift: Model {
    let id: Int
    var active: String
    static let table = Table("people", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("active", \.active).converting(from: "active", version: 2) { (old: Bool) in old ? "yes" : "no" }
    }
  }

  private func values(_ file: TemporaryDatabase) throws -> [RawValue] {
    try file.query("SELECT active FROM people ORDER BY id").map { $0[0] }
  }

  @Test("functions in Swift are told apart by their types and their version")
  func functions() throws {
    let file = try first()
    _ = try open(file, InSwift.self)
    #expect(try values(file) == [.int(1), .int(0)])
    _ = try open(file, StillInSwift.self)
    #expect(try values(file) == [.text("on"), .text("off")])
    _ = try open(file, Second.self)
    #expect(try values(file) == [.int(0), .int(0)], "the SQL conversion is another one, and none of these says yes")
    try file.exec("UPDATE people SET active = id = 1")
    _ = try open(file, StillInSwift.self)
    #expect(try values(file) == [.text("1"), .text("0")], "the same function is not done again")
    try file.exec("UPDATE people SET active = CASE id WHEN 1 THEN 'yes' ELSE 'no' END")
    _ = try open(file, AgainInSwift.self)
    #expect(try values(file) == [.int(1), .int(0)])
    _ = try open(file, BackInSwift.self)
    #expect(try values(file) == [.text("yes"), .text("no")], "another version is another function")
  }
}

@Suite("Conversions of recorded steps that have been done")
struct SpentStepConversionTests {
  private static let steps = [
    ("0001-init", "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);"),
    (
      "0002-number",
      """
      -- schemakit: convert t.v = v + 1
      DROP TABLE t;
      CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER);
      """
    ),
    (
      "0003-text",
      """
      -- schemakit: convert t.v = v + 1
      DROP TABLE t;
      CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);
      """
    ),
  ]

  @Test("two steps may convert by the same expression, and a step that is done again does not")
  func steps() throws {
    let file = try TemporaryDatabase()
    try StepFixture(Array(Self.steps[..<1])).apply(to: file)
    try file.exec("INSERT INTO t VALUES (1, '10')")
    try StepFixture(Array(Self.steps[..<2])).apply(to: file)
    #expect(try file.value("SELECT v FROM t") == .int(11))
    try StepFixture(Self.steps).apply(to: file)
    #expect(try file.value("SELECT v FROM t") == .text("12"))
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.value("SELECT v FROM t") == .int(12))
    try StepFixture(Self.steps).apply(to: file)
    #expect(try file.value("SELECT v FROM t") == .text("12"))
  }

  @Test("a step is not recorded with a conversion that an earlier step has")
  func recording() throws {
    let folder = try CommandFolder()
    try folder.write("CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT);", to: "s.sql")
    #expect(try folder.run("migrations", "new", "init", "--to", "s.sql").status == 0)
    for (name, type) in [("number", "INTEGER"), ("real", "REAL")] {
      try folder.write(
        "CREATE TABLE t (\n id INTEGER PRIMARY KEY,\n v \(type) -- schemakit: convert v + 1\n);", to: "s.sql")
      let run = try folder.run("migrations", "new", name, "--to", "s.sql", "--allow", "SK103:t.v")
      #expect(run.status == 0, "\(run.errors)")
    }
    func step(_ name: String) throws -> String {
      try String(contentsOf: folder.url("migrations/\(name).sql"), encoding: .utf8)
    }
    #expect(try step("0002-number").contains("-- schemakit: convert t.v = v + 1"))
    #expect(try !step("0003-real").contains("convert t.v"))
  }
}

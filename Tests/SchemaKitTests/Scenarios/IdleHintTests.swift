import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Hints that ask for what is not done")
struct IdleHintTests {
  private static let old = "CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT); INSERT INTO t VALUES (1, '5'), (2, 'x9');"

  private static func target(_ p: String, _ hint: String = "") -> String {
    "CREATE TABLE t (\n  id INTEGER PRIMARY KEY,\n  p \(p)\(hint.isEmpty ? "" : " -- schemakit: \(hint)")\n);"
  }

  private static let late = target("INTEGER", "convert CAST(replace(p, 'x', '') AS INTEGER)")
  private static let message =
    "The conversion of t.p is not done: the column stays INTEGER, and a conversion belongs to a change of the type."

  /// A file whose column has got its type without a conversion.
  private func retyped() throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(Self.old)
    try file.migrate(to: Self.target("INTEGER"))
    return file
  }

  @Test("a conversion that comes after the change of the type is told each time, with what to do instead")
  func lateConversion() throws {
    let file = try retyped()
    for _ in 1...2 {
      let plan = try file.plan(to: Self.late)
      #expect(plan.isEmpty)
      #expect(plan.hazards.map(\.message) == [Self.message])
      #expect(plan.hazards.first?.hazardClass == .note && plan.hazards.first?.code == .lossyConversion)
      #expect(plan.hazards.first?.remedy?.contains("use UPDATE") == true)
      #expect(try file.migrate(to: Self.late).plan.hazards.map(\.message) == [Self.message])
    }
    #expect(try file.query("SELECT p FROM t ORDER BY id") == [[.int(5)], [.text("x9")]])
    // The way out that the note names.
    try file.exec("UPDATE t SET p = 9 WHERE id = 2")
    #expect(try file.plan(to: Self.target("INTEGER")).hazards.isEmpty)
  }

  @Test("the advice to give a conversion says that it must come with the change")
  func advice() throws {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO t VALUES (3, '007')")
    let hazards = try file.plan(to: Self.target("INTEGER")).hazards
    #expect(hazards.count == 2)
    #expect(hazards.allSatisfy { $0.remedy?.contains("ive a conversion with this change: ") == true }, "\(hazards)")
  }

  @Test("the command tells it in plan, apply and check, in text and in JSON")
  func command() throws {
    let folder = try CommandFolder()
    try folder.database("t.db", Self.old)
    try folder.write(Self.target("INTEGER"), to: "a.sql")
    try folder.write(Self.late, to: "b.sql")
    #expect(try folder.run("apply", "t.db", "--to", "a.sql", "--yes").status == 0)
    for arguments in [["plan"], ["check"], ["apply", "--yes"], ["plan"], ["check"], ["apply", "--yes"]] {
      let text = try CommandRun(arguments + ["t.db", "--to", "b.sql"], in: folder)
      #expect(text.status == 0 && text.output.contains(Self.message), "\(arguments): \(text.output)")
      let json = try CommandRun(arguments + ["t.db", "--to", "b.sql", "--format", "json"], in: folder)
      #expect(json.status == 0 && json.output.contains(Self.message), "\(arguments): \(json.output)")
    }
    for format in ["github", "sarif", "junit", "markdown"] {
      let run = try CommandRun(["check", "t.db", "--to", "b.sql", "--format", format], in: folder)
      #expect(run.status == 0)
      #expect(run.output.contains("The conversion of t.p is not done") || format == "junit", "\(format): \(run.output)")
    }
  }

  @Test("a step is recorded with a word on the hints that it does not follow")
  func recording() throws {
    let folder = try CommandFolder()
    try folder.write(Self.target("INTEGER NOT NULL"), to: "a.sql")
    #expect(try folder.run("migrations", "new", "init", "--to", "a.sql").status == 0)
    let hints = Self.target("INTEGER NOT NULL", "convert CAST(p AS INTEGER) -- schemakit: fill 0")
    try folder.write("CREATE TABLE other (a); \(hints)", to: "b.sql")
    let run = try folder.run("migrations", "new", "next", "--to", "b.sql")
    #expect(run.status == 0)
    #expect(run.errors.contains(Self.message) && run.errors.contains("The fill of t.p is not done"), "\(run.errors)")
    #expect(!run.errors.contains("may yet refuse"))
  }

  @Test("a step about a column with a name of the rowid is recorded in SQL that every version takes")
  func rowIDNames() throws {
    let folder = try CommandFolder()
    let schemas = [
      "CREATE TABLE t (a INT, oid INT);", "CREATE TABLE t (a INT,\nz INT -- schemakit: renamed from oid\n);",
      "CREATE TABLE t (a INT, z INT, rowid INT);", "CREATE TABLE t (a INT, z INT);",
    ]
    for (number, schema) in schemas.enumerated() {
      try folder.write(schema, to: "s.sql")
      let run = try folder.run("migrations", "new", "s\(number)", "--to", "s.sql", "--allow", "destructive")
      #expect(run.status == 0, "\(run.errors)")
    }
    let steps = try FileManager.default.contentsOfDirectory(atPath: folder.url("migrations").path).filter {
      $0.hasSuffix(".sql")
    }
    #expect(steps.count == 4)
    for step in steps {
      let text = try String(contentsOf: folder.url("migrations/\(step)"), encoding: .utf8)
      #expect(!text.contains(/\nALTER TABLE .* (RENAME|ADD|DROP) COLUMN/), "\(text)")
    }
    #expect(try folder.run("check", "--migrations", "migrations", "--to", "s.sql").status == 0)
  }

  private struct Plain: Model {
    let id: Int64
    var p: Int?
    static let table = ModelTable("t", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("p", \.p)
    }
  }

  private struct Late: Model {
    let id: Int64
    var p: Int?
    static let table = ModelTable("t", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("p", \.p).converting(sql: "CAST(replace(p, 'x', '') AS INTEGER)")
    }
  }

  @Test("a program is told at each open, also where nothing else has changed")
  func program() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT)")
    _ = try Session(at: file.path, schema: ModelSchema { Plain.self })
    _ = try Session(at: file.path, schema: ModelSchema { Plain.self })
    let bytes = try file.bytes
    for _ in 1...3 {
      var told: [String] = []
      _ = try Session(at: file.path, schema: ModelSchema { Late.self }) {
        $0.onPlan = { told += $0.hazards.map(\.message) }
      }
      #expect(told == [Self.message])
    }
    #expect(try file.bytes == bytes, "nothing is written for it")
    // A conversion that was done costs no look at the file.
    let done = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, p TEXT)")
    _ = try Session(at: done.path, schema: ModelSchema { Late.self })
    let session = try Session(at: done.path, schema: ModelSchema { Late.self })
    #expect(session.isWarm)
  }

  @Test("a conversion of a column that comes anew is told: no row has a value there")
  func newColumn() throws {
    let file = try TemporaryDatabase(Self.old)
    let target = Self.target("TEXT,\n  q INTEGER", "convert CAST(p AS INTEGER)")
    let plan = try file.plan(to: target)
    #expect(
      plan.hazards.map(\.message) == [
        "The conversion of t.q is not done: the column is new, and no row has a value there to convert."
      ])
    #expect(plan.hazards.first?.remedy?.contains("schemakit: fill") == true)
    try file.migrate(to: target)
    #expect(try file.plan(to: target).hazards.isEmpty, "there is nothing left to convert")
  }

  static let fills = [
    ("TEXT", "the column is there already and may be NULL"), ("TEXT NOT NULL", "the column is NOT NULL already"),
  ]

  @Test("a fill of a column that is there already is told each time", arguments: fills)
  func lateFill(type: String, reason: String) throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.target(type))
    let target = Self.target(type, "fill 'none'")
    for _ in 1...2 {
      let plan = try file.plan(to: target)
      #expect(plan.isEmpty && plan.hazards.allSatisfy { $0.hazardClass == .note })
      #expect(plan.hazards.map(\.message).map { $0.hasPrefix("The fill of t.p is not done: \(reason)") } == [true])
      try file.migrate(to: target)
    }
  }

  @Test("a fill that was done stays in the schema without a word")
  func doneFill() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)")
    for type in ["TEXT", "TEXT NOT NULL"] {
      let target = Self.target(type, "fill 'none'")
      try file.migrate(to: target)
      #expect(try file.plan(to: target).hazards.isEmpty)
      try file.migrate(to: "CREATE TABLE other (a); \(target)")
      #expect(try file.plan(to: "CREATE TABLE other (a); \(target)").hazards.isEmpty)
    }
    let new = try TemporaryDatabase()
    try new.migrate(to: Self.target("TEXT", "fill 'none'"))
    #expect(try new.plan(to: Self.target("TEXT", "fill 'none'")).hazards.isEmpty)
  }

  @Test("a removal of what is declared all the same is told each time")
  func declaredRemoval() throws {
    let file = try TemporaryDatabase(Self.old)
    let target = "-- schemakit: removed t, gone\n" + Self.target("TEXT", "removed p, gone")
    for _ in 1...2 {
      let hazards = try file.plan(to: target).hazards
      #expect(
        hazards.map { "\($0.code.rawValue) \($0.message)" } == [
          "SK101 Table t is not removed: the declared schema has it.",
          "SK102 Column t.p is not removed: the declared table has it.",
        ])
      #expect(hazards.allSatisfy { $0.hazardClass == .note && $0.remedy != nil })
      try file.migrate(to: target)
    }
  }
}

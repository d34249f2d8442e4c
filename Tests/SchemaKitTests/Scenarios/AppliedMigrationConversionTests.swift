import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Conversions of recorded steps that have been done")
struct AppliedMigrationConversionTests {
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
    try MigrationFixture(Array(Self.steps[..<1])).apply(to: file)
    try file.exec("INSERT INTO t VALUES (1, '10')")
    try MigrationFixture(Array(Self.steps[..<2])).apply(to: file)
    #expect(try file.value("SELECT v FROM t") == .int(11))
    try MigrationFixture(Self.steps).apply(to: file)
    #expect(try file.value("SELECT v FROM t") == .text("12"))
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(try file.value("SELECT v FROM t") == .int(12))
    // What was written since the undo cannot be told from what was converted before it.
    #expect(throws: PlanError.self) { try MigrationFixture(Self.steps).apply(to: file) }
    try MigrationFixture(Self.steps).apply(to: file) { $0.plan.policy = .everything }
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

  @Test("a step that gets another number after it was undone does not convert again")
  func renumbered() throws {
    let file = try TemporaryDatabase()
    try MigrationFixture(Array(Self.steps[..<1])).apply(to: file)
    try file.exec("INSERT INTO t VALUES (1, '10')")
    try MigrationFixture(Array(Self.steps[..<2])).apply(to: file)
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    let other = ("0002-other", "CREATE TABLE u (x);")
    let fixture = try MigrationFixture([Self.steps[0], other, ("0003-number", Self.steps[1].1)])
    #expect(throws: PlanError.self) { try fixture.apply(to: file) }
    try fixture.apply(to: file) { $0.plan.policy = .everything }
    #expect(try file.value("SELECT v FROM t") == .int(11))
  }

  @Test("the steps that a baseline notes have had their conversions")
  func baseline() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v INTEGER); INSERT INTO t VALUES (1, 11);")
    let fixture = try MigrationFixture(Array(Self.steps[..<2]))
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    try MigrationRunner(fixture.folder).baseline(through: 1, on: connection, program: "test")
    try file.migrate(to: "CREATE TABLE t (\n id INTEGER PRIMARY KEY,\n v REAL -- schemakit: convert v + 1\n);")
    #expect(try file.value("SELECT v FROM t") == .real(11))
  }

  @Test("a squashed step still tells which conversions were done")
  func squashed() throws {
    let folder = try CommandFolder()
    func record(_ name: String, _ type: String) throws {
      try folder.write("CREATE TABLE t (\n id INTEGER PRIMARY KEY,\n v \(type)\n);", to: "s.sql")
      let run = try folder.run("migrations", "new", name, "--to", "s.sql", "--allow", "SK103:t.v")
      #expect(run.status == 0, "\(run.errors)")
    }
    try record("init", "TEXT")
    try record("number", "INTEGER -- schemakit: convert v + 1")
    #expect(try folder.run("apply", "a.db", "--migrations", "migrations", "--yes", "--create").status == 0)
    #expect(try folder.run("migrations", "squash").status == 0)
    try record("real", "REAL -- schemakit: convert v + 1")
    try folder.database("a.db", "INSERT INTO t VALUES (1, 11)")
    #expect(try folder.run("apply", "a.db", "--migrations", "migrations", "--yes", "--create").status == 0)
    #expect(try folder.rows(of: "a.db", "SELECT v FROM t") == [[.real(11)]])
    #expect(try folder.run("apply", "new.db", "--migrations", "migrations", "--yes", "--create").status == 0)
  }
}

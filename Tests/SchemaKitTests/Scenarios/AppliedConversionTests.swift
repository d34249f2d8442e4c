import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Conversions that have been done")
struct AppliedConversionTests {
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
    // Nothing tells a value that was written since from one that was converted.
    let refusals = try file.plan(to: Self.target("INTEGER")).refusals(under: .lossless)
    #expect(
      refusals.map(\.message) == [
        "The conversion of people.active counts as done in this file and is not done again, but the column is TEXT again: "
          + "of 2 rows with a value, those that were written since are of the old kind."
      ])
    #expect(throws: PlanError.self) { try file.migrate(to: Self.target("INTEGER"), allowing: .lossless) }
    try file.migrate(to: Self.target("INTEGER"), allowing: .everything)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])
  }

  @Test("only an undo makes a conversion that was done doubtful, and only until its column has the new type again")
  func undoneMark() throws {
    let file = try converted()
    var policy = PlanPolicy.lossless
    policy.allowsDowngrade = true
    // The hint stays on the line while the type goes on to another one.
    try file.migrate(to: Self.target("TEXT"), allowing: policy)
    try file.migrate(to: Self.target("INTEGER"), allowing: policy)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])

    let other = try converted()
    try MigrationUndo(at: other.path).apply(allowing: .everything)
    try other.migrate(to: Self.target("INTEGER"), allowing: .everything)
    try other.migrate(to: Self.target("TEXT"), allowing: policy)
    #expect(try other.query("SELECT active FROM people ORDER BY id") == [[.text("1")], [.text("0")]])
  }

  @Test("between two types of numbers too, what was written since an undo is not told from what was converted")
  func numbers() throws {
    let file = try TemporaryDatabase("CREATE TABLE p (id INTEGER PRIMARY KEY, v REAL); INSERT INTO p VALUES (1, 12.5)")
    let target = "CREATE TABLE p (id INTEGER PRIMARY KEY, v INTEGER -- schemakit: convert CAST(v * 100 AS INTEGER)\n)"
    try file.migrate(to: target)
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    try file.exec("INSERT INTO p VALUES (2, 5.0)")
    #expect(try file.plan(to: target).refusals(under: .lossless).map(\.code) == [.lossyConversion])
  }

  @Test("the plan says that a conversion is not done again, and how it would be")
  func note() throws {
    let plan = try converted().plan(to: Self.target("REAL"))
    let note = try #require(plan.hazards.first { $0.isNote && $0.code == .lossyConversion })
    #expect(
      note.message
        == "The conversion of people.active counts as done in this file and is not done again; the values are taken over as they are."
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

  @Test("a conversion that waited in a file which met the schema first is done with its change of type")
  func waitingFromTheFirst() throws {
    let file = try TemporaryDatabase(Self.old + "INSERT INTO people VALUES (1, 'yes'), (2, 'no');")
    try file.migrate(to: Self.target("TEXT", more: " DEFAULT 'no'"))
    try file.migrate(to: Self.target("INTEGER"))
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])
  }

  @Test("values of the old kind that came after the conversion are not taken over without consent")
  func oldKindAgain() throws {
    let file = try converted()
    var policy = PlanPolicy.lossless
    policy.allowsDowngrade = true
    try file.migrate(to: Self.target("TEXT", "convert CASE active WHEN 1 THEN 'yes' ELSE 'no' END"), allowing: policy)
    let refusals = try file.plan(to: Self.target("INTEGER")).refusals(under: .lossless)
    #expect(refusals.map(\.code) == [.lossyConversion])
    #expect(
      refusals.first?.message
        == "The conversion of people.active counts as done in this file and is not done again, but 2 rows hold a value that is not INTEGER."
    )
    #expect(throws: PlanError.self) { try file.migrate(to: Self.target("INTEGER"), allowing: policy) }
    try file.migrate(to: Self.target("INTEGER", "convert (active = 'yes')"), allowing: policy)
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.int(1)], [.int(0)]])
  }

  @Test("a file whose history was dropped still has the hint in the text of its table")
  func droppedHistory() throws {
    let file = try converted()
    for table in try file.query("SELECT name FROM sqlite_master WHERE name GLOB '_schemakit_*'") {
      try file.exec("DROP TABLE \(table[0].string ?? "")")
    }
    try file.migrate(to: Self.target("REAL"))
    #expect(try file.query("SELECT active FROM people ORDER BY id") == [[.real(1)], [.real(0)]])
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

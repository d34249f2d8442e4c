import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Three releases of a program: each reads in a step what it drops.
private enum Release {
  static let one = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born TEXT CHECK (born <> ''));
    INSERT INTO people (id, name, born) VALUES (1, 'Ada Lovelace', '1815-12-10'), (2, 'Alan Turing', NULL);
    """

  static let split = DataStep("split-names", after: .columnAdded(\Two.last)) { session in
    try session.execute(
      """
      UPDATE people SET first = substr(name, 1, instr(name, ' ') - 1), last = substr(name, instr(name, ' ') + 1)
      WHERE name IS NOT NULL
      """)
  }

  struct Two: Model {
    let id: Int64?
    var first: String?
    var last: String?
    var born: String?

    static let table = ModelTable("people", as: Self.init, removed: ["name"]) {
      Column("id", \Two.id).primaryKey()
      Column("first", \Two.first)
      Column("last", \Two.last)
      Column("born", \Two.born).check("born <> ''")
    }
  }

  struct Three: Model {
    let id: Int64?
    var first: String?
    var last: String?
    var year: Int?

    static let table = ModelTable("people", as: Self.init, removed: ["name", "born"]) {
      Column("id", \Three.id).primaryKey()
      Column("first", \Three.first)
      Column("last", \Three.last).collate(.nocase)
      Column("year", \Three.year)
    }
  }

  static let second = ModelSchema {
    Two.self
    split
  }

  static func third(_ year: @escaping @Sendable (Session) throws -> Void = Self.year) -> ModelSchema {
    ModelSchema {
      Three.self
      DataStep("split-names", after: .columnAdded(\Three.last), run: split.run)
      DataStep("years", after: .columnAdded(\Three.year), run: year)
    }
  }

  @Sendable static func year(_ session: Session) throws {
    try session.execute("UPDATE people SET year = CAST(substr(born, 1, 4) AS INTEGER)")
  }
}

private struct Stop: Error {}

@Suite("Data steps that read what is dropped")
struct DataStepDropTests {
  @Test("a step reads a column that the same release drops")
  func reads() throws {
    let file = try TemporaryDatabase(Release.one)
    _ = try Session(at: file.path, schema: Release.second)
    #expect(
      try file.query("SELECT id, first, last, born FROM people") == [
        [.int(1), .text("Ada"), .text("Lovelace"), .text("1815-12-10")],
        [.int(2), .text("Alan"), .text("Turing"), .null],
      ])
    #expect(try file.value("SELECT count(*) FROM pragma_table_info('people')") == .int(4))
  }

  @Test("a step after a column that was there before reads what is dropped, whatever release the file is of")
  func readsAfterOldColumn() throws {
    struct Short: Model {
      let id: Int64?
      var last: String?

      static let table = ModelTable("people", as: Self.init, removed: ["name", "first", "born"]) {
        Column("id", \Short.id).primaryKey()
        Column("last", \Short.last)
      }
    }
    func schema(_ moment: DataStep.Moment) -> ModelSchema {
      ModelSchema {
        Short.self
        DataStep("split-names", after: .columnAdded(\Short.last), run: Release.split.run)
        DataStep("initials", after: moment) { try $0.execute("UPDATE people SET last = born || last") }
      }
    }
    let (one, two) = (
      try TemporaryDatabase(
        Release.one.replacingOccurrences(of: "name TEXT NOT NULL UNIQUE", with: "name TEXT, first TEXT")),
      try TemporaryDatabase(Release.one)
    )
    _ = try Session(at: two.path, schema: Release.second)
    for file in [one, two] {
      let before = try file.query("SELECT * FROM people")
      #expect(throws: ApplyError.self) { try Session(at: file.path, schema: schema(.schemaChanged)) }
      #expect(try file.query("SELECT * FROM people") == before)
      _ = try Session(at: file.path, schema: schema(.columnAdded(\Short.id)))
      #expect(
        try file.query("SELECT id, last FROM people ORDER BY id") == [
          [.int(1), .text("1815-12-10Lovelace")], [.int(2), .null],
        ])
      #expect(try file.value("SELECT count(*) FROM pragma_table_info('people')") == .int(2))
    }
  }

  @Test("a file that skips a release gets the same rows as one that had each")
  func skips() throws {
    let (slow, fast) = (try TemporaryDatabase(Release.one), try TemporaryDatabase(Release.one))
    _ = try Session(at: slow.path, schema: Release.second)
    _ = try Session(at: slow.path, schema: Release.third())
    _ = try Session(at: fast.path, schema: Release.third())
    let rows = "SELECT id, first, last, year FROM people"
    #expect(try fast.query(rows) == slow.query(rows))
    #expect(try fast.query(rows).first == [.int(1), .text("Ada"), .text("Lovelace"), .int(1815)])
    #expect(try SchemaInspector(at: fast.path).plan(to: Release.third()).isEmpty)
  }

  @Test("a step that fails after the first half of a change leaves the file as it was")
  func fails() throws {
    let file = try TemporaryDatabase(Release.one)
    let before = try (file.query("SELECT * FROM people"), file.query("SELECT sql FROM sqlite_master"))
    #expect(throws: ApplyError.self) {
      try Session(at: file.path, schema: Release.third { _ in throw Stop() })
    }
    #expect(try file.query("SELECT * FROM people") == before.0)
    #expect(try file.query("SELECT sql FROM sqlite_master") == before.1)
    _ = try Session(at: file.path, schema: Release.third())
    #expect(try file.value("SELECT year FROM people WHERE id = 1") == .int(1815))
  }

  @Test("a step adds objects beside a column that takes no NULL and is about to go")
  func adds() throws {
    let file = try TemporaryDatabase(Release.one)
    let schema = ModelSchema {
      Release.Two.self
      DataStep("add", after: .columnAdded(\Release.Two.last)) { session in
        try session.save(Release.Two(id: nil, first: "Grace", last: "Hopper", born: nil))
      }
    }
    _ = try Session(at: file.path, schema: schema)
    #expect(try file.query("SELECT last FROM people WHERE id = 3") == [[.text("Hopper")]])
  }

  @Test("other tables are still changed in the catalog while a step is due")
  func otherTables() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
      CREATE TABLE other (id INTEGER PRIMARY KEY, y TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
      INSERT INTO other SELECT i, CASE WHEN i > 1 THEN 'y' END FROM n;
      """)
    var hints = MigrationHints()
    hints.dataSteps = [DataStepHint(name: "late", moment: .tableAdded("made"))]
    let plan = try file.plan(
      to: """
        CREATE TABLE a (id INTEGER PRIMARY KEY, x TEXT);
        CREATE TABLE other (id INTEGER PRIMARY KEY, y TEXT NOT NULL DEFAULT 'none');
        CREATE TABLE made (id INTEGER PRIMARY KEY);
        """, hints: hints)
    #expect(plan.steps.map(\.strategy) == [.create, .data, .update])
  }

  /// Steps between three random releases of a table, by chance with constraints, indexes and conversions around them.
  @Test("skipping a release gives the same rows, whatever else changes", arguments: 0..<8)
  func property(part: Int) throws {
    for round in 0..<15 {
      let seed = part * 1_000 + round
      var random = SeededGenerator(seed: seed)
      let sketch = ReleaseSketch(&random)
      do {
        let (slow, fast) = (try TemporaryDatabase(sketch.start), try TemporaryDatabase(sketch.start))
        try sketch.open(slow, release: 2)
        try sketch.open(slow, release: 3)
        try sketch.open(fast, release: 3)
        let rows = "SELECT \(sketch.columns(3).joined(separator: ", ")) FROM t ORDER BY id"
        #expect(try fast.query(rows) == slow.query(rows), "seed \(seed)")
        #expect(try fast.query("SELECT count(*) FROM t WHERE d2 IS NULL") == [[.int(0)]], "seed \(seed)")
        #expect(
          try fast.query("SELECT name FROM pragma_table_info('t') ORDER BY name")
            == slow.query("SELECT name FROM pragma_table_info('t') ORDER BY name"), "seed \(seed)")
      } catch {
        Issue.record("seed \(seed): \(error)\n\(sketch.start)\n\(sketch.script(2))\n\(sketch.script(3))")
      }
    }
  }
}

/// A table in three releases: the second drops `a` and fills `d2` from it, the third drops `b` and fills `d3` from it.
private struct ReleaseSketch {
  private let a: String
  private let b: String
  private let kept: [String]
  private let hasIndex: Bool
  private let isWithoutRowID: Bool
  private let d2: String
  private let rowCount: Int

  init(_ random: inout SeededGenerator) {
    let endings = ["", " NOT NULL", " UNIQUE", " NOT NULL DEFAULT 'x'", " CHECK (length(%) > 0)", " COLLATE NOCASE"]
    a = "a TEXT" + random.pick(endings).replacingOccurrences(of: "%", with: "a")
    b = "b " + random.pick(["TEXT", "VARCHAR(9)", ""]) + random.pick(endings).replacingOccurrences(of: "%", with: "b")
    kept = [
      random.pick(["k TEXT", "k TEXT NOT NULL"]),
      random.pick(["k TEXT NOT NULL DEFAULT 'k'", "k TEXT COLLATE NOCASE", "k BLOB", "k TEXT"]),
      random.pick(["k TEXT CHECK (k <> '')", "k TEXT UNIQUE", "k TEXT"]),
    ]
    hasIndex = random.chance(40)
    isWithoutRowID = random.chance(25)
    d2 = random.pick(["d2 TEXT", "d2 TEXT UNIQUE", "d2 TEXT DEFAULT NULL CHECK (d2 IS NULL OR length(d2) > 1)"])
    rowCount = random.number(0...9)
  }

  func columns(_ release: Int) -> [String] { ["id", "k"] + (release > 1 ? ["d2"] : []) + (release > 2 ? ["d3"] : []) }

  func script(_ release: Int) -> String {
    let parts: [String] =
      switch release {
      case 1: ["id INTEGER PRIMARY KEY", a, b, kept[0]]
      case 2: ["id INTEGER PRIMARY KEY", d2, b, kept[1]]
      default: ["id INTEGER PRIMARY KEY", d2, kept[2], "d3 TEXT"]
      }
    let indexes =
      !hasIndex || release == 3
      ? "" : "CREATE INDEX by_b ON t (b);" + (release == 1 ? "CREATE INDEX by_a ON t (a);" : "")
    return "CREATE TABLE t (\(parts.joined(separator: ", ")))\(isWithoutRowID ? " WITHOUT ROWID" : "");\(indexes)"
  }

  var start: String {
    script(1) + "\n"
      + (0..<rowCount).map { "INSERT INTO t VALUES (\($0), 'a\($0)', 'b\($0)', 'k\($0)');" }.joined(separator: "\n")
  }

  func open(_ file: TemporaryDatabase, release: Int) throws {
    var hints = MigrationHints()
    hints.tables["t"] = TableHints(removedColumns: release == 2 ? ["a"] : ["a", "b"])
    hints.dataSteps = [DataStepHint(name: "two", moment: .columnAdded("t", "d2"))]
    if release == 3 { hints.dataSteps.append(DataStepHint(name: "three", moment: .columnAdded("t", "d3"))) }
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    var target = try TemporaryDatabase.target(script(release), hints: hints)
    target.name = "main"
    var request = ChangeRequest()
    request.runDataStep = { name in
      try connection.execute(name == "two" ? "UPDATE t SET d2 = upper(a)" : "UPDATE t SET d3 = b || k")
    }
    let change = Change(over: connection, to: target, request)
    _ = try change.apply()
    #expect(try Change(over: connection, to: target).plan().isEmpty)
  }
}

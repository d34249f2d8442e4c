import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Faults of before that a plan has to tell")
struct ToldFaultTests {
  /// The codes of what a plan needs consent for or is blocked by.
  private func refusals(of file: EditedFile, to target: String, _ strategy: StrategyChoice) throws -> [HazardCode] {
    try file.database.plan(to: target, strategy: strategy).refusals(under: .lossless).map(\.code)
  }

  @Test(
    "rows that are equal under a key which only the catalog has are told before it is made anew",
    arguments: [StrategyChoice.rebuild, .alter, .auto])
  func equalRows(strategy: StrategyChoice) throws {
    let index = "CREATE UNIQUE INDEX ta ON t (a)"
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE INDEX ta ON t (a);
      INSERT INTO t VALUES (1, 'z', '1'), (2, 'z', '2'), (3, NULL, '3'), (4, NULL, '4')
      """, ["CREATE INDEX": "CREATE UNIQUE INDEX"])
    let before = try file.values(of: ["a", "b"])
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT UNIQUE); \(index)"
    let found = try refusals(of: file, to: target, strategy)
    if found.isEmpty {
      try file.database.migrate(to: target) { $0.plan.policy.strategy = strategy }
    } else {
      #expect(strategy != .auto && found == [.duplicates])
    }
    #expect(try file.values(of: ["a", "b"]) == before)
    // NULL is equal to nothing.
    let nulls = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE INDEX ta ON t (a);
      INSERT INTO t VALUES (3, NULL, '3'), (4, NULL, '4'), (5, 'z', '5')
      """, ["CREATE INDEX": "CREATE UNIQUE INDEX"])
    #expect(try refusals(of: nulls, to: target, strategy).isEmpty)
    try nulls.database.migrate(to: target) { $0.plan.policy.strategy = strategy }
    #expect(try nulls.problems() == ["ok"])
  }

  @Test(
    "the key of a table WITHOUT ROWID that only the catalog compares otherwise is told", arguments: ["TEXT", "INT"])
  func keyOfRows(type: String) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (a TEXT PRIMARY KEY, b INT) WITHOUT ROWID; INSERT INTO t VALUES ('a', 1), ('B', 2), ('A', 3)
      """, ["a TEXT": "a TEXT COLLATE NOCASE"])
    for ending in ["\(type) CHECK (b > 0)", type] {
      let target = "CREATE TABLE t (a TEXT COLLATE NOCASE PRIMARY KEY, b \(ending)) WITHOUT ROWID"
      let plan = try file.database.plan(to: target, strategy: .rebuild)
      #expect(plan.isEmpty || plan.refusals(under: .lossless).map(\.code) == [.duplicates])
    }
  }

  @Test(
    "an index that fails for a row is told before it is made anew, and stays where it need not be",
    arguments: [
      ("CREATE INDEX i ON t (substr(j, 1))", "substr(j, 1)", "json_extract(j, '$.a')"),
      ("CREATE UNIQUE INDEX i ON t (substr(j, 1))", "substr(j, 1)", "json_extract(j, '$.a')"),
      ("CREATE INDEX i ON t (b) WHERE length(j) > 0", "length(j) > 0", "json_extract(j, '$.a') > 0"),
      ("CREATE INDEX i ON t (substr(j, 1)) WHERE b <> 'x'", "substr(j, 1)", "json_extract(j, '$.a')"),
    ], [StrategyChoice.rebuild, .auto])
  func failingIndex(index: (sql: String, old: String, new: String), strategy: StrategyChoice) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, j TEXT, b TEXT); \(index.sql);
      INSERT INTO t VALUES (1, '{"a":1}', 'x'), (2, 'no JSON', 'y')
      """, [index.old: index.new])
    let before = try file.values(of: ["j", "b"])
    let sql = index.sql.replacing(index.old, with: index.new)
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, j TEXT, b TEXT CHECK (b <> '')); \(sql)"
    let hazards = try file.database.plan(to: target, strategy: strategy).refusals(under: .everything)
    if strategy == .rebuild {
      #expect(hazards.map(\.code) == [.failingCheck])
      #expect(hazards.first?.message.hasPrefix("Index i is made anew, and cannot be computed for a row of t:") == true)
      #expect(throws: PlanError.self) {
        try file.database.migrate(to: target, allowing: .everything) { $0.plan.policy.strategy = strategy }
      }
    } else {
      #expect(hazards.isEmpty)
      try file.database.migrate(to: target)
    }
    #expect(try file.values(of: ["j", "b"]) == before)
    // Once the remedy is carried out, nothing is in the way.
    try file.database.exec("DROP INDEX i; UPDATE t SET j = NULL WHERE id = 2")
    try file.database.migrate(to: target) { $0.plan.policy.strategy = strategy }
    try file.database.expectSettled(at: target)
  }

  @Test("rows outside of a partial index do not fail by its terms")
  func partialIndex() throws {
    let index = "CREATE INDEX i ON t (json_extract(j, '$.a')) WHERE b = 'x'"
    let file = try TemporaryDatabase(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, j TEXT, b TEXT); \(index);
      INSERT INTO t VALUES (1, '{"a":1}', 'x'), (2, 'no JSON', 'y')
      """)
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, j TEXT, b TEXT CHECK (b <> '')); \(index)"
    try file.migrate(to: target) { $0.plan.policy.strategy = .rebuild }
    try file.expectSettled(at: target)
  }

  @Test("a CHECK that fails with an error is told where the copy would ask it")
  func failingCheck() throws {
    func file() throws -> EditedFile {
      try EditedFile(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); INSERT INTO t VALUES (1, '{bad', '1')",
        ["a TEXT": "a TEXT CHECK (json_extract(a, '$'))"])
    }
    let declared = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT CHECK (json_extract(a, '$')), b TEXT"
    let typed = try file()
    #expect(try refusals(of: typed, to: "\(declared) UNIQUE)", .alter) == [.failingCheck])
    // ADD COLUMN asks every CHECK of the table.
    for target in ["\(declared) UNIQUE)", "\(declared), c DEFAULT 3 CHECK (c > 2))"] {
      let bare = try file()
      try bare.database.migrate(to: target)
      #expect(try bare.database.query("SELECT a, b FROM t") == [[.text("{bad"), .text("1")]])
      #expect(try bare.database.plan(to: target).isEmpty)
    }
  }

  @Test(
    "values of another class are told of the columns that stay, and not of one that goes", arguments: [false, true])
  func droppedColumn(keeps: Bool) throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT, c TEXT); INSERT INTO t VALUES (1, '007', 2, '9')",
      ["a TEXT": "a INTEGER", "c TEXT": "c INTEGER"])
    var policy = keeps ? PlanPolicy.keepingEverything : PlanPolicy.everything
    policy.strategy = .rebuild
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT, c INTEGER)"
    let report = try file.database.migrate(to: target, allowing: policy)
    #expect(report.plan.hazards.filter { $0.code == .standingFault }.map(\.object) == ["t.c"])
    #expect(try file.database.query("SELECT b, c, typeof(c) FROM t") == [[.text("2"), .text("9"), .text("text")]])
  }

  @Test("an index without the entry of a row, which the change keeps, is told with the way to make it anew")
  func lackingIndex() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INT); CREATE INDEX ta ON t (a) WHERE id = 1;
      INSERT INTO t VALUES (1, 'x', 1), (2, 'y', 2)
      """, [" WHERE id = 1": ""])
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT); CREATE INDEX ta ON t (a)"
    let plan = try file.database.plan(to: target)
    let hazard = try #require(plan.hazards.first { $0.code == .standingFault })
    #expect(hazard.message == "Index ta has no entry for some rows of t; it stays as it is.")
    #expect(hazard.remedy == "Make it anew by REINDEX ta.")
    try file.database.migrate(to: target)
    #expect(try file.problems().contains("row 2 missing from index ta"))
    try file.database.exec("REINDEX ta")
    #expect(try file.problems() == ["ok"])
    #expect(try file.database.plan(to: "\(target); CREATE INDEX tb ON t (b)").hazards.isEmpty)
  }

  @Test("NULLs under NOT NULL in the second column of a key stop a change of the first one only where keys are equal")
  func nullInKey() throws {
    // NULL is equal to NULL there, as SQLite takes the column at its word.
    for (others, found) in [("", []), (", (3, 'y', NULL)", []), (", (3, 'z', NULL)", [HazardCode.duplicates])] {
      let file = try EditedFile(
        """
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT COLLATE RTRIM, b TEXT, UNIQUE (a, b));
        INSERT INTO t VALUES (1, 'x', 'y'), (2, 'z', NULL)\(others)
        """, ["b TEXT": "b TEXT NOT NULL"])
      let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT NOT NULL, UNIQUE (a, b))"
      #expect(try refusals(of: file, to: target, .auto) == found)
      guard found.isEmpty else { continue }
      let before = try file.values(of: ["a", "b"])
      try file.database.migrate(to: target)
      #expect(try file.values(of: ["a", "b"]) == before)
    }
    let file = try EditedFile(
      "CREATE TABLE t (a INT, b INT); INSERT INTO t VALUES (1, 1), (2, NULL), (3, NULL)",
      ["a INT, b INT": "a INT NOT NULL, b INT NOT NULL"])
    let target = "CREATE TABLE t (a INT NOT NULL, b INT NOT NULL, UNIQUE (a, b))"
    try file.database.migrate(to: target)
    #expect(try file.database.plan(to: target).isEmpty)
  }

  // MARK: - Plans without a look at the rows

  @Test(
    "a copy under types needs consent where nobody has examined the rows", arguments: [StrategyChoice.alter, .auto])
  func unexamined(strategy: StrategyChoice) throws {
    let file = try EditedFile(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, z TEXT, b INT); INSERT INTO t VALUES (1, '007', 1), (2, '1e2', NULL)",
      ["z TEXT": "z INTEGER"])
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, b INT NOT NULL DEFAULT 0)"
    let before = try file.values(of: ["z"])
    func migrate(allowing policy: PlanPolicy) throws {
      try file.database.migrate(to: target, allowing: policy) {
        $0.plan.isQuick = true
        $0.plan.policy.strategy = strategy
      }
    }
    if strategy == .auto {
      return try #expect(
        {
          try migrate(allowing: .lossless)
          return try file.values(of: ["z"]) == before
        }())
    }
    let error = #expect(throws: PlanError.self) { try migrate(allowing: .lossless) }
    guard case .refused(_, let hazards)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.object) == ["t"] && hazards.map(\.isCounted) == [false])
    #expect(try file.values(of: ["z"]) == before)
    var policy = PlanPolicy.lossless
    _ = try policy.add(allow: "SK103:t")
    try migrate(allowing: policy)
    #expect(try file.values(of: ["z"]) != before)
  }

  @Test("a stored value that is computed anew needs consent where nobody has examined it")
  func unexaminedStored() throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, n INT, g TEXT AS ('p' || n) STORED); INSERT INTO t (id, n) VALUES (1, NULL), (2, 2)
      """, ["'p'": "'q'"])
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, n INT NOT NULL DEFAULT 0, g TEXT AS ('q' || n) STORED)"
    let error = #expect(throws: PlanError.self) { try file.database.migrate(to: target) { $0.plan.isQuick = true } }
    guard case .refused(_, let hazards)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(hazards.map(\.object) == ["t.g"])
    #expect(try file.database.query("SELECT g FROM t WHERE id = 2") == [[.text("p2")]])
  }

  @Test("every stored value is computed anew by a copy under types, and an INTEGER PRIMARY KEY can hold nothing else")
  func unexaminedTypes() throws {
    func hazards(_ table: String, to target: String) throws -> [String] {
      let file = try TemporaryDatabase("CREATE TABLE t (\(table)); INSERT INTO t (id) VALUES (1)")
      do {
        try file.migrate(to: "CREATE TABLE t (\(target))") {
          $0.plan.isQuick = true
          $0.plan.policy.strategy = .alter
        }
        return []
      } catch let error as PlanError {
        guard case .refused(_, let hazards) = error.reason else { throw error }
        return hazards.map(\.object)
      }
    }
    let (plain, stored) = ("id INTEGER PRIMARY KEY, b", ", g AS (upper(b)) STORED")
    #expect(try hazards(plain + stored, to: "\(plain) DEFAULT 3\(stored)") == ["t.g"])
    #expect(try hazards(plain, to: "\(plain) DEFAULT 3").isEmpty)
  }

  // MARK: - Rows with more fields than columns

  @Test(
    "a column is added with its default where rows have a field more than their table has columns",
    arguments: ["", " WITHOUT ROWID"],
    [", c INT DEFAULT 5", ", c INT UNIQUE", ", c INT NOT NULL DEFAULT 3 CHECK (c < 9)"])
  func leftoverFields(ending: String, column: String) throws {
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, old TEXT)\(ending); INSERT INTO t VALUES (1, 'x', 'secret'), (2, 'y', NULL)
      """, [", old TEXT": ""])
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT\(column))\(ending)"
    let plan = try file.database.plan(to: target)
    #expect(plan.steps.map(\.strategy.copiesRows).contains(true))
    let reasons = plan.steps.flatMap(\.passedOver).flatMap(\.rejections).map(\.code)
    #expect(reasons.contains(.leftoverFields))
    try file.database.migrate(to: target)
    let expected: RawValue = column.contains("UNIQUE") ? .null : .int(column.contains("5") ? 5 : 3)
    #expect(try file.database.query("SELECT a, c FROM t") == [[.text("x"), expected], [.text("y"), expected]])
    #expect(try file.problems() == ["ok"])
    // Rows that are as their table declares get the column at once.
    let plain = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)\(ending); INSERT INTO t VALUES (1, 'x')")
    #expect(try plain.plan(to: target).steps.allSatisfy { !$0.strategy.copiesRows })
    #expect(try plain.query("SELECT count(*) FROM sqlite_master WHERE name LIKE '%imposter%'") == [[.int(0)]])
  }

  @Test(
    "a field that is left over between the ends of a table is found, wherever its rowids lie",
    arguments: [
      "i", "-4000000000000000000 + i * 4000000000000000", "iif(i = 1999, 9223372036854775807, i)",
      "iif(i = 0, -9223372036854775807 - 1, iif(i = 1999, 9223372036854775807, i))",
    ])
  func leftoverFieldsBetween(rowID: String) throws {
    let rows = "WITH RECURSIVE n (i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 1999)"
    let file = try EditedFile(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, old TEXT);
      \(rows) INSERT INTO t SELECT \(rowID), 'x', CASE WHEN i BETWEEN 900 AND 1000 THEN 'secret' END FROM n
      """, [", old TEXT": ""])
    // Rows that were written since hold no such field.
    try file.database.reopened().exec(
      "UPDATE t SET a = 'y' WHERE rowid NOT IN (SELECT rowid FROM t ORDER BY id LIMIT 101 OFFSET 900)")
    try file.database.migrate(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, c INT DEFAULT 5)")
    #expect(try file.database.query("SELECT DISTINCT c FROM t") == [[.int(5)]])
    #expect(try file.problems() == ["ok"])
  }

  @Test("a key WITHOUT ROWID that names a column twice is not taken for a leftover field")
  func repeatedKey() throws {
    let key = "PRIMARY KEY (a, a COLLATE NOCASE)) WITHOUT ROWID"
    let file = try TemporaryDatabase("CREATE TABLE t (a TEXT, b INT, \(key); INSERT INTO t VALUES ('x', 1), ('Y', 2)")
    let target = "CREATE TABLE t (a TEXT, b INT, c INT DEFAULT 5, \(key)"
    #expect(try file.plan(to: target).steps.map(\.strategy) == [.native])
    try file.migrate(to: target)
    #expect(try file.query("SELECT c FROM t") == [[.int(5)], [.int(5)]])
  }

  // MARK: - Work on the rows

  @Test("an UPDATE beside a step needs no collation that an index has")
  func lackedCollation() throws {
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, n INT, c TEXT COLLATE \"of the app\");"
    let index = "CREATE INDEX tc ON t (c);"
    let file = try EditedFile(
      (table + index).replacing("\"of the app\"", with: "NOCASE").replacing("z INTEGER", with: "z TEXT")
        + "INSERT INTO t VALUES (1, '007', 1, 'x')", ["z TEXT": "z INTEGER", "NOCASE": "\"of the app\""])
    var fixture = try MigrationFixture([("0001-init", table + index)])
    let connection = try SQLiteConnection(path: file.database.path, mode: .readWrite)
    try MigrationRunner(fixture.folder).baseline(through: 0, on: connection, program: "test")
    try fixture.add("0002-work", "CREATE TABLE w (a);", after: "UPDATE t SET n = 5;")
    try fixture.apply(to: file.database)
    #expect(try file.database.query("SELECT n FROM t NOT INDEXED") == [[.int(5)]])
  }

  @Test("work on the rows of a step leaves no index with other entries than its rows", arguments: [true, false])
  func updated(isBefore: Bool) throws {
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, z INTEGER, n INT, UNIQUE (z, n)); CREATE INDEX tz ON t (z);"
    let file = try EditedFile(
      table.replacing("z INTEGER", with: "z TEXT")
        + "CREATE TABLE u (a); CREATE TRIGGER r AFTER INSERT ON u BEGIN UPDATE t SET n = 5 WHERE n IS NULL; END;"
        + "INSERT INTO t VALUES (1, '007', NULL), (2, '8', 2), (3, '9', 3)", ["z TEXT": "z INTEGER"])
    var fixture = try MigrationFixture([
      (
        "0001-init",
        table + "CREATE TABLE u (a); CREATE TRIGGER r AFTER INSERT ON u BEGIN UPDATE t SET n = 5 WHERE n IS NULL; END;"
      )
    ])
    let connection = try SQLiteConnection(path: file.database.path, mode: .readWrite)
    try MigrationRunner(fixture.folder).baseline(through: 0, on: connection, program: "test")
    let work = "INSERT INTO u (a) VALUES (1); UPDATE t SET n = n + 1 WHERE id = 2;"
    try fixture.add(
      "0002-work", "CREATE TABLE w (a);", before: isBefore ? work : nil, after: isBefore ? nil : work)
    try fixture.apply(to: file.database)
    #expect(
      try file.values(of: ["z", "n"]).map { [$0[1], $0[4]] } == [
        [.text("integer"), .text("5")], [.text("integer"), .text("3")], [.text("text"), .text("3")],
      ])
    #expect(try file.problems().allSatisfy { !StorageCheck.isAboutEntries($0) })
    // The row that nothing has touched keeps its text.
    #expect(try file.entries(of: "tz", "quote(z) || ''").last == [.int(3), .text("'9'")])
  }

  // MARK: - Declared faults

  @Test("a full-text index whose content gets a column called rowid needs consent", .needs(.fts5))
  func capturedRowID() throws {
    for (options, isFound) in [("", true), (", content_rowid=id", false)] {
      let index = "CREATE VIRTUAL TABLE f USING fts5(a, content=t\(options))"
      let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); \(index)")
      let plan = try file.plan(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, rowid INT); \(index)")
      #expect(plan.hazards.contains { $0.code == .brokenObject && $0.isDeclaredFault } == isFound)
    }
  }

  @Test(
    "a full-text index without its content table needs consent, since a new database would have the same fault",
    .needs(.fts5))
  func contentIsDropped() throws {
    let index = "CREATE VIRTUAL TABLE f USING fts5(a, content='d', content_rowid='id')"
    for (table, other) in [("d", ""), ("d", "CREATE TABLE e (x);")] {
      let file = try TemporaryDatabase("CREATE TABLE \(table) (id INTEGER PRIMARY KEY, a); \(index); \(other)")
      var policy = PlanPolicy.destructive
      #expect(throws: PlanError.self) { try file.migrate(to: other + index, allowing: policy) }
      _ = try policy.add(allow: "SK203:f")
      try file.migrate(to: other + index, allowing: policy)
      #expect(try file.plan(to: other + index).isEmpty)
    }
  }
}

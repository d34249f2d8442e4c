import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P58: foreign keys are checked where a change could violate them, and nowhere else.
@Suite("Row checks: foreign keys violated before, near a change and far from it")
struct ViolationScopeTests {
  private static let near = "CREATE TABLE child (id INTEGER PRIMARY KEY, a REFERENCES p (k));"
  private static let far = """
    CREATE TABLE far_p (k INTEGER PRIMARY KEY); CREATE TABLE far (id INTEGER PRIMARY KEY, a REFERENCES far_p (k));
    """
  private static let parent = "CREATE TABLE p (k INTEGER PRIMARY KEY, v INT);"

  /// A parent with every second key, and two children, near and far, of which one in six has none.
  private func file(rows: Int, farRows: Int) throws -> TemporaryDatabase {
    let file = try RowCase(
      name: "", before: Self.parent + Self.near + Self.far,
      fill: [
        "INSERT INTO p SELECT i * 2, i FROM n", "INSERT INTO far_p SELECT i * 2 FROM n",
        "INSERT INTO child SELECT i, CASE i % 3 WHEN 0 THEN i * 2 WHEN 1 THEN i * 2 - i % 2 END FROM n",
      ], after: "", code: .existingViolations, object: "", offending: ""
    ).file(rows: rows, journalMode: "wal")
    try file.exec(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 WHERE \(farRows) > 0 UNION ALL SELECT i + 1 FROM n WHERE i < \(farRows))
      INSERT INTO far SELECT i, -i FROM n
      """)
    return file
  }

  private static let orphans =
    "SELECT id, a FROM child WHERE a IS NOT NULL AND a NOT IN (SELECT k FROM p) ORDER BY id"
  private static let strangers =
    "SELECT id, a FROM far WHERE a NOT IN (SELECT k FROM far_p) ORDER BY id"

  /// Changes that copy the parent, the child, and a child under another name, and one of the foreign key alone, which names
  /// the primary key or not.
  static let changes = [
    "CREATE TABLE p (k INTEGER PRIMARY KEY, v TEXT);" + near,
    parent
      + "CREATE TABLE child (id INTEGER PRIMARY KEY, a COLLATE NOCASE REFERENCES p (k) ON DELETE CASCADE);",
    parent
      + "CREATE TABLE kid ( -- schemakit: renamed from child\nid INTEGER PRIMARY KEY, a COLLATE NOCASE REFERENCES p (k));",
    parent + "CREATE TABLE child (id INTEGER PRIMARY KEY, a REFERENCES p ON DELETE CASCADE);",
  ]

  @Test(
    "P58: old violations near a change are counted before a write and outlive it, and far ones are not looked for",
    arguments: changes, RowCase.counts)
  func nearAndFar(change: String, rows: Int) throws {
    let file = try file(rows: rows, farRows: rows)
    let orphans = try file.query(Self.orphans)
    let strangers = try file.query(Self.strangers)
    #expect(strangers.count == rows)
    let bytes = try file.bytes
    let plan = try file.plan(to: change + Self.far)
    let notes = plan.hazards.filter { $0.code == .existingViolations }
    #expect(notes.map(\.count) == (orphans.isEmpty ? [] : [orphans.count]))
    #expect(notes.allSatisfy { $0.hazardClass == .note && ["child", "kid"].contains($0.table) })
    #expect(try file.bytes == bytes)
    try file.migrate(to: change + Self.far)
    let child = change.contains("kid") ? "kid" : "child"
    #expect(try file.query(Self.orphans.replacing("FROM child", with: "FROM \(child)")) == orphans)
    #expect(try file.query(Self.strangers) == strangers)
    let violations = try file.query(
      "SELECT \"table\", count(*) FROM pragma_foreign_key_check GROUP BY 1 ORDER BY 1")
    #expect(violations.map { $0[1].integer ?? 0 }.reduce(0, +) == Int64(orphans.count + rows))
  }

  @Test("P58: planning costs the same with many rows far from the change as with one")
  func scope() throws {
    func operations(farRows: Int) throws -> Int {
      let file = try file(rows: 1, farRows: farRows)
      let connection = try file.connection()
      var calls = 0
      try connection.withCancellation(
        every: 100,
        check: {
          calls += 1
          return false
        },
        {
          let target = try TemporaryDatabase.target(Self.changes[0] + Self.far)
          _ = try Change(over: connection, to: target).plan()
        })
      return calls
    }
    let (few, many) = (try operations(farRows: 1), try operations(farRows: 20_000))
    #expect(few == many)
  }
}

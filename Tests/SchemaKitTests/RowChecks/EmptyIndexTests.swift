import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

/// An index can hold fewer entries than its table has rows: another engine's vector index is an empty b-tree to SQLite, and a
/// crash or an edit of the catalog leaves entries out. SQLite counts rows and looks for them by the smallest index all the same.
@Suite("Tables with an index that is empty")
struct EmptyIndexTests {
  private static let table = "CREATE TABLE docs (id INTEGER PRIMARY KEY, v TEXT, extra TEXT);"
  private static let index = "CREATE INDEX docs_v ON docs (v);"
  private static let rows = "INSERT INTO docs VALUES (1, 'a', 'keep me'), (2, 'a', 'me too');"

  /// A file in which an index of docs has no entries.
  private func file(_ table: String = Self.table, _ rows: String = Self.rows, index: String = Self.index) throws
    -> TemporaryDatabase
  {
    let file = try TemporaryDatabase("\(table) \(rows) CREATE TABLE spare (x);")
    let unique = index.contains("UNIQUE") ? "UNIQUE " : ""
    let name = index.contains("docs_v") ? "docs_v" : "docs_extra"
    try file.exec(
      """
      CREATE \(unique)INDEX \(name) ON spare (x); PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET tbl_name = 'docs', sql = '\(index.dropLast())' WHERE name = '\(name)';
      """)
    try file.exec("DROP TABLE spare")
    return file
  }

  private func refusals(_ file: TemporaryDatabase, to sql: String) throws -> [String] {
    try file.plan(to: sql).refusals(under: .lossless).map { "\($0.code.rawValue) \($0.count ?? -1)" }
  }

  @Test("are dropped with their rows, which needs consent")
  func droppedTable() throws {
    let file = try file()
    #expect(try file.value("SELECT count(*) FROM docs") == .int(0))
    #expect(try refusals(file, to: "CREATE TABLE other (id INTEGER PRIMARY KEY);") == ["SK101 2"])
  }

  @Test("lose the values of a dropped column, which needs consent", arguments: ["", " WITHOUT ROWID"])
  func droppedColumn(suffix: String) throws {
    let table = Self.table.replacing(");", with: ")\(suffix);")
    let file = try file(table)
    let target = table.replacing(", extra TEXT", with: "") + Self.index
    #expect(try refusals(file, to: target) == ["SK102 2"])
    #expect(try file.query("SELECT extra FROM docs NOT INDEXED") == [[.text("keep me")], [.text("me too")]])
  }

  @Test("are not called empty by a plan that counts no rows")
  func quick() throws {
    let file = try file()
    var request = ChangeRequest()
    request.plan.isQuick = true
    let plan = try Change(
      over: SQLiteConnection.openedForInspection(path: file.path),
      to: TemporaryDatabase.target("CREATE TABLE other (id INTEGER PRIMARY KEY);"), request
    ).plan()
    #expect(plan.refusals(under: .lossless).map(\.code) == [.droppedTable])
  }

  @Test("are kept with all their rows, and come back with them")
  func kept() throws {
    let file = try file(
      "CREATE TABLE docs (v TEXT);", "INSERT INTO docs VALUES ('a'), ('b'), ('c');")
    var policy = PlanPolicy.lossless
    policy.keepsDropped = true
    try file.migrate(to: "CREATE TABLE other (id INTEGER PRIMARY KEY);", allowing: policy)
    try MigrationUndo(at: file.path).apply(allowing: .everything)
    #expect(
      try file.query("SELECT v FROM docs NOT INDEXED ORDER BY rowid") == [[.text("a")], [.text("b")], [.text("c")]])
  }

  @Test("are searched for duplicates themselves, also where a unique index stands already")
  func duplicates() throws {
    let file = try file(index: "CREATE UNIQUE INDEX docs_v ON docs (v);")
    let target = Self.table + "CREATE UNIQUE INDEX docs_v ON docs (v); CREATE UNIQUE INDEX other ON docs (v, id > 0);"
    #expect(try refusals(file, to: target) == ["SK105 2"])
  }

  @Test("give NULL its count where an index on the column knows of none")
  func nulls() throws {
    let file = try file(rows: "INSERT INTO docs VALUES (1, NULL, 'x'), (2, 'a', 'y');")
    let target = Self.table.replacing("v TEXT", with: "v TEXT NOT NULL") + Self.index
    #expect(try refusals(file, to: target) == ["SK104 1"])
  }

  private func file(rows: String) throws -> TemporaryDatabase { try file(Self.table, rows) }

  @Test("NULL under a NOT NULL that stands already gets no number of its own from a key")
  func nullsInNewKey() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INT, a TEXT); INSERT INTO t VALUES (1, 'x'), (NULL, 'y');")
    try file.exec(
      "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE t (id INT NOT NULL, a TEXT)';")
    let refusals = try file.plan(to: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT);").refusals(under: .everything)
    #expect(refusals.map(\.code) == [.nullsUnderNotNull] && refusals.first?.count == 1)
    let rowless = try file.plan(to: "CREATE TABLE t (id INT NOT NULL, a TEXT, PRIMARY KEY (id)) WITHOUT ROWID;")
    #expect(rowless.refusals(under: .everything).map(\.code) == [.nullsUnderNotNull])
  }
}

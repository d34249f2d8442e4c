import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Names that only their case tells apart, and names in rows of others")
struct NamesElsewhereTests {
  @Test("another case of an index, a view or a trigger is carried out")
  func otherCase() throws {
    let old = """
      CREATE TABLE t (a, b); CREATE INDEX by_a ON t (a); CREATE VIEW rows AS SELECT a FROM t;
      CREATE TRIGGER log AFTER INSERT ON t BEGIN SELECT 1; END; CREATE TRIGGER instead INSTEAD OF DELETE ON rows BEGIN SELECT 1; END;
      """
    let new = old.replacing("by_a", with: "By_A").replacing("rows", with: "Rows").replacing(" log ", with: " Log ")
    let file = try TemporaryDatabase(old + "INSERT INTO t VALUES (1, 2);")
    let plan = try file.migrate(to: new).plan
    #expect(Set(plan.steps.map(\.object.name.text)).isSuperset(of: ["By_A", "Rows", "Log"]))
    let names = try file.query("SELECT name FROM sqlite_master WHERE name NOT GLOB '_*' ORDER BY 1").map {
      $0[0].string
    }
    #expect(names == ["By_A", "Log", "Rows", "instead", "t"])
    #expect(try file.query("SELECT a, b FROM t") == [[.int(1), .int(2)]])
    #expect(try file.plan(to: new).isEmpty)
  }

  private static let registers = """
    CREATE TABLE gpkg_contents (table_name TEXT PRIMARY KEY, data_type TEXT);
    CREATE TABLE geometry_columns (f_table_name TEXT, f_geometry_column TEXT);
    """

  private func file() throws -> TemporaryDatabase {
    try TemporaryDatabase(
      """
      CREATE TABLE trees (id INTEGER PRIMARY KEY, at BLOB, n); CREATE TABLE other (id INTEGER PRIMARY KEY);
      \(Self.registers) INSERT INTO gpkg_contents VALUES ('Trees', 'features'), ('roads', 'features');
      INSERT INTO geometry_columns VALUES ('trees', 'at'); INSERT INTO trees VALUES (1, x'00', 2);
      """)
  }

  @Test("rows that name a renamed table or column are told, and the change is carried out")
  func renamed() throws {
    let file = try file()
    var target = try TemporaryDatabase.target(
      "CREATE TABLE oaks (id INTEGER PRIMARY KEY, place BLOB, n); CREATE TABLE other (id INTEGER PRIMARY KEY); "
        + Self.registers)
    try target.hints.add(rename: "trees=oaks")
    try target.hints.add(rename: "trees.at=oaks.place")
    let connection = try SQLiteConnection(path: file.path, mode: .readWrite)
    let report = try Change(over: connection, to: target).apply()
    let notes = report.plan.hazards.filter { $0.code == .registeredName }
    #expect(notes.allSatisfy { $0.hazardClass == .note })
    #expect(notes.map(\.object) == ["oaks", "oaks.place"] && notes.map(\.count) == [2, 1])
    #expect(
      notes.first?.message
        == "2 rows of gpkg_contents and geometry_columns name trees, which becomes oaks: they keep the old name.")
    #expect(try file.query("SELECT count(*) FROM oaks") == [[.int(1)]])
  }

  @Test("so are those of a dropped table or column, and of nothing else")
  func dropped() throws {
    let rest = "CREATE TABLE other (id INTEGER PRIMARY KEY); \(Self.registers)"
    let plan = try file().plan(to: rest)
    #expect(plan.hazards.filter { $0.code == .registeredName }.map(\.message).first?.contains("is dropped") == true)
    let column = try file().plan(to: "CREATE TABLE trees (id INTEGER PRIMARY KEY, n); \(rest)")
    #expect(column.hazards.filter { $0.code == .registeredName }.map(\.object) == ["trees.at"])
    let others = try file().plan(to: "CREATE TABLE trees (id INTEGER PRIMARY KEY, at BLOB, m); \(Self.registers)")
    #expect(!others.hazards.contains { $0.code == .registeredName })
  }
}

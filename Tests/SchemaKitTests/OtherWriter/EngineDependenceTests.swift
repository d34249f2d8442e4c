import OrderedCollections
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("What expressions depend on that versions of SQLite compute in different ways")
struct EngineDependenceTests {
  private static let table = """
    CREATE TABLE t (
      id INTEGER PRIMARY KEY, n INTEGER, r REAL, x, name TEXT, doc TEXT, whole DEFAULT 1.0, flag TEXT DEFAULT TRUE,
      v AS ('p' || r), w AS (v || name), g TEXT AS (r), s TEXT AS (r) STORED)
    """

  private func dependence(of expression: String) throws -> EngineDependence {
    let file = try TemporaryDatabase(Self.table + "; CREATE INDEX i ON t (\(expression))")
    let schema = try SchemaReader.read(SQLiteConnection(path: file.path, mode: .readOnly))
    let (table, index) = (try #require(schema.tables["t"]), try #require(schema.indexes["i"]))
    return EngineDependenceFinder(table).dependence(of: index)
  }

  static let expressions: [(String, Set<EngineDifference>)] = [
    ("r", []), ("name", []), ("x", []), ("whole", []), ("s", []), ("n * 2", []), ("abs(r)", []), ("r > 5", []),
    ("coalesce(r, 0)", []), ("CAST(r AS INTEGER)", []), ("json_extract(doc, '$.a')", []),
    ("(n = 1 AND doc = 'a || b')", []),
    ("typeof(r)", []), ("r COLLATE NOCASE", []), ("(CASE WHEN r > 1 THEN 1 END)", []),
    ("'p' || r", [.realsAsText]), ("CAST(r AS TEXT)", [.realsAsText]), ("CAST(r AS VARCHAR(5))", [.realsAsText]),
    ("lower(name)", [.realsAsText]), ("\"lower\"(r)", [.realsAsText]), ("length(r)", [.realsAsText]),
    ("r LIKE '1%'", [.realsAsText]), ("json_array(r)", [.realsAsText]), ("x = name", [.realsAsText]),
    ("v", [.realsAsText]),
    ("w", [.realsAsText]), ("g", [.realsAsText]), ("round(r, 2)", [.rounding]),
    ("printf('%.2f', r)", [.rounding, .realsAsText]),
    ("date(name)", [.dates]), ("whole || ''", [.realsAsText, .wholeDefaults]), ("flag", [.truthDefaults]),
    ("name) WHERE length(r) > 3 AND (1", [.realsAsText]),
  ]

  @Test("are found by their words, through columns that are computed when read", arguments: expressions)
  func found(expression: String, differences: Set<EngineDifference>) throws {
    #expect(try dependence(of: expression).differences == differences)
  }

  @Test("name the columns that hold the values, and whether a REAL arises on the way")
  func columns() throws {
    #expect(try dependence(of: "w").columns == ["r", "name"])
    #expect(try !dependence(of: "w").makesReals)
    #expect(try dependence(of: "(r * 3) || ''").makesReals)
    #expect(try dependence(of: "(n / 3.0) || ''").makesReals)
    let found = try dependence(of: "lower(json_extract(doc, '$.a'))")
    #expect(found.findsReals && !found.makesReals && found.differences == [.realsAsText])
    #expect(try !dependence(of: "substr(name, 1, length(name) - 1)").makesReals)
  }
}

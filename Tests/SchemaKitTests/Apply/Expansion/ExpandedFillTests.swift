import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Fills of columns that an older program does not know")
struct ExpandedFillTests {
  @Test("a fill that gives NULL for a row of the older program is told, as its INSERT would fail")
  func fillOfNull() throws {
    let older = "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT)"
    func obstacles(_ fill: String, _ rule: String = " NOT NULL") throws -> [ExpandObstacle] {
      let database = try TemporaryDatabase(older)
      do {
        try database.migrate(
          to:
            "CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT,\nn TEXT\(rule) -- schemakit: fill \(fill)\n)"
        ) { $0.phase = .expand }
      } catch let error as PlanError {
        guard case .cannotExpand(let obstacles) = error.reason else { throw error }
        return obstacles
      }
      try database.exec("INSERT INTO t (name) VALUES ('Ada')")
      return []
    }
    #expect(try obstacles("upper(fax)") == [.fillOfNull(table: "t", column: "n")])
    for fill in ["upper(name)", "coalesce(fax, name)", "CASE WHEN fax IS NULL THEN 'no' ELSE fax END"] {
      #expect(try obstacles(fill).isEmpty, "\(fill)")
    }
    #expect(try obstacles("upper(fax)", "").isEmpty)
  }
}

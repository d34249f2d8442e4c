import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Fills of columns that an older program does not know")
struct ExpandedFillTests {
  @Test("a fill that gives NULL for a row of the older program is told, as its INSERT would fail")
  func fillOfNull() throws {
    func obstacles(_ fill: String, _ rule: String = " NOT NULL", check: String = "") throws -> [ExpandObstacle] {
      let columns = "id INTEGER PRIMARY KEY, name TEXT NOT NULL, fax TEXT, town TEXT"
      let database = try TemporaryDatabase("CREATE TABLE t (\(columns)\(check))")
      do {
        try database.migrate(
          to:
            "CREATE TABLE t (\(columns),\nn TEXT\(rule) -- schemakit: fill \(fill)\n\(check))"
        ) { $0.phase = .expand }
      } catch let error as PlanError {
        guard case .cannotExpand(let obstacles) = error.reason else { throw error }
        return obstacles
      }
      try database.exec("INSERT INTO t (name, town) VALUES ('Ada', 'Rome')")
      if check.isEmpty { try database.exec("INSERT INTO t (name) VALUES ('Ben')") }
      return []
    }
    #expect(try obstacles("upper(fax)") == [.fillOfNull(table: "t", column: "n")])
    for fill in ["upper(name)", "coalesce(fax, name)", "CASE WHEN fax IS NULL THEN 'no' ELSE fax END"] {
      #expect(try obstacles(fill).isEmpty, "\(fill)")
    }
    #expect(try obstacles("upper(fax)", "").isEmpty)
    // One of several may be NULL alone.
    #expect(try obstacles("iif(fax IS NULL, coalesce(town, 'no'), town)") == [.fillOfNull(table: "t", column: "n")])
    // A CHECK may forbid it.
    #expect(try obstacles("coalesce(fax, town)", check: ", CHECK (fax IS NOT NULL OR town IS NOT NULL)").isEmpty)
  }

  @Test("a fill that reads a renamed column is known to be done, during and after the expansion")
  func knownFill() throws {
    let database = try TemporaryDatabase(
      "CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL); INSERT INTO people VALUES (1, 'Ada')")
    let target = """
      CREATE TABLE people (id INTEGER PRIMARY KEY,
        full_name TEXT NOT NULL, -- schemakit: renamed from name
        initial TEXT NOT NULL -- schemakit: fill substr(full_name, 1, 1)
      )
      """
    try database.migrate(to: target) { $0.phase = .expand }
    #expect(try database.value("SELECT initial FROM people") == .text("A"))
    try database.migrate(to: target) { $0.phase = .contract(quietFor: nil) }
    #expect(try database.plan(to: target).hazards.isEmpty)
    #expect(try database.query("SELECT * FROM people") == [[.int(1), .text("Ada"), .text("A")]])
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

extension ProjDatabase {
  /// What a test expects to be different from the original.
  struct Expectation {
    var triggerCount = 35
    var viewCount = 7
    /// For each changed table, the expressions that compare the copy's rows with those of the original.
    var changedTables: [String: (copy: String, original: String)] = [:]
    var droppedTables: Set<String> = []
    /// The name that `geodetic_crs.type` has in the copy.
    var typeColumn = "type"
  }

  /// Checks everything that a migration must leave alone or keep in working order.
  func check(_ expectation: Expectation = Expectation()) throws {
    let copy = try database.reopened()
    #expect(try copy.rows("PRAGMA integrity_check") == [[.text("ok")]])
    #expect(try copy.rows("PRAGMA foreign_key_check").isEmpty)
    #expect(try copy.rows("SELECT name FROM sqlite_master WHERE type = 'trigger'").count == expectation.triggerCount)
    #expect(try copy.rows("SELECT name FROM sqlite_master WHERE type = 'view'").count == expectation.viewCount)
    // Without a key, whatever the copy has.
    try copy.exec("ATTACH '\(Self.originalPath)' AS original KEY ''")
    try checkRows(of: copy, expectation)
    try checkStatistics(of: copy, expectation)
    try checkWrites(on: copy, expectation)
    try checkTriggers(on: copy, expectation)
  }

  /// Every table and view has the rows of the original, to the storage class.
  private func checkRows(of copy: RawSQLite, _ expectation: Expectation) throws {
    let objects = try copy.rows(
      "SELECT name, type, sql LIKE '%WITHOUT ROWID%' FROM original.sqlite_master WHERE type IN ('table', 'view')")
    for object in objects {
      guard let name = object[0].string, !name.hasPrefix("sqlite_"), !expectation.droppedTables.contains(name) else {
        continue
      }
      let quoted = "quote(\"" + (try columns(of: name, in: copy).joined(separator: "\"), quote(\"")) + "\")"
      let rowID = object[1] == .text("table") && object[2] == .int(0) ? ", rowid" : ""
      let lists = expectation.changedTables[name] ?? (copy: quoted, original: quoted)
      let count = try copy.rows("SELECT (SELECT count(*) FROM main.\(name)) - (SELECT count(*) FROM original.\(name))")
      #expect(count == [[.int(0)]], "\(name) has another number of rows")
      let mine = "SELECT \(lists.copy)\(rowID) FROM main.\(name)"
      let theirs = "SELECT \(lists.original)\(rowID) FROM original.\(name)"
      #expect(try copy.rows("\(mine) EXCEPT \(theirs) LIMIT 3").isEmpty, "\(name) has rows that were not there")
      #expect(try copy.rows("\(theirs) EXCEPT \(mine) LIMIT 3").isEmpty, "\(name) has lost rows")
    }
  }

  /// What ANALYZE found out is kept, also for tables that were rebuilt.
  private func checkStatistics(of copy: RawSQLite, _ expectation: Expectation) throws {
    let dropped = expectation.droppedTables.map { "'\($0)'" }.joined(separator: ", ")
    let mine = "SELECT tbl, idx, stat FROM main.sqlite_stat1"
    let theirs = "SELECT tbl, idx, stat FROM original.sqlite_stat1 WHERE tbl NOT IN (\(dropped))"
    #expect(try copy.rows("\(mine) EXCEPT \(theirs)").isEmpty)
    #expect(try copy.rows("\(theirs) EXCEPT \(mine)").isEmpty)
  }

  private func columns(of table: String, in copy: RawSQLite) throws -> [String] {
    try copy.rows("SELECT name FROM pragma_table_xinfo('\(table)', 'original') ORDER BY cid").compactMap {
      $0[0].string
    }
  }

  /// A write on every table compiles, and with it every trigger.
  private func checkWrites(on copy: RawSQLite, _ expectation: Expectation) throws {
    for row in try copy.rows("SELECT name FROM main.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
      guard let table = row[0].string, !table.hasPrefix("_schemakit") else { continue }
      let column = try copy.rows("SELECT name FROM pragma_table_xinfo('\(table)') LIMIT 1")[0][0].string ?? ""
      #expect(throws: Never.self) { try copy.compiles("EXPLAIN INSERT INTO main.\(table) DEFAULT VALUES") }
      #expect(throws: Never.self) { try copy.compiles("EXPLAIN UPDATE main.\(table) SET \(column) = \(column)") }
      #expect(throws: Never.self) { try copy.compiles("EXPLAIN DELETE FROM main.\(table)") }
    }
    for view in ["conversion", "helmert_transformation"] {
      #expect(throws: Never.self) { try copy.compiles("EXPLAIN INSERT INTO main.\(view) DEFAULT VALUES") }
    }
  }

  /// Some triggers refuse what they refused before, and one writes what it wrote before.
  private func checkTriggers(on copy: RawSQLite, _ expectation: Expectation) throws {
    let refused = [
      (
        "INSERT INTO alias_name (table_name, auth_name, code, alt_name) VALUES ('geodetic_crs', 'EPSG', 'none', 'x')",
        "insert on alias_name violates constraint: new entry refers to unexisting code"
      ),
      (
        """
        INSERT INTO usage (auth_name, code, object_table_name, object_auth_name, object_code, extent_auth_name,
          extent_code, scope_auth_name, scope_code)
        VALUES ('T', '1', 'geodetic_crs', 'EPSG', 'none', 'EPSG', '1262', 'EPSG', '1024')
        """, "insert on usage violates constraint: new entry refers to unexisting code"
      ),
      (
        """
        INSERT INTO ellipsoid (auth_name, code, name, celestial_body_auth_name, celestial_body_code, semi_major_axis,
          uom_auth_name, uom_code, inv_flattening, deprecated)
        VALUES ('T', '1', 'Test', 'PROJ', 'EARTH', 6378137, 'EPSG', '9102', 298, 0)
        """, "insert on ellipsoid violates constraint: uom should be of type 'length'"
      ),
      (
        """
        INSERT INTO geodetic_crs (auth_name, code, name, \(expectation.typeColumn), coordinate_system_auth_name,
          coordinate_system_code, datum_auth_name, datum_code, deprecated)
        VALUES ('T', '1', 'Test', 'geocentric', 'EPSG', '6422', 'EPSG', '6326', 0)
        """,
        "insert on geodetic_crs violates constraint: coordinate_system.dimension must be 3 for type = 'geocentric'"
      ),
    ]
    for (sql, message) in refused {
      let error = #expect(throws: RawSQLiteError.self) { try copy.exec(sql) }
      #expect(error?.message == message)
    }
    try copy.exec("BEGIN")
    try copy.exec(
      """
      INSERT INTO conversion (auth_name, code, name, method_auth_name, method_code, method_name, param1_auth_name,
        param1_code, param1_name, deprecated)
      VALUES ('T', '1', 'Test conversion', 'EPSG', '9807', 'Transverse Mercator', 'T', 'P', 'Test parameter', 1)
      """)
    #expect(try copy.rows("SELECT name FROM conversion_table WHERE auth_name = 'T'") == [[.text("Test conversion")]])
    #expect(try copy.rows("SELECT name FROM conversion_param WHERE auth_name = 'T'") == [[.text("Test parameter")]])
    #expect(
      try copy.rows("SELECT method_name, param1_name FROM conversion WHERE auth_name = 'T'")
        == [[.text("Transverse Mercator"), .text("Test parameter")]])
    try copy.exec("ROLLBACK")
  }
}

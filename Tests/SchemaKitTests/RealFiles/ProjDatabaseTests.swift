import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite(
  "proj.db, a real file that nobody here wrote",
  .enabled(if: ProjDatabase.isExpected, "Debian's package proj-data is not installed"))
struct ProjDatabaseTests {
  let proj: ProjDatabase

  init() throws { proj = try ProjDatabase() }

  /// Migrates the copy and checks that nothing is left to do afterwards.
  private func migrate(
    to sql: String, allowing policy: PlanPolicy = .lossless, hints: MigrationHints? = nil
  ) throws -> MigrationPlan {
    let report = try proj.database.migrate(to: sql, allowing: policy, hints: hints)
    #expect(report.outcome == .applied)
    #expect(try proj.database.plan(to: sql, hints: hints).steps == [])
    #expect(try proj.database.migrate(to: sql, hints: hints).outcome == .unchanged)
    return report.plan
  }

  private func step(_ object: String, in plan: MigrationPlan) -> MigrationStep? {
    plan.steps.first { $0.object.name.text == object && $0.object.kind == .table && $0.onBehalfOf == nil }
  }

  @Test("the original passes the checks that the migrated copies must pass")
  func checksHoldForOriginal() throws {
    try proj.check()
    #expect(try proj.database.query("SELECT 1 FROM sqlite_master WHERE sql LIKE '%WITHOUT ROWID%'").count >= 26)
  }

  @Test("what inspect prints makes an equal schema, as SQL and as a snapshot")
  func roundTrips() throws {
    let statements = try SchemaInspector(at: proj.database.path).statements()
    let loaded = try TemporaryDatabase(statements.joined(separator: ";\n"))
    let original = try SchemaReader.read(try SQLiteConnection.openedForInspection(path: proj.database.path))
    let copy = try SchemaReader.read(try SQLiteConnection.openedForInspection(path: loaded.path))
    #expect(SchemaDiff(from: original, to: copy).isEmpty)
    #expect(SchemaDiff(from: copy, to: original).isEmpty)
    #expect(Fingerprint.of(original) == Fingerprint.of(copy))
    let catalog = """
      SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_stat%' ORDER BY type, name
      """
    #expect(try proj.database.query(catalog) == loaded.query(catalog))

    let json = try SchemaSnapshot(original, engine: "test").json()
    let snapshot = try SchemaSource.snapshot(Data(json.utf8), source: "proj.json").load().target
    #expect(SchemaDiff(from: original, to: snapshot.schema).isEmpty)
    #expect(SchemaDiff(from: snapshot.schema, to: original).isEmpty)
    #expect(snapshot.fingerprint == Fingerprint.of(original))
    #expect(original.objectCount == 35 + 13 + 35 + 7)
  }

  @Test("a plan to its own schema is empty, and applying it only writes the ledger")
  func planIsEmpty() throws {
    let before = try proj.database.bytes
    #expect(try proj.database.plan(to: proj.sql).steps == [])
    #expect(try proj.database.bytes == before)
    #expect(try proj.database.migrate(to: proj.sql).outcome == .baselined)
    try proj.check()
  }

  @Test("a NOT NULL column with a default is added to usage without a copy")
  func addsColumn() throws {
    let sql = try proj.changing(
      "usage", "scope_code INTEGER_OR_TEXT NOT NULL,",
      to: "scope_code INTEGER_OR_TEXT NOT NULL, remark TEXT NOT NULL DEFAULT 'none',")
    let plan = try migrate(to: sql)
    #expect(step("usage", in: plan)?.strategy == .native)
    #expect(plan.copiedRows == 0)
    #expect(try proj.database.query("SELECT DISTINCT remark FROM usage") == [[.text("none")]])
    try proj.check()
  }

  @Test("a CHECK that all rows satisfy is tightened on a table whose children would go with its rows")
  func tightensCheck() throws {
    let sql = try proj.changing(
      "extent", "CHECK (south_lat <= north_lat)", to: "CHECK (south_lat <= north_lat AND length(description) > 0)")
    let plan = try migrate(to: sql)
    #expect(step("extent", in: plan)?.strategy == .catalog)
    #expect(plan.copiedRows == 0)
    #expect(throws: RawSQLiteError.self) {
      try proj.database.exec("INSERT INTO extent VALUES ('T', '1', 'Test', '', 0, 1, 0, 1, 0)")
    }
    try proj.check()
  }

  @Test("a CHECK that one row fails is blocked with its key, and the file keeps every byte")
  func blocksCheck() throws {
    let sql = try proj.changing("extent", "CHECK (length(name) >= 2)", to: "CHECK (length(name) >= 3)")
    let before = try proj.database.bytes
    let error = #expect(throws: PlanError.self) { try proj.database.migrate(to: sql, allowing: .everything) }
    guard case .refused(_, let hazards)? = error?.reason else {
      Issue.record("expected a refusal, got \(String(describing: error))")
      return
    }
    #expect(hazards.map(\.code) == [.failingCheck])
    let expected = try proj.database.query("SELECT auth_name, code FROM extent WHERE length(name) < 3")
    #expect(hazards.first?.count == expected.count && expected.count == 1)
    #expect(hazards.first?.samples.first?.contains(expected[0][1].string ?? expected[0][1].description) == true)
    #expect(try proj.database.bytes == before)
  }

  @Test("a column that many triggers read is renamed, and the triggers read it under its new name")
  func renamesColumnInTriggers() throws {
    var sql = try proj.changing(
      "unit_of_measure", "type TEXT NOT NULL CHECK (type IN", to: "kind TEXT NOT NULL CHECK (kind IN")
    #expect(sql.contains("SELECT type FROM unit_of_measure"))
    sql = sql.replacing("SELECT type FROM unit_of_measure", with: "SELECT kind FROM unit_of_measure")
    var hints = MigrationHints()
    try hints.add(rename: "unit_of_measure.type=unit_of_measure.kind")
    let plan = try migrate(to: sql, hints: hints)
    #expect(step("unit_of_measure", in: plan)?.strategy == .native)
    #expect(plan.copiedRows == 0)
    #expect(plan.hazards.filter { $0.hazardClass != .note } == [])
    let names = ["auth_name", "code", "name", "conv_factor", "proj_short_name", "deprecated"]
    let list = { (type: String) in ([type] + names).map { "quote(\($0))" }.joined(separator: ", ") }
    try proj.check(.init(changedTables: ["unit_of_measure": (copy: list("kind"), original: list("type"))]))
  }

  @Test("a column that names a column of a view is renamed, and the view keeps its own column names")
  func renamesColumnInViews() throws {
    var sql = try proj.changing(
      "geodetic_crs", "type TEXT NOT NULL CHECK (type IN", to: "category TEXT NOT NULL CHECK (category IN")
    sql = try proj.changing("crs_view", "code, name, type,", to: "code, name, category AS type,", in: sql)
    sql = try proj.changing("geodetic_crs_insert_trigger", "NEW.type", to: "NEW.category", in: sql)
    var hints = MigrationHints()
    try hints.add(rename: "geodetic_crs.type=geodetic_crs.category")
    let plan = try migrate(to: sql, hints: hints)
    #expect(plan.hazards.filter { $0.hazardClass != .note } == [])
    let names = try proj.database.query("SELECT name FROM pragma_table_xinfo('geodetic_crs') WHERE name <> 'category'")
    let list = { (type: String) in
      ([type] + names.compactMap { $0[0].string }).map { "quote(\($0))" }.joined(separator: ", ")
    }
    try proj.check(
      .init(changedTables: ["geodetic_crs": (copy: list("category"), original: list("type"))], typeColumn: "category"))
  }

  @Test("dropping a table needs consent, takes its trigger along and breaks nothing else")
  func dropsTable() throws {
    let sql = try proj.dropping("geoid_model", "geoid_model_insert_trigger")
    let before = try proj.database.bytes
    let error = #expect(throws: PlanError.self) { try proj.database.migrate(to: sql) }
    guard case .refused(_, let hazards)? = error?.reason else {
      Issue.record("expected a refusal, got \(String(describing: error))")
      return
    }
    #expect(hazards.map(\.code) == [.droppedTable] && hazards.first?.count == 65)
    #expect(try proj.database.bytes == before)
    _ = try migrate(to: sql, allowing: .destructive)
    try proj.check(.init(triggerCount: 34, droppedTables: ["geoid_model"]))
  }

  @Test("dropping a table that views still read is blocked")
  func keepsTableThatViewsRead() throws {
    let sql = try proj.dropping("celestial_body")
    let before = try proj.database.bytes
    #expect(throws: (any Error).self) { try proj.database.migrate(to: sql, allowing: .everything) }
    #expect(try proj.database.bytes == before)
  }

  @Test("NULL takes the new default in most rows of a large WITHOUT ROWID table, where they are")
  func fillsLargeTable() throws {
    let sql = try proj.changing("projected_crs", "description TEXT,", to: "description TEXT NOT NULL DEFAULT '',")
    let plan = try migrate(to: sql)
    let update = step("projected_crs", in: plan)
    #expect(update?.strategy == .update && update?.rows ?? 0 > 5_000, "\(update?.rows ?? 0) rows")
    let names = try proj.database.query(
      "SELECT name FROM pragma_table_xinfo('projected_crs') WHERE name <> 'description'")
    let list = "quote(" + names.compactMap { $0[0].string }.joined(separator: "), quote(") + "), "
    let columns = (copy: list + "quote(description)", original: list + "quote(ifnull(description, ''))")
    var expectation = ProjDatabase.Expectation(changedTables: ["projected_crs": columns])
    // The view over several kinds of systems shows the descriptions too.
    let view = "quote(table_name), quote(auth_name), quote(code), quote(name), quote(type), quote(deprecated)"
    expectation.changedTables["crs_view"] = (copy: view, original: view)
    try proj.check(expectation)
  }

  @Test("a column that a trigger's INSERT does not fill is blocked until the trigger changes too")
  func blocksColumnThatBreaksTrigger() throws {
    let table = "helmert_transformation_table"
    let statement = try proj.database.query("SELECT sql FROM sqlite_master WHERE name = '\(table)'")[0][0].string ?? ""
    let line = statement.split(separator: "\n").first { $0.contains("operation_version TEXT") }.map(String.init) ?? ""
    let sql = try proj.changing(table, line, to: "remark TEXT,\n" + line)
    let before = try proj.database.bytes
    #expect(throws: (any Error).self) { try proj.database.migrate(to: sql, allowing: .everything) }
    #expect(try proj.database.bytes == before)
  }
}

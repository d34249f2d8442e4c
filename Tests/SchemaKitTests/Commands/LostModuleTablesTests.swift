import Foundation
import Testing

@Suite("Virtual tables that have lost tables of their modules")
struct LostModuleTablesTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  private static let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT);"
  private static let losses = [
    ("fts5(b, content='t', content_rowid='id')", ["f_data"]),
    ("fts5(b, content='t', content_rowid='id')", ["f_config"]),
    ("fts5(b)", ["f_data", "f_config"]), ("fts5(b)", ["f_content", "f_docsize"]), ("fts4(b)", ["f_segdir", "f_stat"]),
    ("rtree(id, low, high)", ["f_node"]),
  ]

  private func lose(_ tables: [String], of module: String) throws {
    let row =
      module.hasPrefix("rtree") ? "INSERT INTO f VALUES (1, 2, 3)" : "INSERT INTO f (rowid, b) VALUES (1, 'wren')"
    try folder.database(
      "a.db", "\(Self.table) CREATE VIRTUAL TABLE f USING \(module); INSERT INTO t VALUES (1, 'wren'); \(row);")
    let file = try RawSQLite(folder.url("a.db").path)
    defer { file.close() }
    for table in tables { try file.exec("DROP TABLE \(table)") }
  }

  @Test("a plan that drops one is carried out", arguments: losses)
  func dropped(module: String, tables: [String]) throws {
    try lose(tables, of: module)
    try folder.write(Self.table, to: "t.sql")
    #expect(try folder.run("plan", "a.db", "--to", "t.sql", "--allow", "destructive", "--exit-code").status == 2)
    let apply = try folder.run("apply", "a.db", "--to", "t.sql", "--allow", "destructive", "--yes")
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try folder.rows(of: "a.db", "SELECT name FROM sqlite_master WHERE name LIKE 'f%'").isEmpty)
    #expect(try folder.rows(of: "a.db", "SELECT b FROM t") == [[.text("wren")]])
  }

  @Test("doctor finds the loss, and its statements make the table usable", arguments: losses)
  func examined(module: String, tables: [String]) throws {
    try lose(tables, of: module)
    let run = try folder.run("doctor", "a.db", "--format", "json")
    let findings = (run.json["findings"] as? [[String: Any]] ?? []).filter { $0["code"] as? String != "SL401" }
    #expect(findings.map { $0["code"] as? String } == ["SD107"], "\(run.output)")
    let sql = try #require(findings.first?["sql"] as? [String])
    #expect(!sql.contains { $0.contains("DROP") })
    // Without its texts an index is left as it is: fts5vocab may still tell its words.
    #expect(sql.contains { $0.contains("'rebuild'") } == (module.hasPrefix("fts") && !tables.contains("f_content")))
    try folder.database("a.db", sql.joined(separator: "\n"))
    let found = module.hasPrefix("rtree") ? "SELECT 1 FROM f" : "SELECT 1 FROM f WHERE f MATCH 'wren'"
    #expect(try folder.rows(of: "a.db", found).count == (module.hasPrefix("rtree") ? 0 : 1))
    if sql.contains(where: { $0.contains("'rebuild'") }) {
      let again = try folder.run("doctor", "a.db", "--format", "json")
      #expect((again.json["findings"] as? [[String: Any]])?.isEmpty == true, "\(again.output)")
    }
    try folder.database("a.db", "DROP TABLE f")
  }

  @Test("an index that lost a table and gets another definition is filled", arguments: ["f_config", "f_data"])
  func redefined(table: String) throws {
    try lose([table], of: "fts5(b, content='t', content_rowid='id')")
    let index = "CREATE VIRTUAL TABLE f USING fts5(b, content='t', content_rowid='id', tokenize='porter');"
    try folder.write(Self.table + index, to: "t.sql")
    let apply = try folder.run("apply", "a.db", "--to", "t.sql", "--yes")
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try folder.rows(of: "a.db", "SELECT rowid FROM f WHERE f MATCH 'wrens'") == [[.int(1)]])
  }

  @Test("a change of another table is verified as ever", arguments: losses)
  func beside(module: String, tables: [String]) throws {
    try lose(tables, of: module)
    let table = "CREATE TABLE t (id INTEGER PRIMARY KEY, b TEXT NOT NULL, c INTEGER);"
    try folder.write("\(table) CREATE VIRTUAL TABLE f USING \(module);", to: "t.sql")
    let apply = try folder.run("apply", "a.db", "--to", "t.sql", "--verify", "paranoid", "--yes")
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try folder.rows(of: "a.db", "SELECT id, b, c FROM t") == [[.int(1), .text("wren"), .null]])
  }

  @Test("an R*Tree that can be read lacks nothing, whatever another version of its module would make")
  func readable() throws {
    try folder.database(
      "a.db", "CREATE VIRTUAL TABLE f USING rtree(id, low, high); INSERT INTO f VALUES (1, 2, 3); DROP TABLE f_parent;")
    let run = try folder.run("doctor", "a.db", "--format", "json")
    let codes = (run.json["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    let isRead = (try? folder.rows(of: "a.db", "SELECT 1 FROM f")) != nil
    #expect(codes.contains("SD107") == !isRead, "\(run.output)")
  }
}

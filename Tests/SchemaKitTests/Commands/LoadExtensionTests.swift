import Foundation
import Testing

@testable import SchemaKit

/// Whether the program under test loads extensions; a static one does not.
private let canLoad: Bool = {
  guard let run = try? CommandFolder().run("lint", "gone.sql", "--load-extension", "gone.so") else { return false }
  return !run.errors.contains("cannot load extensions")
}()

@Suite(
  "--load-extension",
  .enabled(if: SampleExtension.canBeCompiled, "cc or sqlite3ext.h is not there, with which an extension is compiled"))
struct LoadExtensionTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    try SampleExtension.compile(in: folder)
    try folder.database(
      "a.db", "CREATE TABLE shelf (id INTEGER PRIMARY KEY, code TEXT); INSERT INTO shelf VALUES (1, 'S-1'), (2, 'S-2')")
    try folder.write(Self.shelf + Self.index + Self.grid, to: "all.sql")
    try folder.write(Self.shelf, to: "check.sql")
    try folder.write("CREATE TABLE shelf (id INTEGER PRIMARY KEY, code TEXT);" + Self.index, to: "index.sql")
    try folder.write("CREATE TABLE shelf (id INTEGER PRIMARY KEY, code TEXT);" + Self.grid, to: "grid.sql")
  }

  private static let shelf = "CREATE TABLE shelf (id INTEGER PRIMARY KEY, code TEXT CHECK (shelf_code(code)));\n"
  private static let index = "CREATE INDEX shelf_by_code ON shelf (code COLLATE backwards);\n"
  private static let grid = "CREATE VIRTUAL TABLE grid USING empty_grid;\n"

  private func run(_ line: String) throws -> CommandRun {
    try CommandRun(line.split(separator: " ").map(String.init) + ["--load-extension", "sample.so"], in: folder)
  }

  @Test("its function, collation and virtual table work in every command", .enabled(if: canLoad, "a static program"))
  func everywhere() throws {
    let plan = try run("plan a.db --to all.sql --exit-code --format json")
    #expect(plan.status == 2, "\(plan.errors)")
    let codes = (plan.json["hazards"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    #expect(!codes.contains("SK401"), "\(codes)")
    for line in ["apply a.db --to all.sql --yes --rehearse", "apply a.db --to all.sql --yes"] {
      let run = try run(line)
      #expect(run.status == 0, "\(run.errors)")
    }
    // Read by a connection that knows nothing of the extension.
    let names = try folder.rows(
      of: "a.db", "SELECT name FROM sqlite_master WHERE tbl_name NOT LIKE '\\_%' ESCAPE '\\' ORDER BY name")
    #expect(names == [[.text("grid")], [.text("shelf")], [.text("shelf_by_code")]])
    #expect(try folder.rows(of: "a.db", "SELECT code FROM shelf ORDER BY id") == [[.text("S-1")], [.text("S-2")]])
    for line in ["check a.db --to all.sql", "diff a.db all.sql", "inspect a.db", "doctor a.db", "undo a.db --yes"] {
      let run = try run(line)
      #expect(run.status == 0, "\(line): \(run.output)\(run.errors)")
    }
    #expect(try run("lint all.sql").errors == "")
    #expect(try folder.rows(of: "a.db", "SELECT name FROM sqlite_master WHERE name LIKE 'grid%'") == [])
  }

  @Test(
    "a table that a module makes and does not mark belongs to its virtual table",
    .enabled(if: canLoad, "a static program"))
  func unmarkedShadow() throws {
    try folder.write(
      "CREATE VIRTUAL TABLE g USING celled_grid;\nCREATE TABLE docs (id INTEGER PRIMARY KEY);", to: "g.sql")
    let apply = try run("apply g.db --to g.sql --yes --create")
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try folder.rows(of: "g.db", "SELECT name FROM sqlite_master WHERE name = 'g_cells'").count == 1)
    let inspect = try run("inspect g.db")
    #expect(!inspect.output.contains("g_cells"))
    try folder.write(inspect.output, to: "own.sql")
    #expect(try run("check g.db --to own.sql").status == 0)
    try folder.write("CREATE TABLE docs (id INTEGER PRIMARY KEY);", to: "docs.sql")
    let plan = try run("plan g.db --to docs.sql --allow destructive --format json")
    let objects = (plan.json["steps"] as? [[String: Any]] ?? []).map { $0["object"] as? String }
    #expect(objects == ["g"], "\(plan.output)")
  }

  @Test("rows that its function refuses are counted", .enabled(if: canLoad, "a static program"))
  func refusedRows() throws {
    try folder.database("a.db", "INSERT INTO shelf VALUES (3, 'X')")
    let plan = try run("plan a.db --to check.sql --exit-code --format json")
    let hazards = plan.json["hazards"] as? [[String: Any]] ?? []
    #expect(plan.status == 3 && hazards.map { $0["code"] as? String } == ["SK107"], "\(plan.output)")
    #expect(hazards.map { $0["count"] as? Int } == [1])
  }

  @Test(
    "without the option, the message names it, and nothing is changed",
    arguments: [("check.sql", Int32(3)), ("index.sql", 3), ("grid.sql", 1)])
  func without(schema: String, status: Int32) throws {
    let before = try folder.bytes("a.db")
    let run = try folder.run("apply", "a.db", "--to", schema, "--yes")
    #expect(run.status == status, "\(run.output)\(run.errors)")
    #expect((run.output + run.errors).contains("--load-extension FILE"), "\(run.output)\(run.errors)")
    if status == 3 { #expect(run.output.contains("SK401")) }
    #expect(try folder.bytes("a.db") == before)
  }

  @Test(
    "what cannot be loaded is an error before anything is opened or made", .enabled(if: canLoad, "a static program"),
    arguments: [("gone.so", "does not exist"), ("all.sql", "cannot be loaded: "), ("", "does not exist")])
  func unusable(library: String, words: String) throws {
    let run = try folder.run("apply", "new.db", "--to", "check.sql", "--yes", "--load-extension", library)
    #expect(run.status == 1 && run.output == "", "\(run.output)")
    #expect(run.errors.contains("The extension \(library) \(words)"), "\(run.errors)")
    #expect(!folder.exists("new.db"))
  }

  @Test("a program that cannot load extensions names the build that can", .enabled(if: !canLoad, "it can"))
  func unsupported() throws {
    let run = try run("plan a.db --to check.sql")
    #expect(run.status == 1 && run.errors.contains("make install"), "\(run.errors)")
  }

  @Test("an option that is given twice loads both", .enabled(if: canLoad, "a static program"))
  func twice() throws {
    let run = try run("plan a.db --to check.sql --load-extension gone.so")
    #expect(run.status == 1 && run.errors.contains("gone.so does not exist"), "\(run.errors)")
  }

  @Test("no file and no variable can name an extension")
  func settings() throws {
    try folder.write("load-extension = [\"sample.so\"]\n", to: "schemactl.toml")
    let file = try folder.run("check", "a.db", "--to", "grid.sql")
    #expect(file.status == 1 && file.errors.contains("--load-extension is given for one run"), "\(file.errors)")
    try FileManager.default.removeItem(at: folder.url("schemactl.toml"))
    let variable = try CommandRun(
      ["check", "a.db", "--to", "grid.sql"], in: folder, environment: ["SCHEMACTL_LOAD_EXTENSION": "sample.so"])
    #expect(variable.errors.contains("no such module") || variable.errors.contains("given for one run"))
    #expect(variable.status == 1, "\(variable.errors)")
  }

  @Test("SQL loads nothing, while extensions are loaded and after", .enabled(if: canLoad, "a static program"))
  func noSQL() throws {
    let path = folder.url("sample.so").path
    let load = "SELECT load_extension('\(path)', 'sqlite3_sample_init')"
    try SQLiteConnection.loading(extensions: [path]) {
      let connection = try SQLiteConnection(path: folder.url("a.db").path)
      #expect(try connection.value("SELECT shelf_code('S-1')")?.integer == 1)
      #expect(throws: SQLiteError.self) { try connection.value(load) }
    }
    let other = try SQLiteConnection.memory()
    #expect(throws: SQLiteError.self) { try other.value(load) }
    #expect(throws: SQLiteError.self) { try other.value("SELECT shelf_code('S-1')") }
  }
}

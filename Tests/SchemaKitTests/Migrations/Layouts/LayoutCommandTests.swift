import Foundation
import Testing

@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Folders of other tools on the command line")
struct LayoutCommandTests {
  /// The tables in which the tools keep their records, as they make them.
  private static let records: [MigrationLayout: String] = [
    .dbmate: "CREATE TABLE schema_migrations (version varchar(128) primary key);",
    .goose: "CREATE TABLE goose_db_version (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL);",
    .sqlx: """
    CREATE TABLE _sqlx_migrations (version BIGINT PRIMARY KEY, checksum BLOB NOT NULL);
    CREATE TABLE schema_migrations (version uint64, dirty bool);
    CREATE UNIQUE INDEX version_unique ON schema_migrations (version);
    """,
    .flyway: """
    CREATE TABLE flyway_schema_history (installed_rank INT NOT NULL PRIMARY KEY, success BOOLEAN NOT NULL);
    CREATE INDEX flyway_schema_history_s_idx ON flyway_schema_history (success);
    """,
    .drizzle: "CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric);",
    .prisma: "CREATE TABLE _prisma_migrations (id TEXT PRIMARY KEY NOT NULL, checksum TEXT NOT NULL);",
  ]

  @Test(
    "a database that its tool has migrated is in sync with the folder, records and all", arguments: LayoutSample.all)
  func inSync(sample: LayoutSample) throws {
    let scene = try LayoutScene(sample.files)
    try scene.folder.database("app.db", LayoutSample.schema + (Self.records[sample.layout] ?? ""))
    let check = try scene.folder.run("check", "app.db", "--to", "m")
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    #expect(
      check.errors.contains("schemactl: note: m is read as a folder of \(sample.layout.rawValue);"), "\(check.errors)")
    for places in [["m", "app.db"], ["app.db", "m"]] {
      let diff = try CommandRun(["diff"] + places, in: scene.folder)
      #expect(diff.status == 0, "\(diff.output)\(diff.errors)")
    }
    try scene.folder.database("app.db", "DROP INDEX book_author")
    let plan = try scene.folder.run("plan", "app.db", "--to", "m", "--layout", sample.layout.rawValue, "--ignore", "x*")
    #expect(plan.output.contains("index book_author") && plan.output.contains("0 to drop"), "\(plan.output)")
    #expect(!plan.errors.contains("is read as"))
  }

  @Test("a saved plan leaves the tool's records alone too")
  func savedPlan() throws {
    let scene = try LayoutScene(["1_a.up.sql": "CREATE TABLE t (x);"])
    try scene.folder.database(
      "app.db", "CREATE TABLE _sqlx_migrations (version); INSERT INTO _sqlx_migrations VALUES (1);")
    #expect(try scene.folder.run("plan", "app.db", "--to", "m", "--out", "p.json", "-q").status == 0)
    let apply = try scene.folder.run("apply", "app.db", "--plan", "p.json", "--yes")
    #expect(apply.status == 0, "\(apply.errors)")
    #expect(try scene.folder.rows(of: "app.db", "SELECT * FROM _sqlx_migrations, t") == [])
    #expect(try scene.folder.rows(of: "app.db", "SELECT version FROM _sqlx_migrations") == [[.int(1)]])
  }

  @Test("two layouts that fit are an error, which --layout decides")
  func twoLayouts() throws {
    let scene = try LayoutScene(["1_a.up.sql": "-- +goose Up\nCREATE TABLE t (x);\n-- +goose Down\nDROP TABLE t;"])
    let both = try scene.folder.run("inspect", "m")
    #expect(both.status == 1)
    #expect(
      both.errors
        == "schemactl: m: fits the layouts goose and sqlx: choose one with --layout, or plain SQL with --layout none.\n"
    )
    #expect(try scene.folder.run("inspect", "m", "--layout", "goose").output == "CREATE TABLE t (x);\n")
    for layout in ["sqlx", "none"] { #expect(try scene.folder.run("inspect", "m", "--layout", layout).output == "") }
  }

  @Test(
    "a layout is for a folder, and has one of the known names",
    arguments: [
      (["lint", "s.sql", "--layout", "goose"], "--layout goose is for a folder, which s.sql is not."),
      (
        ["check", "app.db", "--to", "app.db", "--layout", "none"], "--layout none is for a folder, which app.db is not."
      ),
      (["diff", "app.db", "s.sql", "--layout", "goose"], "--layout goose is for a folder, which app.db is not."),
      (["inspect", "-", "--layout", "sqlx"], "--layout sqlx is for a folder, which standard input is not."),
      (
        ["inspect", "m", "--layout", "sqlx"],
        "--layout sqlx: m holds migrations that schemactl recorded, which have no other"
      ),
      (
        ["inspect", "m", "--layout", "rails"],
        "- dbmate\n  - drizzle\n  - flyway\n  - goose\n  - prisma\n  - room\n  - sqlx\n  - none"
      ),
      (["plan", "app.db", "--migrations", "m", "--layout", "sqlx"], "--migrations and --layout cannot be combined"),
    ])
  func wrongUse(arguments: [String], problem: String) throws {
    let scene = try LayoutScene(["1_a.up.sql": "CREATE TABLE t (x);", "checksums.txt": ""])
    try scene.folder.database("app.db", "CREATE TABLE t (x);")
    try scene.folder.write("CREATE TABLE t (x);", to: "s.sql")
    let run = try CommandRun(arguments, in: scene.folder)
    #expect(run.status == 64)
    #expect(run.errors.replacing("'", with: "").contains(problem), "\(run.errors)")
  }

  @Test("the settings can say the layout of their schema, and not that of another one")
  func setting() throws {
    let scene = try LayoutScene(["2_a.sql": "CREATE TABLE t (x);", "10_b.sql": "ALTER TABLE t ADD COLUMN y;"])
    try scene.folder.write("schema = \"m\"\nlayout = \"sqlx\"\n", to: "schemactl.toml")
    try scene.folder.database("app.db", "CREATE TABLE t (x, y);")
    try scene.folder.write("CREATE TABLE t (x, y);", to: "s.sql")
    for words in [["check", "app.db"], ["check", "app.db", "--to", "s.sql"], ["diff", "app.db"], ["inspect"]] {
      let run = try CommandRun(words, in: scene.folder)
      #expect(run.status == 0, "\(words) \(run.output)\(run.errors)")
    }
    try scene.folder.write("schema = \"m\"\nlayout = \"rails\"\n", to: "schemactl.toml")
    let run = try scene.folder.run("check", "app.db")
    #expect(run.status == 1 && run.errors.contains("layout cannot be \"rails\""), "\(run.errors)")
  }
}

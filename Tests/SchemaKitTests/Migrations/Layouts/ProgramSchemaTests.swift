import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Schemas that other tools write or run")
struct ProgramSchemaTests {
  private static let structure = """
    CREATE TABLE IF NOT EXISTS "schema_migrations" ("version" varchar NOT NULL PRIMARY KEY);
    CREATE TABLE IF NOT EXISTS "ar_internal_metadata" ("key" varchar NOT NULL PRIMARY KEY, "value" varchar);
    CREATE TABLE IF NOT EXISTS "posts" ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL, "title" varchar);
    CREATE TABLE sqlite_sequence(name,seq);
    CREATE INDEX "index_posts_on_title" ON "posts" ("title");
    INSERT INTO "schema_migrations" (version) VALUES
    ('20240203040506'),
    ('20240102030405');


    """

  @Test("structure.sql of Rails is a schema, with a note on the versions that it inserts")
  func rails() throws {
    let folder = try CommandFolder()
    try folder.write(Self.structure, to: "structure.sql")
    try folder.database(
      "app.db", Self.structure.replacingOccurrences(of: "CREATE TABLE sqlite_sequence(name,seq);", with: ""))
    let check = try folder.run("check", "app.db", "--to", "structure.sql")
    #expect(check.status == 0, "\(check.output)")
    #expect(
      check.errors.contains("structure.sql:6: 2 versions of schema_migrations left out; only the schema is read."))
    #expect(!check.errors.contains("skipped INSERT"))
    #expect(try folder.run("apply", "new.db", "--to", "structure.sql", "--create", "--yes").status == 0)
    #expect(try folder.rows(of: "new.db", "SELECT * FROM schema_migrations") == [])
  }

  @Test(
    "another statement on that table is skipped as all are",
    arguments: [
      "INSERT INTO schema_migrations VALUES ('1'), ('2')", "INSERT INTO schema_migrations (version) SELECT '1'",
      "INSERT INTO schema_migrations (version) VALUES ('1'), ('2') RETURNING 1",
      "INSERT INTO other (version) VALUES ('1'), ('2')",
    ])
  func others(sql: String) throws {
    let script = try #require(try SQLScript.statements(in: sql).first)
    #expect(RailsStructure.versions(in: script) == nil)
    let one = try #require(try SQLScript.statements(in: "insert into schema_migrations (version) values ('1')").first)
    #expect(RailsStructure.versions(in: one) == 1)
  }

  @Test(
    "a program is refused with the way to its schema, as a file and in a folder",
    arguments: [
      (
        "migrations.py", "from sqlite_utils import Migrations\nmigrations = Migrations(\"x\")\n",
        "holds migrations of sqlite-utils, which are run and not read. Run them on a new file, and name that: sqlite-utils "
          + "migrate new.db"
      ),
      ("0001_initial.py", "from django.db import migrations\n", "is a program in Python, which is run and not read."),
      (
        "schema.rb", "ActiveRecord::Schema[7.1].define do\nend\n",
        "is a program in Ruby, which is run and not read. Have Rails"
      ),
      ("empty.py", "", "is a program in Python"),
    ])
  func programs(name: String, text: String, problem: String) throws {
    let scene = try LayoutScene([name: text, "__init__.py": ""])
    #expect(try #require(try scene.problem()).hasPrefix("\(name): \(problem)"))
    let run = try scene.folder.run("plan", "new.db", "--to", "m/\(name)")
    #expect(run.status == 1 && run.errors.hasPrefix("schemactl: m/\(name): \(problem)"), "\(run.errors)")
    // Beside SQL, a program is somebody else's.
    try scene.folder.write("CREATE TABLE t (a);", to: "m/1.sql")
    #expect(try scene.problem() == nil)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Schemas that Room exports", .needs(.dropColumn))
struct RoomLayoutTests {
  private static let hash = "0f3c5ab2c1d94e7d8c6bb4e1a2f90d37"

  /// The schema of an app for bird watchers, as its build would export it.
  private static func export(
    version: Int, sightings: String = "`bird` INTEGER NOT NULL, `place` TEXT", format: Int = 1, name: String = "birds"
  ) -> String {
    let entity = { (name: String, create: String, more: String) in
      #"{"tableName": "\#(name)", "createSql": "\#(create)", "fields": [], "indices": [\#(more)], "foreignKeys": []}"#
    }
    let index =
      #"{"name": "index_sightings_bird", "unique": false, "columnNames": ["bird"], "orders": [], "createSql": "#
      + #""CREATE INDEX IF NOT EXISTS `index_sightings_bird` ON `${TABLE_NAME}` (`bird`)"}"#
    let search = """
      {"ftsVersion": "FTS4", "ftsOptions": {"contentTable": "birds"}, "tableName": "birds_fts",
       "createSql": "CREATE VIRTUAL TABLE IF NOT EXISTS `${TABLE_NAME}` USING FTS4(`latin` TEXT, content=`birds`)",
       "contentSyncTriggers": [
        "CREATE TRIGGER IF NOT EXISTS room_fts_content_sync_birds_fts_BEFORE_DELETE BEFORE DELETE ON `birds` BEGIN DELETE FROM `birds_fts` WHERE `docid`=OLD.`rowid`; END",
        "CREATE TRIGGER IF NOT EXISTS room_fts_content_sync_birds_fts_AFTER_INSERT AFTER INSERT ON `birds` BEGIN INSERT INTO `birds_fts`(`docid`, `latin`) VALUES (NEW.`rowid`, NEW.`latin`); END"],
       "fields": [], "indices": []}
      """
    let birds = entity(
      name,
      "CREATE TABLE IF NOT EXISTS `${TABLE_NAME}` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `latin` TEXT)", "")
    let seen = entity(
      "sightings",
      "CREATE TABLE IF NOT EXISTS `${TABLE_NAME}` (`id` INTEGER NOT NULL, \(sightings), PRIMARY KEY(`id`), "
        + "FOREIGN KEY(`bird`) REFERENCES `birds`(`id`) ON UPDATE NO ACTION ON DELETE CASCADE )", index)
    return """
      {"formatVersion": \(format), "database": {"version": \(version), "identityHash": "\(hash)",
       "entities": [\(search), \(birds), \(seen)],
       "views": [{"viewName": "named", "createSql": "CREATE VIEW `${VIEW_NAME}` AS SELECT latin FROM birds"}],
       "setupQueries": ["CREATE TABLE IF NOT EXISTS room_master_table (id INTEGER PRIMARY KEY,identity_hash TEXT)",
        "INSERT OR REPLACE INTO room_master_table (id,identity_hash) VALUES(42, '\(hash)')"]}}
      """
  }

  /// The file of the app, as Room and Android make it.
  private static let made = """
    CREATE TABLE android_metadata (locale TEXT); INSERT INTO android_metadata VALUES ('en_US');
    CREATE VIRTUAL TABLE `birds_fts` USING FTS4(`latin` TEXT, content=`birds`);
    CREATE TABLE `birds` (`id` INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, `latin` TEXT);
    CREATE TABLE `sightings` (`id` INTEGER NOT NULL, `bird` INTEGER NOT NULL, `place` TEXT, PRIMARY KEY(`id`), FOREIGN KEY(`bird`) REFERENCES `birds`(`id`) ON UPDATE NO ACTION ON DELETE CASCADE );
    CREATE INDEX `index_sightings_bird` ON `sightings` (`bird`);
    CREATE VIEW `named` AS SELECT latin FROM birds;
    CREATE TRIGGER room_fts_content_sync_birds_fts_BEFORE_DELETE BEFORE DELETE ON `birds` BEGIN DELETE FROM `birds_fts` WHERE `docid`=OLD.`rowid`; END;
    CREATE TRIGGER room_fts_content_sync_birds_fts_AFTER_INSERT AFTER INSERT ON `birds` BEGIN INSERT INTO `birds_fts`(`docid`, `latin`) VALUES (NEW.`rowid`, NEW.`latin`); END;
    CREATE TABLE room_master_table (id INTEGER PRIMARY KEY,identity_hash TEXT);
    INSERT INTO room_master_table VALUES (42, 'before');
    INSERT INTO birds (latin) VALUES ('Apus apus'); INSERT INTO sightings VALUES (1, 1, 'roof');
    PRAGMA user_version = 2;
    """

  private func scene() throws -> LayoutScene {
    let scene = try LayoutScene([
      "2.json": Self.export(version: 2),
      "10.json": Self.export(version: 10, sightings: "`bird` INTEGER NOT NULL, `place` TEXT, `count` INTEGER"),
      "notes.txt": "",
    ])
    try scene.folder.database("app.db", Self.made)
    return scene
  }

  @Test("a file that Room made has the schema of its version, and lacks what the highest version of the folder adds")
  func check() throws {
    let scene = try scene()
    let same = try scene.folder.run("check", "app.db", "--to", "m/2.json")
    #expect(same.status == 0, "\(same.output)\(same.errors)")
    #expect(same.errors.contains("m/2.json is read as version 2 of a schema of Room."))
    #expect(same.errors.contains("room_master_table and android_metadata are left alone, as with --ignore."))
    for options in [[], ["--layout", "room"]] {
      let newer = try CommandRun(["plan", "app.db", "--to", "m"] + options, in: scene.folder)
      #expect(
        newer.output.contains("add column count INTEGER") && newer.output.contains("0 to drop"), "\(newer.output)")
      #expect(newer.errors.contains("m/10.json is read as version 10"))
    }
    #expect(try MigrationLayout.recognised(at: scene.path) == .room)
    #expect(try MigrationLayout.room.migrations(at: scene.path).map(\.name) == ["10.json"])
  }

  @Test("apply changes the file, leaves Room's own rows, and says what makes it one of that version for Room")
  func apply() throws {
    let scene = try scene()
    let run = try scene.folder.run("apply", "app.db", "--to", "m", "--yes")
    #expect(run.status == 0, "\(run.errors)")
    let adoption =
      "PRAGMA user_version = 10; and, where the file has that table, UPDATE room_master_table SET identity_hash = "
      + "'\(Self.hash)' WHERE id = 42;"
    #expect(run.errors.contains("schemactl: warning: Room does not learn of this change"))
    #expect(run.errors.contains(adoption), "\(run.errors)")
    #expect(try scene.folder.rows(of: "app.db", "SELECT * FROM room_master_table") == [[.int(42), .text("before")]])
    #expect(try scene.folder.rows(of: "app.db", "PRAGMA user_version") == [[.int(2)]])
    #expect(
      try scene.folder.rows(of: "app.db", "SELECT * FROM sightings") == [[.int(1), .int(1), .text("roof"), .null]])
    #expect(
      try scene.folder.rows(of: "app.db", "SELECT docid FROM birds_fts WHERE birds_fts MATCH 'apus'") == [[.int(1)]])
  }

  @Test("a new file has what Room creates, and no empty room_master_table, which Room would refuse")
  func creation() throws {
    let scene = try scene()
    #expect(try scene.folder.run("apply", "new.db", "--to", "m/2.json", "--create", "--yes").status == 0)
    try scene.folder.database("app.db", "DROP TABLE room_master_table; DROP TABLE android_metadata")
    let diff = try scene.folder.run("diff", "new.db", "app.db")
    #expect(diff.status == 0, "\(diff.output)")
    #expect(
      try scene.folder.rows(of: "new.db", "SELECT 1 FROM sqlite_master WHERE name = 'room_master_table'") == [])
    #expect(try scene.folder.run("lint", "m").errors.contains("version 10"))
  }

  @Test("a name that needs quotes keeps them")
  func names() throws {
    let scene = try LayoutScene(["1.json": Self.export(version: 1, name: "order `by` ${x}")])
    // The other tables refer to birds, which SQLite looks for only when rows are written.
    let schema = try RoomSchema(latestIn: scene.path)
    #expect(schema.statements.contains { $0.hasPrefix("CREATE TABLE IF NOT EXISTS `order ``by`` ${x}` (") })
  }

  @Test(
    "what cannot be Room's schema is an error that says so",
    arguments: [
      (
        ["1.json": export(version: 1, format: 2)],
        "1.json: is a schema of Room in format 2, and this SchemaKit knows format 1"
      ),
      (["3.json": export(version: 2)], "3.json: is called version 3 and holds version 2"),
      (
        ["1.json": #"{"formatVersion": 1, "database": {"version": 1, "identityHash": "x"}}"#],
        "1.json: is a schema of Room, of which a part is missing"
      ),
      (
        ["1.json": export(version: 1).replacingOccurrences(of: "CREATE VIEW", with: "DROP TABLE birds; CREATE VIEW")],
        "1.json: has a text that is not one CREATE statement: DROP TABLE birds"
      ),
      (
        ["1.json": export(version: 1).replacingOccurrences(of: "`latin` TEXT)\"", with: "`latin` TEXT\"")],
        "1.json: has a text that is not one CREATE statement: CREATE TABLE"
      ),
      (["com.example.Db/1.json": export(version: 1)], "holds a folder of Room's schemas for each database; name one"),
      (["1.json": "{}"], "the folder holds no .sql file"),
      (["1.json": "<<<<<<< ours\n"], "the folder holds no .sql file"),
    ] as [([String: String], String)])
  func mistakes(files: [String: String], problem: String) throws {
    let scene = try LayoutScene(files)
    let found = try #require(try scene.problem()).replacingOccurrences(of: scene.path + ": ", with: "")
    #expect(found.hasPrefix(problem), "\(found)")
  }

  @Test("--layout room on a folder without such a file is an error")
  func chosen() throws {
    let scene = try LayoutScene(["a.sql": "CREATE TABLE t (a);"])
    #expect(try scene.problem(.room)?.hasSuffix("holds no schema of Room, such as 1.json") == true)
    #expect(try scene.problem() == nil)
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// A folder of another tool's migrations, called `m`.
struct LayoutScene {
  let folder: CommandFolder

  init(_ files: [String: String]) throws {
    folder = try CommandFolder()
    for (name, text) in files {
      let parent = folder.url("m/\(name)").deletingLastPathComponent()
      try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
      try folder.write(text, to: "m/\(name)")
    }
  }

  var path: String { folder.url("m").path }

  func load(_ layout: MigrationLayout? = nil) throws -> SchemaLoader.Loaded {
    try SchemaSource.folder(path: path, layout: layout).load()
  }

  /// What is wrong with the folder, with the file's path from there; nil if nothing is.
  func problem(_ layout: MigrationLayout? = nil) throws -> String? {
    do {
      _ = try load(layout)
      return nil
    } catch let error as SchemaError {
      return error.description.replacingOccurrences(of: path + "/", with: "")
    }
  }
}

/// The same history as each tool keeps it: a table with a trigger, rows, and a table that is made anew.
struct LayoutSample: Sendable, CustomTestStringConvertible {
  var layout: MigrationLayout
  var files: [String: String]
  /// The lines of the files on which something was skipped, as the notes name them.
  var skipped: [String]
  var testDescription: String { layout.rawValue }

  /// What all of them lead to.
  static let schema = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE "book" (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author INTEGER NOT NULL REFERENCES author (id));
    CREATE TABLE log (entry TEXT);
    CREATE TRIGGER renamed AFTER UPDATE OF name ON author BEGIN
      INSERT INTO log VALUES (old.name || '; ' || new.name);
      DELETE FROM log WHERE entry = '';
    END;
    CREATE INDEX book_author ON book (author);
    """

  private static let first = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE book (id INTEGER PRIMARY KEY, title, author);
    INSERT INTO author VALUES (1, 'Jane; Austen');
    """
  private static let trigger = """
    CREATE TABLE log (entry TEXT);
    CREATE TRIGGER renamed AFTER UPDATE OF name ON author BEGIN
      INSERT INTO log VALUES (old.name || '; ' || new.name);
      DELETE FROM log WHERE entry = '';
    END
    """
  private static let rebuild = """
    PRAGMA foreign_keys = OFF;
    CREATE TEMP TABLE kept AS SELECT * FROM book;
    CREATE TABLE new_book (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author INTEGER NOT NULL REFERENCES author (id));
    INSERT INTO new_book SELECT id, title, author FROM kept;
    DROP TABLE book;
    ALTER TABLE new_book RENAME TO book;
    CREATE INDEX book_author ON book (author);
    UPDATE author SET name = trim(name);
    DROP TABLE kept;
    """
  private static let undone = "DROP TABLE book;\nDROP TABLE author;"

  static let all: [LayoutSample] = [dbmate, goose, sqlx, flyway, drizzle, prisma]

  private static let dbmate = LayoutSample(
    layout: .dbmate,
    files: [
      "20240101090000_first.sql": "-- The beginning.\n-- migrate:up\n\(first)\n\n-- migrate:down\n\(undone)\n",
      "20240102090000_trigger.sql": "-- migrate:up transaction:false\n\(trigger)\n--migrate:down\nDROP TABLE log;\n",
      "20240103090000_rebuild.sql": "-- migrate:up\n\(rebuild)\n-- migrate:down\n",
    ],
    skipped: [
      "20240101090000_first.sql: skipped INSERT on line 5",
      "20240103090000_rebuild.sql: skipped PRAGMA on line 2; INSERT on line 5; UPDATE on line 9",
    ])

  private static let goose = LayoutSample(
    layout: .goose,
    files: [
      "2_trigger.sql": """
      -- +goose NO TRANSACTION
      -- +goose Up
      -- +goose StatementBegin
      \(trigger)
      -- +goose StatementEnd
      CREATE TABLE gone (x);
      DROP TABLE gone;
      -- +goose down
      DROP TABLE log;
      """, "1_first.sql": "-- +goose Up\r\n\(first)\r\n-- +goose Down\r\n\(undone)\r\n",
      "10_rebuild.sql": "-- +goose Up\n\(rebuild)\n", "helper.go": "package migrations",
      "3_rebuild_test.go": "package migrations",
    ],
    skipped: [
      "1_first.sql: skipped INSERT on line 4",
      "10_rebuild.sql: skipped PRAGMA on line 2; INSERT on line 5; UPDATE on line 9",
    ])

  private static let sqlx = LayoutSample(
    layout: .sqlx,
    files: [
      "1_first.up.sql": first, "1_first.down.sql": undone, "2_trigger.up.sql": trigger,
      "2_trigger.down.sql": "DROP TABLE log", "10_rebuild.sql": rebuild,
    ],
    skipped: [
      "1_first.up.sql: skipped INSERT on line 3",
      "10_rebuild.sql: skipped PRAGMA on line 1; INSERT on line 4; UPDATE on line 8",
    ])

  private static let flyway = LayoutSample(
    layout: .flyway,
    files: [
      "V1__first.sql": first, "U1__first.sql": undone, "V1.9__trigger.SQL": "-- ${nothing}\n" + trigger,
      "2024/V1_10__rebuild.sql": rebuild, "V1__first.sql.conf": "executeInTransaction=false",
    ],
    skipped: [
      "V1__first.sql: skipped INSERT on line 3",
      "2024/V1_10__rebuild.sql: skipped PRAGMA on line 1; INSERT on line 4; UPDATE on line 8",
    ])

  private static let drizzle = LayoutSample(
    layout: .drizzle,
    files: [
      "0000_wild_hulk.sql": first,
      "0001_calm_storm.sql": trigger + "--> statement-breakpoint\nDROP TABLE IF EXISTS gone",
      "0002_aged_thor.sql": rebuild.replacingOccurrences(of: ";\n", with: "\n--> statement-breakpoint\n"),
      "meta/0000_snapshot.json": "{}",
      "meta/_journal.json": journal([(0, 10, "0000_wild_hulk"), (1, 20, "0001_calm_storm"), (2, 30, "0002_aged_thor")]),
    ],
    skipped: [
      "0000_wild_hulk.sql: skipped INSERT on line 3",
      "0002_aged_thor.sql: skipped PRAGMA on line 1; INSERT on line 7; UPDATE on line 15",
    ])

  private static let prisma = LayoutSample(
    layout: .prisma,
    files: [
      "20240101090000_first/migration.sql": first, "20240102090000_trigger/migration.sql": trigger,
      "20240103090000_rebuild/migration.sql": "-- RedefineTables\n" + rebuild,
      "migration_lock.toml": "provider = \"sqlite\"\n",
    ],
    skipped: [
      "20240101090000_first/migration.sql: skipped INSERT on line 3",
      "20240103090000_rebuild/migration.sql: skipped PRAGMA on line 2; INSERT on line 5; UPDATE on line 9",
    ])

  /// The journal of Drizzle.
  static func journal(_ entries: [(idx: Int, when: Int, tag: String)]) -> String {
    let lines = entries.map { #"{"idx": \#($0.idx), "version": "6", "when": \#($0.when), "tag": "\#($0.tag)"}"# }
    return #"{"version": "7", "dialect": "sqlite", "entries": [\#(lines.joined(separator: ", "))]}"#
  }
}

import Foundation
import Testing

@testable import SchemaKit
@testable import SchemaKitOperations

@Suite("Folders of other tools that cannot be replayed")
struct LayoutErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var files: [String: String]
    var problem: String
    var layout: MigrationLayout?
    var testDescription: String { problem }
  }

  private static let up = "-- +goose Up\nCREATE TABLE t (x);\n"
  private static let table = "CREATE TABLE t (x);"

  private static let marks: [Case] = [
    Case(
      files: ["1_a.sql": "-- migrate:up\n", "2_b.sql": table], problem: "2_b.sql:1: stands before -- migrate:up"),
    Case(
      files: ["1_a.sql": "-- +migrate Up\n\(table)\n-- +migrate Down\nDROP TABLE t;"],
      problem: "1_a.sql:3: -- +migrate Down seems to begin what undoes the migration"),
    Case(
      files: ["1_a.sql": "--- !Ups\n\(table)\n--- !Downs\nDROP TABLE t;"],
      problem: "1_a.sql:3: --- !Downs seems to begin"),
    Case(
      files: ["1_a.sql": "-- Up Migration\n\(table)\n-- Down Migration\nDROP TABLE t;"],
      problem: "1_a.sql:3: -- Down Migration seems to begin"),
    Case(files: ["1_a.sql": "-- migrate:up\n", "2_b.sql": "-- x\n"], problem: "2_b.sql: has no line -- migrate:up"),
    Case(
      files: ["1_a.sql": "-- migrate:up\n-- migrate:down\n-- migrate:down\n"],
      problem: "1_a.sql:3: a second -- migrate:down without"),
    Case(
      files: ["1_a.sql": "\n-- migrate:up\nCREATE TABLE t (x);\nCREATE TABLE t (x);\n"],
      problem: "1_a.sql:4: table t already exists"),
    Case(files: ["1_a.sql": up, "2_b.sql": table], problem: "2_b.sql:1: stands before -- +goose Up"),
    Case(files: ["1_a.sql": up + up], problem: "1_a.sql:3: a second -- +goose Up"),
    Case(files: ["1_a.sql": "-- +goose Down\n", "2_b.sql": up], problem: "1_a.sql:1: -- +goose Down stands behind no"),
    Case(files: ["1_a.sql": "-- +goose Up\n-- +goose ENVSUB ON\n"], problem: "1_a.sql:2: ENVSUB takes values from"),
    Case(files: ["1_a.sql": up + "-- +goose Upp"], problem: "1_a.sql:3: goose has no annotation \"Upp\""),
    Case(
      files: ["V1__a.sql": "CREATE TABLE t\n(${column});"],
      problem: "V1__a.sql:2: only Flyway knows the value of ${column}"),
  ]

  private static let order: [Case] = [
    Case(
      files: ["1_a.sql": "-- migrate:up\n", "01_b.sql": "-- migrate:up\n"],
      problem: "1_a.sql: has the version of 01_b.sql"),
    Case(
      files: ["9_a.sql": "-- migrate:up\n", "10_b.sql": "-- migrate:up\n"],
      problem: "10_b.sql: dbmate runs it before 9_a.sql, whose version is lower"),
    Case(
      files: ["1_a.sql": "-- migrate:up\n", "seed.sql": ""], problem: "seed.sql: has no place in the order of dbmate"),
    Case(files: ["1_a.sql": up, "001_b.sql": up], problem: "1_a.sql: has the version of 001_b.sql"),
    Case(files: ["1_a.sql": up, "2_b.go": ""], problem: "2_b.go: is a migration in Go"),
    Case(files: ["1_a.sql": up, "0_b.sql": up], problem: "0_b.sql: has no place in the order of goose"),
    Case(files: ["1_a.sql": up, "b.sql": ""], problem: "b.sql: has no place in the order of goose"),
    Case(files: ["1_a.up.sql": table, "1_b.sql": ""], problem: "1_b.sql: has the version of 1_a.up.sql"),
    Case(
      files: ["1_a.down.sql": table],
      problem: "1_a.down.sql: undoes a migration that is missing: there is no 1_a.up.sql"),
    Case(files: ["1_a.up.sql": table, "b.sql": ""], problem: "b.sql: has no place in the order of sqlx"),
    Case(files: ["V1__a.sql": table, "b/V1.0__b.sql": ""], problem: "b/V1.0__b.sql: has the version of V1__a.sql"),
    Case(files: ["V1__a.sql": table, "R__views.sql": ""], problem: "R__views.sql: is repeatable"),
    Case(files: ["V1__a.sql": table, "v2__b.sql": ""], problem: "v2__b.sql: has no place in the order of flyway"),
    Case(files: ["V1__a.sql": table, "Vx__b.sql": ""], problem: "Vx__b.sql: has no place in the order of flyway"),
    Case(files: ["V1__a.sql": table, "V2__B.java": ""], problem: "V2__B.java: is a migration that is not SQL"),
    Case(
      files: ["a.sql": table, "b.sql": "", "meta/_journal.json": LayoutSample.journal([(0, 1, "a"), (0, 2, "b")])],
      problem: "b.sql: is out of order: meta/_journal.json has it behind a, with idx not above"),
    Case(
      files: ["a.sql": table, "b.sql": "", "meta/_journal.json": LayoutSample.journal([(0, 2, "a"), (1, 1, "b")])],
      problem: "b.sql: is out of order: meta/_journal.json has it behind a, with when not above"),
    Case(
      files: ["a.sql": table, "meta/_journal.json": LayoutSample.journal([(0, 2, "a"), (1, 3, "b")])],
      problem: "b.sql: is named in meta/_journal.json, but is missing"),
    Case(
      files: ["a.sql": table, "c.sql": "", "meta/_journal.json": LayoutSample.journal([(0, 2, "a")])],
      problem: "c.sql: is not named in meta/_journal.json"),
    Case(files: ["a.sql": table, "meta/_journal.json": "[]"], problem: "meta/_journal.json: cannot be read as"),
    Case(files: ["migration_lock.toml": "", "a.sql": ""], problem: "a.sql: has no place in the order of prisma"),
    Case(files: ["migration_lock.toml": "", "1_a/b.sql": ""], problem: "1_a/migration.sql: is missing"),
  ]

  private static let statements: [Case] = [
    Case(
      files: ["1_a.up.sql": "ATTACH 'x.db' AS x;"],
      problem: "1_a.up.sql:1: expected CREATE, ALTER or DROP but found \"ATTACH\""),
    Case(
      files: ["1_a.up.sql": table + "\nUPDATE main.sqlite_master SET sql = '';"],
      problem: "1_a.up.sql:2: UPDATE edits sqlite_master itself"),
    Case(
      files: ["1_a.up.sql": "WITH a AS (SELECT 1) INSERT OR IGNORE INTO sqlite_schema SELECT * FROM a;"],
      problem: "1_a.up.sql:1: WITH edits sqlite_schema itself"),
    Case(
      files: ["1_a.up.sql": "<<<<<<< ours\n=======\n>>>>>>> theirs\n"], problem: "1_a.up.sql:1: a merge left both"),
    Case(files: ["migration_lock.toml": ""], problem: "holds no migration of prisma"),
    Case(files: ["README.md": ""], problem: "holds no migration of goose", layout: .goose),
    Case(
      files: ["1_a.up.sql": up], problem: "fits the layouts goose and sqlx: choose one with --layout, or plain SQL with"
    ),
  ]

  @Test("the error names the file and the line", arguments: marks + order + statements)
  func problem(case: Case) throws {
    let scene = try LayoutScene(`case`.files)
    let problem = try #require(try scene.problem(`case`.layout)).replacingOccurrences(of: scene.path + ": ", with: "")
    #expect(problem.hasPrefix(`case`.problem), "\(problem)")
  }

  @Test("a file that is not text is an error with its name")
  func binary() throws {
    let scene = try LayoutScene(["1_a.up.sql": ""])
    try Data([0xFF, 0xFE, 0x00]).write(to: scene.folder.url("m/2_b.up.sql"))
    #expect(try scene.problem() == "2_b.up.sql:1: the text is UTF-16; save it as UTF-8")
  }
}

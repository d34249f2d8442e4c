import Foundation
import SchemaKit
import SchemaKitTesting
import Testing

@Suite("Upgrades from every version")
struct UpgradeMatrixTests {
  private static let first = "CREATE TABLE note (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT, fax TEXT)"
  private static let second = """
    CREATE TABLE note (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      title TEXT, -- schemakit: renamed from text
      fax TEXT
    );
    CREATE TABLE tag (name TEXT PRIMARY KEY, note INTEGER REFERENCES note) WITHOUT ROWID;
    """
  private static let third = """
    CREATE TABLE note (
      id INTEGER PRIMARY KEY AUTOINCREMENT, stars INTEGER NOT NULL DEFAULT 1,
      title TEXT NOT NULL /* schemakit: renamed from text */ -- schemakit: fill '?'
    );
    CREATE TABLE tag (name TEXT PRIMARY KEY, note INTEGER NOT NULL REFERENCES note) WITHOUT ROWID;
    CREATE VIEW tagged AS SELECT title, name FROM tag JOIN note ON note.id = tag.note;
    """

  private static let versions: [UpgradeMatrix.Version] = [
    .init(
      "1", schema: .sql(first),
      rows: ["INSERT INTO note VALUES (3, NULL, NULL), (4, 'b', NULL)", "DELETE FROM note WHERE id = 4"]),
    .init(
      "2", schema: .sql(second), rows: ["INSERT INTO note VALUES (1, 'a', NULL)", "INSERT INTO tag VALUES ('x', 1)"]),
    .init("3", schema: .sql(third), rows: ["INSERT INTO note VALUES (1, 2, 'a')"]),
  ]

  private static func violations(of matrix: UpgradeMatrix) async throws -> [String] {
    do {
      _ = try await matrix.run()
      return []
    } catch UpgradeMatrixError.violated(let report) {
      #expect("\(UpgradeMatrixError.violated(report))".contains(report.violations[0].problem))
      return report.violations.map(\.description)
    }
  }

  @Test("lead to the schema of a new file, and to the same rows in one go and version by version")
  func upgrades() async throws {
    let report = try await UpgradeMatrix(Self.versions).run()
    print("upgrades: \(report.oneLine)")
    #expect(report.versions == 3 && report.violations.isEmpty)
    // 1 → 3, 1 → 2 → 3, 2 → 3, and 3 again.
    #expect(report.migrations == 5)
    // A note; a note and a tag.
    #expect(report.rows == 3)
  }

  @Test("are caught when a hint is missing in between, so that a version loses what another keeps")
  func losing() async throws {
    let matrix = UpgradeMatrix(
      [
        .init("1", schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)", rows: ["INSERT INTO t VALUES (1, 'x')"]),
        .init("2", schema: "CREATE TABLE t (id INTEGER PRIMARY KEY)"),
        .init("3", schema: "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT)"),
      ], allowing: .everything)
    #expect(
      try await Self.violations(of: matrix) == [
        "from 1, both ways: the rows of t are not the same in one go and version by version"
      ])
  }

  @Test("are caught when one of them needs consent")
  func refused() async throws {
    let matrix = UpgradeMatrix([
      .init("1", schema: "CREATE TABLE t (a, b)", rows: ["INSERT INTO t VALUES (1, 2)"]),
      .init("2", schema: "CREATE TABLE t (a)"),
    ])
    let found = try await Self.violations(of: matrix)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("from 1, in one go: the migration to 2 fails: ") && found[0].contains("SK102"))
  }

  @Test("are caught when a version takes its schema back to that of an older one, as files then refuse")
  func back() async throws {
    let matrix = UpgradeMatrix([
      .init("1", schema: "CREATE TABLE t (a)"), .init("2", schema: "CREATE TABLE t (a, b)"),
      .init("3", schema: "CREATE TABLE t (a)"),
    ])
    let found = try await Self.violations(of: matrix)
    #expect(found.count == 1)
    #expect(found[0].hasPrefix("from 1, version by version: the migration to 3 fails: "))
  }

  @Test("are caught when something of an old version stays behind")
  func leftovers() async throws {
    let matrix = UpgradeMatrix([
      .init("1", schema: "CREATE TABLE sentence (id INTEGER PRIMARY KEY, text TEXT NOT NULL); CREATE TABLE log (a)"),
      .init("2", schema: .models(ModelSchema { CrashMatrixTests.Sentence.self })),
    ])
    #expect(try await Self.violations(of: matrix) == ["from 1, in one go: not the schema of a new file: log"])
  }

  @Test("need an older version, and rows that belong to one")
  func tooFew() async throws {
    await #expect(throws: UpgradeMatrixError.tooFewVersions) {
      try await UpgradeMatrix([.init("1", schema: "CREATE TABLE t (a)")]).run()
    }
    let folder = try Self.folder(["1.sql": "CREATE TABLE t (a);"])
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(throws: SchemaError.self) { try UpgradeMatrix(migrations: folder.path, rows: ["2.sql": []]) }
  }

  @Test("are taken from a folder of recorded migrations, a version a file")
  func folder() async throws {
    let folder = try Self.folder([
      "001.sql": "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT)", "002.sql": "ALTER TABLE t ADD COLUMN b DEFAULT 5;",
      "003.sql": "CREATE INDEX t_b ON t (b);", "read.me": "no SQL",
    ])
    defer { try? FileManager.default.removeItem(at: folder) }
    let report = try await UpgradeMatrix(
      migrations: folder.path,
      rows: ["001.sql": ["INSERT INTO t VALUES (1, 'x')"], "002.sql": ["INSERT INTO t VALUES (2, 'y', 6)"]]
    ).run()
    #expect(report.versions == 3 && report.rows == 2)
  }

  private static func folder(_ files: [String: String]) throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("schemakit-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try text.write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
    }
    return folder
  }
}

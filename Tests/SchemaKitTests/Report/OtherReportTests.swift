import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitReports

@Suite("Reports of diffs, schemas, histories and checks")
struct OtherReportTests {
  private func schema(_ sql: String) throws -> DatabaseSchema { try TemporaryDatabase.target(sql).schema }

  @Test("a diff names what is added, dropped, changed, and spelled otherwise")
  func diff() throws {
    let old = try schema("CREATE TABLE a (x); CREATE TABLE b (y); CREATE INDEX b_y ON b (y); CREATE TABLE C (z);")
    let new = try schema(
      "CREATE TABLE a (x, w TEXT); CREATE TABLE c (Z); CREATE TABLE d (q); CREATE VIEW v AS SELECT 1;")
    let report = DiffReport(from: ("old.sql", old), to: ("new.sql", new))
    let expected = """
      old.sql → new.sql: 6 objects differ

        - table b
        ~ table a    add column w TEXT
        ~ table c    spelled C before
                     column Z: spelled z before
        + table d    with 1 column
        - index b_y  on b
        + view v

      """
    #expect(report.text() == expected)
    #expect(DiffReport(from: ("a", old), to: ("b", old)).isEmpty)
    #expect(DiffReport(from: ("a", old), to: ("b", old)).text() == "a and b are equal.\n")
  }

  @Test("a schema as SQL is equal when it is read back, comments at the end of a statement included")
  func schemaSQL() throws {
    let sql = """
      CREATE TABLE a (x INTEGER PRIMARY KEY, y TEXT DEFAULT 'semi;colon' /* ; */); -- a
      CREATE INDEX a_y ON a (y COLLATE NOCASE DESC) WHERE y <> '--';
      CREATE VIEW v AS SELECT x -- the key
      FROM a;
      CREATE TRIGGER t INSTEAD OF DELETE ON v BEGIN DELETE FROM a WHERE x = old.x; SELECT 1; END;
      """
    let first = try schema(sql)
    let second = try schema(SchemaReport.sql(first))
    #expect(SchemaDiff(from: first, to: second).isEmpty)
    #expect(second.objectCount == 4)
  }

  @Test("a history shows when, what, and by whom")
  func history() {
    let entry = HistoryEntry(
      id: 1, schema: "main", appliedAt: "2026-05-04T03:02:01.500Z", kind: .apply,
      fromFingerprint: String(repeating: "a", count: 64), toFingerprint: String(repeating: "b", count: 64),
      summary: "native note: add column tag TEXT", plan: "ALTER TABLE note ADD COLUMN tag TEXT", milliseconds: 12,
      program: "notes", library: "0.1.0", engine: "3.40.1", isLive: false)
    let expected = """
      1   2026-05-04 03:02:01 UTC  apply     aaaaaaaa → bbbbbbbb  schema main  (left behind)
          native note: add column tag TEXT
          by notes (SchemaKit 0.1.0), SQLite 3.40.1, in 12 ms

      """
    #expect(HistoryReport(database: "notes.db", entries: [entry]).text() == expected)
    #expect(HistoryReport(database: "notes.db", entries: [entry]).text(isVerbose: true).contains("ALTER TABLE note"))
    #expect(
      HistoryReport(database: "notes.db", entries: []).text()
        == "notes.db has no history: SchemaKit has not changed it, or only with --no-ledger.\n")
  }

  @Test("a check lists what is pending in the database and in the folder")
  func check() throws {
    var report = CheckReport(schema: "books.sql")
    report.database = (name: "books.db", isNewFile: false, status: .pending(PlanReportTests.plan))
    report.migrations = DiffReport(
      from: ("migrations", try schema("CREATE TABLE a (x);")), to: ("books.sql", try schema("CREATE TABLE a (x, y);")))
    let expected = """
      pending: books.db needs 4 changes to have the schema of books.sql
        drop     old  with 2 rows
        native   author  add column country TEXT
        rebuild  book  column title: NOT NULL
        replace  view recent  new definition
      pending: the migrations in migrations do not lead to the schema of books.sql
        ~ table a  add column y

      """
    #expect(report.text() == expected)
    #expect(!report.isInSync)
    #expect(report.json().contains("\"status\" : \"pending\""))
    report.database?.status = .newer("It has moved on.")
    #expect(report.isNewer)
  }
}

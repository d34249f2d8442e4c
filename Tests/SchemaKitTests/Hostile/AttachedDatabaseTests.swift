import CSQLite
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// Databases and temporary tables around the one that is migrated.
@Suite("Attached databases and temporary tables")
struct AttachedDatabaseTests {
  /// What a lender's own authorizer saw.
  private final class Sightings {
    var names: Set<String> = []
  }

  @Test(
    "as many attached databases as SQLite takes, and temporary tables of the same names, are neither read nor changed")
  func surroundings() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, pages INT); INSERT INTO book VALUES (1, 'main', NULL);
      CREATE TABLE gone(a); CREATE VIEW seen AS SELECT title FROM book;
      """)
    let lender = try file.reopened()
    let handle = try #require(lender.pointer)
    let limit = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, -1)
    let other = "book(id INTEGER PRIMARY KEY, title BLOB NOT NULL, pages TEXT)"
    for number in 1...limit {
      try lender.exec(
        """
        ATTACH ':memory:' AS a\(number); CREATE TABLE a\(number).\(other);
        INSERT INTO a\(number).book VALUES (1, 'a\(number)', 'x'); CREATE TABLE a\(number).gone(a);
        CREATE TABLE a\(number)._schemakit_meta(key, value); INSERT INTO a\(number)._schemakit_meta VALUES ('format', 99);
        """)
    }
    try lender.exec(
      """
      CREATE TEMP TABLE \(other); INSERT INTO temp.book VALUES (1, 'temp', 'y'); CREATE TEMP TABLE gone(a);
      CREATE TEMP TABLE _schemakit_meta(key, value);
      INSERT INTO temp._schemakit_meta VALUES ('format', 99);
      """)
    func content() throws -> [[RawValue]] {
      try (1...limit).flatMap {
        try lender.rows("SELECT name, sql FROM a\($0).sqlite_master ORDER BY name")
          + lender.rows("SELECT * FROM a\($0).book") + lender.rows("SELECT * FROM a\($0)._schemakit_meta")
      } + lender.rows("SELECT * FROM temp.book") + lender.rows("SELECT name, sql FROM temp.sqlite_master ORDER BY name")
    }
    let before = try content()
    let sightings = Sightings()
    sqlite3_set_authorizer(
      handle,
      { address, action, first, _, database, _ in
        guard let address, let database,
          action == SQLITE_READ || action == SQLITE_INSERT || action == SQLITE_UPDATE || action == SQLITE_DELETE
        else { return SQLITE_OK }
        let (table, place) = (first.map { String(cString: $0) } ?? "", String(cString: database))
        let names = ["book", "gone", "_schemakit_meta"]
        if place != "main", names.contains(table) {
          Unmanaged<Sightings>.fromOpaque(address).takeUnretainedValue().names.insert("\(place).\(table)")
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(sightings).toOpaque())
    let connection = try SQLiteConnection(borrowing: handle, sourceID: SQLiteConnection.engineSourceID)
    var request = ChangeRequest(allowing: .everything)
    request.plan.policy.strategy = .rebuild
    let report = try Change(over: connection, to: TemporaryDatabase.target(HostileFile.target), request).apply()
    sqlite3_set_authorizer(handle, nil, nil)
    #expect(report.outcome == .applied)
    #expect(report.plan.steps.contains { $0.object.name == "book" && $0.strategy == .rebuild })
    #expect(sightings.names == [])
    #expect(try content() == before)
    #expect(try file.query("SELECT * FROM book") == [[.int(1), .text("main"), .int(0)]])
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

// P41, P42, P44: a migration happens wholly or not at all, and once.
@Suite("Pitfalls: all or nothing")
struct AtomicityPitfallTests {
  static let before = """
    CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT);
    CREATE TABLE book (title TEXT, author INT REFERENCES author (id) ON DELETE CASCADE);
    CREATE INDEX book_title ON book (title);
    CREATE VIEW titles AS SELECT title FROM book;
    CREATE TRIGGER gone AFTER DELETE ON book BEGIN UPDATE author SET name = name; END;
    INSERT INTO author VALUES (1, 'a'), (2, 'b');
    INSERT INTO book VALUES ('x', 1), ('y', 2), ('z', 2);
    """
  static let after = """
    CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, born INT);
    CREATE TABLE volume ( -- schemakit: renamed from book
      title TEXT UNIQUE, author INT NOT NULL REFERENCES author (id) ON DELETE CASCADE);
    CREATE INDEX book_title ON volume (title);
    CREATE VIEW titles AS SELECT title FROM volume;
    CREATE TRIGGER gone AFTER DELETE ON volume BEGIN UPDATE author SET name = name; END;
    CREATE TABLE fresh (x INT);
    """

  /// The bytes of the file once all of the log is in it.
  private func settledBytes(_ database: TemporaryDatabase) throws -> Data {
    try database.exec("PRAGMA wal_checkpoint(TRUNCATE)")
    return try database.bytes
  }

  @Test(
    "P41: stopped before any of its statements, a migration leaves the old file, and a re-run completes",
    arguments: ["DELETE", "WAL"])
  func stoppedAnywhere(journal: String) throws {
    let database = try TemporaryDatabase("PRAGMA journal_mode = \(journal);" + Self.before)
    let original = try settledBytes(database)
    let count = try database.plan(to: Self.after, strategy: .rebuild).statements.count
    #expect(count > 12)
    for stop in 0..<count {
      var asked = 0
      let error = #expect(throws: ApplyError.self) {
        try database.migrate(to: Self.after, allowing: .copying) { options in
          options.observer.isCancelled = {
            asked += 1
            return asked > stop
          }
        }
      }
      if case .cancelled? = error?.reason {} else { Issue.record("\(error.map { "\($0)" } ?? "")") }
      #expect(try settledBytes(database) == original, "after \(stop) statements")
    }
    #expect(try database.migrate(to: Self.after).outcome == .applied)
    #expect(try database.query("SELECT title, author FROM volume ORDER BY title").count == 3)
    try database.expectSettled(at: Self.after)
  }

  @Test("P41: a COMMIT that a reader blocks takes everything back, and a re-run completes")
  func blockedCommit() throws {
    let database = try TemporaryDatabase(Self.before)
    let original = try database.bytes
    let reader = try database.reopened()
    try reader.exec("BEGIN; SELECT * FROM book")
    let connection = try database.connection()
    let change = Change(over: connection, to: try TemporaryDatabase.target(Self.after))
    let error = #expect(throws: SQLiteError.self) { try change.apply() }
    #expect(error?.isBusy == true)
    #expect(!connection.isInTransaction)
    try reader.exec("COMMIT")
    #expect(try database.bytes == original)
    #expect(try change.apply().outcome == .applied)
    try database.expectSettled(at: Self.after)
  }

  @Test(
    "P42: when the history cannot be written, the schema does not change either",
    arguments: ["_schemakit_history", "_schemakit_schemas"])
  func historyFails(table: String) throws {
    let database = try TemporaryDatabase()
    let first = "CREATE TABLE author (id INTEGER PRIMARY KEY);"
    let second = "CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT);"
    try database.migrate(to: first)
    // The row of the schema is there already, so that it is updated.
    let event = table == "_schemakit_history" ? "INSERT" : "UPDATE"
    try database.exec(
      "CREATE TRIGGER _schemakit_fault BEFORE \(event) ON \(table) BEGIN SELECT RAISE(ABORT, 'no room'); END")
    let bytes = try database.bytes
    let error = #expect(throws: (any Error).self) { try database.migrate(to: second) }
    #expect(error.map { "\($0)" }?.contains("no room") == true, "\(error.map { "\($0)" } ?? "")")
    #expect(try database.bytes == bytes)
    #expect(try database.query("SELECT name FROM pragma_table_info('author')") == [[.text("id")]])
    try database.exec("DROP TRIGGER _schemakit_fault")
    #expect(try database.migrate(to: second).outcome == .applied)
    #expect(
      try database.query("SELECT kind, live FROM _schemakit_history") == [
        [.text("apply"), .int(1)], [.text("apply"), .int(1)],
      ])
  }

  /// What threads have seen, behind a lock.
  private final class Tally: @unchecked Sendable {
    private let lock = NSLock()
    private var outcomes: [String] = []
    func add(_ outcome: String) { lock.withLock { outcomes.append(outcome) } }
    var all: [String] { lock.withLock { outcomes.sorted() } }
  }

  @Test("P44: of eight threads on one file, exactly one migrates and all succeed", arguments: [0, 3])
  func eightThreads(count: Int) throws {
    let target = try TemporaryDatabase.target(Self.after)
    for round in 0..<20 {
      let database = try TemporaryDatabase(
        (round % 2 == 0 ? "PRAGMA journal_mode = WAL;" : "") + (count == 0 ? "" : Self.before))
      let tally = Tally()
      let group = DispatchGroup()
      let path = database.path
      for _ in 0..<8 {
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          do {
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: 60)
            tally.add(try Change(over: connection, to: target).apply().outcome.rawValue)
          } catch { tally.add("\(error)") }
        }
      }
      group.wait()
      #expect(tally.all == ["applied"] + Array(repeating: "unchanged", count: 7))
      #expect(try database.value("SELECT count(*) FROM _schemakit_history") == .int(1))
      #expect(try database.query("SELECT * FROM volume").count == count)
    }
  }
}

import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitCommands

/// Damage that no query meets until a migration writes.
@Suite("The check before a migration writes")
struct FileCheckTests {
  private static let rebuilt =
    "CREATE TABLE book(id INTEGER PRIMARY KEY, title BLOB NOT NULL DEFAULT ''); CREATE TABLE other(a);"

  /// A file whose list of free pages names a page that is in use, so that the next write would destroy that page.
  private func crossed(with more: String = "") throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(
      """
      PRAGMA page_size = 512; \(more) CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE other(a);
      CREATE TABLE gone(a); INSERT INTO gone VALUES (hex(zeroblob(2000))); DROP TABLE gone;
      INSERT INTO book VALUES (1, 'one'); INSERT INTO other VALUES ('precious');
      """)
    let trunk = try #require(try file.value("SELECT rootpage FROM sqlite_master WHERE name = 'other'")?.integer)
    var bytes = try file.bytes
    let first = bytes[32..<36].reduce(0) { $0 << 8 | Int($1) }
    // The first leaf that the first trunk page names.
    let leaf = (first - 1) * 512 + 8
    bytes.replaceSubrange(leaf..<(leaf + 4), with: withUnsafeBytes(of: UInt32(trunk).bigEndian) { Array($0) })
    try bytes.write(to: URL(fileURLWithPath: file.path))
    return file
  }

  @Test(
    "a rebuild on a damaged file is refused before anything is written, and the error names the damage",
    .needsPlainFiles("edits the list of free pages in the bytes of the file"))
  func refused() throws {
    let file = try crossed()
    let before = try file.bytes
    let error = try #require(throws: SQLiteError.self) { try file.migrate(to: Self.rebuilt) }
    #expect(error.isCorrupt)
    #expect(error.message.hasPrefix("quick_check says: "))
    #expect(error.message.contains("2nd reference to page"))
    #expect(error.description.contains("Nothing was changed; restore the file from a backup"))
    #expect(try file.bytes == before)
    #expect(try file.value("SELECT a FROM other") == .text("precious"))
  }

  /// A full-text index that only another program can open: it has the tokenizer.
  private static let foreign = """
    CREATE VIRTUAL TABLE search USING fts5(title); INSERT INTO search VALUES ('one'); PRAGMA writable_schema = ON;
    UPDATE sqlite_master SET sql = replace(sql, '(title', '(title, tokenize=mine') WHERE name = 'search';
    PRAGMA writable_schema = OFF;
    """

  private struct Book: Model {
    let id: Int64?
    var title: String?
    static let table = ModelTable("book", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title).unique()
    }
  }

  @Test(
    "an index that this program cannot open hides no damage",
    .needsPlainFiles("edits the list of free pages in the bytes of the file"),
    arguments: ["DELETE", "WAL"])
  func besideForeignIndex(journal: String) throws {
    let file = try crossed(with: Self.foreign)
    try file.exec("PRAGMA journal_mode = \(journal)")
    let error = try #require(throws: (any Error).self) {
      try Session(at: file.path, schema: ModelSchema { Book.self })
    }
    #expect("\(error)".contains("2nd reference to page"), "\(error)")
    #expect(try file.value("SELECT a FROM other") == .text("precious"))
  }

  @Test("an index that this program cannot open keeps no sound file from being changed", arguments: ["DELETE", "WAL"])
  func soundBesideForeignIndex(journal: String) throws {
    let file = try TemporaryDatabase(
      """
      PRAGMA journal_mode = \(journal); \(Self.foreign)
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT); INSERT INTO book VALUES (1, 'one');
      """)
    _ = try Session(at: file.path, schema: ModelSchema { Book.self })
    #expect(try file.value("SELECT id FROM book WHERE title = 'one'") == .int(1))
    #expect(try file.value("SELECT count(*) FROM search_content") == .int(1))
  }

  @Test(
    "a change that touches no row does not read the whole file first",
    .needsPlainFiles("edits the list of free pages in the bytes of the file"))
  func withoutRows() throws {
    let file = try crossed()
    let report = try file.migrate(
      to: "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, year INT); CREATE TABLE other(a);")
    #expect(report.outcome == .applied)
    #expect(!report.plan.touchesRows)
    #expect(try file.plan(to: Self.rebuilt).touchesRows)
  }

  @Test(
    "dropping a table or a column reads the whole file first",
    .needsPlainFiles("edits the list of free pages in the bytes of the file"))
  func losing() throws {
    for target in [
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT)",
      "CREATE TABLE book(id INTEGER PRIMARY KEY); CREATE TABLE other(a)",
    ] {
      let file = try crossed()
      let error = try #require(throws: SQLiteError.self) { try file.migrate(to: target, allowing: .everything) }
      #expect(error.isCorrupt)
    }
  }

  @Test("rows that break their own rules are the plan's business and no damage")
  func values() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL, CHECK (length(title) < 4));
      PRAGMA ignore_check_constraints = ON;
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO book SELECT i, 'long' || i FROM n;
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = 'CREATE TABLE book(id INTEGER PRIMARY KEY, title NOT NULL, CHECK (length(title) < 4))';
      """)
    #expect(try file.value("PRAGMA quick_check") != .text("ok"))
    try file.migrate(to: "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL, CHECK (length(title) < 40))")
    #expect(try file.value("PRAGMA quick_check") == .text("ok"))
    #expect(try file.value("SELECT count(*) FROM book") == .int(200))
  }

  @Test("the check can be cancelled")
  func cancelled() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20000) INSERT INTO book SELECT i, i FROM n;
      """)
    let connection = try SQLiteConnection(path: file.path)
    let plan = try file.plan(to: "CREATE TABLE book(id INTEGER PRIMARY KEY, title BLOB)")
    var asked = 0
    let isCancelled = {
      asked += 1
      return asked > 1
    }
    let error = try #require(throws: ApplyError.self) {
      try connection.withCancellation(check: isCancelled) { try FileCheck(connection: connection).run(before: plan) }
    }
    guard case .cancelled = error.reason else {
      Issue.record("\(error)")
      return
    }
  }

  @Test("it is told before the file is read, and a cancellation then stops everything")
  func progress() throws {
    let file = try TemporaryDatabase("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT); CREATE TABLE other(a);")
    try file.exec("INSERT INTO book VALUES (1, 'one')")
    let before = try file.bytes
    var seen: [ApplyProgress] = []
    let error = try #require(throws: ApplyError.self) {
      try file.migrate(to: Self.rebuilt) {
        $0.observer.onProgress = { seen.append($0) }
        $0.observer.isCancelled = { !seen.isEmpty }
      }
    }
    guard case .cancelled = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(seen.map(\.activity) == [.fileCheck])
    #expect(seen.map(\.step.object.name) == ["book"])
    #expect(ProgressLine(seen[0])?.text() == "checking the file for damage …")
    #expect(try file.bytes == before)
  }

  @Test("a plan that touches no row is not told of a check")
  func noCheck() throws {
    let file = try TemporaryDatabase("CREATE TABLE book(id INTEGER PRIMARY KEY); INSERT INTO book VALUES (1);")
    var seen: [ApplyProgress.Activity] = []
    try file.migrate(to: "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);") {
      $0.observer.onProgress = { seen.append($0.activity) }
    }
    #expect(seen == [.step])
  }

  @Test("an interruption from another thread stops it where SQLite does not ask whether to go on")
  func interrupted() throws {
    let file = try TemporaryDatabase(
      """
      CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT);
      WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO book SELECT i, i FROM n;
      """)
    let connection = try SQLiteConnection(path: file.path)
    let plan = try file.plan(to: "CREATE TABLE book(id INTEGER PRIMARY KEY, title BLOB)")
    let handle = connection.interruptHandle
    let thread = Thread {
      while !Thread.current.isCancelled {
        handle.interrupt()
        Thread.sleep(forTimeInterval: 0.001)
      }
    }
    thread.start()
    defer { thread.cancel() }
    let error = try #require(throws: ApplyError.self) { try FileCheck(connection: connection).run(before: plan) }
    guard case .cancelled = error.reason else {
      Issue.record("\(error)")
      return
    }
  }

  @Test(
    "a borrowed connection is its lender's to check",
    .needsPlainFiles("edits the list of free pages in the bytes of the file"))
  func borrowed() throws {
    let file = try crossed()
    let lender = try file.reopened()
    let connection = try SQLiteConnection(
      borrowing: #require(lender.pointer), sourceID: SQLiteConnection.engineSourceID)
    try FileCheck(connection: connection).run(before: file.plan(to: Self.rebuilt))
  }

  @Test(
    "schemactl says what is damaged, that nothing was changed, and how to go on",
    .needsPlainFiles("edits the list of free pages in the bytes of the file"))
  func command() throws {
    let folder = try CommandFolder()
    try crossed().bytes.write(to: folder.url("books.db"))
    try folder.write(Self.rebuilt, to: "schema.sql")
    let before = try folder.bytes("books.db")
    let run = try folder.run("apply", "books.db", "--to", "schema.sql", "--yes", "--no-backup", "--strategy", "alter")
    #expect(run.status == 1)
    #expect(run.errors.contains("books.db is damaged: quick_check says: "))
    #expect(run.errors.contains("Nothing was changed"))
    #expect(try folder.bytes("books.db") == before)
  }
}

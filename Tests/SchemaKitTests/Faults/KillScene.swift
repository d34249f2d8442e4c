import Foundation

/// A file, the schema it is to get, and what it looks like before and after.
struct KillScene {
  let origin: TemporaryDatabase
  let schemaPath: String
  let old: [String]

  static let before = """
    CREATE TABLE author (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT, country TEXT);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, author INTEGER REFERENCES author ON DELETE CASCADE, title TEXT, price NUMERIC
    );
    CREATE TABLE shelf (room TEXT, place INTEGER, PRIMARY KEY (room, place)) WITHOUT ROWID;
    CREATE TABLE draft (note TEXT);
    CREATE INDEX book_title ON book (title);
    CREATE INDEX book_price ON book (price);
    CREATE VIEW titles AS SELECT title, name FROM book JOIN author ON author.id = book.author;
    CREATE TRIGGER book_added AFTER INSERT ON book BEGIN
      UPDATE author SET country = coalesce(country, '?') WHERE id = new.author;
    END;
    """

  static let after = """
    CREATE TABLE author (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL CHECK (length(name) > 0), country TEXT
    );
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES author ON DELETE CASCADE,
      heading TEXT, -- schemakit: renamed from title
      price NUMERIC CHECK (price >= 0)
    );
    CREATE TABLE rack ( -- schemakit: renamed from shelf
      room TEXT, place INTEGER, label TEXT NOT NULL DEFAULT '', PRIMARY KEY (room, place)
    ) WITHOUT ROWID;
    CREATE TABLE loan (id INTEGER PRIMARY KEY, book INTEGER NOT NULL REFERENCES book, due TEXT);
    CREATE INDEX book_title ON book (heading);
    CREATE INDEX loan_due ON loan (due);
    CREATE VIEW titles AS SELECT heading, name FROM book JOIN author ON author.id = book.author;
    CREATE VIEW late AS SELECT heading FROM loan JOIN book ON book.id = loan.book;
    CREATE TRIGGER book_added AFTER INSERT ON book BEGIN
      UPDATE author SET country = coalesce(country, '?') WHERE id = new.author;
    END;
    """

  static let rows = """
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
    INSERT INTO author SELECT i * 3, 'Author ' || i || printf('%0*d', 150, i), NULL FROM n;
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
    INSERT INTO book SELECT i, (1 + i % 300) * 3, printf('Title %0*d', 100, i), i / 4.0 FROM n;
    INSERT INTO shelf VALUES ('hall', 1), ('hall', 2), ('attic', 1);
    INSERT INTO draft VALUES ('one'), ('two');
    """

  init(journalMode: String) throws {
    origin = try TemporaryDatabase("PRAGMA journal_mode = \(journalMode);\n\(Self.before)\n\(Self.rows)")
    schemaPath = origin.folder.appendingPathComponent("after.sql").path
    try Self.after.write(toFile: schemaPath, atomically: true, encoding: .utf8)
    old = try Self.dump(of: origin.path)
  }

  /// A copy of a database with all that a crash left beside it, in a folder of its own.
  static func copy(of path: String) throws -> TemporaryDatabase {
    let copy = try TemporaryDatabase()
    try FileManager.default.removeItem(atPath: copy.path)
    for suffix in ["", "-journal", "-wal"] where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }

  /// Everything that a database holds, line by line, but for SchemaKit's own tables, of which only the applies count.
  static func dump(of path: String) throws -> [String] {
    let database = try RawSQLite(path)
    defer { database.close() }
    let catalog = try database.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE name NOT LIKE '%schemakit%' ORDER BY type, name")
    var lines = catalog.map { "\($0)" }
    for object in catalog where object[0] == .text("table") {
      guard let name = object[1].string else { continue }
      lines += try database.rows("SELECT * FROM \(name)").map { "\(name): \($0)" }
    }
    let hasHistory = try database.rows("SELECT 1 FROM sqlite_master WHERE name = '_schemakit_history'").isEmpty == false
    lines += hasHistory ? try database.rows("SELECT kind FROM _schemakit_history").map { "history: \($0)" } : []
    return lines
  }

  /// The bytes that a crash left beside a database to be rolled back or forgotten.
  static func leftovers(of path: String) -> Int {
    ["-journal", "-wal"].reduce(0) { sum, suffix in
      let size = (try? FileManager.default.attributesOfItem(atPath: path + suffix))?[.size] as? Int
      return sum + (size ?? 0)
    }
  }
}

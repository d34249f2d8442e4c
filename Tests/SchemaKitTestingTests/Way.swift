import SchemaKit
import SchemaKitTesting
import Testing

/// An old schema with rows, and a new one, whose plan has a certain shape.
struct Way: Sendable, CustomTestStringConvertible {
  var name: String
  var old: String
  var rows: [String]
  var new: String
  var policy = PlanPolicy.lossless
  var pragmas: [String] = []
  var faults: [DiskFault] = [.full, .failing]

  var testDescription: String { name }
}

extension Way {
  static let all = [native, catalog, adopting, update, swap, createAndDrop, rebuild, twoRebuilds, spilling]

  /// Every table that changes is copied.
  static let copying: PlanPolicy = {
    var policy = PlanPolicy.lossless
    policy.strategy = .rebuild
    return policy
  }()

  /// The definitions of two tables are edited under children, triggers and views.
  static let catalog: Way = {
    var way = rebuild
    way.name = "edits of the catalog"
    way.policy = .lossless
    way.new = way.new.replacing("REFERENCES author ON DELETE CASCADE", with: "REFERENCES author")
    return way
  }()

  /// Constraints come and go with their indexes, one becomes an index, and columns are compared and read otherwise, under children,
  /// triggers and views.
  static let adopting: Way = {
    var way = rebuild
    way.name = "indexes that are adopted, released and sorted anew"
    way.policy = .lossless
    way.old =
      way.old.replacing(
        "name TEXT, books INTEGER DEFAULT 0", with: "name TEXT UNIQUE, books INTEGER, UNIQUE (books, id)")
      + "CREATE INDEX author_books ON author (books, name); CREATE UNIQUE INDEX titled ON book (title, author);"
    way.new =
      way.new.replacing("name TEXT NOT NULL CHECK (name <> '')", with: "name TEXT COLLATE NOCASE")
      .replacing("books INTEGER DEFAULT 0", with: "books REAL, UNIQUE (books, name)")
      .replacing("title TEXT)", with: "title TEXT, UNIQUE (title, author))")
      + "CREATE INDEX author_books ON author (books, name); CREATE UNIQUE INDEX author_named_once ON author (name COLLATE BINARY);"
    return way
  }()

  /// A copy takes over the indexes of a table under children, triggers and views; one of them is made anew.
  static let swap: Way = {
    var way = rebuild
    way.name = "a copy that takes over indexes"
    way.policy = .lossless
    way.old =
      way.old.replacing("name TEXT,", with: "name TEXT UNIQUE,") + "CREATE INDEX author_books ON author (books, name);"
    way.new =
      way.new.replacing("name TEXT NOT NULL CHECK (name <> '')", with: "name TEXT UNIQUE")
      .replacing("books INTEGER DEFAULT 0", with: "books TEXT DEFAULT 0")
      + "CREATE INDEX author_books ON author (books, name);"
    return way
  }()

  /// A row is updated where it is, and a trigger suspended for it.
  static let update = Way(
    name: "a row updated in place",
    old: """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, stars INTEGER);
      CREATE INDEX note_stars ON note (stars);
      CREATE TRIGGER note_changed AFTER UPDATE ON note BEGIN DELETE FROM note WHERE id <> new.id; END;
      """,
    rows: ["INSERT INTO note VALUES (1, 'a', 1), (2, 'b', 2), (3, 'c', NULL), (4, 'd', 4), (7, 'e', 5)"],
    new: """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, stars INTEGER NOT NULL DEFAULT 3);
      CREATE INDEX note_stars ON note (stars);
      CREATE TRIGGER note_changed AFTER UPDATE ON note BEGIN DELETE FROM note WHERE id <> new.id; END;
      """)

  /// SQLite's own ALTER TABLE, which writes the catalog alone.
  static let native = Way(
    name: "native",
    old: """
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT, old TEXT);
      CREATE INDEX note_text ON note (text);
      """,
    rows: ["INSERT INTO note VALUES (1, 'a', NULL), (7, NULL, NULL), (9, '', NULL)"],
    new: """
      CREATE TABLE note (
        id INTEGER PRIMARY KEY,
        title TEXT, -- schemakit: renamed from text
        old TEXT,
        stars INTEGER NOT NULL DEFAULT 3
      );
      CREATE INDEX note_text ON note (title);
      """)

  static let createAndDrop = Way(
    name: "create and drop",
    old: """
      CREATE TABLE keep (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TABLE draft (note TEXT UNIQUE);
      CREATE VIEW drafts AS SELECT note FROM draft;
      """,
    rows: ["INSERT INTO keep VALUES (1, 'x')", "INSERT INTO draft VALUES ('one'), ('two')"],
    new: """
      CREATE TABLE keep (id INTEGER PRIMARY KEY, a TEXT);
      CREATE TABLE tag (name TEXT PRIMARY KEY, keep INTEGER REFERENCES keep) WITHOUT ROWID;
      CREATE INDEX tag_keep ON tag (keep);
      CREATE VIEW tagged AS SELECT a, name FROM keep JOIN tag ON tag.keep = keep.id;
      """, policy: .everything)

  /// A parent gets a new version under its children, its triggers and its views.
  static let rebuild = Way(
    name: "rebuild under children, triggers and views",
    old: """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT, books INTEGER DEFAULT 0);
      CREATE TABLE book (id INTEGER PRIMARY KEY, author INTEGER REFERENCES author ON DELETE CASCADE, title TEXT);
      CREATE INDEX author_name ON author (name);
      CREATE VIEW titles AS SELECT title, name FROM book JOIN author ON author.id = book.author;
      CREATE TRIGGER book_added AFTER INSERT ON book BEGIN
        UPDATE author SET books = books + 1 WHERE id = new.author;
      END;
      CREATE TRIGGER author_named AFTER UPDATE OF name ON author BEGIN
        UPDATE book SET title = title || '' WHERE author = new.id;
      END;
      """,
    rows: [
      "INSERT INTO author (id, name) VALUES (1, 'Ada'), (5, 'Bo'), (9, 'Cy')",
      "INSERT INTO book VALUES (1, 1, 'A'), (2, 1, 'B'), (3, 9, NULL)",
    ],
    new: """
      CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL CHECK (name <> ''), books INTEGER DEFAULT 0);
      CREATE TABLE book (id INTEGER PRIMARY KEY, author INTEGER REFERENCES author ON DELETE CASCADE, title TEXT);
      CREATE INDEX author_name ON author (name);
      CREATE VIEW titles AS SELECT title, name FROM book JOIN author ON author.id = book.author;
      CREATE TRIGGER book_added AFTER INSERT ON book BEGIN
        UPDATE author SET books = books + 1 WHERE id = new.author;
      END;
      CREATE TRIGGER author_named AFTER UPDATE OF name ON author BEGIN
        UPDATE book SET title = title || '' WHERE author = new.id;
      END;
      """, policy: copying)

  /// Two tables are copied, one with AUTOINCREMENT, whose mark is ahead of its rows.
  static let twoRebuilds = Way(
    name: "two rebuilds, AUTOINCREMENT",
    old: """
      CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT);
      CREATE TABLE b (x TEXT, y INTEGER, a INTEGER REFERENCES a);
      """,
    rows: [
      "INSERT INTO a (v) VALUES ('1'), ('2'), ('3')", "DELETE FROM a WHERE id = 3",
      "INSERT INTO b (rowid, x, y, a) VALUES (4, 'p', 1, 1), (8, 'q', 2, 2)",
    ],
    new: """
      CREATE TABLE a (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT NOT NULL);
      CREATE TABLE b (x TEXT UNIQUE, y INTEGER CHECK (y > 0), a INTEGER NOT NULL REFERENCES a);
      """, policy: copying)

  /// More than the cache holds, so that the file is written long before the commit.
  static let spilling = Way(
    name: "larger than the cache",
    old: "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT)",
    rows: [
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20)
      INSERT INTO t SELECT i, printf('%0*d', 900, i) FROM n
      """
    ],
    new: "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT NOT NULL); CREATE INDEX t_body ON t (substr(body, 800))",
    policy: copying, pragmas: ["PRAGMA cache_size = 4"], faults: [.failing])

  func matrix(_ journal: CrashMatrix.Journal, faults: [DiskFault]? = nil) -> CrashMatrix {
    CrashMatrix(
      schema: .sql(old), rows: rows, to: .sql(new), journal: journal, allowing: policy, pragmas: pragmas,
      faults: faults ?? self.faults)
  }
}

extension CustomStringConvertible {
  /// For the output of the tests, which run side by side.
  var oneLine: String { description.split(separator: "\n").joined(separator: "; ") }
}

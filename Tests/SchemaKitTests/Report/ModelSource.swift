import Testing

/// The schemas that models are written from.
enum ModelSource: String, CaseIterable, CustomTestStringConvertible {
  case everything, strict, search, names, literals, asSQL, narrow, wide, empty, proj
  case sketch1, sketch2, sketch3, sketch4, sketch5

  var testDescription: String { rawValue }

  /// Whether the running SQLite knows what the schema uses.
  var isExpected: Bool {
    switch self {
    case .strict: Engine.has(.strict)
    case .search: Engine.has(.fts5)
    case .proj: ProjDatabase.isExpected
    default: true
    }
  }

  /// The seed of a random schema.
  var seed: Int? { rawValue.hasPrefix("sketch") ? rawValue.last?.wholeNumberValue.map { 20_261_121 + $0 } : nil }

  func sql() throws -> String {
    switch self {
    case .everything: Self.everythingText
    case .strict: Self.strictText
    case .search: Self.searchText
    case .names: Self.namesText
    case .literals: Self.literalsText
    case .asSQL: Self.asSQLText
    case .narrow: "CREATE TABLE notes (text TEXT); CREATE TABLE keys (id INTEGER PRIMARY KEY); CREATE TABLE any (thing)"
    case .wide: Self.wideText
    case .empty: ""
    case .proj: try ProjDatabase().sql
    case .sketch1, .sketch2, .sketch3, .sketch4, .sketch5: try SchemaPair.make(seed: seed ?? 0).oldScript
    }
  }

  private static let everythingText = #"""
    CREATE TABLE authors (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL ON CONFLICT IGNORE COLLATE NOCASE CONSTRAINT has_name CHECK (length(name) > 0 AND name <> '"'),
      email VARCHAR(40) CONSTRAINT one_email UNIQUE ON CONFLICT REPLACE,
      mentor INT REFERENCES authors ON DELETE SET NULL ON UPDATE SET DEFAULT DEFERRABLE INITIALLY DEFERRED,
      best INTEGER REFERENCES books (id) DEFERRABLE,
      born DATE, seen DATETIME, active BOOLEAN NOT NULL DEFAULT 1, rate DECIMAL(10, 2), size FLOATING POINT,
      place POINT, big UNSIGNED BIG INT, photo BLOB, data JSONB, anything,
      folded TEXT GENERATED ALWAYS AS (lower(name)) STORED NOT NULL,
      half REAL AS (id / 2.0)
    );
    CREATE TABLE books (
      id INTEGER, author INTEGER NOT NULL DEFAULT 1, title TEXT, part INT,
      price REAL CHECK (price >= 0) CHECK (price < 1000), other INTEGER UNIQUE UNIQUE ON CONFLICT FAIL
        REFERENCES books (id) REFERENCES missing (nobody),
      CONSTRAINT book_key PRIMARY KEY (id) ON CONFLICT ROLLBACK,
      CONSTRAINT once UNIQUE (title, part) ON CONFLICT IGNORE, UNIQUE (author, title),
      CHECK (part > 0 OR title IS NULL), CONSTRAINT written
        FOREIGN KEY (author) REFERENCES authors (id) ON UPDATE CASCADE ON DELETE RESTRICT,
      FOREIGN KEY (title, part) REFERENCES books (title, part) DEFERRABLE INITIALLY IMMEDIATE,
      FOREIGN KEY (title, part) REFERENCES missing
    );
    CREATE TABLE Book_Tags (
      book INTEGER, tag TEXT COLLATE RTRIM, PRIMARY KEY (book, tag)
    ) WITHOUT ROWID;
    CREATE TABLE downwards (id INTEGER PRIMARY KEY DESC ON CONFLICT REPLACE);
    CREATE TABLE texts (code TEXT CONSTRAINT code_key PRIMARY KEY, "value" INTEGER CONSTRAINT is_there NOT NULL);
    CREATE INDEX books_by_title ON books (title);
    CREATE INDEX books_by_part ON books (part DESC);
    CREATE UNIQUE INDEX "books by
    more" ON books (lower(title) COLLATE NOCASE DESC, author COLLATE NOCASE, part DESC) WHERE part > 1 AND title <> 'a\';
    CREATE INDEX authors_by_name ON authors (name COLLATE BINARY, email);
    CREATE VIEW cheap (name, cost) AS SELECT title, price FROM books WHERE price < 5; -- end
    CREATE VIEW long AS
      SELECT a.name, '\(x)' AS "quoted ""name""", '
      two lines'
      FROM authors AS a;
    CREATE TRIGGER touch AFTER UPDATE OF title, part ON books WHEN new.price > 1 BEGIN
      UPDATE books SET price = 0 WHERE id = new.id;
      DELETE FROM Book_Tags WHERE book = old.id;
    END;
    CREATE TRIGGER early BEFORE DELETE ON authors BEGIN SELECT raise(ABORT, 'no') -- why not
    ; END;
    CREATE TRIGGER plain INSERT ON texts BEGIN SELECT 1; END;
    CREATE TRIGGER instead INSTEAD OF INSERT ON cheap BEGIN INSERT INTO books (title) VALUES (new.name); END;
    """#

  private static let strictText = """
    CREATE TABLE readings (
      sensor TEXT NOT NULL, taken INTEGER, value ANY, number INT DEFAULT 1, PRIMARY KEY (sensor, taken)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE exact (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL, ratio REAL DEFAULT 0.5) STRICT;
    """

  private static let searchText = """
    CREATE TABLE pages (id INTEGER PRIMARY KEY, title TEXT, body TEXT);
    CREATE VIRTUAL TABLE search USING fts5(title, body, content='pages', tokenize = "unicode61 tokenchars '-'");
    CREATE TRIGGER fill AFTER INSERT ON pages BEGIN
      INSERT INTO search (rowid, title, body) VALUES (new.id, new.title, new.body);
    END;
    """

  /// Names that are words of Swift, types of others, the same when mended, or nothing when mended.
  private static let namesText: String = {
    let words = [
      "class", "self", "init", "Type", "protocol", "table", "encode", "decode", "some name", "some_name", "someName2",
      "in", "1st", "2", "%", "&", "naïve", "日本", "a\"b\\(c)", "$0", "_", "__x__", "`", "any", "await", "operator",
      "get",
      "set", "x_id", "XId", "URL", "hTTPServer", "é", "e\u{301}", "🙂", "where", "nil", "true", "false", "_ ", "super",
      "func", "repeat", "is", "as", "description", "hashValue", "default", "c\nd", "ID_", "Straße", "columns", "try",
      "inout", "static", "throws", "unowned", "weak", "lazy", "var", "let", "return", "case", "Int64", "extension",
    ]
    let columns = words.map { "\"\($0.replacing("\"", with: "\"\""))\" TEXT" }.joined(separator: ", ")
    let tables = [
      "tables", "data", "models", "Order Items", "order_item", "OrderItems2", "🙂", "%%", "2024", "self", "types", "any",
      "columns", "int64s", "strings", "a\nb", "categories", "status", "ADDRESSES", "SQLValue", "protocol", "schemas",
      "sessions", "errors", "übungen", "_", "init", "optional", "self_", "Index", "urls", "a\"b", "schema_kit",
    ]
    return "CREATE TABLE \"class\" (\(columns));\n"
      + tables.map { "CREATE TABLE \"\($0.replacing("\"", with: "\"\""))\" (id INTEGER PRIMARY KEY, x NUMERIC);\n" }
      .joined() + "CREATE INDEX \"an \"\"odd\"\" one\" ON \"class\" (\"self\", \"in\", \"%\" DESC);\n"
  }()

  private static let literalsText = """
    CREATE TABLE literals (
      a TEXT DEFAULT 'x
    y', b TEXT DEFAULT 'it''s "quoted" \\u{41} #"#', c TEXT DEFAULT bare, d INT DEFAULT +5, e INT DEFAULT 0x10,
      f TEXT DEFAULT CURRENT_TIMESTAMP, g INT DEFAULT TRUE, h BLOB DEFAULT x'00', i TEXT DEFAULT NULL,
      j TEXT DEFAULT ('a' || 'b'), k INT DEFAULT -9223372036854775808, l REAL DEFAULT 1e300, m REAL DEFAULT .5,
      n TEXT DEFAULT 1, o INT DEFAULT '1', p REAL DEFAULT 2, q BOOLEAN DEFAULT 2, r BOOLEAN DEFAULT FALSE,
      s INT DEFAULT 9223372036854775808, t REAL DEFAULT -0.0, u TEXT DEFAULT '', v DATE DEFAULT '2025-11-01',
      w INT DEFAULT (1 + 1), x REAL DEFAULT 9e999, y TEXT DEFAULT '\u{9}\u{202E}\u{FEFF}', z INT DEFAULT 1.5
    );
    """

  /// What no model can say.
  private static let asSQLText = """
    CREATE TABLE visits (page TEXT, day TEXT, PRIMARY KEY (page, day DESC)) WITHOUT ROWID;
    CREATE INDEX visits_by_day ON visits (day);
    CREATE TRIGGER visited AFTER INSERT ON visits BEGIN SELECT 1; END;
    CREATE TABLE folded (name TEXT, UNIQUE (name COLLATE NOCASE));
    CREATE TABLE upside_down (id INTEGER, PRIMARY KEY (id DESC));
    CREATE TABLE matched (id INTEGER PRIMARY KEY, folded TEXT REFERENCES folded (name) MATCH FULL);
    CREATE TABLE broken (id INTEGER PRIMARY KEY, folded TEXT REFERENCES folded (no_such_column));
    CREATE TABLE nameless ("" TEXT);
    CREATE TABLE ordinary (id INTEGER PRIMARY KEY, page TEXT REFERENCES visits, folded TEXT REFERENCES folded (name));
    CREATE VIEW both AS SELECT * FROM visits, ordinary;
    """

  private static let wideText: String = {
    let types = [
      "TEXT NOT NULL DEFAULT 'x'", "VARCHAR(40)", "REAL NOT NULL", "DATE", "BLOB", "BOOLEAN DEFAULT 1", "INT",
    ]
    let mixed = (1..<100).map { "c\($0) \(types[$0 % types.count])" }.joined(separator: ", ")
    let optional = (1...100).map { "c\($0) TEXT" }.joined(separator: ", ")
    return "CREATE TABLE mixed (id INTEGER PRIMARY KEY, \(mixed)); CREATE TABLE optionals (\(optional));"
  }()
}

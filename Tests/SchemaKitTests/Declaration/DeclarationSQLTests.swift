import Foundation
import NotesSample
import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("the SQL of a declaration")
struct DeclarationSQLTests {
  let schema = ModelSchema(removing: ["drafts"]) {
    Article.self
    Author.self
    Link.self
    Badge.self
    SQLView("recent", columns: ["title"], sql: "SELECT title FROM articles;")
    Trigger("recent_insert", .insteadOf, .insert, on: "recent", body: "SELECT 1")
    Trigger(sql: "CREATE TRIGGER raw AFTER DELETE ON authors BEGIN SELECT 1; END;")
    VirtualTable("search", using: "fts5", "title", "tokenize = 'porter ascii'")
  }

  @Test("a rich model becomes exactly this SQL")
  func richModel() throws {
    let statements = try schema.declaration().statements
    #expect(
      statements.map(\.sql) == [
        """
        CREATE TABLE "authors" (
          "id" INTEGER PRIMARY KEY,
          "name" TEXT NOT NULL COLLATE NOCASE CONSTRAINT "authors_name_key" UNIQUE ON CONFLICT IGNORE,
          "country" TEXT COLLATE "german",
          "favourite" INTEGER CONSTRAINT "authors_favourite_fkey" REFERENCES "articles" ON DELETE SET NULL
        )
        """,
        """
        CREATE TABLE "articles" (
          "id" INTEGER PRIMARY KEY AUTOINCREMENT,
          "title" TEXT NOT NULL CONSTRAINT "articles_title_check" CHECK (length(title) > 0) \
        CONSTRAINT "no_x" CHECK (title <> 'x'),
          "body" TEXT NOT NULL DEFAULT 'it''s "empty"',
          "author_id" INTEGER NOT NULL CONSTRAINT "articles_author_id_fkey" REFERENCES "authors" ("id") \
        ON DELETE CASCADE ON UPDATE NO ACTION DEFERRABLE INITIALLY DEFERRED,
          "modified" REAL NOT NULL DEFAULT (unixepoch()),
          "tags" TEXT NOT NULL DEFAULT '[]',
          "mood" VARCHAR(10) NOT NULL DEFAULT 'calm',
          "style" TEXT,
          "price" REAL NOT NULL ON CONFLICT REPLACE DEFAULT -1.5,
          "size" INTEGER NOT NULL GENERATED ALWAYS AS (length(body)) STORED,
          "digest" BLOB NOT NULL DEFAULT X'00FF',
          "audit_created" REAL NOT NULL,
          "audit_by" TEXT NOT NULL,
          CONSTRAINT "articles_title_modified_key" UNIQUE ("title", "modified"),
          CONSTRAINT "one_title_each" UNIQUE ("title", "audit_by") ON CONFLICT ROLLBACK,
          CONSTRAINT "articles_check" CHECK (price < 1000),
          CONSTRAINT "articles_check2" CHECK (price <> 7)
        )
        """,
        """
        CREATE TABLE "links" (
          "article" INTEGER NOT NULL,
          "target" TEXT NOT NULL,
          "kind" TEXT NOT NULL,
          CONSTRAINT "links_pkey" PRIMARY KEY ("article", "target") ON CONFLICT REPLACE,
          CONSTRAINT "links_article_fkey" FOREIGN KEY ("article") REFERENCES "articles" ("id") ON DELETE RESTRICT,
          CONSTRAINT "known_kind" FOREIGN KEY ("kind", "target") REFERENCES "kinds" ("kind", "target")
        ) STRICT, WITHOUT ROWID
        """,
        """
        CREATE TABLE "badges" (
          "code" TEXT NOT NULL PRIMARY KEY DESC,
          "label" TEXT
        )
        """,
        #"CREATE INDEX "articles_by_modified" ON "articles" ("modified" DESC)"#,
        #"CREATE UNIQUE INDEX "articles_by_title" ON "articles" "#
          + #"(lower(title), "audit_created" COLLATE BINARY DESC) WHERE price IS NOT NULL"#,
        #"CREATE INDEX "articles_by_author" ON "articles" ("author_id", "modified")"#,
        #"CREATE VIRTUAL TABLE "search" USING "fts5"(title, tokenize = 'porter ascii')"#,
        "CREATE VIEW \"recent\" (\"title\") AS\nSELECT title FROM articles",
        """
        CREATE TRIGGER "articles_touch"
        AFTER UPDATE OF "title" ON "articles"
        WHEN old.title <> new.title
        BEGIN
          SELECT 1;
        END
        """,
        "CREATE TRIGGER \"recent_insert\"\nINSTEAD OF INSERT ON \"recent\"\nBEGIN\n  SELECT 1;\nEND",
        "CREATE TRIGGER raw AFTER DELETE ON authors BEGIN SELECT 1; END",
      ])
    #expect(statements[4].table == "articles")
  }

  @Test("SQLite takes the SQL and reads it as it was meant", .needs(.strict))
  func oracle() throws {
    let database = try OracleDatabase()
    let hasFTS5 = try !database.run("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'").isEmpty
    for statement in try schema.declaration().statements where hasFTS5 || !statement.sql.contains("VIRTUAL TABLE") {
      try database.run(statement.sql)
    }
    #expect(
      try database.run("SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo('articles')")
        == [
          "id|INTEGER|0|NULL|1|0", "title|TEXT|1|NULL|0|0", "body|TEXT|1|'it''s \"empty\"'|0|0",
          "author_id|INTEGER|1|NULL|0|0", "modified|REAL|1|unixepoch()|0|0", "tags|TEXT|1|'[]'|0|0",
          "mood|VARCHAR(10)|1|'calm'|0|0", "style|TEXT|0|NULL|0|0", "price|REAL|1|-1.5|0|0", "size|INTEGER|1|NULL|0|3",
          "digest|BLOB|1|X'00FF'|0|0", "audit_created|REAL|1|NULL|0|0", "audit_by|TEXT|1|NULL|0|0",
        ])
    #expect(try database.run("SELECT wr, strict FROM pragma_table_list('links')") == ["1|1"])
    #expect(
      try database.run("SELECT name, pk FROM pragma_table_xinfo('links')") == ["article|1", "target|2", "kind|0"])
    #expect(
      try database.run(
        "SELECT \"table\", \"from\", \"to\", on_update, on_delete FROM pragma_foreign_key_list('articles')")
        == ["authors|author_id|id|NO ACTION|CASCADE"])
    #expect(
      try database.run(
        "SELECT name, \"unique\", partial FROM pragma_index_list('articles') WHERE origin = 'c' ORDER BY 1")
        == ["articles_by_author|0|0", "articles_by_modified|0|0", "articles_by_title|1|1"])
    try database.run("INSERT INTO authors(name) VALUES ('A')")
    try database.run(
      "INSERT INTO articles(title, body, author_id, price, audit_created, audit_by) "
        + "VALUES ('t', 'four', 1, NULL, 0, 'me')"
    )
    #expect(try database.run("SELECT id, tags, price, size, hex(digest) FROM articles") == ["1|[]|-1.5|4|00FF"])
  }

  @Test("every kind of default comes back from SQLite as the value it was")
  func defaults() throws {
    struct Defaults: Model {
      let least: Int64, huge: Double, tiny: Double, infinite: Double, text: String, flag: Bool, none: Int?, date: Date
      static let table = ModelTable("d", as: Self.init) {
        Column("least", \.least).default(.min)
        Column("huge", \.huge).default(1e300)
        Column("tiny", \.tiny).default(-Double.leastNonzeroMagnitude)
        Column("infinite", \.infinite).default(-.infinity)
        Column("text", \.text).default("a'b\n\u{1F600}")
        Column("flag", \.flag).default(true)
        Column("none", \.none).default(nil)
        Column("date", \.date).default(Date(timeIntervalSince1970: 5))
      }
    }
    let database = try OracleDatabase()
    for statement in try ModelSchema(elements: { Defaults.self }).declaration().statements {
      try database.run(statement.sql)
    }
    try database.run("INSERT INTO d DEFAULT VALUES")
    #expect(
      try database.run(
        "SELECT least = -9223372036854775807 - 1, typeof(least), huge = 1e300, tiny = -5.0e-324, infinite < -1e308, "
          + "text = 'a''b' || char(10) || char(128512), flag, none IS NULL, date, typeof(date) FROM d")
        == ["1|integer|1|1|1|1|1|1|5.0|real"])
  }

  @Test("hints arrive under the declared names")
  func hints() throws {
    let declaration = try schema.declaration()
    #expect(declaration.name == "main")
    #expect(!declaration.ownsWholeFile)
    #expect(declaration.hints.removedTables == ["drafts"])
    let articles = try #require(declaration.hints.tables["articles"])
    #expect(articles.renamedFrom == ["posts", "entries"])
    #expect(articles.removedColumns == ["legacy"])
    #expect(
      articles.columns == [
        "body": ColumnHints(renamedFrom: ["text", "content"]), "modified": ColumnHints(backfill: "0"),
        "mood": ColumnHints(conversion: "lower(mood)"), "audit_created": ColumnHints(renamedFrom: ["audit_made"]),
      ])
    #expect(articles.looseTypes.contains("title"))
    #expect(!articles.looseTypes.contains("mood"))
    #expect(declaration.hints.tables["links"]?.removedColumns == ["weight"])
  }

  @Test("a declaration says the same every time")
  func deterministic() throws {
    #expect(try schema.declaration() == schema.declaration())
  }

  @Test("the notes sample is the table of the notes app")
  func notesSample() throws {
    let statements = try NotesModels.schema.declaration().statements
    #expect(
      statements.map(\.sql) == [
        """
        CREATE TABLE "Note" (
          "noteID" INTEGER PRIMARY KEY,
          "title" TEXT NOT NULL CONSTRAINT "Note_title_check" CHECK (length(title) > 0),
          "text" TEXT NOT NULL CONSTRAINT "Note_text_check" CHECK (length(text) > 0),
          "textColor" BLOB NOT NULL,
          "fontName" TEXT NOT NULL DEFAULT 'Helvetica Neue',
          "fontSize" REAL NOT NULL DEFAULT 15.0,
          "creationDate" REAL NOT NULL,
          "modificationDate" REAL NOT NULL,
          "imagesData" BLOB
        )
        """,
        #"CREATE INDEX "Note_by_modificationDate" ON "Note" ("modificationDate")"#,
      ])
    let database = try OracleDatabase()
    for statement in statements { try database.run(statement.sql) }
    #expect(
      try database.run("SELECT type FROM pragma_table_xinfo('Note')")
        == ["INTEGER", "TEXT", "TEXT", "BLOB", "TEXT", "REAL", "REAL", "REAL", "BLOB"])
  }
}

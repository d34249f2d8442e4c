import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations
@testable import SchemaKitReports

@Suite("Full-text indexes over other tables")
struct FullTextIndexTests {
  private static let books = """
    CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, year TEXT);
    """
  private static let rows = "INSERT INTO books VALUES (3, 'Running far', '1999'), (7, 'Walking', '2001');"

  private static func index(_ arguments: String = "title, content='books', content_rowid='id'") -> String {
    "CREATE VIRTUAL TABLE search USING fts5(\(arguments));"
  }

  private func found(_ word: String, in file: TemporaryDatabase) throws -> [Int64] {
    try file.query("SELECT rowid FROM search WHERE search MATCH '\(word)' ORDER BY 1").compactMap { $0[0].integer }
  }

  /// SQLite's own check, which compares the index with its content.
  private func check(_ file: TemporaryDatabase) throws {
    try file.exec("INSERT INTO search(search, rank) VALUES('integrity-check', 1)")
  }

  @Test("a new index finds the rows that were there before it")
  func new() throws {
    let file = try TemporaryDatabase(Self.books + Self.rows)
    let plan = try file.plan(to: Self.books + Self.index())
    #expect(plan.steps.map { "\($0.strategy) \($0.object)" } == ["create search", "create search"])
    #expect(plan.steps.last?.changes == ["fill it from books"])
    try file.migrate(to: Self.books + Self.index())
    #expect(try found("running", in: file) == [3])
    try check(file)
    try file.expectSettled(at: Self.books + Self.index())
  }

  @Test("an index that is declared anew is filled, and losing nothing takes no consent", arguments: [0, 2])
  func changed(rows: Int) throws {
    let file = try TemporaryDatabase(Self.books + Self.index() + (rows > 0 ? Self.rows : ""))
    if rows > 0 { try file.exec("INSERT INTO search(search) VALUES('rebuild')") }
    let target = Self.books + Self.index("title, content='books', content_rowid='id', tokenize='porter'")
    #expect(try file.plan(to: target).hazards.allSatisfy(\.isNote))
    try file.migrate(to: target)
    #expect(try found("run", in: file) == (rows > 0 ? [3] : []))
    try check(file)
    try file.expectSettled(at: target)
  }

  @Test("dropping an index loses nothing; dropping its content does")
  func dropped() throws {
    let file = try TemporaryDatabase(Self.books + Self.index() + Self.rows)
    try file.exec("INSERT INTO search(search) VALUES('rebuild')")
    #expect(try file.plan(to: Self.books).hazards.isEmpty)
    #expect(try file.plan(to: "").hazards.map { "\($0.code) \($0.table)" } == ["SK101 books"])
    try file.migrate(to: Self.books)
    #expect(try file.value("SELECT count(*) FROM books") == .int(2))
  }

  @Test("an index that holds its texts itself, or none that could be had again, requires consent")
  func ownContent() throws {
    for arguments in ["title", "title, content=''"] {
      let file = try TemporaryDatabase(
        Self.books + Self.index(arguments) + "INSERT INTO search (rowid, title) VALUES (1, 'x');")
      let plan = try file.plan(to: Self.books + Self.index(arguments + ", tokenize='porter'"))
      #expect(plan.refusals(under: .lossless).map(\.code) == [.droppedTable])
      #expect(plan.steps.count == 2)
    }
  }

  @Test("an index follows its content to another name")
  func renamedContent() throws {
    let file = try TemporaryDatabase(Self.books + Self.index() + Self.rows)
    try file.exec("INSERT INTO search(search) VALUES('rebuild')")
    let target = """
      CREATE TABLE volumes (id INTEGER PRIMARY KEY, title TEXT, year TEXT); -- schemakit: renamed from books
      \(Self.index("title, content='volumes', content_rowid='id'"))
      """
    try file.migrate(to: target)
    #expect(try found("walking", in: file) == [7])
    try check(file)
  }

  @Test("an index over values that a conversion changes is filled anew", arguments: [StrategyChoice.auto, .rebuild])
  func convertedContent(strategy: StrategyChoice) throws {
    let arguments = "title, year, content='books', content_rowid='id'"
    let file = try TemporaryDatabase(Self.books + Self.index(arguments) + Self.rows)
    try file.exec("INSERT INTO search(search) VALUES('rebuild')")
    let target = """
      CREATE TABLE books (
        id INTEGER PRIMARY KEY,
        title TEXT,
        year INTEGER -- schemakit: convert year + 1000
      );
      \(Self.index(arguments))
      """
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    let report = try file.migrate(to: target, allowing: policy)
    #expect(report.plan.steps.last?.changes == ["fill it anew from books"])
    #expect(try found("2999", in: file) == [3])
    #expect(try found("1999", in: file) == [])
    try check(file)
  }

  @Test("an index over a view is filled when a table of the view changes its values")
  func viewContent() throws {
    let view = "CREATE VIEW titles AS SELECT id AS rowid, title || year AS title FROM books;"
    let arguments = "title, content='titles', content_rowid='rowid'"
    let file = try TemporaryDatabase(Self.books + Self.rows)
    try file.migrate(to: Self.books + view + Self.index(arguments))
    #expect(try found("walking2001", in: file) == [7])
    let target = """
      CREATE TABLE books (
        id INTEGER PRIMARY KEY,
        title TEXT,
        year INTEGER -- schemakit: convert year + 1000
      );
      \(view)\(Self.index(arguments))
      """
    try file.migrate(to: target)
    #expect(try found("walking3001", in: file) == [7])
    try check(file)
  }

  @Test("an index is left alone where its content keeps its values", arguments: [StrategyChoice.auto, .rebuild])
  func keptContent(strategy: StrategyChoice) throws {
    let file = try TemporaryDatabase(Self.books + Self.index() + Self.rows)
    try file.exec("INSERT INTO search(search) VALUES('rebuild')")
    let target = Self.books.replacing("year TEXT", with: "year TEXT, note TEXT") + Self.index()
    var policy = PlanPolicy.lossless
    policy.strategy = strategy
    let report = try file.migrate(to: target, allowing: policy)
    #expect(report.plan.steps.filter { $0.object.name == "search" }.isEmpty)
    #expect(try found("running", in: file) == [3])
    try check(file)
  }

  @Test("FTS4 with content is filled as well")
  func older() throws {
    let file = try TemporaryDatabase(Self.books + Self.rows)
    try file.migrate(to: Self.books + "CREATE VIRTUAL TABLE search USING fts4(content=\"books\", title);")
    #expect(try found("running", in: file) == [3])
    try file.exec("INSERT INTO search(search) VALUES('integrity-check')")
  }

  @Test("a recorded step fills the index too, here and in the sqlite3 shell")
  func recorded() throws {
    var fixture = try MigrationFixture([("0001-init", Self.books)])
    let file = try TemporaryDatabase()
    try fixture.apply(to: file)
    try file.exec(Self.rows)
    try fixture.record("0002-search", to: Self.books + Self.index())
    try fixture.apply(to: file)
    #expect(try found("running", in: file) == [3])
    let shell = try TemporaryDatabase(Self.books + Self.rows, name: "shell.db")
    try shell.exec(fixture.folder.steps[1].sql)
    #expect(try found("running", in: shell) == [3])
  }

  @Test("undo makes the index before it anew, with what it found")
  func undone() throws {
    let file = try TemporaryDatabase()
    try file.migrate(to: Self.books + Self.index())
    try file.exec(Self.rows + "INSERT INTO search(search) VALUES('rebuild')")
    try file.migrate(to: Self.books + Self.index("title, content='books', content_rowid='id', tokenize='porter'"))
    #expect(try found("run", in: file) == [3])
    try MigrationUndo(at: file.path).apply()
    #expect(try found("run", in: file) == [])
    #expect(try found("running", in: file) == [3])
    try check(file)
  }

  @Test("an index that SQLite cannot fill stops nothing, and is named")
  func unfillable() throws {
    let index = Self.index("heading, content='books', content_rowid='id'")
    let file = try TemporaryDatabase(Self.books + Self.rows)
    let plan = try file.plan(to: Self.books + index)
    let note = try #require(plan.hazards.first)
    #expect(note.isNote && note.code == .brokenObject && note.table == "search")
    #expect(note.message.contains("cannot be filled from its content: "))
    try file.migrate(to: Self.books + index)
    try file.expectSettled(at: Self.books + index)
    let target = Self.books.replacing("year TEXT", with: "year INTEGER") + index
    try file.migrate(to: target)
    #expect(try file.value("SELECT year FROM books WHERE id = 7") == .int(2001))
  }

  /// Migrates from one text to another, and returns the file with the index filled before.
  private func migrate(_ old: String, to new: String) throws -> TemporaryDatabase {
    let file = try TemporaryDatabase(old)
    try file.exec("INSERT INTO search(search) VALUES('rebuild')")
    try file.migrate(to: new, allowing: .everything)
    return file
  }

  @Test("an index over a view is filled anew when the view, or one that it reads, is another query")
  func changedViews() throws {
    let table = "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT);"
    let index = "CREATE VIRTUAL TABLE search USING fts5(t, content='top', content_rowid='id');"
    func views(_ query: String) -> String {
      "CREATE VIEW low AS SELECT id, \(query) AS t FROM notes; CREATE VIEW top AS SELECT id, t FROM low;"
    }
    let rows = "INSERT INTO notes VALUES (1, 'one', 'two');"
    let file = try migrate(table + views("title") + index + rows, to: table + views("title || ' ' || body") + index)
    #expect(try found("two", in: file) == [1])
    try check(file)
  }

  @Test("an index is filled anew when its columns have changed their names with others")
  func exchangedNames() throws {
    let index = "CREATE VIRTUAL TABLE search USING fts5(title, content='notes', content_rowid='id');"
    let file = try migrate(
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, headline TEXT);" + index
        + "INSERT INTO notes VALUES (1, 'one', 'two');",
      to: """
        CREATE TABLE notes (
          id INTEGER PRIMARY KEY,
          old_title TEXT, -- schemakit: renamed from title
          title TEXT -- schemakit: renamed from headline
        );
        \(index)
        """)
    #expect(try found("two", in: file) == [1])
    try check(file)
  }

  @Test("an index is filled anew when a column that it finds is computed otherwise, or comes")
  func computedColumn() throws {
    func notes(_ columns: String) -> String {
      "CREATE TABLE notes (id INTEGER PRIMARY KEY, a TEXT, b TEXT\(columns));"
        + "CREATE VIRTUAL TABLE search USING fts5(t, content='notes', content_rowid='id');"
    }
    let rows = "INSERT INTO notes (id, a, b) VALUES (1, 'one', 'two');"
    let file = try migrate(notes(", t TEXT AS (a)") + rows, to: notes(", t TEXT AS (b)"))
    #expect(try found("two", in: file) == [1])
    try check(file)
    let late = try TemporaryDatabase(notes("") + rows)
    // The index could know none of the rows.
    try late.migrate(to: notes(", t TEXT DEFAULT 'three'"), allowing: .everything)
    #expect(try found("three", in: late) == [1])
    try check(late)
  }

  private struct Book: Model {
    let id: Int64?
    var title: String?
    var year: Int?
    static let table = ModelTable("books", as: Self.init) {
      Column("id", \.id).primaryKey()
      Column("title", \.title)
      Column("year", \.year).converting(sql: "year + 1000")
    }
  }

  @Test("an index that this program cannot use stops no change of its content, and is named")
  func unusable() throws {
    let file = try TemporaryDatabase(
      Self.books + Self.index("title, year, content='books', content_rowid='id'") + Self.rows)
    try file.exec(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_master SET sql = replace(sql, '=''id''', '=''id'', tokenize=''mine''') WHERE name = 'search';
      """)
    let report = try Session(at: file.path, schema: ModelSchema { Book.self }).openReport
    guard case .compared(let applied) = report else { throw CancellationError() }
    #expect(try file.value("SELECT year FROM books WHERE id = 7") == .int(3001))
    let note = try #require(applied.plan.hazards.first { $0.table == "search" })
    #expect(note.isNote && note.message.contains("tokenizer") && note.remedy?.contains("VALUES ('rebuild')") == true)
  }

  @Test("the plan shows a person that the index is filled, and why")
  func shown() throws {
    func text(_ before: String, _ after: String) throws -> String {
      PlanReport(try TemporaryDatabase(before).plan(to: after), database: "a.db", policy: .lossless).text()
    }
    #expect(try text(Self.books + Self.rows, Self.books + Self.index()).contains("fill it from books"))
    let converted = Self.books.replacing("year TEXT", with: "year INTEGER /* schemakit: convert year + 1 */")
    let index = Self.index("title, year, content='books', content_rowid='id'")
    let shown = try text(Self.books + index + Self.rows, converted + index)
    #expect(shown.contains("search: fill it anew from books"), "\(shown)")
  }
}

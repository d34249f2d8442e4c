import Foundation
import Testing

@testable import SQLiteSchema
@testable import SchemaKit
@testable import SchemaKitOperations

/// A table whose index, CHECK, computed column and order need Swift.
private struct Book: Model, Hashable {
  let id: Int64?
  var title: String

  static let table = ModelTable("books", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title).check("is_title(title)").collate("numeric")
  } indexes: {
    Index("books_by_slug", on: .sql("slug(title)"))
  }
}

/// The next version has another CHECK, which takes a copy of the table, and a column that SQLite adds.
private struct RatedBook: Model, Hashable {
  let id: Int64?
  var title: String
  var stars: Int?

  static let table = ModelTable("books", as: Self.init) {
    Column("id", \.id).primaryKey()
    Column("title", \.title).check("is_title(title) AND slug(title) <> ''").collate("numeric")
    Column("stars", \.stars)
  } indexes: {
    Index("books_by_slug", on: .sql("slug(title)")).unique()
  }
}

@Suite("Functions and collations in Swift")
struct SwiftFunctionTests {
  struct Refusal: Error, CustomStringConvertible {
    var description: String { "a title must not be shouted" }
  }

  private static let slug = SQLFunction("slug", isDeterministic: true) { (title: String) in
    title.lowercased().replacingOccurrences(of: " ", with: "-")
  }
  private static let isTitle = SQLFunction("is_title", isDeterministic: true) { (title: String) in
    if title == "SHOUT" { throw Refusal() }
    return !title.isEmpty
  }
  /// Sorts "2" before "10".
  private static let numeric = SQLCollation("numeric") { left, right in
    if let left = Int(left), let right = Int(right) { return left - right }
    return left == right ? 0 : left < right ? -1 : 1
  }
  private static let largest = SQLFunction("largest", argumentCount: nil) { values in
    .integer(values.compactMap(\.integer).max() ?? 0)
  }
  private static let joined = SQLFunction.aggregate("joined", argumentCount: 1, initial: [String]()) { texts, values in
    guard let text = values[0].text else { throw Refusal() }
    texts.append(text)
  } result: {
    .text($0.sorted().joined(separator: "+"))
  }

  @Sendable private static func configure(_ configuration: inout Configuration) {
    configuration.functions = [slug, isTitle, largest, joined]
    configuration.collations = [numeric]
  }

  private static let books = ModelSchema { Book.self }
  private static let rated = ModelSchema { RatedBook.self }

  private func session() throws -> Session { try Session(inMemory: Pets.one, configure: Self.configure) }

  @Test("statements call functions of Swift values and of stored ones")
  func scalars() throws {
    let row = try session().query("SELECT Slug('A b'), largest(3, 7.5, 5), largest()")
    #expect(row[0].values == [.text("a-b"), .integer(5), .integer(0)])
  }

  @Test("every storage class reaches a function and comes back from it")
  func values() throws {
    let echo = SQLFunction("echo", argumentCount: 1) { $0[0] }
    let optional = SQLFunction("twice", isDeterministic: true) { (number: Int?, by: Double) in
      number.map { Double($0) * by }
    }
    let session = try Session(inMemory: Pets.one) { $0.functions = [echo, optional] }
    let row = try session.query(
      "SELECT echo(1), echo(0.5), echo('ä' || char(0) || 'b'), echo(x'00ff'), echo(NULL), echo(''), echo(x''), twice(NULL, 1), twice(4, 0.5)"
    )
    #expect(
      row[0].values == [
        .integer(1), .real(0.5), .text("ä\0b"), .blob([0, 255]), .null, .text(""), .blob([]), .null, .real(2),
      ])
  }

  @Test("an error that a function throws names the function, and the session goes on")
  func errors() throws {
    let session = try session()
    let error = #expect(throws: SQLiteError.self) { try session.query("SELECT is_title('SHOUT')") }
    #expect(error?.message == "the function is_title() failed: a title must not be shouted")
    let wrong = #expect(throws: SQLiteError.self) { try session.query("SELECT slug(NULL)") }
    #expect(wrong?.message.hasPrefix("the function slug() failed: ") == true)
    let invalid = #expect(throws: SQLiteError.self) { try session.query("SELECT slug(CAST(x'ff' AS TEXT))") }
    #expect(invalid?.message.contains("is not valid UTF-8") == true)
    #expect(try session.query("SELECT is_title('')")[0].values == [.integer(0)])
  }

  @Test("an aggregate has a state for each group, and one for no rows")
  func aggregates() throws {
    let session = try session()
    let rows = try session.query(
      """
      WITH t(g, x) AS (VALUES (1, 'b'), (2, 'z'), (1, 'a'), (3, 'q')) \
      SELECT g, joined(x), joined(DISTINCT upper(x)) FROM t GROUP BY g ORDER BY g
      """)
    #expect(rows.map { $0[1] } == [.text("a+b"), .text("z"), .text("q")])
    #expect(try session.query("SELECT joined(1) WHERE 0")[0][0] == .text(""))
    let error = #expect(throws: SQLiteError.self) {
      try session.query("SELECT joined(x) FROM (SELECT 'a' AS x UNION ALL SELECT NULL UNION ALL SELECT 'b')")
    }
    #expect(error?.message == "the function joined() failed: a title must not be shouted")
  }

  @Test("the state of a group is released, also where its query is given up")
  func released() throws {
    final class Counted: Sendable {
      let count: Record<Int>
      init(_ count: Record<Int>) {
        self.count = count
        count.append(1)
      }
      deinit { count.append(-1) }
    }
    let count = Record<Int>()
    let function = SQLFunction.aggregate("counted", argumentCount: 1, initial: Counted(count)) { _, values in
      if values[0] == .integer(-1) { throw Refusal() }
    } result: { _ in
      .null
    }
    let session = try Session(inMemory: Pets.one) { $0.functions = [function] }
    _ = try session.query("SELECT counted(1) UNION ALL SELECT counted(2) WHERE 0")
    #expect(throws: SQLiteError.self) { try session.query("SELECT counted(-1)") }
    #expect(throws: Refusal.self) {
      try session.connection.forEachRow("SELECT value, counted(1) FROM json_each('[1,2,3]') GROUP BY 1", []) { _ in
        throw Refusal()
      }
    }
    #expect(count.all.count >= 6 && count.all.reduce(0, +) == 0)
  }

  @Test("a schema that needs Swift is created, used, copied and opened again")
  func schema() throws {
    let file = try TemporaryDatabase(name: "books.db")
    let path = file.sibling("new.db")
    do {
      let session = try Session(at: path, schema: Self.books, configure: Self.configure)
      try session.save(["10", "9", "Two Towers"].map { Book(id: nil, title: $0) })
      #expect(throws: RecordError.self) { try session.save(Book(id: nil, title: "")) }
      #expect(throws: (any Error).self) { try session.save(Book(id: nil, title: "SHOUT")) }
      try session.backup(to: file.sibling("backup.db"))
    }
    #expect(try Session(at: path, schema: Self.books, configure: Self.configure).isWarm)
    for name in ["new.db", "backup.db"] {
      let session = try Session(at: file.sibling(name), schema: Self.rated) {
        Self.configure(&$0)
        if name == "new.db" { $0.migration = .automatic(.copying) }
      }
      #expect(session.plan?.steps.contains { $0.strategy == .rebuild } == (name == "new.db"))
    }
    let session = try Session(at: path, schema: Self.rated, configure: Self.configure)
    #expect(session.isWarm)
    #expect(
      try session.all(RatedBook.self, orderBy: { [$0.title.ascending] }).map(\.title) == ["9", "10", "Two Towers"])
    #expect(try session.query("SELECT id FROM books WHERE slug(title) = 'two-towers'").map { $0[0] } == [.integer(3)])
    #expect(try session.query("PRAGMA integrity_check")[0][0] == .text("ok"))
    #expect(throws: RecordError.self) { try session.save(RatedBook(id: nil, title: "two towers", stars: 1)) }
  }

  @Test("rows that a Swift CHECK refuses are found before anything is changed")
  func refusesRows() throws {
    let file = try TemporaryDatabase("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL);")
    try file.exec("INSERT INTO books (title) VALUES (''), ('ok')")
    let before = try file.bytes
    let error = #expect(throws: PlanError.self) {
      try Session(at: file.path, schema: Self.books, configure: Self.configure)
    }
    #expect("\(try #require(error))".contains("books"))
    #expect(try file.bytes == before)
  }

  @Test("readers know them too, on their own threads")
  func readers() async throws {
    let file = try TemporaryDatabase()
    let db = try await Database(at: file.sibling("new.db"), schema: Self.books, configure: Self.configure)
    try await db.save(["10", "9"].map { Book(id: nil, title: $0) })
    try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await db.query("SELECT title, slug(title), joined('x') FROM books GROUP BY 1 ORDER BY title")
            .compactMap { $0[0]?.text }
        }
      }
      for try await titles in group { #expect(titles == ["9", "10"]) }
    }
  }

  @Test("an inspector plans with them")
  func inspector() throws {
    let file = try TemporaryDatabase()
    let path = file.sibling("new.db")
    _ = try Session(at: path, schema: Self.books, configure: Self.configure)
    let inspector = try SchemaInspector(
      at: path, functions: [Self.slug, Self.isTitle], collations: [Self.numeric])
    #expect(try inspector.plan(to: Self.books).isEmpty)
    #expect(try !inspector.plan(to: Self.rated).isEmpty)
    #expect(try inspector.savedPlan(to: Self.rated).plan.isEmpty == false)
    #expect(try inspector.dryRun(to: Self.rated).outcome == .rehearsed)
  }

  @Test("an index over a function that may answer differently is refused while it is planned")
  func nondeterministic() throws {
    let file = try TemporaryDatabase()
    let path = file.sibling("new.db")
    let error = #expect(throws: SchemaError.self) {
      try Session(at: path, schema: Self.books) {
        $0.functions = [SQLFunction("slug") { (text: String) in text }, Self.isTitle]
        $0.collations = [Self.numeric]
      }
    }
    #expect(error?.problem.contains("non-deterministic") == true)
  }

  @Test("a function is called from where it may be called, and from nowhere else")
  func callSites() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (x); CREATE VIEW v AS SELECT f() AS y; INSERT INTO t VALUES (1);")
    func ask(_ callSite: SQLFunction.CallSite, trusts: Bool = true, _ sql: SQL) throws -> SQLValue? {
      let session = try Session(at: file.path, schema: Pets.one) {
        $0.functions = [SQLFunction("f", argumentCount: 0, callableFrom: callSite) { _ in .integer(5) }]
        $0.trustsSchema = trusts
      }
      return try session.query(sql)[0][0]
    }
    #expect(try ask(.statements, "SELECT f()") == .integer(5))
    #expect(throws: SQLiteError.self) { try ask(.statements, "SELECT y FROM v") }
    #expect(try ask(.trustedSchema, "SELECT y FROM v") == .integer(5))
    #expect(throws: SQLiteError.self) { try ask(.trustedSchema, trusts: false, "SELECT y FROM v") }
    #expect(try ask(.anySchema, trusts: false, "SELECT y FROM v") == .integer(5))
  }

  @Test(
    "what would replace a function of SQLite or SchemaKit, or cannot be called, is refused by name",
    arguments: [
      ([SQLFunction("Upper", argumentCount: 2) { _ in .null }], "The function Upper cannot be added: SQLite has one"),
      ([SQLFunction("json", argumentCount: nil) { _ in .null }], "The function json cannot be added: SQLite has one"),
      ([SQLFunction("_schemakit_row_1", argumentCount: 1) { _ in .null }], "_schemakit_row_1 cannot be added: names"),
      ([SQLFunction("", argumentCount: 1) { _ in .null }], "its name must have"),
      ([SQLFunction("f", argumentCount: 101) { _ in .null }], "f cannot be added: it takes 101 arguments"),
      ([SQLFunction("f", argumentCount: -1) { _ in .null }], "f cannot be added: it takes -1 arguments"),
      (
        [SQLFunction("f", argumentCount: 1) { _ in .null }, SQLFunction("F") { (_: Int) in 1 }],
        "F cannot be added: it is added twice"
      ),
    ])
  func refused(functions: [SQLFunction], sentence: String) throws {
    let error = #expect(throws: SQLiteConnectionError.self) {
      try Session(inMemory: Pets.one) { $0.functions = functions }
    }
    #expect(error?.description.contains(sentence) == true)
  }

  @Test("a collation of SQLite is not replaced, and none is added twice")
  func refusedCollations() throws {
    for (names, flaw) in [(["nocase"], "SQLite has one"), (["a", "A"], "twice")] {
      let error = #expect(throws: SQLiteConnectionError.self) {
        try Session(inMemory: Pets.one) { $0.collations = names.map { SQLCollation($0) { _, _ in 0 } } }
      }
      #expect(error?.description.contains(flaw) == true)
    }
  }

  @Test("functions of one name with different numbers of arguments are different functions")
  func overloads() throws {
    let session = try Session(inMemory: Pets.one) {
      $0.functions = [SQLFunction("f") { (_: Int) in "one" }, SQLFunction("f") { (_: Int, _: Int) in "two" }]
    }
    #expect(try session.query("SELECT f(1), f(1, 2)")[0].values == [.text("one"), .text("two")])
  }

  @Test("a connection of the caller's gets them, a borrowed one too", arguments: [false, true])
  func overConnection(isBorrowed: Bool) throws {
    let lender = try RawSQLite()
    let connection = try isBorrowed ? lender.lent() : .memory()
    let session = try Session(over: connection, schema: Self.books, configure: Self.configure)
    try session.save(Book(id: nil, title: "A b"))
    #expect(try session.query("SELECT slug(title) FROM books")[0][0] == .text("a-b"))
    #expect(try Session(over: connection, schema: Self.books, configure: Self.configure).isWarm)
    #expect(try Session(over: connection, schema: Self.rated).outcome == .applied)
    try MigrationUndo(over: connection).apply(allowing: .destructive)
    #expect(try Session(over: connection, schema: Self.books).isWarm)
    #expect(try session.query("SELECT slug(title) FROM books WHERE slug(title) > 'a'")[0][0] == .text("a-b"))
  }
}

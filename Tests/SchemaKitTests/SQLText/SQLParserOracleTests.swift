import Testing

@testable import SQLiteSchema
@testable import SchemaKit

/// What SQLite is known to accept, and what it makes of it, decides what the parser must read.
@Suite("Parser against SQLite")
struct SQLParserOracleTests {
  @Test("random tables read as SQLite reads them", arguments: 1...300)
  func randomTables(seed: Int) throws {
    var generator = CreateTableGenerator(seed: seed)
    for _ in 0..<3 {
      let tokens = generator.tokens()
      try compare(generator.joined(tokens), seed: seed)
    }
  }

  @Test("what random tables look like after an accident reads as SQLite reads it", arguments: 1...300)
  func damagedTables(seed: Int) throws {
    var generator = CreateTableGenerator(seed: -seed)
    for _ in 0..<4 {
      var tokens = generator.tokens()
      for _ in 0..<generator.random.number(1...2) {
        let index = generator.random.number(0...(tokens.count - 1))
        let other = generator.random.number(0...(tokens.count - 1))
        switch generator.random.number(0...2) {
        case 0: tokens.remove(at: index)
        case 1: tokens.insert(tokens[other], at: index)
        default: tokens.swapAt(index, other)
        }
      }
      try compare(generator.joined(tokens), seed: -seed)
    }
  }

  @Test("the generator's tables are mostly accepted")
  func generatorWorks() throws {
    let accepted = (1...300).count { seed in
      var generator = CreateTableGenerator(seed: seed)
      let sql = generator.joined(generator.tokens())
      return (try? RawSQLite().exec(sql)) != nil
    }
    #expect(accepted > 150)
  }

  @Test("each keyword is a name, a type or a default exactly where it is one to SQLite")
  func keywords() throws {
    let groups = [SQLKeywords.reserved, SQLKeywords.joinWords, SQLKeywords.contextual, SQLKeywords.harmless]
    let version = try RawSQLite().rows("SELECT sqlite_version()")[0][0].string ?? ""
    let numbers = version.split(separator: ".").compactMap { Int($0) }
    let newer: Set<String> = numbers.lexicographicallyPrecedes([3, 35]) ? ["returning"] : []
    // Where IF could start IF NOT EXISTS, SQLite takes it for nothing else.
    for word in groups.joined().sorted() where word != "if" && !newer.contains(word) {
      for sql in [
        "CREATE TABLE t(a, \(word))", "CREATE TABLE t(a \(word))", "CREATE TABLE t(a DEFAULT \(word))",
        "CREATE TABLE x.\(word)(a)", "CREATE VIEW \(word)(a) AS SELECT 1",
        "CREATE TABLE t(a, CONSTRAINT \(word) UNIQUE (a))",
      ] {
        let database = try RawSQLite()
        try database.exec("ATTACH ':memory:' AS x")
        let isAccepted = (try? database.exec(sql)) != nil
        #expect(((try? SQLParser.create(sql)) != nil) == isAccepted, "\(sql)")
      }
    }
  }

  @Test(
    "index terms have the column and the collation that SQLite gives them",
    arguments: [
      "a", "\"a\"", "(a)", "((a) COLLATE nocase)", "a COLLATE nocase DESC", "a COLLATE rtrim COLLATE nocase",
      "a || b COLLATE nocase", "(a || b) COLLATE nocase", "-a COLLATE nocase", "~ - a COLLATE nocase ASC",
      "lower(a) COLLATE nocase", "CASE WHEN a THEN b COLLATE nocase END", "desc", "desc DESC", "'a'", "a + desc",
      "NOT a COLLATE nocase", "CAST(a AS TEXT) COLLATE nocase", "a COLLATE nocase = b", "'a' COLLATE nocase",
      "a = b COLLATE nocase", "((a || b COLLATE nocase))", "(('a'))", "abs(-a) COLLATE nocase", "a DESC",
    ]
  )
  func indexTerms(term: String) throws {
    let database = try RawSQLite()
    try database.exec("CREATE TABLE t(a, b, desc)")
    let sql = "CREATE INDEX i ON t(\(term))"
    try database.exec(sql)
    guard case .index(let index) = try SQLParser.create(sql), let read = index.columns.first else {
      Issue.record("no index was read from \(sql)")
      return
    }
    let rows = try database.rows("SELECT name, coll, \"desc\" FROM pragma_index_xinfo('i') WHERE key")
    let row = try #require(rows.first)
    #expect(read.column?.folded == row[0].string)
    #expect(read.collation ?? "BINARY" == SQLName(row[1].string ?? ""))
    #expect((read.order == .descending) == (row[2].integer == 1))
  }

  /// Lets both read a text and compares what they found. What SQLite refuses is skipped.
  private func compare(_ sql: String, seed: Int) throws {
    let database = try RawSQLite()
    guard (try? database.exec(sql)) != nil else { return }
    let tables = try database.rows("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    guard let row = tables.first, let name = row[0].string, let stored = row[1].string else { return }
    let table: CreateTableStatement
    do {
      guard case .table(let statement) = try SQLParser.create(stored) else { return }
      table = statement
    } catch {
      Issue.record("seed \(seed): \(error) in \(stored)")
      return
    }
    let expected = try TableDigest(of: name, in: database)
    let found = TableDigest(of: table)
    #expect(found == expected, "seed \(seed): \(stored)")
  }
}

import Testing

@testable import SQLiteSchema
@testable import SchemaKit

@Suite("Another engine than SQLite in this process")
struct SeamTests {
  private static let old = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES author ON DELETE CASCADE, title TEXT, year INT);
    CREATE TABLE log (entry TEXT);
    CREATE INDEX book_by_title ON book (title);
    CREATE VIEW shelf AS SELECT author.name, book.title FROM book JOIN author ON author.id = book.author;
    CREATE TRIGGER book_added AFTER INSERT ON book BEGIN INSERT INTO log VALUES (new.title); END;
    """
  private static let rows = """
    INSERT INTO author VALUES (1, 'Ada'), (2, 'Bo');
    INSERT INTO book VALUES (1, 1, 'Notes', 1843), (2, 2, 'Sums', NULL), (5, 1, 'More', 1844);
    """
  /// A rebuild of a parent, ALTER TABLE, a foreign key, an index, a trigger and a new table.
  private static let new = """
    CREATE TABLE author (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, born INT);
    CREATE TABLE book (
      id INTEGER PRIMARY KEY, author INTEGER NOT NULL REFERENCES author ON DELETE CASCADE, title TEXT, year INT,
      pages INT);
    CREATE TABLE log (entry TEXT);
    CREATE TABLE loan (book INTEGER NOT NULL REFERENCES book, until TEXT);
    CREATE INDEX book_by_title ON book (title, year);
    CREATE VIEW shelf AS SELECT author.name, book.title FROM book JOIN author ON author.id = book.author;
    CREATE TRIGGER book_added AFTER INSERT ON book BEGIN INSERT INTO log VALUES ('new: ' || new.title); END;
    """

  private func change(
    _ engine: any SQLConnection, to sql: String, hints: MigrationHints? = nil,
    configure: (inout ChangeRequest) -> Void = { _ in }
  ) throws -> Change {
    var request = ChangeRequest()
    configure(&request)
    return Change(over: engine, to: try TemporaryDatabase.target(sql, hints: hints), request)
  }

  @Test("a whole migration, its history and its undo need nothing but SQL")
  func wholeMigration() throws {
    let file = try TemporaryDatabase(Self.old + Self.rows)
    let engine = try DistantEngine(path: file.path)
    try engine.execute("PRAGMA foreign_keys = ON")
    let books = try file.query("SELECT id, author, title, year FROM book")
    let read = try SchemaReader.read(SQLiteConnection(path: file.path))
    #expect(try SchemaReader.read(engine) == read)

    let report = try change(engine, to: Self.new).apply()
    #expect(report.outcome == .applied)
    let strategies = Dictionary(report.plan.steps.map { ($0.object.name, $0.strategy) }) { first, _ in first }
    #expect(strategies["author"] == .rebuild)
    #expect(strategies["book"] == .native)
    #expect(report.plan.statements.filter(\.editsCatalog).isEmpty)
    #expect(try engine.integer("PRAGMA foreign_keys") == 1)
    #expect(!engine.isInTransaction)

    #expect(
      try file.query("SELECT * FROM author") == [[.int(1), .text("Ada"), .null], [.int(2), .text("Bo"), .null]])
    #expect(try file.query("SELECT id, author, title, year FROM book") == books)
    #expect(try file.query("PRAGMA foreign_key_check").isEmpty)
    #expect(try file.query("PRAGMA integrity_check") == [[.text("ok")]])
    try file.exec("INSERT INTO book (author, title) VALUES (2, 'Last'); DELETE FROM book WHERE title = 'Last'")
    #expect(try file.value("SELECT entry FROM log ORDER BY rowid DESC") == .text("new: Last"))

    #expect(try change(engine, to: Self.new).plan().isEmpty)
    #expect(try change(engine, to: Self.new).apply().outcome == .unchanged)
    let entries = try Ledger(connection: engine).entries()
    #expect(entries.map(\.kind) == [.apply])
    #expect(try file.value("SELECT count(*) FROM _schemakit_history") == .int(1))

    let undo = try MigrationUndo(over: engine)
    #expect(undo.entry.id == entries.first?.id)
    #expect(undo.copy == nil)
    #expect(try undo.apply(allowing: .everything).outcome == .applied)
    #expect(try file.query("SELECT id, author, title, year FROM book") == books)
    #expect(try file.query("SELECT name FROM pragma_table_info('author')") == [[.text("id")], [.text("name")]])
    #expect(try Ledger(connection: engine).entries().map(\.kind) == [.apply, .undo])
    #expect(try change(engine, to: Self.old).plan().isEmpty)
  }

  @Test("its catalog is never edited: what an edit would do at no cost is a rebuild")
  func profile() throws {
    let file = try TemporaryDatabase(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR(10)); INSERT INTO t VALUES (7, 'x')")
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR(20))"
    #expect(try file.plan(to: target).steps.map(\.strategy) == [.catalog])
    let engine = try DistantEngine(path: file.path)
    let profile = try EngineProfile(of: engine)
    #expect(!profile.canEditCatalog)
    #expect(profile.canSuspendForeignKeys)
    let report = try change(engine, to: target) { $0.plan.verification = .paranoid }.apply()
    #expect(report.plan.steps.map(\.strategy) == [.rebuild])
    #expect(try file.query("SELECT * FROM t") == [[.int(7), .text("x")]])
    #expect(!engine.statements.contains { $0.contains("UPDATE main.sqlite_master") })
  }

  @Test("a statement that edits the catalog is refused, whoever planned it")
  func catalogStatement() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (a)")
    let engine = try DistantEngine(path: file.path)
    let step = MigrationStep(strategy: .catalog, object: ObjectReference(.table, "t"), edits: [], statements: [])
    #expect(throws: SQLiteError.self) {
      try StatementExecutor(connection: engine).run(PlannedStatement("UPDATE x", role: .catalog), of: step) { _ in [] }
    }
  }

  @Test("views and triggers that a change would break are found, without an authorizer on the engine")
  func dependents() throws {
    let file = try TemporaryDatabase(Self.old + Self.rows)
    let target = Self.old.replacing("title TEXT, year", with: "year")
      .replacing("CREATE INDEX book_by_title ON book (title);", with: "")
    let local = try file.plan(to: target, strategy: .alter)
    let distant = try change(DistantEngine(path: file.path), to: target).plan()
    #expect(distant.hazards == local.hazards)
    #expect(distant.impacts == local.impacts)
    #expect(distant.hazards.filter { $0.code == .brokenObject }.map(\.table).sorted() == ["book", "shelf"])
  }

  @Test("where foreign keys stay on, tables that others refer to are changed without a row of theirs")
  func foreignKeysStayOn() throws {
    let file = try TemporaryDatabase(Self.old + Self.rows)
    let engine = try DistantEngine(path: file.path)
    try engine.execute("PRAGMA foreign_keys = ON")
    engine.ignored = ["PRAGMA foreign_keys ="]
    let profile = try EngineProfile(of: engine)
    #expect(!profile.canSuspendForeignKeys)
    let before = try file.query("SELECT id, author, title, year FROM book")
    #expect(try change(engine, to: Self.new).apply().outcome == .applied)
    #expect(try file.query("SELECT id, author, title, year FROM book") == before)
    #expect(try file.query("PRAGMA foreign_key_check").isEmpty)
    #expect(try change(engine, to: Self.new).plan().isEmpty)
  }

  @Test("a misspelt column in double quotes is not taken for text")
  func doubleQuotes() throws {
    let file = try TemporaryDatabase("CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, NULL)")
    var hints = MigrationHints()
    hints.tables["t", default: TableHints()].columns["a", default: ColumnHints()].backfill = "\"nme\""
    let target = "CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT NOT NULL)"
    let engine = try DistantEngine(path: file.path)
    #expect(throws: PlanError.self) { try change(engine, to: target, hints: hints).apply() }
    #expect(try file.query("SELECT * FROM t") == [[.int(1), .null]])
  }

  @Test("work on the rows is done, and cancelling between statements leaves everything as it was")
  func workAndCancellation() throws {
    let file = try TemporaryDatabase(Self.old + Self.rows)
    let engine = try DistantEngine(path: file.path)
    let before = try file.bytes
    let error = try #require(throws: ApplyError.self) {
      try change(engine, to: Self.new) { $0.observer.isCancelled = { engine.isInTransaction } }.apply()
    }
    guard case .cancelled = error.reason else {
      Issue.record("\(error)")
      return
    }
    #expect(try file.bytes == before)
    var hints = MigrationHints()
    hints.dataSteps = [DataStepHint(name: "number", moment: .tableAdded("loan"))]
    let target = try TemporaryDatabase.target(Self.new, hints: hints)
    var request = ChangeRequest()
    request.runDataStep = { _ in
      try engine.confiningToRows {
        _ = try engine.run("INSERT INTO loan SELECT id, 'now' FROM book WHERE year IS NULL")
      }
    }
    _ = try Change(over: engine, to: target, request).apply()
    #expect(try file.query("SELECT * FROM loan") == [[.int(2), .text("now")]])
  }

  @Test("a file that has everything in the declared words is known by them")
  func verbatim() throws {
    let schema = ModelSchema { PetOne.self }
    let file = try TemporaryDatabase()
    _ = try Session(at: file.path, schema: schema)
    let engine = try DistantEngine(path: file.path)
    let declaration = try schema.declaration()
    let check = VerbatimCheck(engine, declaration, digest: declaration.digest)
    let finding = try #require(try check.find(areRowsExamined: true))
    #expect(finding.plan.isEmpty)
    #expect(try check.remember(finding))
  }

  @Test("what was examined over it is not taken for what another connection has")
  func examination() throws {
    let file = try TemporaryDatabase(Self.old + Self.rows)
    let examination = try change(DistantEngine(path: file.path), to: Self.new).examine()
    #expect(!examination.plan.isEmpty)
    #expect(try examination.take(over: try DistantEngine(path: file.path)) == nil)
    #expect(try examination.take(over: try SQLiteConnection(path: file.path)) == nil)
  }

  @Test("what works on a database asks for SQLite in this process only to make private copies")
  func sources() throws {
    // Copies of a catalog and of a declaration, and engines to try, in memory; functions in Swift; and a path's folder.
    let local = [
      "Introspection/CompilationReader.swift", "Introspection/DependencyReader.swift", "Planning/CatalogClone.swift",
      "Planning/EnvironmentCheck.swift", "Planning/CapturedNames.swift", "Planning/LostColumns.swift",
      "Planning/LostNames.swift", "Planning/MeaningTrial.swift",
      "Planning/PlanValidation.swift",
      "Planning/SchemaLoader.swift", "Change/DiskSpace.swift", "Change/ChangeCopy.swift",
      "Change/MigrationBackup.swift", "Change/Kinds/MigrationUndo.swift",
      "Introspection/EngineProfile+Connection.swift", "Introspection/StandingFaultReader.swift",
      "Execution/RecodingFunctions.swift", "Introspection/ClockReads.swift", "Introspection/ModuleTables.swift",
      "Introspection/SchemaStatements.swift",
      "Introspection/RowCheckReader.swift", "Introspection/RowScanner.swift", "Introspection/UnreadableStatement.swift",
    ]
    let folders = ["Introspection", "History", "Execution", "Planning", "Apply", "Change"]
    for file in try folders.flatMap({ try SourceTree.swiftFiles(in: "Sources/SchemaKit/\($0)") })
    where !local.contains(where: { file.path == "Sources/SchemaKit/\($0)" }) {
      #expect(!file.code.contains(/\bSQLiteConnection\b/), "\(file.path)")
    }
  }
}

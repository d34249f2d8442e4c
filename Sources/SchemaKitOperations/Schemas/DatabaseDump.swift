import OrderedCollections

/// A database in a file of its own, read from its dump: SQL that creates its objects and may insert its rows.
package struct DatabaseDump {
  /// True if the dump holds rows; otherwise nothing is known of them.
  package let hasRows: Bool
  /// True if the dump has the history of the database, or says that there is none.
  package let hasHistory: Bool

  /// Runs a dump on a new database.
  ///
  /// Statements that a dump of the sqlite3 shell, wrangler, rqlite or turso begins and ends with do no harm here.
  ///
  /// - Parameters:
  ///   - text: The dump.
  ///   - source: Its name, for messages.
  ///   - database: A connection to a new file.
  /// - Throws: `SchemaError` with the line of a statement that SQLite refuses, and for a dump that is cut off.
  package init(_ text: String, source: String, writingTo database: SQLiteConnection) throws {
    // The file goes when the plan is made.
    try database.execute("PRAGMA journal_mode = OFF")
    try database.execute("PRAGMA synchronous = OFF")
    // Old schemas contain string literals in double quotes, which SQLite still accepts in files.
    try database.setAllowsDoubleQuotedText(true)
    let statements: [ScriptStatement]
    do {
      statements = try SQLScript.statements(in: text)
    } catch {
      throw SchemaError(source: source, line: error.line, column: error.column, problem: error.message)
    }
    guard !statements.isEmpty else { throw SchemaError(source: source, problem: "the dump is empty") }
    // A child may come before its parent.
    try database.execute("PRAGMA foreign_keys = OFF")
    if let (line, problem) = statements.incompleteness {
      throw SchemaError(source: source, line: line, problem: problem)
    }
    var loose = statements.isDump ? try LooseTables() : nil
    var indexes: [ScriptStatement] = []
    let isFramed = statements.contains { $0.tokens.first?.isKeyword("BEGIN") == true }
    if !isFramed { try database.execute("BEGIN") }
    try database.denyingDangerousStatements {
      func run(_ statement: ScriptStatement, as text: String? = nil) throws {
        do {
          _ = try database.rows(text ?? statement.text)
        } catch let error as SQLiteError where !error.isInterrupted {
          throw SchemaError(source: source, line: error.line(from: statement.line), problem: error.message)
        }
      }
      for statement in statements where !Self.isSetting(statement) {
        // What an index has depends on the types of its table.
        if loose != nil, statement.isCreateIndex {
          indexes.append(statement)
        } else {
          try run(statement, as: loose?.statement(for: statement.text))
        }
      }
      if database.isInTransaction { try database.execute("COMMIT") }
      try loose?.finish(in: database)
      for statement in indexes { try run(statement) }
    }
    let shape = LedgerShape(connection: database)
    hasHistory = try !shape.has(LedgerShape.meta.name) || database.value("SELECT 1 FROM main._schemakit_meta") != nil
    if !hasHistory {
      // The history has rows where the database is; here it would look damaged.
      for table in LedgerShape.tables where try shape.has(table.name) {
        try database.run("DROP TABLE main.\(table.name)")
      }
    }
    hasRows = try SchemaReader.read(database).tables.values.contains { table in
      try database.value("SELECT 1 FROM main.\(table.name.quoted) \(table.rowOrder)") != nil
    }
  }

  /// True if a statement is a setting of the connection other than the one by which the catalog gets virtual tables.
  private static func isSetting(_ statement: ScriptStatement) -> Bool {
    statement.tokens.first?.isKeyword("PRAGMA") == true
      && !statement.tokens.contains { $0.isKeyword("WRITABLE_SCHEMA") }
  }
}

extension ScriptStatement {
  fileprivate var isCreateIndex: Bool {
    let words = tokens.prefix(3).map { $0.text.uppercased() }
    return words.first == "CREATE" && (words.dropFirst().first == "INDEX" || words.last == "INDEX")
  }
}

extension [ScriptStatement] {
  /// True for the dump of a program, which writes every value with its class. It begins with a setting that lets a child come
  /// before its parent, or is Python's `iterdump`, known by its INSERTs. SQL of another kind may rely on the types of its
  /// columns, and changes its tables as it goes.
  fileprivate var isDump: Bool {
    let words = (first?.tokens ?? []).map { $0.text.lowercased() }
    let isLenient =
      words.contains("foreign_keys") && ["off", "0", "false", "no"].contains(words.last)
      || words.contains("defer_foreign_keys") && ["on", "1", "true", "yes"].contains(words.last)
    let isIterated =
      words == ["begin", "transaction"]
      && allSatisfy { statement in
        let tokens = statement.tokens.prefix(4).map(\.text)
        return tokens.first?.uppercased() != "INSERT"
          || tokens.count == 4 && tokens[3].uppercased() == "VALUES" && tokens[2].hasPrefix("\"")
          || tokens.dropFirst(2).first == "sqlite_master"
      }
    return (words.first == "pragma" && isLenient || isIterated)
      && !contains { $0.tokens.first?.isKeyword("ALTER") == true || $0.tokens.first?.isKeyword("DROP") == true }
  }
}

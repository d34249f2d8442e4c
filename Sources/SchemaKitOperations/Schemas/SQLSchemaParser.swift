/// Reads a schema from SQL text: CREATE, ALTER and DROP statements, with migration hints in comments.
///
/// Other statements in the output of `.schema` or `.dump` of the sqlite3 shell are skipped with a note, so that both
/// load.
package struct SQLSchemaParser {
  private let source: String
  private let text: String
  private var notes: [String] = []

  /// - Parameters:
  ///   - text: The SQL.
  ///   - source: The name of the text's origin, for messages.
  package init(_ text: String, source: String) {
    self.text = text
    self.source = source
  }

  /// Parses a text.
  ///
  /// - Throws: `SchemaError` with line and column of the first error.
  package static func parse(
    _ text: String, source: String
  ) throws(SchemaError) -> (declaration: SchemaDeclaration, notes: [String]) {
    var parser = SQLSchemaParser(text, source: source)
    return try parser.declaration()
  }

  /// Parses several texts that are one schema, in the given order.
  ///
  /// - Throws: `SchemaError` with the place of the first error; an object that stands in two of them is one.
  package static func parse(
    _ scripts: [(text: String, source: String)]
  ) throws(SchemaError) -> (declaration: SchemaDeclaration, notes: [String]) {
    var whole = SchemaDeclaration(name: ledgerName, ownsWholeFile: true)
    var notes: [String] = []
    var places: [DeclaredName: (source: String, line: Int)] = [:]
    for script in scripts {
      let part = try parse(script.text, source: script.source)
      for statement in part.declaration.statements {
        var statement = statement
        statement.source = script.source
        whole.statements.append(statement)
        guard let name = DeclaredName(statement.sql) else { continue }
        let line = statement.line ?? 1
        if let first = places[name], first.source != script.source {
          throw SchemaError(
            source: script.source, line: line,
            problem: "\(name.name) is declared here and in \(first.source):\(first.line); keep one of the two")
        }
        places[name] = (script.source, line)
      }
      whole.hints.add(part.declaration.hints)
      notes += part.notes
    }
    return (whole, notes)
  }

  /// The name of an object: triggers have names of their own.
  private struct DeclaredName: Hashable {
    var name: SQLName
    var isTrigger = false

    init?(_ sql: String) {
      guard let parsed = try? SQLParser.create(sql) else { return nil }
      name = parsed.name
      if case .trigger = parsed { isTrigger = true }
    }
  }

  private mutating func declaration() throws(SchemaError) -> (declaration: SchemaDeclaration, notes: [String]) {
    var script: [ScriptStatement]
    do {
      script = try SQLScript.statements(in: text)
    } catch {
      throw SchemaError(source: source, line: error.line, column: error.column, problem: error.message)
    }
    for index in script.indices { script[index] = Self.dumped(script[index]) ?? script[index] }
    var skipped = SkippedStatements(source: source)
    let shadows = Self.shadowTables(in: script)
    var result = SchemaDeclaration(name: Self.ledgerName, ownsWholeFile: true)
    for statement in script {
      guard let first = statement.tokens.first else { continue }
      switch first.text.uppercased() {
      case "CREATE":
        guard let declared = try create(statement) else { continue }
        if let table = declared.table, shadows.contains(table) {
          notes.append("\(source):\(statement.line): \(table) skipped; it belongs to a virtual table.")
          continue
        }
        result.statements.append(declared)
      case "ALTER", "DROP":
        result.statements.append(DeclaredStatement(sql: statement.text, line: statement.line))
      default:
        if let note = RailsStructure.note(on: statement, source: source) {
          notes.append(note)
        } else {
          try skipped.add(statement)
        }
      }
    }
    if let (line, problem) = script.incompleteness {
      throw SchemaError(source: source, line: line, problem: problem)
    }
    notes += skipped.notes
    result.hints = try CommentHints(text: text, source: source).hints(of: script)
    return (result, notes)
  }

  /// The virtual table that a dump of the sqlite3 shell writes into the catalog; nil for any other statement.
  ///
  /// See [.dump](https://sqlite.org/cli.html#converting_an_entire_database_to_a_text_file).
  private static func dumped(_ statement: ScriptStatement) -> ScriptStatement? {
    guard statement.tokens.count > 3, statement.tokens[0].isKeyword("INSERT"), statement.tokens[1].isKeyword("INTO"),
      let catalog = statement.tokens[2].name, ["sqlite_schema", "sqlite_master"].contains(catalog),
      let text = statement.tokens.last(where: { $0.text.hasPrefix("'") })?.unquotedText,
      let create = try? SQLScript.statements(in: text).first, case .virtualTable? = try? SQLParser.create(create.text)
    else { return nil }
    var result = create
    result.span = statement.span
    result.line = statement.line
    return result
  }

  /// The tables that the script's virtual tables create for themselves, which a dump lists as well.
  private static func shadowTables(in script: [ScriptStatement]) -> Set<SQLName> {
    let suffixes: [SQLName: [String]] = [
      "fts5": ["data", "idx", "content", "docsize", "config"],
      "fts4": ["content", "segments", "segdir", "docsize", "stat"],
      "fts3": ["content", "segments", "segdir"],
      "rtree": ["node", "parent", "rowid"],
      "geopoly": ["node", "parent", "rowid"],
    ]
    var shadows: Set<SQLName> = []
    for statement in script where statement.tokens.dropFirst().first?.isKeyword("VIRTUAL") == true {
      guard case .virtualTable(let table)? = try? SQLParser.create(statement.text) else { continue }
      for suffix in suffixes[table.module] ?? [] { shadows.insert(SQLName("\(table.name)_\(suffix)")) }
    }
    return shadows
  }

  /// The name of whole-file schemas in the ledger.
  package static let ledgerName = "(file)"

  private mutating func create(_ statement: ScriptStatement) throws(SchemaError) -> DeclaredStatement? {
    let parsed: CreateStatement
    do {
      parsed = try SQLParser.create(statement.text)
    } catch {
      let line = statement.line + error.line - 1
      let isFirstLine = error.line == 1
      let column = isFirstLine ? error.column + column(of: statement.span.start) - 1 : error.column
      throw SchemaError(source: source, line: line, column: column, problem: error.message)
    }
    let name = parsed.name
    if parsed.isTemporary || Self.isInTemp(statement) {
      throw fault(statement, "\(name) is temporary; a temporary object cannot be part of a schema")
    }
    if name.folded.hasPrefix("sqlite_") || name.isReserved {
      notes.append(
        "\(source):\(statement.line): \(name) skipped; it belongs to \(name.isReserved ? "SchemaKit" : "SQLite").")
      return nil
    }
    return DeclaredStatement(sql: statement.text, line: statement.line, table: parsed.table)
  }

  /// True for a statement that creates its object in the database `temp`.
  private static func isInTemp(_ statement: ScriptStatement) -> Bool {
    let head = statement.tokens.prefix { !$0.isSymbol("(") && !$0.isKeyword("AS") && !$0.isKeyword("ON") }
    return zip(head, head.dropFirst()).contains { $0.name == "temp" && $1.isSymbol(".") }
  }

  private func fault(_ statement: ScriptStatement, _ problem: String) -> SchemaError {
    SchemaError(source: source, line: statement.line, column: column(of: statement.span.start), problem: problem)
  }

  /// The column of a byte in its line, from 1.
  private func column(of offset: Int) -> Int {
    let before = text.utf8.prefix(offset)
    let line = before.lastIndex(of: 10).map { before.index(after: $0) } ?? before.startIndex
    return String(decoding: before[line...], as: UTF8.self).count + 1
  }
}

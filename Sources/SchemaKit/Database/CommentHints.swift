/// Reads migration hints from SQL comments: `-- schemakit: renamed from a, b`, `fill EXPR`, `convert EXPR`,
/// `removed x`.
///
/// A hint belongs to the last definition begun on its line; on the line of CREATE TABLE, or behind the statement, it
/// belongs to the table; outside
/// a statement, `removed x` names a table.
struct CommentHints {
  private let source: String
  private let bytes: [UInt8]

  init(text: String, source: String) {
    self.source = source
    bytes = Array(text.utf8)
  }

  /// One hint as it was read.
  private enum Hint {
    case renamed([SQLName])
    case fill(String)
    case convert(String)
    case removed([SQLName])
  }

  /// The hints of a script.
  func hints(of script: [ScriptStatement]) throws(SchemaError) -> MigrationHints {
    var hints = MigrationHints()
    guard mayHoldHints else { return hints }
    var used: Set<Int> = []
    for statement in script where !statement.comments.isEmpty {
      guard case .table(let table)? = try? SQLParser.create(statement.text) else { continue }
      for comment in statement.comments {
        guard let hint = try hint(in: comment) else { continue }
        used.insert(comment.span.start)
        try add(hint, at: comment, to: &hints.tables[table.name, default: TableHints()], table: table, in: statement)
      }
    }
    let all: [SQLComment]
    do {
      all = try SQLLexer.tokensAndComments(of: String(decoding: bytes, as: UTF8.self)).comments
    } catch {
      throw SchemaError(source: source, line: error.line, column: error.column, problem: error.message)
    }
    for comment in all where !used.contains(comment.span.start) && !StepDirectives.isDirective(comment.text) {
      guard let hint = try hint(in: comment) else { continue }
      guard case .removed(let names) = hint else {
        throw fault(comment, "this hint stands outside CREATE TABLE, where only \"removed TABLE\" means something")
      }
      hints.removedTables.formUnion(names)
    }
    return hints
  }

  /// Whether the word that every hint begins with stands anywhere in the text.
  private var mayHoldHints: Bool {
    let word = Array("schemakit:".utf8)
    let last = UInt8(ascii: ":")
    return bytes.indices.contains { end in
      guard bytes[end] == last, end + 1 >= word.count else { return false }
      return bytes[(end + 1 - word.count)...end].elementsEqual(word) { $0 == $1 || $0 | 0x20 == $1 }
    }
  }

  private func add(
    _ hint: Hint, at comment: SQLComment, to hints: inout TableHints, table: CreateTableStatement,
    in statement: ScriptStatement
  ) throws(SchemaError) {
    let line = line(of: comment.span.start)
    // Behind the closing parenthesis no column can be meant.
    let isBehind = comment.span.start >= statement.span.end
    let column = isBehind ? nil : table.columns.last { self.line(of: statement.span.start + $0.span.start) == line }
    let isTableLine = isBehind || self.line(of: statement.span.start + table.nameSpan.start) == line
    guard column != nil || isTableLine else {
      throw fault(comment, "no column of \(table.name) begins on the line of this hint")
    }
    switch hint {
    case .removed(let names): hints.removedColumns.formUnion(names)
    case .renamed(let names):
      if let column {
        hints.columns[column.name, default: ColumnHints()].renamedFrom += names
      } else {
        hints.renamedFrom += names
      }
    case .fill(let expression), .convert(let expression):
      guard let column else { throw fault(comment, "this hint must stand on the line of a column") }
      if case .fill = hint {
        hints.columns[column.name, default: ColumnHints()].backfill = expression
      } else {
        hints.columns[column.name, default: ColumnHints()].conversion = expression
      }
    }
  }

  private func hint(in comment: SQLComment) throws(SchemaError) -> Hint? {
    var text = comment.text[...]
    if text.hasPrefix("--") { text = text.dropFirst(2) }
    if text.hasPrefix("/*") { text = text.dropFirst(2) }
    if text.hasSuffix("*/") { text = text.dropLast(2) }
    text = text.trimmed
    guard text.lowercased().hasPrefix("schemakit:") else { return nil }
    text = text.dropFirst("schemakit:".count).trimmed
    func rest(after words: String) -> Substring? {
      guard text.lowercased().hasPrefix(words + " ") else { return nil }
      return text.dropFirst(words.count).trimmed
    }
    if let names = rest(after: "renamed from") { return .renamed(try self.names(in: names, of: comment)) }
    if let names = rest(after: "removed") { return .removed(try self.names(in: names, of: comment)) }
    if let expression = rest(after: "fill") { return .fill(String(expression)) }
    if let expression = rest(after: "convert") { return .convert(String(expression)) }
    throw fault(
      comment,
      "\"\(text)\" is no hint; there are \"renamed from NAME, …\", \"removed NAME, …\", \"fill EXPR\" and \"convert EXPR\""
    )
  }

  private func names(in text: Substring, of comment: SQLComment) throws(SchemaError) -> [SQLName] {
    let tokens = (try? SQLLexer.tokens(of: String(text))) ?? []
    let names = tokens.compactMap(\.name)
    guard !names.isEmpty, tokens.allSatisfy({ $0.name != nil || $0.isSymbol(",") }), tokens.count == names.count * 2 - 1
    else { throw fault(comment, "\"\(text)\" is no list of names, separated by commas") }
    return names
  }

  private func line(of offset: Int) -> Int { bytes[..<min(offset, bytes.count)].count { $0 == 10 } + 1 }

  private func fault(_ comment: SQLComment, _ problem: String) -> SchemaError {
    let start = bytes[..<comment.span.start].lastIndex(of: 10).map { $0 + 1 } ?? 0
    let column = String(decoding: bytes[start..<comment.span.start], as: UTF8.self).count + 1
    return SchemaError(source: source, line: line(of: comment.span.start), column: column, problem: problem)
  }
}

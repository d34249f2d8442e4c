/// The directives in the comments of a recorded step, which describe how to reach its schema.
///
/// Each is on a line of its own, outside the statements:
///
/// - `-- schemakit: rename users.name=users.title`: an object that is renamed;
/// - `-- schemakit: fill users.slug = lower(title)`: the value for rows that have none;
/// - `-- schemakit: convert users.age = CAST(age AS INTEGER)`: the value for every row;
/// - `-- schemakit: allow SK102:users.legacy`: consent to what is lost;
/// - `-- schemakit: replaces 0001-notes, 0002-tags`: the steps that this one replaces;
/// - `-- schemakit: rows`: the following statement works on rows and is for the sqlite3 shell; `apply` has its own.
package struct MigrationDirectives: Sendable, Hashable {
  /// A column with an expression.
  package struct ColumnValue: Sendable, Hashable {
    package var table: SQLName
    package var column: SQLName
    package var expression: String

    package init(table: SQLName, column: SQLName, expression: String) {
      self.table = table
      self.column = column
      self.expression = expression
    }

    package var text: String { "\(table.quotedIfNeeded).\(column.quotedIfNeeded) = \(expression)" }
  }

  package var renames: [String] = []
  package var fills: [ColumnValue] = []
  package var conversions: [ColumnValue] = []
  package var allowances: [String] = []
  package var replaces: [String] = []
  /// Where the marks of row statements end, in bytes from the start of the text.
  var rowMarks: [Int] = []

  package init() {}

  /// Parses the directives of a text.
  ///
  /// - Throws: `SchemaError` with the line of a directive that cannot be parsed.
  package init(of text: String, source: String) throws(SchemaError) {
    guard text.contains("schemakit:") else { return }
    let (comments, inside): ([SQLComment], [Span])
    do {
      comments = try SQLLexer.tokensAndComments(of: text).comments
      inside = try SQLScript.statements(in: text).map(\.span)
    } catch {
      throw SchemaError(source: source, line: error.line, column: error.column, problem: error.message)
    }
    for comment in comments
    where !inside.contains(where: { $0.start < comment.span.start && comment.span.start < $0.end }) {
      guard let words = Self.words(of: comment) else { continue }
      do {
        try add(words, endingAt: comment.span.end)
      } catch {
        let line = text.utf8.prefix(comment.span.start).count { $0 == 10 } + 1
        throw SchemaError(source: source, line: line, problem: error.problem)
      }
    }
  }

  /// True if a comment outside the statements is a directive of a recorded step rather than a hint of a declared
  /// schema.
  package static func isDirective(_ comment: String) -> Bool {
    guard let words = words(of: comment) else { return false }
    return ["rename ", "allow ", "replaces ", "rows"].contains { words.hasPrefix($0) }
      || ["fill ", "convert "].contains { words.hasPrefix($0) && words.contains("=") }
  }

  private static func words(of comment: SQLComment) -> Substring? { words(of: comment.text) }

  /// The content of a comment addressed to SchemaKit; nil for any other.
  static func words(of comment: String) -> Substring? {
    guard comment.hasPrefix("--") else { return nil }
    let text = comment.dropFirst(2).trimmed
    guard text.lowercased().hasPrefix("schemakit:") else { return nil }
    return text.dropFirst("schemakit:".count).trimmed
  }

  private struct Fault: Error { var problem: String }

  private mutating func add(_ words: Substring, endingAt end: Int) throws(Fault) {
    let kind = words.prefix { !$0.isWhitespace }
    let rest = String(words.dropFirst(kind.count).trimmed)
    if rest.lowercased().contains("schemakit:") {
      throw Fault(problem: "\"\(words)\" holds two directives; each stands on a line of its own")
    }
    switch kind.lowercased() {
    case "rename":
      do { _ = try RenameOption(rest) } catch { throw Fault(problem: error.description) }
      renames.append(rest)
    case "fill": fills.append(try Self.columnValue(rest, after: "fill"))
    case "convert": conversions.append(try Self.columnValue(rest, after: "convert"))
    case "allow": allowances.append(rest)
    case "replaces": replaces += rest.split(separator: ",").map { String($0.trimmed) }
    case "rows": rowMarks.append(end)
    // Hints of declared schemas, which may occur in a folder that is read as one.
    case "renamed", "removed", "ignore": break
    default:
      throw Fault(
        problem: "\"\(words)\" is not a directive of a recorded step; the directives are rename, fill, convert, allow, "
          + "replaces and rows")
    }
  }

  private static func columnValue(_ text: String, after word: String) throws(Fault) -> ColumnValue {
    let fault = Fault(problem: "\"\(word) \(text)\" should be \(word) TABLE.COLUMN = EXPRESSION")
    guard let tokens = try? SQLLexer.tokens(of: text), tokens.count > 4, tokens[1].isSymbol("."),
      tokens[3].isSymbol("="), let table = tokens[0].name, let column = tokens[2].name
    else { throw fault }
    let expression = String(decoding: text.utf8.dropFirst(tokens[3].span.end), as: UTF8.self)
    return ColumnValue(
      table: table, column: column, expression: SQLLexer.withoutRemarks(String(expression[...].trimmed)))
  }
}

extension MigrationDirectives {
  /// The directives as lines of SQL comments.
  package var lines: [String] {
    var lines = renames.map { "rename \($0)" }
    lines += fills.map { "fill \($0.text)" }
    lines += conversions.map { "convert \($0.text)" }
    lines += allowances.map { "allow \($0)" }
    if !replaces.isEmpty { lines.append("replaces \(replaces.joined(separator: ", "))") }
    return lines.map { "-- schemakit: \($0)" }
  }

  /// The directives as hints of the schema that the step leads to.
  package func add(to hints: inout MigrationHints) {
    for text in renames { try? hints.add(rename: text) }
    addValues(to: &hints)
  }

  /// The fills and conversions as hints of the schema that the step leads to.
  func addValues(to hints: inout MigrationHints) {
    for value in fills {
      hints.tables[value.table, default: TableHints()].columns[value.column, default: ColumnHints()].backfill =
        value.expression
    }
    for value in conversions {
      hints.tables[value.table, default: TableHints()].columns[value.column, default: ColumnHints()].conversion =
        value.expression
    }
  }
}

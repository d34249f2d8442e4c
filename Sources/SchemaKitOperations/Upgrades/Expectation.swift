/// A query with the rows that it must give.
///
/// ```sql
/// SELECT id, title FROM note ORDER BY id;
/// -- 1 | 'Buy bread'
/// -- 2 | NULL
/// ```
package struct Expectation: Sendable, Hashable {
  /// A row, with the line that it stands on.
  package struct Row: Sendable, Hashable {
    package var values: [SQLValue]
    package var line: Int
  }

  package var sql: String
  /// The file that it stands in.
  package var file: String
  package var line: Int
  package var rows: [Row]
  /// True if the query says in which order its rows come.
  package var isOrdered: Bool
}

extension Expectation {
  /// The words for a query that gives nothing.
  package static let noRows = "(no rows)"

  /// Reads queries, each with its rows in the comments directly behind it.
  ///
  /// A comment that begins behind an empty line, or before the first query, is a remark.
  ///
  /// - Parameter file: The name of the file, for messages.
  /// - Throws: `SchemaError` for a statement that is not a query, for one without rows, and for a row that cannot be read.
  package static func read(_ text: String, file: String) throws(SchemaError) -> [Expectation] {
    let statements: [ScriptStatement]
    do {
      statements = try SQLScript.statements(in: text)
    } catch {
      throw SchemaError(source: file, line: error.line, column: error.column, problem: error.message)
    }
    let bytes = Array(text.utf8)
    let lines = TextLines(text)
    return try statements.map { statement throws(SchemaError) in
      let verbs = ["SELECT", "VALUES", "WITH"]
      guard verbs.contains(where: { statement.tokens.first?.isKeyword($0) == true }) else {
        throw SchemaError(
          source: file, line: statement.line, problem: "only queries can be expected to give rows: begin with SELECT")
      }
      let end = statement.span.end
      let comments = try Self.comments(
        String(decoding: bytes[end...], as: UTF8.self), from: lines.place(of: end).line, file: file)
      guard !comments.isEmpty else {
        throw SchemaError(
          source: file, line: statement.line,
          problem:
            "the query has no rows behind it: write them as comments on the next lines, such as -- 1 | 'Ada', or "
            + "-- \(noRows)")
      }
      return Expectation(
        sql: statement.text, file: file, line: statement.line, rows: try rows(in: comments, file: file),
        isOrdered: statement.isOrdered)
    }
  }

  private static func rows(
    in comments: [(text: String, line: Int)], file: String
  ) throws(SchemaError) -> [Row] {
    if comments.count == 1, comments[0].text == noRows { return [] }
    var rows: [Row] = []
    for (text, line) in comments {
      guard let values = SQLLiteral.row(text) else {
        let hint =
          text == noRows
          ? "-- \(noRows) stands alone, without rows beside it"
          : "this is not a row of SQL values between bars, such as -- 1 | 'Ada' | NULL; a remark stands behind an empty line"
        throw SchemaError(source: file, line: line, problem: hint)
      }
      if let first = rows.first, first.values.count != values.count {
        throw SchemaError(
          source: file, line: line,
          problem: "this row has \(Wording.counted(values.count, "value")), and the first one \(first.values.count)")
      }
      rows.append(Row(values: values, line: line))
    }
    return rows
  }

  /// The comments behind a statement, up to the first line that is something else.
  ///
  /// - Parameters:
  ///   - rest: The text behind the statement's last token.
  ///   - start: The line on which that begins.
  private static func comments(
    _ rest: String, from start: Int, file: String
  ) throws(SchemaError) -> [(text: String, line: Int)] {
    var comments: [(text: String, line: Int)] = []
    let lines = rest.split(omittingEmptySubsequences: false) { $0.isNewline }
    for (number, line) in lines.enumerated() {
      var part = line.trimmed[...]
      if number == 0 {
        // The semicolon, and perhaps the only row.
        if part.hasPrefix(";") { part = part.dropFirst().trimmed[...] }
        if part.isEmpty { continue }
      }
      guard part.hasPrefix("--") else { break }
      comments.append((String(part.dropFirst(2).trimmed), start + number))
    }
    return comments
  }
}

extension ScriptStatement {
  /// True if ORDER BY stands outside of any parentheses.
  fileprivate var isOrdered: Bool {
    var depth = 0
    for token in tokens {
      if token.isSymbol("(") { depth += 1 }
      if token.isSymbol(")") { depth -= 1 }
      if depth == 0, token.isKeyword("ORDER") { return true }
    }
    return false
  }
}

import OrderedCollections

/// The tables whose columns a view or trigger uses by position rather than by name, and what does so.
///
/// `INSERT INTO log VALUES (…)` and `SELECT * … UNION ALL SELECT * …` compile with the columns in any order, and mean
/// something different with each. ALTER TABLE adds a new column at the end, wherever it is declared. See
/// something else with each. ALTER TABLE puts a new column behind the others, wherever it is declared. See
/// [ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column) and
/// [INSERT](https://sqlite.org/lang_insert.html).
package struct PositionalUses {
  /// For each such table, a view or trigger that uses its columns by position.
  package private(set) var users: [SQLName: SQLName] = [:]

  /// Finds them among the views and triggers of a schema.
  ///
  /// - Parameter unmanaged: Views and triggers that are not declared, and so were written for the file's column order.
  package init(in schema: DatabaseSchema, unmanaged: Set<SQLName>) {
    let views = schema.views.values.map { ($0.name, $0.sql) }
    let triggers = schema.triggers.values.map { ($0.name, $0.sql) }
    let texts = (views + triggers).filter { !unmanaged.contains($0.0) }.sorted { $0.0 < $1.0 }
    let stars = Dictionary(
      views.map { ($0.0, PositionalText($0.1)) }.filter(\.1.hasStar), uniquingKeysWith: { first, _ in first })
    for (name, sql) in texts {
      var open = Array(PositionalText(sql).names)
      var seen: Set<SQLName> = []
      while let next = open.popLast() {
        guard seen.insert(next).inserted else { continue }
        // The column order of such a view is that of what it reads.
        if let view = stars[next] { open += view.mentioned(in: view.all) }
        if schema.tables[next] != nil { users[next] = users[next] ?? name }
      }
    }
  }
}

/// The statement of a view or trigger, searched for uses by position.
private struct PositionalText {
  private let tokens: [SQLToken]
  private let closers: [Int: Int]

  init(_ sql: String) {
    tokens = (try? SQLLexer.tokens(of: sql)) ?? []
    closers = SQLToken.closers(in: tokens[...])
  }

  /// The whole text.
  var all: Range<Int> { 0..<tokens.count }

  /// All names in a range, whatever they refer to.
  func mentioned(in range: Range<Int>) -> Set<SQLName> {
    Set(tokens[range].compactMap { $0.kind == .string ? nil : $0.name })
  }

  /// True if all columns of something are selected together.
  var hasStar: Bool { tokens.indices.contains(where: isStar) }

  /// The names of what may be used by position.
  var names: Set<SQLName> {
    tokens.indices.reduce(into: []) { names, index in
      if let target = target(ofListlessInsert: index) { names.insert(target) }
      if isStar(index), goesByPosition(index) { names.formUnion(mentioned(in: statement(around: index))) }
    }
  }

  private func isStar(_ index: Int) -> Bool {
    guard tokens[index].isSymbol("*"), index > 0 else { return false }
    let before = tokens[index - 1]
    return before.isSymbol(",") || before.isSymbol(".")
      || ["SELECT", "DISTINCT", "ALL"].contains(where: before.isKeyword)
  }

  /// The table or view that an INSERT without a list of columns writes to.
  private func target(ofListlessInsert index: Int) -> SQLName? {
    guard tokens[index].isKeyword("INTO"), index + 2 < tokens.count else { return nil }
    let isListless = ["VALUES", "SELECT", "WITH"].contains(where: tokens[index + 2].isKeyword)
    return isListless ? tokens[index + 1].name : nil
  }

  /// True if the columns of a star are matched with others by position.
  private func goesByPosition(_ star: Int) -> Bool {
    let enclosing = closers.filter { $0.key < star && star < $0.value }.max { $0.key < $1.key }
    let range = enclosing.map { $0.key + 1..<$0.value } ?? statement(around: star)
    if isCompound(range) { return true }
    guard let open = enclosing?.key, open > 0 else {
      return isView ? hasColumnList : tokens[range].contains { $0.isKeyword("INTO") }
    }
    let before = tokens[open - 1]
    if before.isKeyword("IN")
      || ["=", "==", "<>", "!=", "<", "<=", ">", ">=", "IS", "NOT"].contains(where: before.isOperator)
    {
      return true
    }
    // WITH name (columns) AS (…)
    var index = open - 1
    while index > 0, tokens[index].isKeyword("MATERIALIZED") || tokens[index].isKeyword("NOT") { index -= 1 }
    return index > 0 && tokens[index].isKeyword("AS") && tokens[index - 1].isSymbol(")")
  }

  /// The statement of a trigger's body, or the whole text of a view.
  private func statement(around index: Int) -> Range<Int> {
    let start = tokens[..<index].lastIndex { $0.isSymbol(";") || $0.isKeyword("BEGIN") }
    let end = tokens[index...].firstIndex { $0.isSymbol(";") }
    return (start ?? 0)..<(end ?? tokens.count)
  }

  /// True if the range is a compound query, ignoring anything in parentheses.
  private func isCompound(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    while index < range.upperBound {
      if let end = closers[index] { index = end }
      if ["UNION", "EXCEPT", "INTERSECT"].contains(where: tokens[index].isKeyword) { return true }
      index += 1
    }
    return false
  }

  private var isView: Bool { tokens.prefix(3).contains { $0.isKeyword("VIEW") } }

  /// True if a view names its columns itself.
  private var hasColumnList: Bool {
    tokens[..<(tokens.firstIndex { $0.isKeyword("AS") } ?? 0)].contains { $0.isSymbol("(") }
  }
}

extension SQLToken {
  fileprivate func isOperator(_ text: String) -> Bool { isSymbol(text) || isKeyword(text) }
}

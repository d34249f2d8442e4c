import OrderedCollections
package import SchemaKit

/// Finds the lines of SQL text on which definitions begin.
///
/// SQLite stores a statement in its own words up to the object's name and in the original text from there on, so
/// positions are identified by the number of tokens that follow.
package struct LintLocator: Sendable {
  private let file: String
  /// Where each line begins, in bytes.
  private let lineStarts: [Int]
  private var statements: [Key: ScriptStatement] = [:]

  private struct Key: Hashable {
    var isTrigger: Bool
    var name: SQLName
  }

  /// - Parameters:
  ///   - text: The SQL.
  ///   - file: The name of its origin.
  package init(_ text: String, file: String) {
    self.file = file
    lineStarts = [0] + text.utf8.enumerated().filter { $0.element == 10 }.map { $0.offset + 1 }
    for statement in (try? SQLScript.statements(in: text)) ?? [] {
      guard let parsed = try? SQLParser.create(statement.text) else { continue }
      let key =
        switch parsed {
        case .table(let table): Key(isTrigger: false, name: table.name)
        case .index(let index): Key(isTrigger: false, name: index.name)
        case .view(let view): Key(isTrigger: false, name: view.name)
        case .trigger(let trigger): Key(isTrigger: true, name: trigger.name)
        case .virtualTable(let table): Key(isTrigger: false, name: table.name)
        }
      statements[key] = statement
    }
  }

  /// Findings with their file and line, if these can be determined.
  package func locate(_ findings: [Finding], in schema: DatabaseSchema) -> [Finding] {
    var tokens: [Key: [SQLToken]] = [:]
    return findings.map { locate($0, in: schema, tokens: &tokens) }
  }

  private func locate(_ finding: Finding, in schema: DatabaseSchema, tokens: inout [Key: [SQLToken]]) -> Finding {
    var finding = finding
    guard let (key, stored) = object(of: finding, in: schema), let statement = statements[key] else { return finding }
    finding.file = file
    finding.line = statement.line
    guard let offset = finding.offset else { return finding }
    let all = tokens[key] ?? (try? SQLLexer.tokens(of: stored)) ?? []
    tokens[key] = all
    let rest = all.drop { $0.span.start < offset }
    guard let first = rest.first, rest.count <= statement.tokens.count else { return finding }
    let token = statement.tokens[statement.tokens.count - rest.count]
    if token.text == first.text { finding.line = line(of: token.span.start) }
    return finding
  }

  private func line(of offset: Int) -> Int {
    var (low, high) = (0, lineStarts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  private func object(of finding: Finding, in schema: DatabaseSchema) -> (Key, String)? {
    switch finding.kind {
    case .file: return nil
    case .table, .column, .view:
      guard let name = finding.table else { return nil }
      let sql = schema.tables[name]?.sql ?? schema.views[name]?.sql ?? schema.virtualTables[name]?.sql
      return (Key(isTrigger: false, name: name), sql ?? "")
    case .index:
      guard let name = finding.member else { return nil }
      return (Key(isTrigger: false, name: name), schema.indexes[name]?.sql ?? "")
    case .trigger:
      guard let name = finding.member else { return nil }
      return (Key(isTrigger: true, name: name), schema.triggers[name]?.sql ?? "")
    }
  }
}

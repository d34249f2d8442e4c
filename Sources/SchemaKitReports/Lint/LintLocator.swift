import OrderedCollections
package import SchemaKit

/// Finds the places in SQL text at which definitions begin.
///
/// SQLite stores a statement in its own words up to the object's name and in the original text from there on, so
/// positions are identified by the number of tokens that follow.
package struct LintLocator: Sendable {
  private let file: String
  private let lines: TextLines
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
    lines = TextLines(text)
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
    finding.place(at: lines.place(of: statement.span.start))
    guard let offset = finding.offset else { return finding }
    let all = tokens[key] ?? (try? SQLLexer.tokens(of: stored)) ?? []
    tokens[key] = all
    let rest = all.drop { $0.span.start < offset }
    guard let first = rest.first, rest.count <= statement.tokens.count else { return finding }
    let token = statement.tokens[statement.tokens.count - rest.count]
    if token.text == first.text { finding.place(at: lines.place(of: token.span.start)) }
    return finding
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

extension Finding {
  fileprivate mutating func place(at place: TextPlace) {
    line = place.line
    column = place.column
  }
}

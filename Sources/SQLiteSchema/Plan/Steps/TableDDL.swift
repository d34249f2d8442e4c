/// Writes the CREATE TABLE statement of a table under another name, keeping the text of unchanged columns.
package struct TableDDL {
  private let target: TableSchema
  private let source: TableSchema?

  /// - Parameter source: The version in the file, whose spelling of unchanged columns is kept.
  package init(_ target: TableSchema, keeping source: TableSchema? = nil) {
    self.target = target
    self.source = source
  }

  /// The statement that creates the table under its own name.
  package func create() throws(SQLSyntaxError) -> String { try create(as: target.name) }

  /// The statement that creates the table under a name.
  package func create(as name: SQLName) throws(SQLSyntaxError) -> String {
    let text = try keptText()
    guard case .table(let statement) = try SQLParser.create(text) else { return text }
    let isRenamed = name != target.name
    var edits: [SQLEditing.Edit] = []
    if isRenamed {
      // A CHECK that says `notes.title` would not find `notes` while the table has another name; within a table's own
      // expressions the prefix is redundant.
      for expression in statement.ownExpressions {
        edits += expression.qualifierSpans(of: statement.name).map { SQLEditing.Edit(span: $0, replacement: "") }
      }
    }
    let spelling = isRenamed ? name.quoted : SQLEditing.text(at: statement.nameSpan, in: text)
    edits.append(SQLEditing.Edit(span: statement.qualifiedNameSpan, replacement: "\"main\".\(spelling)"))
    return SQLEditing.applying(edits, to: text)
  }

  /// The target's text, with the definitions of unchanged columns as the file has them.
  package func keptText() throws(SQLSyntaxError) -> String {
    // A STRICT table may refuse a type that an ordinary table accepts.
    guard let source, source.isStrict || !target.isStrict, case .table(let new) = try SQLParser.create(target.sql),
      case .table(let old) = try SQLParser.create(source.sql)
    else { return target.sql }
    var edits: [SQLEditing.Edit] = []
    let former = Dictionary(old.columns.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for definition in new.columns {
      guard let before = former[definition.name], let column = target.column(definition.name),
        let beforeColumn = source.column(definition.name),
        before.name.text == definition.name.text, beforeColumn.differences(from: column).isEmpty,
        before.hasSameConstraints(as: definition)
      else { continue }
      edits.append(SQLEditing.Edit(span: definition.span, replacement: beforeColumn.definition))
    }
    let text = SQLEditing.applying(edits, to: target.sql)
    guard let read = try? SQLParser.create(text), case .table(let statement) = read,
      TableChange(from: target, to: TableSchema(statement, sql: text)).isEmpty || target.hasLooseTypes
    else { return target.sql }
    return text
  }
}

extension TableSchema {
  /// True if any column accepts every declared type of its affinity.
  fileprivate var hasLooseTypes: Bool { columns.contains { $0.acceptsAnyTypeOfAffinity } }
}

extension CreateTableStatement {
  /// The expressions in which the table's own columns may be qualified by its name.
  package var ownExpressions: [SQLExpression] {
    let inColumns = columns.flatMap(\.constraints).compactMap { constraint -> SQLExpression? in
      switch constraint.kind {
      case .check(let expression, _), .generated(let expression, _): expression
      default: nil
      }
    }
    return inColumns
      + constraints.compactMap { constraint in
        if case .check(let expression, _) = constraint.kind { expression } else { nil }
      }
  }
}

extension SQLExpression {
  /// The spans of `name.` and `main.name.` before a column.
  package func qualifierSpans(of name: SQLName) -> [Span] {
    tokens.indices.compactMap { index in
      Self.qualifierLength(of: name, in: tokens[...], at: index).map { count in
        Span(start: tokens[index].span.start, end: tokens[index + count - 1].span.end)
      }
    }
  }
}

extension ColumnDefinition {
  /// True if both definitions have the same keys, CHECKs and references on the column itself.
  package func hasSameConstraints(as other: ColumnDefinition) -> Bool { ownConstraints == other.ownConstraints }

  private var ownConstraints: [String] {
    constraints.compactMap { constraint in
      switch constraint.kind {
      case .primaryKey(let order, let conflict, let isAutoincrement):
        "primary key \(order == .descending) \(conflict?.rawValue ?? "") \(isAutoincrement)"
      case .unique(let conflict): "unique \(conflict?.rawValue ?? "")"
      case .check(let expression, _):
        "check " + expression.canonical(droppingQualifier: nil, columns: nil).joined(separator: " ")
      case .references(let clause): "references \(ForeignKeySchema([name], clause).clauseSQL)"
      case .notNull, .null, .defaultValue, .collate, .generated: nil
      }
    }.sorted()
  }
}

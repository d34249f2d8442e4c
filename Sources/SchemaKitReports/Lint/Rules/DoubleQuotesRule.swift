import SchemaKit

/// Finds string literals in double quotes, which are literals only as long as nothing has that name.
struct DoubleQuotesRule: LintRule {
  let code = LintCode.doubleQuotes
  let severity = Finding.Severity.warning
  let title = "text in double quotes"
  let reason =
    "double quotes are for names; SQLite takes them for a text only where nothing has that name, some builds of it never, and a column added later changes what is meant"
  let remedy = "write texts in single quotes"
  let page = "https://sqlite.org/quirks.html#dblquote"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      inTable(table, subject) + subject.indexes(on: table.name).compactMap { inIndex($0, of: table) }
    }
      + subject.faults.filter { $0.cause == .doubleQuotedText }.map { fault in
        let kind = fault.kind == .view ? Finding.Kind.view : .trigger
        let message =
          "\(fault.kind == .view ? "View" : "Trigger") \(fault.name.quotedIfNeeded) holds a text in double quotes: without "
          + "SQLite's leniency it would not compile (\(fault.problem))."
        let fix = "Write the text in single quotes."
        return kind == .view
          ? finding(on: kind, fault.name, message: message, fix: fix)
          : finding(on: kind, fault.name, of: fault.table, message: message, fix: fix)
      }
  }

  private func inTable(_ table: TableSchema, _ subject: LintSubject) -> [Finding] {
    guard let statement = subject.statement(of: table.name) else { return [] }
    let columns = Set(table.columns.map(\.name))
    var findings: [Finding] = []
    for definition in statement.columns {
      for constraint in definition.constraints {
        let (expression, words, names): (SQLExpression, String, Set<SQLName>)
        switch constraint.kind {
        case .check(let check, _): (expression, words, names) = (check, "a CHECK", columns)
        case .generated(let value, _): (expression, words, names) = (value, "its expression", columns)
        // A default cannot refer to a column.
        case .defaultValue(let value): (expression, words, names) = (value, "its default", [])
        default: continue
        }
        let hasRowID = names.isEmpty || !table.isWithoutRowID
        guard let text = expression.doubleQuotedText(columns: names, hasRowID: hasRowID) else { continue }
        findings.append(
          finding(
            on: .column, definition.name, of: table.name, at: constraint.span.start,
            message: message(
              "\(table.name.dotted(definition.name)) has \(text.text) in \(words)", isDefault: names.isEmpty),
            fix: fix(text)
              + (names.isEmpty ? " In a file that is there nothing is to be done: both are one default." : "")
          ))
      }
    }
    for constraint in statement.constraints {
      guard case .check(let check, _) = constraint.kind,
        let text = check.doubleQuotedText(columns: columns, hasRowID: !table.isWithoutRowID)
      else {
        continue
      }
      findings.append(
        finding(
          table.name, at: constraint.span.start,
          message: message("Table \(table.name.quotedIfNeeded) has \(text.text) in a CHECK"), fix: fix(text)))
    }
    return findings
  }

  private func inIndex(_ index: IndexSchema, of table: TableSchema) -> Finding? {
    guard case .index(let statement)? = try? SQLParser.create(index.sql) else { return nil }
    let columns = Set(table.columns.map(\.name))
    let expressions = statement.columns.map(\.expression) + (statement.predicate.map { [$0] } ?? [])
    guard
      let text = expressions.lazy.compactMap({ $0.doubleQuotedText(columns: columns, hasRowID: !table.isWithoutRowID) })
        .first
    else { return nil }
    return finding(
      on: .index, index.name, of: table.name, at: text.span.start,
      message: message("Index \(index.name.quotedIfNeeded) has \(text.text)"), fix: fix(text))
  }

  private func message(_ beginning: String, isDefault: Bool = false) -> String {
    isDefault
      ? "\(beginning): SQLite takes what is meant for a name as a text there."
      : "\(beginning): SQLite takes it for a text because no column has that name, and for the column once one has."
  }

  private func fix(_ token: SQLToken) -> String { "Write \(SQLQuoting.literal(token.unquotedText))." }
}

extension SQLExpression {
  /// The first name in double quotes that SQLite reads as a string literal.
  fileprivate func doubleQuotedText(columns: Set<SQLName>, hasRowID: Bool) -> SQLToken? {
    tokens.indices.first { index in
      let next = index + 1 < tokens.count ? tokens[index + 1] : nil
      return tokens[index].isDoubleQuotedText(
        after: index > 0 ? tokens[index - 1] : nil, before: next, columns: columns, hasRowID: hasRowID)
    }.map { tokens[$0] }
  }
}

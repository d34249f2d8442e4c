extension TableSchema {
  /// The table with further columns behind its own.
  ///
  /// - Parameter definitions: The columns as a CREATE TABLE statement defines them.
  package func appending(
    _ definitions: [String], constraints: [String] = []
  ) throws(SQLSyntaxError) -> TableSchema {
    guard !definitions.isEmpty, case .table(let statement) = try SQLParser.create(sql),
      let last = statement.columns.last
    else { return self }
    let columnsEnd = last.span.end
    let end = statement.constraints.last?.span.end ?? columnsEnd
    let withConstraints = SQLEditing.replacing(
      Span(start: end, end: end), in: sql, with: constraints.map { ", \($0)" }.joined())
    let text = SQLEditing.replacing(
      Span(start: columnsEnd, end: columnsEnd), in: withConstraints, with: definitions.map { ", \($0)" }.joined())
    guard case .table(let longer) = try SQLParser.create(text) else { return self }
    var table = TableSchema(longer, sql: text)
    table.columns = table.columns.map { column in
      var column = column
      column.acceptsAnyTypeOfAffinity = self.column(column.name)?.acceptsAnyTypeOfAffinity ?? false
      return column
    }
    return table
  }
}

extension TableSchema {
  /// The texts of the table's constraints over some of its columns, without its primary key.
  package func constraints(over names: Set<SQLName>) -> [String] {
    guard case .table(let statement)? = try? SQLParser.create(sql) else { return [] }
    return statement.constraints.filter { constraint in
      switch constraint.kind {
      case .primaryKey: false
      case .unique(let columns, _):
        columns.contains { $0.expression.tokens.contains { $0.name.map(names.contains) ?? false } }
      case .check(let expression, _): expression.tokens.contains { $0.name.map(names.contains) ?? false }
      case .foreignKey(let columns, _): columns.contains(where: names.contains)
      }
    }.map { String(decoding: Array(sql.utf8)[$0.span.start..<$0.span.end], as: UTF8.self) }
  }
}

extension TableSchema {
  /// The types that a [STRICT table](https://sqlite.org/stricttables.html) takes.
  package static let strictTypes: Set<SQLName> = ["INT", "INTEGER", "REAL", "TEXT", "BLOB", "ANY"]
}

extension ColumnSchema {
  /// True if a CHECK of its own, or the expression that computes it, uses a column.
  package func uses(_ name: SQLName) -> Bool {
    guard case .table(let table)? = try? SQLParser.create("CREATE TABLE t (\(definition))") else { return false }
    return table.columns.flatMap(\.constraints).contains { constraint in
      switch constraint.kind {
      case .check(let expression, _), .generated(let expression, _): expression.tokens.contains { $0.name == name }
      case .primaryKey, .notNull, .null, .unique, .defaultValue, .collate, .references: false
      }
    }
  }
}

extension ColumnSchema {
  /// The definition without UNIQUE and PRIMARY KEY, which ALTER TABLE can neither add nor drop with the column.
  package var definitionWithoutKeys: String {
    let start = "CREATE TABLE t ("
    let text = "\(start)\(definition))"
    guard case .table(let table)? = try? SQLParser.create(text), let column = table.columns.first else {
      return definition
    }
    let edits = column.constraints.compactMap { constraint -> SQLEditing.Edit? in
      switch constraint.kind {
      case .unique, .primaryKey: SQLEditing.Edit(span: constraint.span, replacement: "")
      case .notNull, .null, .check, .defaultValue, .collate, .references, .generated: nil
      }
    }
    let rest = String(SQLEditing.applying(edits, to: text).dropFirst(start.count).dropLast().trimmed)
    // A comment before the key is the end of the text now.
    return rest.contains("--") ? rest + "\n" : rest
  }
}

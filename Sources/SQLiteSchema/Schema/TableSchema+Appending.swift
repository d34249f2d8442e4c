extension TableSchema {
  /// The table with further columns behind its own.
  ///
  /// - Parameter definitions: The columns as a CREATE TABLE statement defines them.
  package func appending(_ definitions: [String]) throws(SQLSyntaxError) -> TableSchema {
    guard !definitions.isEmpty, case .table(let statement) = try SQLParser.create(sql),
      let last = statement.columns.last
    else { return self }
    let end = Span(start: last.span.end, end: last.span.end)
    let text = SQLEditing.replacing(end, in: sql, with: definitions.map { ", \($0)" }.joined())
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

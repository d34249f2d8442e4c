extension SQLParser {
  /// Reads a CREATE VIEW statement from its name on.
  package mutating func createView(isTemporary: Bool) throws(SQLSyntaxError) -> CreateViewStatement {
    try skipIfNotExists()
    let view = try objectName("a name for the view")
    let columns = at(symbol: "(") ? try nameList() : nil
    try expect("AS")
    guard ["SELECT", "VALUES", "WITH"].contains(where: { at($0) }) else { throw unexpected("SELECT") }
    let first = position
    try skipToEnd()
    return CreateViewStatement(
      name: view.name,
      nameSpan: view.span,
      qualifiedNameSpan: view.qualifiedSpan,
      isTemporary: isTemporary,
      columns: columns,
      body: expression(first..<position)
    )
  }
}

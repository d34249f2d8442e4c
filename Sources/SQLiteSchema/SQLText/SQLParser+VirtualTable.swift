extension SQLParser {
  /// Reads a CREATE VIRTUAL TABLE statement from its name on.
  package mutating func createVirtualTable() throws(SQLSyntaxError) -> CreateVirtualTableStatement {
    try skipIfNotExists()
    let table = try objectName("a name for the table")
    try expect("USING")
    let module = try name("a module").name
    var arguments: [String] = []
    if take(symbol: "(") {
      repeat {
        let first = position
        // A semicolon is a token like any other there.
        try skipBalanced(endsAtSemicolon: false) { token, _ in token.isSymbol(",") || token.isSymbol(")") }
        // SQLite passes no argument for an empty place between two commas.
        if position > first { arguments.append(expression(first..<position).text) }
      } while take(symbol: ",")
      try expect(symbol: ")")
    }
    return CreateVirtualTableStatement(
      name: table.name,
      nameSpan: table.span,
      qualifiedNameSpan: table.qualifiedSpan,
      module: module,
      arguments: arguments
    )
  }
}

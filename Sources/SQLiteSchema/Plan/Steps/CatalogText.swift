/// Writes the text that the catalog will contain for a table: the declared text, with the columns in the order in which
/// the rows store them.
package struct CatalogText {
  package var change: TableChange
  /// True if the rows are left unchanged, so that the columns keep their order.
  package var keepsRows = true
  /// The columns that the text no longer declares, although the rows still store them.
  package var undeclared: Set<SQLName> = []

  /// The text, as SQLite stores it: without IF NOT EXISTS and without the name of the database.
  ///
  /// Columns that only the old version has are still included, without keys: they are dropped afterwards, from the new text.
  package func text() throws(SQLSyntaxError) -> String {
    let text = try TableDDL(change.to, keeping: change.from).keptText()
    guard case .table(let statement) = try SQLParser.create(text) else { return text }
    let declared = statement.columns.map(\.name)
    let wanted =
      keepsRows
      ? change.from.columns.map(\.name).filter { !undeclared.contains($0) } + change.addedColumns.map(\.name) : declared
    var edits: [SQLEditing.Edit] = []
    if wanted != declared {
      let definitions = wanted.map { name in
        statement.columns.first { $0.name == name }.map { SQLEditing.text(at: $0.span, in: text) }
          ?? change.from.column(name)?.definitionWithoutKeys ?? name.quoted
      }
      // The columns that are dropped afterwards come last.
      let places = statement.columns.count
      for (index, column) in statement.columns.enumerated() {
        let isLast = index == places - 1
        let replacement =
          isLast ? definitions[index...].joined(separator: ", ") : definitions[index]
        edits.append(SQLEditing.Edit(span: column.span, replacement: replacement))
      }
    }
    let name = SQLEditing.text(at: statement.nameSpan, in: text)
    edits.append(
      SQLEditing.Edit(span: Span(start: 0, end: statement.qualifiedNameSpan.end), replacement: "CREATE TABLE \(name)"))
    return SQLEditing.applying(edits, to: text)
  }

  /// The statement that puts the new text into the catalog.
  ///
  /// - Parameter text: The text that SQLite should store for the table.
  package static func statement(storing text: String, of table: SQLName) -> PlannedStatement {
    PlannedStatement(
      """
      UPDATE "main".sqlite_master SET sql = \(SQLQuoting.literal(text)) \
      WHERE type = 'table' AND name = \(SQLQuoting.literal(table.text))
      """, role: .catalog)
  }
}

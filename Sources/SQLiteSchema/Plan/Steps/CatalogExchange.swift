/// Lets a table and its copy change places in the catalog, and their indexes where the copy has built some.
///
/// The table keeps its name, its triggers and the indexes that are not mentioned, and gets the rows of the copy; the copy has the old
/// rows then. See [The Schema Table](https://sqlite.org/schematab.html).
///
/// *Cost:* a row of the catalog for each table and index.
package struct CatalogExchange: Sendable, Hashable {
  /// An index that changes its name, and maybe its table.
  package struct Move: Sendable, Hashable {
    package var index: String
    package var newName: String
    package var table: SQLName
    /// The statement that the catalog will contain; nil for the index of a constraint.
    package var sql: String?
  }

  package var table: SQLName
  package var copy: SQLName
  /// The text that the catalog will contain for the table.
  package var text: String
  /// The text for the old rows; nil if they are dropped before anyone reads them.
  package var textOfOldRows: String?
  package var moves: [Move] = []

  /// The number of rows of the catalog that change.
  package var entries: Int { 2 + moves.count }

  package var statement: PlannedStatement {
    let name = SQLQuoting.literal(table.text)
    let copyName = SQLQuoting.literal(copy.text)
    let both = "type = 'table' AND name IN (\(name), \(copyName))"
    let roots = "(SELECT sum(rootpage) FROM \"main\".sqlite_master WHERE \(both)) - rootpage"
    let texts =
      "WHEN \(name) THEN \(SQLQuoting.literal(text))"
      + (textOfOldRows.map { " WHEN \(copyName) THEN \(SQLQuoting.literal($0))" } ?? "")
    guard !moves.isEmpty else {
      return PlannedStatement(
        "UPDATE \"main\".sqlite_master SET rootpage = \(roots), sql = CASE name \(texts) ELSE sql END WHERE \(both)",
        role: .swap)
    }
    func cases(_ value: (Move) -> String) -> String {
      moves.map { " WHEN \(SQLQuoting.literal($0.index)) THEN \(value($0))" }.joined()
    }
    let indexes = moves.map { SQLQuoting.literal($0.index) }.joined(separator: ", ")
    // SQLite reads the catalog in the order of its rows, and needs a table before its indexes: they go to the end.
    let places = moves.enumerated().map { place, move in " WHEN \(SQLQuoting.literal(move.index)) THEN \(place + 1)" }
    let end = "(SELECT max(rowid) FROM \"main\".sqlite_master)"
    return PlannedStatement(
      """
      UPDATE "main".sqlite_master SET \
      rootpage = CASE type WHEN 'table' THEN \(roots) ELSE rootpage END, \
      rowid = CASE type WHEN 'index' THEN \(end) + CASE name COLLATE NOCASE\(places.joined()) END ELSE rowid END, \
      name = CASE name COLLATE NOCASE\(cases { SQLQuoting.literal($0.newName) }) ELSE name END, \
      tbl_name = CASE name COLLATE NOCASE\(cases { SQLQuoting.literal($0.table.text) }) ELSE tbl_name END, \
      sql = CASE name COLLATE NOCASE \(texts)\(cases { $0.sql.map(SQLQuoting.literal) ?? "NULL" }) ELSE sql END \
      WHERE \(both) OR type = 'index' AND name COLLATE NOCASE IN (\(indexes))
      """, role: .swap)
  }
}

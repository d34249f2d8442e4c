/// Writes the statements that fill a new table from the old one and swap the two in the catalog, so that the indexes
/// and triggers of the old one stay in place.
///
/// What is dropped afterwards, under the temporary name, is the old rows.
package struct SwapBuilder {
  package var rebuild: RebuildBuilder
  /// The text that the catalog will contain for the table.
  package var text: String
  /// The indexes that read what changes.
  package var staleIndexes: [IndexSchema]

  private var table: String { "\"main\".\(rebuild.projection.target.name.quoted)" }
  private var copy: String { "\"main\".\(rebuild.temporaryName.quoted)" }

  /// The statements in order.
  package func statements() throws(SQLSyntaxError) -> [PlannedStatement] {
    let target = rebuild.projection.target
    return [
      PlannedStatement(try TableDDL(target, keeping: rebuild.projection.source).createBare(as: rebuild.temporaryName)),
      PlannedStatement(rebuild.copy, role: .copy),
    ] + rebuild.verification + [
      Self.exchange(target.name, with: rebuild.temporaryName, storing: text),
      // SQLite counts the entries of an index if it can; NOT INDEXED makes it count the rows.
      PlannedStatement(
        """
        SELECT 'entries of indexes' WHERE (SELECT count(*) FROM \(table)) <> (SELECT count(*) FROM \(table) NOT INDEXED)
        """, role: .verification),
      PlannedStatement("DROP TABLE \(copy)"),
    ] + staleIndexes.map { PlannedStatement(Self.reindex($0)) }
  }

  /// The statement that rebuilds an index.
  package static func reindex(_ index: IndexSchema) -> String { "REINDEX \"main\".\(index.name.quoted)" }

  /// Swaps the root pages of two tables, and gives the first one its new text.
  private static func exchange(_ table: SQLName, with copy: SQLName, storing text: String) -> PlannedStatement {
    let name = SQLQuoting.literal(table.text)
    let both = "type = 'table' AND name IN (\(name), \(SQLQuoting.literal(copy.text)))"
    return PlannedStatement(
      """
      UPDATE "main".sqlite_master \
      SET rootpage = (SELECT sum(rootpage) FROM "main".sqlite_master WHERE \(both)) - rootpage, \
      sql = CASE name WHEN \(name) THEN \(SQLQuoting.literal(text)) ELSE sql END WHERE \(both)
      """, role: .swap)
  }
}

extension TableDDL {
  /// The statement that creates a table which stores rows as this one does and has no indexes: without UNIQUE, foreign
  /// keys and AUTOINCREMENT, and without a PRIMARY KEY that is not the rowid.
  package func createBare(as name: SQLName) throws(SQLSyntaxError) -> String {
    let text = try create(as: name)
    guard case .table(let statement) = try SQLParser.create(text) else { return text }
    let alias = TableSchema(statement, sql: text).rowIDAlias?.name
    var terms = statement.columns.map { column in
      var words = [SQLEditing.text(at: column.nameSpan, in: text)] + [column.storedType].compactMap { $0 }
      if column.name == alias { words.append("PRIMARY KEY") }
      words += column.constraints.filter(\.kind.concernsOneRow).map { SQLEditing.text(at: $0.span, in: text) }
      return words.joined(separator: " ")
    }
    for constraint in statement.constraints {
      if case .check = constraint.kind { terms.append(SQLEditing.text(at: constraint.span, in: text)) }
    }
    let head = SQLEditing.text(at: statement.qualifiedNameSpan, in: text)
    // The last line may end in a comment.
    return "CREATE TABLE \(head) (\(terms.joined(separator: ", "))\n)\(statement.isStrict ? " STRICT" : "")"
  }
}

extension ColumnConstraint.Kind {
  /// Whether the constraint applies to each row by itself, or to how it is stored.
  fileprivate var concernsOneRow: Bool {
    switch self {
    case .notNull, .null, .check, .defaultValue, .collate, .generated: true
    case .primaryKey, .unique, .references: false
    }
  }
}

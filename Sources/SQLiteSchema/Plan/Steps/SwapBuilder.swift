/// Writes the statements that fill a new table from the old one and swap the two in the catalog, so that the indexes
/// and triggers of the old one stay in place.
///
/// The table that is dropped afterwards, under the temporary name, holds the old rows.
package struct SwapBuilder {
  package let rebuild: RebuildBuilder
  package let bare: BareTable
  /// The text that the catalog will contain for the table.
  package var text: String
  /// The indexes that read what changes.
  package var staleIndexes: [IndexSchema]
  /// The indexes that are filled with the copy.
  package var indexes: [OnlineIndex] = []
  /// The indexes that change places with the table, besides its rows.
  package var moves: [CatalogExchange.Move] = []
  /// The text that the catalog will contain for the old rows; nil if they are dropped at once.
  package var textOfOldRows: String?

  package init(rebuild: RebuildBuilder, bare: BareTable, text: String, staleIndexes: [IndexSchema]) {
    self.bare = bare
    var rebuild = rebuild
    rebuild.bare = bare
    self.rebuild = rebuild
    self.text = text
    self.staleIndexes = staleIndexes
  }

  private var copy: String { "\"main\".\(rebuild.temporaryName.quoted)" }

  /// The statements in order.
  package func statements() throws(SQLSyntaxError) -> [PlannedStatement] {
    var statements = [PlannedStatement(bare.create(as: rebuild.temporaryName))]
    statements += indexes.map { PlannedStatement($0.create) }
    statements.append(PlannedStatement(rebuild.copy, role: .copy))
    statements += rebuild.verification
    statements += indexes.compactMap { index in
      index.uniqueness.map { PlannedStatement($0.duplicates, role: .verification) }
    }
    statements.append(exchange.statement)
    statements += staleStatistics + bare.demands
    statements.append(PlannedStatement("DROP TABLE \(copy)"))
    return statements + staleIndexes.map { PlannedStatement(Self.reindex($0)) }
  }

  /// The statement that rebuilds an index.
  package static func reindex(_ index: IndexSchema) -> String { "REINDEX \"main\".\(index.name.quoted)" }

  package var exchange: CatalogExchange {
    CatalogExchange(
      table: rebuild.projection.target.name, copy: rebuild.temporaryName, text: text, textOfOldRows: textOfOldRows,
      moves: moves)
  }

  /// Deletes the statistics of constraints if they change their numbers: SQLite would attribute them to the wrong ones.
  private var staleStatistics: [PlannedStatement] {
    guard moves.contains(where: { $0.sql == nil || $0.index.hasPrefix("sqlite_") }) else { return [] }
    let name = SQLQuoting.literal(rebuild.projection.target.name.text)
    return rebuild.statisticsTables.map { table in
      PlannedStatement(
        """
        DELETE FROM "main".\(table) WHERE tbl = \(name) COLLATE NOCASE AND idx LIKE 'sqlite\\_autoindex\\_%' ESCAPE '\\'
        """, role: .statistics)
    }
  }
}

extension TableDDL {
  /// The statement that creates a table which stores and computes as this one does and has no indexes: without UNIQUE,
  /// foreign keys and AUTOINCREMENT, and without a PRIMARY KEY that is not the rowid.
  package func createWithoutKeys(as name: SQLName) throws(SQLSyntaxError) -> String {
    let text = try create(as: name)
    guard case .table(let statement) = try SQLParser.create(text) else { return text }
    let table = TableSchema(statement, sql: text)
    let alias = table.rowIDAlias?.name
    var terms = statement.columns.map { column in
      var words = [SQLEditing.text(at: column.nameSpan, in: text)] + [column.storedType].compactMap { $0 }
      if column.name == alias { words.append("PRIMARY KEY") }
      words += column.constraints.filter(\.kind.concernsOneRow).map { SQLEditing.text(at: $0.span, in: text) }
      // The key of a STRICT table says so without words.
      let isStated = column.constraints.contains { if case .notNull = $0.kind { true } else { false } }
      if statement.isStrict, !isStated, column.name != alias, table.column(column.name)?.isNotNull == true {
        words.append("NOT NULL")
      }
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
  /// True if the constraint applies to each row by itself, or to how it is stored.
  fileprivate var concernsOneRow: Bool {
    switch self {
    case .notNull, .null, .check, .defaultValue, .collate, .generated: true
    case .primaryKey, .unique, .references: false
    }
  }
}

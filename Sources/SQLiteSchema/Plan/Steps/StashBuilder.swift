/// Writes the statements that put the rows of a table aside, and fill the table from there once it has been dropped and
/// created with its new definition.
///
/// No table is renamed, and so no view, trigger or foreign key of another table is read again or rewritten. A rename
/// with foreign keys on would change the references of other tables, whatever `legacy_alter_table` says
/// ([ALTER TABLE RENAME](https://sqlite.org/lang_altertable.html#altertabrename)).
package struct StashBuilder {
  package let projection: RowProjection
  /// The name of the table that holds the rows meanwhile.
  package let name: SQLName
  /// SQLite's own tables in the catalog, which tell what it keeps beside the table.
  package let systemTables: Set<SQLName>
  package var verificationLevel = VerificationLevel.full
  /// Columns with values that the copy converts.
  package var converted: Set<SQLName> = []
  /// True if the indexes of PRIMARY KEY and UNIQUE keep their numbers, and so their statistics.
  package var keepsConstraintIndexes = true

  package init(projection: RowProjection, name: SQLName, systemTables: Set<SQLName>) {
    self.projection = projection
    self.name = name
    self.systemTables = systemTables
  }

  private var source: TableSchema { projection.source }
  private var target: TableSchema { projection.target }
  private var table: String { "\"main\".\(target.name.quoted)" }
  private var stash: String { "\"main\".\(name.quoted)" }

  /// Puts the rows aside as the new definition will have them, and compares them with the old ones.
  package var fill: [PlannedStatement] {
    let copy = RebuildBuilder(
      projection: projection.onto(stashSchema), temporaryName: name, systemTables: systemTables,
      verificationLevel: verificationLevel, converted: converted)
    return [PlannedStatement(definition), PlannedStatement(copy.copy, role: .copy)] + copy.verification
      + savedMark.map { PlannedStatement($0, role: .bookkeeping) }
      + renameStatistics(from: source.name, to: name)
  }

  package var drop: [PlannedStatement] { [PlannedStatement("DROP TABLE \"main\".\(source.name.quoted)")] }

  /// Creates the table anew, with the indexes that its keys need before there are rows.
  ///
  /// - Parameter indexes: The statements that create them.
  package func create(with indexes: [String]) throws(SQLSyntaxError) -> [PlannedStatement] {
    [PlannedStatement(try TableDDL(target, keeping: source).create())] + indexes.map { PlannedStatement($0) }
  }

  /// Fills the new table, compares it with what was put aside, and drops that.
  package var refill: [PlannedStatement] {
    var stashed = stashSchema
    stashed.name = name
    var copy = RebuildBuilder(
      projection: RowProjection(source: stashed, target: target, hints: TableHints(), sourceName: { $0 }, names: []),
      temporaryName: target.name, systemTables: systemTables, verificationLevel: verificationLevel)
    copy.keptColumns = storedColumns
    return [PlannedStatement(copy.copy, role: .copy)] + copy.verification
      + restoredMark.map { PlannedStatement($0, role: .bookkeeping) } + staleStatistics
      + renameStatistics(from: name, to: target.name) + [PlannedStatement("DROP TABLE \(stash)")]
  }

  // MARK: - The table that holds the rows

  /// The columns that get a value; the others are left to their defaults.
  private var columns: [ColumnSchema] {
    let filled = target.writableColumns.filter { projection.expression(of: $0) != nil }
    let values = storedColumns.map { column in
      var column = column
      column.generation = nil
      return column
    }
    return (filled.isEmpty ? Array(target.writableColumns.prefix(1)) : filled) + values
  }

  /// The stored columns whose values are put aside to compare them with those that the new table computes.
  private var storedColumns: [ColumnSchema] { projection.storedColumns(exceptConverted: converted) }

  /// The new definition without constraints, but with the key that identifies rows.
  private var stashSchema: TableSchema {
    let columns = columns
    let names = Set(columns.map(\.name))
    let key = target.primaryKey.flatMap { key in key.columns.allSatisfy { names.contains($0.name) } ? key : nil }
    var schema = TableSchema(
      name: target.name, columns: columns, isStrict: false, isWithoutRowID: target.isWithoutRowID && key != nil,
      sql: "")
    if let key, key.isRowIDAlias || schema.isWithoutRowID { schema.primaryKey = key }
    return schema
  }

  /// The statement that creates it. Affinities and collating sequences are those of the new definition, so that the
  /// values are compared and stored as they will be there.
  private var definition: String {
    let schema = stashSchema
    var parts = schema.columns.map { column in
      var part = column.name.quoted
      if column.name == schema.rowIDAlias?.name { return part + " INTEGER PRIMARY KEY" }
      let type = column.affinity.stashType
      if !type.isEmpty { part += " \(type)" }
      if let collation = column.collation { part += " COLLATE \(collation.quoted)" }
      return part
    }
    if schema.isWithoutRowID, let key = schema.primaryKey?.columns {
      let terms = key.map { column in
        column.name.quoted + (column.collation.map { " COLLATE \($0.quoted)" } ?? "")
          + (column.isDescending ? " DESC" : "")
      }
      parts.append("PRIMARY KEY (\(terms.joined(separator: ", ")))")
    }
    return "CREATE TABLE \(stash) (\(parts.joined(separator: ", ")))" + (schema.isWithoutRowID ? " WITHOUT ROWID" : "")
  }

  // MARK: - Internal tables of SQLite

  private var keepsMark: Bool {
    source.primaryKey?.isAutoincrement == true && target.primaryKey?.isAutoincrement == true
  }

  /// Keeps the highest key ever assigned under the name of the stash: it goes with the table.
  /// See [SQLite Autoincrement](https://sqlite.org/autoinc.html).
  private var savedMark: [String] {
    guard keepsMark else { return [] }
    return [
      """
      INSERT INTO "main".sqlite_sequence (name, seq) SELECT \(SQLQuoting.literal(name.text)), seq \
      FROM "main".sqlite_sequence WHERE name = \(SQLQuoting.literal(source.name.text))
      """
    ]
  }

  private var restoredMark: [String] {
    guard target.primaryKey?.isAutoincrement == true else { return [] }
    let noMark = RebuildBuilder.noMark(of: target.name, copiedFrom: name)
    guard keepsMark else { return [noMark] }
    let (own, saved) = (SQLQuoting.literal(target.name.text), SQLQuoting.literal(name.text))
    let mark = "(SELECT max(seq) FROM \"main\".sqlite_sequence WHERE name = \(saved))"
    return [
      "UPDATE \"main\".sqlite_sequence SET seq = max(seq, coalesce(\(mark), 0)) WHERE name = \(own)",
      """
      INSERT INTO "main".sqlite_sequence (name, seq) SELECT \(own), \(mark) \
      WHERE \(mark) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "main".sqlite_sequence WHERE name = \(own))
      """,
      noMark,
      "DELETE FROM \"main\".sqlite_sequence WHERE name = \(saved)",
    ]
  }

  private var statisticsTables: [String] {
    ["sqlite_stat1", "sqlite_stat4"].filter { systemTables.contains(SQLName($0)) }
  }

  /// The statistics of constraints go where their indexes may have other numbers.
  private var staleStatistics: [PlannedStatement] {
    guard !keepsConstraintIndexes else { return [] }
    return statisticsTables.map { table in
      PlannedStatement(
        """
        DELETE FROM "main".\(table) WHERE tbl = \(SQLQuoting.literal(name.text)) COLLATE NOCASE \
        AND substr(idx, 1, 17) = 'sqlite_autoindex_'
        """, role: .statistics)
    }
  }

  private func renameStatistics(from old: SQLName, to new: SQLName) -> [PlannedStatement] {
    statisticsTables.map { table in
      PlannedStatement(
        """
        UPDATE "main".\(table) SET tbl = \(SQLQuoting.literal(new.text)) \
        WHERE tbl = \(SQLQuoting.literal(old.text)) COLLATE NOCASE
        """, role: .statistics)
    }
  }
}

extension Affinity {
  /// A type that has the affinity and is no alias of the rowid.
  fileprivate var stashType: String {
    switch self {
    case .integer: "INT"
    case .text: "TEXT"
    case .blob: ""
    case .real: "REAL"
    case .numeric: "NUM"
    }
  }
}

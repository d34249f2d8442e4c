/// Writes the statements that replace the old version of a table with a new one.
///
/// The order is that of
/// [Making Other Kinds Of Table Schema Changes](https://sqlite.org/lang_altertable.html#otheralter); each step of that
/// procedure is named next to the code that carries it out. Steps 1, 2, 11 and 12 (foreign keys off, BEGIN, COMMIT,
/// foreign keys back on) enclose the whole plan and belong to the applier; steps 8 and 9 (indexes, triggers and views)
/// belong to the planner, since several tables may share them.
package struct RebuildBuilder {
  package var projection: RowProjection
  package var temporaryName: SQLName
  /// SQLite's own tables in the catalog, which tell what it keeps beside the table.
  package var systemTables: Set<SQLName>
  package var verificationLevel = VerificationLevel.full
  /// The table that the rows are copied into; nil where the catalog cannot be edited, so that the copy has its definition
  /// from the start.
  package var bare: BareTable?
  /// Columns with values that the copy converts, since it has its definition from the start.
  package var converted: Set<SQLName> = []
  /// The stored columns that the copy computes, with the values that they had; nil for those of the projection.
  package var keptColumns: [ColumnSchema]?

  private var source: TableSchema { projection.source }
  private var target: TableSchema { projection.target }
  private var oldTable: String { "\"main\".\(source.name.quoted)" }
  private var newTable: String { "\"main\".\(temporaryName.quoted)" }

  /// The statements in order.
  package func statements() throws(SQLSyntaxError) -> [PlannedStatement] {
    if let bare { return try statements(with: bare) }
    var statements: [PlannedStatement] = []
    // Step 4: "Use CREATE TABLE to construct a new table new_X that is in the desired revised format".
    statements.append(PlannedStatement(try TableDDL(target, keeping: source).create(as: temporaryName)))
    // The statistics of ANALYZE are lost with a dropped table unless they are renamed.
    statements += staleStatistics + renameStatistics(from: source.name, to: temporaryName)
    // Step 5: "Transfer content from X into new_X".
    statements.append(PlannedStatement(copy, role: .copy))
    statements += verification
    statements += sequence
    // Step 6: "Drop the old table X". Its indexes and triggers go with it.
    statements.append(PlannedStatement("DROP TABLE \(oldTable)"))
    // Step 7: "Change the name of new_X to X". Nothing else in the schema may be rewritten by that.
    statements.append(
      PlannedStatement("ALTER TABLE \(newTable) RENAME TO \(target.name.quoted)", leavesReferences: true))
    statements += renameStatistics(from: temporaryName, to: target.name)
    return statements
  }

  /// The statements where the copy gets its definition last, by an edit of the catalog. The indexes of its keys are made
  /// by sorting then, and adopted.
  private func statements(with bare: BareTable) throws(SQLSyntaxError) -> [PlannedStatement] {
    let text = try CatalogText(change: bare.change, keepsRows: false).text()
    let adoption = try Adoption(of: target, text: text, former: source, carried: bare.unchanged)
    var statements = [PlannedStatement(bare.create(as: temporaryName))]
    if target.primaryKey?.isAutoincrement == true, source.primaryKey?.isAutoincrement != true {
      statements += Adoption.sequenceTable
    }
    statements += renameStatistics(from: source.name, to: temporaryName)
    statements.append(PlannedStatement(copy, role: .copy))
    statements += verification + sequence
    statements.append(PlannedStatement("DROP TABLE \(oldTable)"))
    statements.append(
      PlannedStatement("ALTER TABLE \(newTable) RENAME TO \(target.name.quoted)", leavesReferences: true))
    statements += renameStatistics(from: temporaryName, to: target.name)
    return statements + adoption.statistics(in: statisticsTables) + adoption.statements + bare.demands
  }

  // MARK: - Copy

  /// The columns that are written, with their values.
  private var terms: [(column: String, value: String)] {
    var terms =
      bare?.terms
      ?? target.writableColumns.compactMap { column in
        projection.expression(of: column).map { (column: column.name.quoted, value: $0) }
      }
    if keepsRowID, let name = target.rowIDName, let key = projection.rowKey {
      terms.insert((column: name, value: key), at: 0)
    }
    if terms.isEmpty, let column = target.writableColumns.first {
      terms.append((column: column.name.quoted, value: column.defaultValue?.expression ?? "NULL"))
    }
    return terms
  }

  /// True if rowids are copied explicitly because no column holds them.
  private var keepsRowID: Bool { !target.isWithoutRowID && target.rowIDAlias == nil && source.rowKey != nil }

  /// ABORT overrides the table's own ON CONFLICT clauses: a copy must never skip or replace a row.
  package var copy: String { copy(where: nil) }

  /// - Parameter condition: Which rows are copied; nil for all.
  package func copy(where condition: String?) -> String {
    let terms = terms
    return """
      INSERT OR ABORT INTO \(newTable) (\(terms.map(\.column).joined(separator: ", "))) \
      SELECT \(terms.map(\.value).joined(separator: ", ")) \
      FROM \(projection.fromClauseInOrder)\(condition.map { " WHERE \($0)" } ?? "")\(keyOrder)
      """
  }

  /// The order of a table WITHOUT ROWID, for which NOT INDEXED has no effect.
  private var keyOrder: String {
    guard source.isWithoutRowID, let key = source.primaryKey?.columns else { return "" }
    return " ORDER BY "
      + key.map { column in
        "\(projection.reference(column.name)) COLLATE \((column.collation ?? "BINARY").quoted)"
          + (column.isDescending ? " DESC" : "")
      }.joined(separator: ", ")
  }

  // MARK: - Verification

  package var verification: [PlannedStatement] {
    // SQLite answers count(*) of a table WITHOUT ROWID from any index, whatever it is told.
    let number = source.isWithoutRowID ? "count(1)" : "count(*)"
    let count = """
      SELECT 'row count' WHERE (SELECT \(number) FROM \(oldTable) \(source.rowOrder)) \
      <> (SELECT count(*) FROM \(newTable))
      """
    if verificationLevel == .counts { return [PlannedStatement(count, role: .verification)] }
    return ([count] + (join().map { [$0] } ?? setComparison)).map { PlannedStatement($0, role: .verification) }
  }

  /// Compares every unchanged value by a join on the key; returns the keys of rows that differ.
  ///
  /// - Parameter condition: Which rows are compared, as a function of their key; nil for all.
  package func join(where condition: ((String) -> String)? = nil) -> String? {
    guard let key = joinKey else { return nil }
    let (old, new) = ("\"_old\"", "\"_new\"")
    let recoded = target.writableColumns.compactMap { column -> String? in
      guard let change = projection.recoding(of: column), let before = projection.sourceColumn(of: column) else {
        return nil
      }
      return change.isNotRecoded("\(old).\(before.name.quoted)", "\(new).\(column.name.quoted)")
    }
    let conditions =
      ["\(key.new[0]) IS NULL"] + recoded
      + (bare?.differences(old: old, new: new) ?? typedDifferences(old: old, new: new))
    let on = zip(key.new, key.old).map { "\($0) = +\($1)" }.joined(separator: " AND ")
    let which = condition.map { "\($0(key.old[0])) AND " } ?? ""
    let differs = conditions[...].nested(by: "OR")
    return """
      SELECT \(key.old.joined(separator: ", ")) FROM \(oldTable) AS \(old) \(source.rowOrder) \
      LEFT JOIN \(newTable) AS "_new" ON \(on) WHERE \(which)\(which.isEmpty ? differs : "(\(differs))") LIMIT 10
      """
  }

  private var keptStoredColumns: [ColumnSchema] { keptColumns ?? projection.storedColumns(exceptConverted: converted) }

  /// Conditions that are true for a row that differs from its copy, where both have types.
  private func typedDifferences(old: String, new: String) -> [String] {
    (target.writableColumns + keptStoredColumns).compactMap { column in
      guard let before = projection.sourceColumn(of: column), before.affinity == column.affinity,
        !projection.usesConversion(column), !converted.contains(before.name)
      else { return nil }
      var oldValue = "\(old).\(before.name.quoted)"
      if before.isStoredOtherwise {
        let isNumber = "typeof(\(oldValue)) IN ('integer', 'real')"
        oldValue = "CASE WHEN \(isNumber) THEN CAST(\(oldValue) AS TEXT) ELSE \(oldValue) END"
      }
      let newValue = "\(new).\(column.name.quoted)"
      var differs = "\(oldValue) IS NOT \(newValue) COLLATE BINARY"
      // An integer equals the same number stored as a real; every affinity but BLOB allows only one of them.
      if column.affinity == .blob { differs += " OR \(RowProjection.isOtherNumber(oldValue, newValue))" }
      return projection.exceptingReplacedNulls(differs, of: column, old: oldValue, new: newValue)
    }
  }

  /// The expressions that are equal for a row and its copy, and that both tables can look up.
  private var joinKey: (old: [String], new: [String])? {
    let old = "\"_old\""
    if keepsRowID, let oldKey = source.rowKey, let newKey = target.rowIDName {
      return (old: ["\(old).\(oldKey)"], new: ["\"_new\".\(newKey)"])
    }
    if let alias = target.rowIDAlias {
      if let before = projection.sourceColumn(of: alias), projection.isPlain(alias) {
        return (old: ["\(old).\(before.name.quoted)"], new: ["\"_new\".\(alias.name.quoted)"])
      }
      if projection.sourceColumn(of: alias) == nil, projection.hints.columns[alias.name]?.backfill == nil,
        let key = source.rowKey
      {
        return (old: ["\(old).\(key)"], new: ["\"_new\".\(alias.name.quoted)"])
      }
      return nil
    }
    guard let keys = target.primaryKey?.columns, target.isWithoutRowID else { return nil }
    let columns = keys.compactMap { target.column($0.name) }
    guard columns.count == keys.count,
      columns.allSatisfy({ projection.isUnchanged($0) || projection.recoding(of: $0) != nil })
    else { return nil }
    return (
      old: columns.map { column in
        let value = "\(old).\(projection.sourceName(column.name).quoted)"
        return projection.recoding(of: column)?.recoded(value) ?? value
      },
      new: keys.map { "\"_new\".\($0.name.quoted) COLLATE \(($0.collation ?? "BINARY").quoted)" }
    )
  }

  /// Without a common key: the unchanged columns must hold the same set of rows on both sides.
  private var setComparison: [String] {
    let columns =
      target.writableColumns.filter {
        projection.isUnchanged($0) && !converted.contains(projection.sourceName($0.name))
      } + (bare == nil ? keptStoredColumns : [])
    guard !columns.isEmpty else { return [] }
    let new = columns.map { "+\($0.name.quoted) COLLATE BINARY" }.joined(separator: ", ")
    let old = columns.map { "+\(projection.sourceName($0.name).quoted) COLLATE BINARY" }.joined(separator: ", ")
    let rows = "\(oldTable) \(source.rowOrder)"
    return [
      "SELECT * FROM (SELECT \(old) FROM \(rows) EXCEPT SELECT \(new) FROM \(newTable)) LIMIT 10",
      "SELECT * FROM (SELECT \(new) FROM \(newTable) EXCEPT SELECT \(old) FROM \(rows)) LIMIT 10",
    ]
  }

  // MARK: - Internal tables of SQLite

  /// Keeps the highest key ever assigned, so that none is assigned twice. A bare copy has no mark of its own yet.
  /// See [SQLite Autoincrement](https://sqlite.org/autoinc.html).
  private var sequence: [PlannedStatement] {
    guard target.primaryKey?.isAutoincrement == true else { return [] }
    let old = SQLQuoting.literal(source.name.text)
    let new = SQLQuoting.literal(temporaryName.text)
    let marks =
      ["SELECT max(seq) AS mark FROM \"main\".sqlite_sequence WHERE name = \(old)"]
      + (bare != nil ? ["SELECT max(\(target.rowKey ?? "rowid")) AS mark FROM \(newTable)"] : [])
    let mark = "(SELECT max(mark) FROM (\(marks.joined(separator: " UNION ALL "))))"
    return [
      """
      UPDATE "main".sqlite_sequence SET seq = max(seq, coalesce(\(mark), 0)) WHERE name = \(new)
      """,
      """
      INSERT INTO "main".sqlite_sequence (name, seq) SELECT \(new), \(mark) \
      WHERE \(mark) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "main".sqlite_sequence WHERE name = \(new))
      """,
    ].map { PlannedStatement($0, role: .bookkeeping) } + (bare == nil ? [noMark] : []) + staleMark
  }

  /// Takes out a mark that the old table has without AUTOINCREMENT: SQLite does not drop it with that table.
  private var staleMark: [PlannedStatement] {
    guard source.primaryKey?.isAutoincrement != true else { return [] }
    let sql = "DELETE FROM \"main\".sqlite_sequence WHERE name = \(SQLQuoting.literal(source.name.text))"
    return [PlannedStatement(sql, role: .bookkeeping)]
  }

  private var noMark: PlannedStatement {
    PlannedStatement(Self.noMark(of: temporaryName, copiedFrom: source.name), role: .bookkeeping)
  }

  /// Takes out the mark that SQLite makes when no row is copied, where the other table has none.
  package static func noMark(of copy: SQLName, copiedFrom table: SQLName) -> String {
    """
    DELETE FROM "main".sqlite_sequence WHERE name = \(SQLQuoting.literal(copy.text)) AND seq = 0 \
    AND NOT EXISTS (SELECT 1 FROM "main".sqlite_sequence WHERE name = \(SQLQuoting.literal(table.text)))
    """
  }

  var statisticsTables: [String] {
    ["sqlite_stat1", "sqlite_stat4"].filter { systemTables.contains(SQLName($0)) }
  }

  /// Deletes the statistics of a constraint if its number in the new table belongs to another one, or to none: SQLite
  /// numbers the indexes of PRIMARY KEY and UNIQUE, and would attribute them to the wrong one.
  private var staleStatistics: [PlannedStatement] {
    guard !source.uniques.isEmpty || (source.primaryKey != nil && source.rowIDAlias == nil) else { return [] }
    func columns(of index: String) -> String {
      """
      (SELECT group_concat(hex(name) || ' ' || coll || ' ' || desc) FROM pragma_index_xinfo(\(index), 'main') WHERE key)
      """
    }
    let prefix = "sqlite_autoindex_"
    let old = SQLQuoting.literal(prefix + source.name.text)
    let new = "\(SQLQuoting.literal(prefix + temporaryName.text)) || substr(idx, length(\(old)) + 1)"
    return statisticsTables.map { table in
      PlannedStatement(
        """
        DELETE FROM "main".\(table) WHERE tbl = \(SQLQuoting.literal(source.name.text)) COLLATE NOCASE \
        AND substr(idx, 1, \(prefix.utf8.count)) = \(SQLQuoting.literal(prefix)) \
        AND \(columns(of: "idx")) IS NOT \(columns(of: new))
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

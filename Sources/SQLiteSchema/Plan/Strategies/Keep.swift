/// Keeps what a plan would drop: the rows of tables and the values of columns are first copied into tables of this library.
///
/// A column's values are kept with the key of their row. A rowid will not do for that, because
/// [VACUUM](https://sqlite.org/lang_vacuum.html) may change it. Values are only kept if there is a key that is
/// NULL in no row, is not dropped, and keeps its type and values in the same plan: otherwise restored values would find no row,
/// or the wrong one.
///
/// *Cost:* one scan of the table, and a copy of what is kept.
package struct KeepRule {
  /// The file's schema.
  package var source: DatabaseSchema
  /// The number of the first table that holds values.
  package var firstNumber: Int
  /// True if no row of a table has NULL in some columns that may hold it.
  package var areFilled: (TableSchema, [SQLName]) -> Bool

  package init(
    source: DatabaseSchema, firstNumber: Int, areFilled: @escaping (TableSchema, [SQLName]) -> Bool = { _, _ in false }
  ) {
    self.source = source
    self.firstNumber = firstNumber
    self.areFilled = areFilled
  }

  /// The rows and values that can be kept of the tables and columns that a plan drops.
  ///
  /// - Parameter hints: The declared conversions.
  package func values(dropping diff: SchemaDiff, renames: SchemaRenames, hints: MigrationHints) -> [KeptValues] {
    var number = firstNumber
    var kept: [KeptValues] = []
    for name in diff.droppedTables.map(\.name) {
      guard let table = source.table(renames.formerTable(name)) else { continue }
      kept.append(
        KeptValues(
          number: number, table: table.name, column: nil, columns: table.holdingColumns.map(\.name),
          keepsRowIDs: table.rowIDAlias == nil && table.rowIDName != nil))
      number += 1
    }
    for change in diff.changedTables {
      guard let table = source.table(renames.formerTable(change.to.name)),
        let key = stableKey(of: change, renames: renames, hints: hints)
      else { continue }
      for column in change.droppedColumns where column.generation == nil && table.column(column.name) != nil {
        kept.append(
          KeptValues(
            number: number, table: table.name, column: column.name, columns: key + [column.name], keepsRowIDs: false))
        number += 1
      }
    }
    return kept
  }

  /// The columns, by their names before, that identify the rows of a table after a change; nil if none keep their type
  /// and values.
  package func stableKey(of change: TableChange, renames: SchemaRenames, hints: MigrationHints)
    -> [SQLName]?
  {
    let own = hints.tables[change.to.name]
    let converted =
      (own?.columns.filter { $0.value.conversion != nil }.map(\.key) ?? [])
      + (own?.formChanges.filter { $0.value.way != .keep }.map(\.key) ?? [])
    let retyped = change.to.columns.filter { column in
      let before =
        change.from.column(column.name) ?? change.from.column(renames.formerColumn(column.name, of: change.to.name))
      return before.map { $0.affinity != column.affinity } ?? false
    }.map(\.name)
    let unstable = Set(
      change.droppedColumns.map(\.name)
        + (converted + retyped).map { renames.formerColumn($0, of: change.to.name) })
    guard let table = source.table(renames.formerTable(change.to.name)) else { return nil }
    let keys = table.keys.filter { unstable.isDisjoint(with: $0) }
    func isRequired(_ name: SQLName) -> Bool { table.column(name).map(table.refusesNull) ?? false }
    return keys.first { $0.allSatisfy(isRequired) } ?? keys.first { areFilled(table, $0) }
  }

  /// The step that copies values into a table of ours.
  package func step(for kept: KeptValues, rowCount: Int?) -> MigrationStep {
    MigrationStep(
      strategy: .keep, object: ObjectReference(.values, kept.table, column: kept.column),
      edits: [.keepValues(column: kept.column, storage: kept.storage)],
      statements: statements(for: kept), rows: rowCount)
  }

  private func statements(for kept: KeptValues) -> [PlannedStatement] {
    guard let table = source.table(kept.table) else { return [] }
    let storage = "\"main\".\(kept.storage.quoted)"
    let rows = "\"main\".\(table.name.quoted) \(table.rowOrder)"
    let condition = kept.column.map { " WHERE \($0.quoted) IS NOT NULL" } ?? ""
    var definitions = kept.keepsRowIDs ? [KeptValues.rowIDName] : []
    var terms = kept.keepsRowIDs ? [table.rowIDName ?? "NULL"] : []
    for (stored, name) in zip(kept.storedNames, kept.columns) {
      // Without a type, so that each value is kept as it is stored.
      definitions.append(stored)
      terms.append(name.quoted)
    }
    if kept.column != nil {
      definitions.append("PRIMARY KEY (\(kept.storedNames.dropLast().joined(separator: ", ")))")
    }
    return [
      PlannedStatement(Self.createRegistry),
      PlannedStatement("CREATE TABLE \(storage) (\(definitions.joined(separator: ", ")))"),
      PlannedStatement(
        "INSERT INTO \(storage) SELECT \(terms.joined(separator: ", ")) FROM \(rows)\(condition)", role: .copy),
      PlannedStatement(
        "SELECT 'row count' WHERE (SELECT count(1) FROM \(rows)\(condition)) <> (SELECT count(*) FROM \(storage))",
        role: .verification),
      PlannedStatement(registration(of: kept, table: table), role: .bookkeeping),
    ]
  }

  /// The table that lists what is kept; `history` is filled in once the change has its number.
  package static let createRegistry = """
    CREATE TABLE IF NOT EXISTS "main"."_schemakit_kept" (number INTEGER PRIMARY KEY, history INTEGER, "table" TEXT NOT NULL, \
    "column" TEXT, columns TEXT NOT NULL, rowids INTEGER NOT NULL, mark INTEGER)
    """

  private func registration(of kept: KeptValues, table: TableSchema) -> String {
    let name = SQLQuoting.literal(kept.table.text)
    let column = kept.column.map { SQLQuoting.literal($0.text) } ?? "NULL"
    let columns = SQLQuoting.literal(kept.columns.map(\.quoted).joined(separator: ", "))
    let mark =
      kept.column == nil && table.primaryKey?.isAutoincrement == true
      ? "(SELECT max(seq) FROM \"main\".sqlite_sequence WHERE name = \(name))" : "NULL"
    return """
      INSERT INTO "main"."_schemakit_kept" (number, "table", "column", columns, rowids, mark) \
      VALUES (\(kept.number), \(name), \(column), \(columns), \(kept.keepsRowIDs ? 1 : 0), \(mark))
      """
  }

  // MARK: - Bringing back

  /// The statements that create a table with the rows that were kept of it. The rows come before the definition does,
  /// because they may break again what they broke before.
  package static func recreating(_ kept: KeptValues, _ table: TableSchema) throws(SQLSyntaxError) -> [PlannedStatement]
  {
    let change = TableChange(from: table, to: table)
    let bare = BareTable(change: change, projection: RowProjection(reading: table), mismatches: nil)
    let text = try CatalogText(change: change, keepsRows: false).text()
    let adoption = try Adoption(of: table, text: text, former: table, carried: bare.unchanged)
    return (table.primaryKey?.isAutoincrement == true ? Adoption.sequenceTable : [])
      + [PlannedStatement(bare.create(as: table.name))]
      + filling(table, with: kept, in: Set(kept.columns)) + adoption.statements
  }

  /// True if all that a table's rows hold was kept: earlier versions did not keep stored columns.
  package static func isWhole(_ kept: KeptValues, of table: TableSchema) -> Bool {
    Set(kept.columns).isSuperset(of: table.holdingColumns.map(\.name))
  }

  /// The statements that fill a newly created table with the rows that were kept of it. SQLite computes its stored columns.
  package static func restoring(_ kept: KeptValues, into table: TableSchema) -> [PlannedStatement] {
    filling(table, with: kept, in: Set(table.writableColumns.map(\.name)))
  }

  private static func filling(
    _ table: TableSchema, with kept: KeptValues, in names: Set<SQLName>
  ) -> [PlannedStatement] {
    let storage = "\"main\".\(kept.storage.quoted)"
    let rows = "\"main\".\(table.name.quoted)"
    let shared = zip(kept.columns, kept.storedNames).filter { names.contains($0.0) }
    var columns = shared.map(\.0.quoted)
    var terms = shared.map(\.1)
    if kept.keepsRowIDs, let rowID = table.rowIDName {
      columns.insert(rowID, at: 0)
      terms.insert(KeptValues.rowIDName, at: 0)
    }
    var statements = [
      PlannedStatement(
        """
        INSERT OR ABORT INTO \(rows) (\(columns.joined(separator: ", "))) \
        SELECT \(terms.joined(separator: ", ")) FROM \(storage)
        """, role: .copy),
      PlannedStatement(
        "SELECT 'row count' WHERE (SELECT count(*) FROM \(storage)) <> (SELECT count(*) FROM \(rows))",
        role: .verification),
    ]
    if let mark = kept.mark, table.primaryKey?.isAutoincrement == true {
      let name = SQLQuoting.literal(table.name.text)
      statements += [
        "DELETE FROM \"main\".sqlite_sequence WHERE name = \(name)",
        "INSERT INTO \"main\".sqlite_sequence (name, seq) VALUES (\(name), \(mark))",
      ].map { PlannedStatement($0, role: .bookkeeping) }
    }
    return statements
  }
}

extension MigrationStep.Strategy {
  /// Rows or values that a later step drops are put aside.
  public static let keep = Self("keep", .work)
}

extension TableSchema {
  /// Columns that identify every row where none of them is NULL.
  fileprivate var keys: [[SQLName]] {
    let declared = [primaryKey?.columns.map(\.name)].compactMap { $0 } + uniques.map { $0.columns.map(\.name) }
    return (rowIDAlias.map { [[$0.name]] } ?? [])
      + declared.filter { key in
        !key.isEmpty && key.allSatisfy { column($0).map { $0.generation == nil } ?? false }
      }
  }
}

extension MigrationPlan {
  /// Marks what is kept as not lost: its hazards require no consent. For the rest, says why it cannot be kept.
  package mutating func noteKeptValues() {
    hazards = hazards.map { hazard in
      guard [.droppedTable, .droppedColumn].contains(hazard.code) else { return hazard }
      var hazard = hazard
      let kept = keptValues.first { kept in
        let name = SQLName(hazard.table)
        let table = hazard.code == .droppedTable ? name : renames.formerTable(name)
        return kept.table == table && kept.column == hazard.column.map { SQLName($0) }
      }
      guard let kept else {
        hazard.keeping = .notKept
        return hazard
      }
      hazard.isNote = true
      hazard.keeping = .kept(storage: kept.storage)
      return hazard
    }
  }
}

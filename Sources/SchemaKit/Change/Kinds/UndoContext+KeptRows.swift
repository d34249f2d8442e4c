import OrderedCollections
import SQLiteSchema

extension UndoContext {
  /// Blocks the undo of a dropped table with rows that broke its rules when it was dropped, where the way of bringing it back
  /// cannot take them.
  ///
  /// *Cost:* a sort of the rows that were kept for each unique index, and one scan of those that SQLite will examine.
  func blockRefusedRows(
    in plan: inout MigrationPlan, to target: DatabaseSchema, on connection: any SQLConnection
  ) throws {
    for kept in kept where kept.column == nil {
      guard let table = target.tables[kept.table],
        let step = plan.steps.first(where: { $0.object.kind == .table && $0.object.name == table.name })
      else { continue }
      let columns = zip(kept.storedNames, kept.columns).map { "\($0) AS \($1.quoted)" }
      let rows = "(SELECT \(columns.joined(separator: ", ")) FROM main.\(kept.storage.quoted)) AS \(table.name.quoted)"
      plan.hazards += duplicates(in: target.indexes(on: table.name), of: table, among: rows, on: connection)
      guard !step.statements.contains(where: \.editsCatalog) else { continue }
      plan.hazards +=
        nulls(in: table, among: rows, on: connection) + failingChecks(of: table, among: rows, on: connection)
      plan.hazards += retyped(in: table, among: rows, on: connection)
    }
  }

  /// Rows that are equal in a unique index, which lacked them.
  private func duplicates(
    in indexes: [IndexSchema], of table: TableSchema, among rows: String, on connection: any SQLConnection
  ) -> [Hazard] {
    let computed = Set(table.generatedColumns.map(\.name))
    return indexes.filter { $0.isUnique && !$0.reads(computed) }.compactMap { index in
      let terms = index.terms.map { term in
        (value: term.column?.quoted ?? term.expression.grouped, collation: (term.collation ?? "BINARY").quoted)
      }
      let present = [index.predicate?.enclosed].compactMap { $0 } + terms.map { "\($0.value) IS NOT NULL" }
      let sql = """
        SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM \(rows) WHERE \(present.joined(separator: " AND ")) \
        GROUP BY \(terms.map { "\($0.value) COLLATE \($0.collation)" }.joined(separator: ", ")) HAVING count(*) > 1)
        """
      guard let count = try? connection.integer(sql), count > 0 else { return nil }
      let rule = DuplicatesHazard(columns: "unique index \(index.name)")
      return Hazard(.duplicates, table: table.name, count: Int(count), cause: rule.cause)
    }
  }

  /// Values that their types change as SQLite inserts them.
  private func retyped(in table: TableSchema, among rows: String, on connection: any SQLConnection) -> [Hazard] {
    table.writableColumns.compactMap { column in
      guard let condition = column.changes(untyped: column.name.quoted),
        let count = try? connection.integer("SELECT count(*) FROM \(rows) WHERE \(condition)"), count > 0
      else { return nil }
      return Hazard(
        .lossyConversion, table: table.name, column: column.name, count: Int(count),
        cause: LossyConversionHazard.restored(type: column.type?.typeName ?? "").cause)
    }
  }

  /// NULL under a NOT NULL, which only an edit of the catalog brings back.
  private func nulls(in table: TableSchema, among rows: String, on connection: any SQLConnection) -> [Hazard] {
    let required = table.writableColumns.filter { $0.isNotNull && $0.name != table.rowIDAlias?.name }
    return required.compactMap { column in
      let sql = "SELECT count(*) FROM \(rows) WHERE \(column.name.quoted) IS NULL"
      guard let count = try? connection.integer(sql), count > 0 else { return nil }
      return Hazard(
        .nullsUnderNotNull, table: table.name, column: column.name, count: Int(count),
        cause: NullsUnderNotNullHazard().cause)
    }
  }

  /// Rows that fail a CHECK, which only an edit of the catalog brings back.
  private func failingChecks(of table: TableSchema, among rows: String, on connection: any SQLConnection) -> [Hazard] {
    let computed = table.generatedColumns.map(\.name)
    return table.checks.filter { check in !computed.contains { check.expression.mentions($0) } }.compactMap { check in
      let text = check.expression.text
      do {
        let sql = "SELECT count(*) FROM \(rows) WHERE NOT \(check.expression.enclosed)"
        guard let count = try connection.integer(sql), count > 0 else { return nil }
        let rule = FailingCheckHazard.failing(expression: text, newColumns: [], readsOld: true)
        return Hazard(.failingCheck, table: table.name, count: Int(count), cause: rule.cause)
      } catch {
        return nil
      }
    }
  }
}

/// A foreign key to a table, from another table or from the table itself.
package struct InboundKey: Sendable, Hashable {
  /// The table that has the key, as it is when the step begins.
  package var child: TableSchema
  package var key: ForeignKeySchema
  /// The columns that it refers to.
  package var parentColumns: [SQLName]
  /// True if it is a key of the table itself.
  package var isOwn: Bool

  init(child: TableSchema, key: ForeignKeySchema, parent: TableSchema) {
    self.child = child
    self.key = key
    parentColumns = key.parentColumns.isEmpty ? parent.primaryKey?.columns.map(\.name) ?? [] : key.parentColumns
    isOwn = child.name == parent.name
  }

  /// True if rows of the child are changed or deleted when their parent is deleted.
  package var hasDeleteAction: Bool { ![.noAction, .restrict].contains(key.onDelete) }
  /// True if rows of the child are changed when the key of their parent is.
  package var hasUpdateAction: Bool { ![.noAction, .restrict].contains(key.onUpdate) }
}

/// A table that others refer to and that must be dropped and created while foreign keys are on.
///
/// DROP TABLE deletes the rows first ([Foreign Key Support](https://sqlite.org/foreignkeys.html#fk_schemacommands)), and
/// every foreign key to them takes its action. The ways to do it differ in what keeps that from happening.
package struct ReferencedTable {
  package var change: TableChange
  /// The table as the file has it when the step begins.
  package var current: TableSchema
  package var stash: StashBuilder
  /// Its indexes as the file has them, without those that the plan drops.
  package var indexes: [IndexSchema]
  /// The foreign keys to the table.
  package var inbound: [InboundKey]
  /// The indexes that its own and other tables' keys need, which are created before there are rows: their names, and the
  /// statements.
  package var keyIndexes: [(name: SQLName, sql: String)]
  /// The statements that create an index for each foreign key whose rows could not be found without, and drop it again.
  package var lookups: (create: [PlannedStatement], drop: [PlannedStatement])
  /// The same for its own keys, once the table is created again.
  package var ownLookups: (create: [PlannedStatement], drop: [PlannedStatement])

  package var name: SQLName { change.to.name }

  /// The rows are put aside, the table is dropped, created and filled.
  ///
  /// - Parameters:
  ///   - before: The statements that make sure that no action is taken.
  ///   - after: The statements that put the references back.
  package func statements(
    before: [PlannedStatement] = [], after: [PlannedStatement] = []
  ) throws(SQLSyntaxError) -> [PlannedStatement] {
    try stash.fill + lookups.create + before + noActionIsTaken + stash.drop + stash.create(with: keyIndexes.map(\.sql))
      + ownLookups.create + stash.refill + after + ownLookups.drop + lookups.drop
  }

  /// Finds rows on which an action would be taken if the table were dropped now.
  private var noActionIsTaken: [PlannedStatement] {
    inbound.filter(\.hasDeleteAction).map { inbound in
      let matches = zip(inbound.parentColumns, inbound.key.columns).map {
        "\"_parent\".\($0.quoted) = +\"_child\".\($1.quoted)"
      }
      return PlannedStatement(
        """
        SELECT \(inbound.child.rowKey.map { "\"_child\".\($0)" } ?? "1") FROM "main".\(inbound.child.name.quoted) \
        AS "_child" \(inbound.child.rowOrder) WHERE EXISTS (SELECT 1 FROM "main".\(name.quoted) AS "_parent" \
        WHERE \(matches.joined(separator: " AND "))) LIMIT 10
        """, role: .verification)
    }
  }

  /// Drops the unique indexes that other values of some columns could violate; they come back with the table.
  func dropUniqueIndexes(reading columns: [SQLName]) -> [PlannedStatement] {
    indexes.filter { $0.computesUniqueness(from: columns, of: current) }.map {
      PlannedStatement("DROP INDEX \"main\".\($0.name.quoted)")
    }
  }

  /// The statement that gives the values of a column others that nothing refers to, each its own.
  ///
  /// - Parameters:
  ///   - mark: A text that sets them apart from the values of other columns that move, with the name of the column.
  ///   - parent: The column whose values must be avoided, where it is another one.
  static func moving(
    _ column: ColumnSchema, of table: TableSchema, mark: String,
    awayFrom parent: (column: SQLName, table: SQLName)? = nil
  ) -> PlannedStatement {
    let value = column.name.quoted
    let (key, keys) = (parent?.column.quoted ?? value, (parent?.table ?? table.name).quoted)
    let isNumber =
      table.rowIDAlias?.name == column.name || (table.isStrict && [.integer, .real].contains(column.affinity))
    let mark = SQLQuoting.literal("_schemakit \(mark) \(column.name.text) ")
    let moved =
      if isNumber {
        "\(value) + (SELECT 1 + max(\(key)) - min(\(key)) FROM \"main\".\(keys))"
      } else if table.isStrict, column.affinity == .text {
        "\(mark) || \(value)"
      } else {
        // A BLOB is stored as it is in a column of any affinity.
        "CAST(\(mark) || typeof(\(value)) || ' ' || quote(\(value)) AS BLOB)"
      }
    return PlannedStatement(
      "UPDATE OR ABORT \"main\".\(table.name.quoted) SET \(value) = \(moved) WHERE \(value) IS NOT NULL",
      role: .update, ignoresChecks: table.checksRead(column.name))
  }

  /// The statement by which the rows of a column refer to nothing.
  static func nulling(_ column: SQLName, of table: TableSchema) -> PlannedStatement {
    PlannedStatement(
      "UPDATE OR ABORT \"main\".\(table.name.quoted) SET \(column.quoted) = NULL WHERE \(column.quoted) IS NOT NULL",
      role: .update, ignoresChecks: table.checksRead(column))
  }
}

extension IndexSchema {
  /// True if distinct values of some columns of a table, or NULLs, could violate it: an expression or a generated column may
  /// be the same for both, and a condition may let in more rows.
  func computesUniqueness(from columns: [SQLName], of table: TableSchema) -> Bool {
    let computed = table.generatedColumns(reading: columns).map(\.name)
    let reads = { (sql: CanonicalSQL) in (columns + computed).contains { sql.mentions($0) } }
    return isUnique
      && (terms.contains { $0.column.map(computed.contains) ?? reads($0.expression) } || predicate.map(reads) == true)
  }
}

extension TableSchema {
  /// The generated columns that read some columns, directly or not.
  func generatedColumns(reading columns: [SQLName]) -> [ColumnSchema] {
    var found: [ColumnSchema] = []
    while let next = generatedColumns.first(where: { column in
      !found.contains(column)
        && (columns + found.map(\.name)).contains { column.generation?.expression.mentions($0) == true }
    }) {
      found.append(next)
    }
    return found
  }

  /// Some columns, and those that they are computed from, directly or not.
  func columns(behind columns: Set<SQLName>) -> Set<SQLName> {
    columns.union(
      self.columns.map(\.name).filter { !columns.isDisjoint(with: generatedColumns(reading: [$0]).map(\.name)) })
  }

  /// The reason why some columns cannot have other values for a while, or NULL, although no foreign key is against it:
  /// a generated column that reads one could then hold what it must not.
  func rejection(toEmptying columns: [SQLName]) -> Rejection? {
    let unique = Set(uniques.flatMap(\.columns).map(\.name))
    let column = columns.first { column in
      generatedColumns(reading: [column]).contains { isStrict || $0.isNotNull || unique.contains($0.name) }
    }
    return column.map { Rejection(.columnIsRead, $0.text) }
  }

  /// True if a CHECK reads a column, directly or by a generated column.
  func checksRead(_ column: SQLName) -> Bool {
    let names = [column] + generatedColumns(reading: [column]).map(\.name)
    return checks.contains { check in names.contains { check.expression.mentions($0) } }
  }

  /// A column of a foreign key that can be NULL, by which its rows refer to nothing.
  func nullableColumn(of key: ForeignKeySchema) -> SQLName? {
    let primary = isWithoutRowID || isStrict ? primaryKey?.columns.map(\.name) ?? [] : []
    return key.columns.first { name in
      guard let column = column(name), !column.isNotNull, column.generation == nil else { return false }
      return name != rowIDAlias?.name && !primary.contains(name)
    }
  }
}

import OrderedCollections

/// A column of a foreign key that has another type than the key it refers to, so that SQLite can take rows for orphans that
/// are none, while foreign keys are on and rows are deleted and come back.
///
/// SQLite looks for a parent with the value as the parent column would store it, but for children by comparing both columns.
/// What it counted when rows went, it then does not find again when they come back. See
/// [Foreign Key Support](https://sqlite.org/foreignkeys.html#fk_deferred) and
/// [Comparison](https://sqlite.org/datatype3.html#comparison_expressions).
package struct MistypedReference: Sendable, Hashable {
  /// What goes wrong, and with which values.
  package enum Problem: Sendable, Hashable {
    /// Before 3.46, a REAL value finds no parent by an INTEGER PRIMARY KEY.
    case numberForRowID
    /// Looking for children with the number that a text looks like, SQLite looks for all other children with it as well.
    case numberForText
    /// A number without a type is the text of its parent, but not the other way round.
    case untypedForText
  }

  /// The table that has the foreign key, and its column.
  package let child: SQLName
  package let column: SQLName
  /// The table that it refers to, and its column.
  package let parent: SQLName
  package let parentColumn: SQLName
  package let problem: Problem

  /// The columns of a foreign key that have such types.
  package static func all(
    of key: ForeignKeySchema, in child: TableSchema, to parent: TableSchema, profile: EngineProfile
  ) -> [MistypedReference] {
    let parentColumns = InboundKey(child: child, key: key, parent: parent).parentColumns
    return zip(key.columns, parentColumns).compactMap { column, parentColumn in
      guard let affinity = child.column(column)?.affinity, let wanted = parent.column(parentColumn)?.affinity,
        let problem = problem(
          affinity, wanted, isRowID: parentColumns.count == 1 && parent.rowIDAlias?.name == parentColumn, profile)
      else { return nil }
      return MistypedReference(
        child: child.name, column: column, parent: parent.name, parentColumn: parentColumn, problem: problem)
    }
  }

  private static func problem(
    _ affinity: Affinity, _ wanted: Affinity, isRowID: Bool, _ profile: EngineProfile
  ) -> Problem? {
    switch (affinity, wanted) {
    case (.real, _) where isRowID: profile.losesRealReferences ? .numberForRowID : nil
    case (.integer, .text), (.real, .text), (.numeric, .text): .numberForText
    case (.integer, .blob), (.real, .blob), (.numeric, .blob): .numberForText
    case (.blob, .text): .untypedForText
    default: nil
    }
  }

  /// The query that says whether a file has values with which it goes wrong.
  ///
  /// *Cost:* reads rows of a table up to the first such value.
  ///
  /// - Parameters:
  ///   - table: What a table is called in the file.
  ///   - column: What a column of a table is called there.
  package func query(table: (SQLName) -> SQLName, column name: (SQLName, SQLName) -> SQLName) -> String {
    let isAtParent = problem == .numberForText
    let value = isAtParent ? name(parentColumn, parent).quoted : name(column, child).quoted
    let condition =
      switch problem {
      case .numberForRowID: "\(value) IS NOT NULL"
      case .numberForText: "typeof(\(value)) <> 'blob' AND \(value) = CAST(\(value) AS NUMERIC)"
      case .untypedForText: "typeof(\(value)) IN ('integer', 'real')"
      }
    return "SELECT EXISTS (SELECT 1 FROM \"main\".\(table(isAtParent ? parent : child).quoted) WHERE \(condition))"
  }

  var rejection: Rejection { Rejection(.referenceTypes, child.text, column.text) }
}

extension Planner {
  /// The columns of foreign keys with such types, in tables as they are and as they are to be.
  package var mistypedReferences: Set<MistypedReference> {
    let schemas = [renamed, target]
    return Set(
      schemas.flatMap(\.tables.values).flatMap { child in
        child.foreignKeys.flatMap { key in
          schemas.compactMap { $0.tables[key.parent] }.flatMap {
            MistypedReference.all(of: key, in: child, to: $0, profile: profile)
          }
        }
      })
  }

  /// Why rows of a table cannot be inserted while foreign keys are on, although their parents are there.
  func rejection(toInsertingInto table: TableSchema) -> Rejection? {
    table.foreignKeys.lazy.flatMap { key in
      target.tables[key.parent].map { MistypedReference.all(of: key, in: table, to: $0, profile: profile) } ?? []
    }.first { $0.problem == .numberForRowID && !harmlessReferences.contains($0) }?.rejection
  }

  /// Why rows of a table cannot be deleted and come back while rows refer to them.
  ///
  /// - Parameter ownOnly: Whether the only such rows are of the table itself.
  func rejection(toEmptying table: ReferencedTable, ownOnly: Bool = false) -> Rejection? {
    let versions = [table.current, table.change.to]
    let own = versions.flatMap { child in
      child.foreignKeys.filter { $0.parent == table.name }.map { (child, $0) }
    }
    let others = ownOnly ? [] : table.inbound.filter { !$0.isOwn }.map { ($0.child, $0.key) }
    return (own + others).lazy.flatMap { child, key in
      versions.flatMap { MistypedReference.all(of: key, in: child, to: $0, profile: profile) }
    }.first { !harmlessReferences.contains($0) }?.rejection
  }
}

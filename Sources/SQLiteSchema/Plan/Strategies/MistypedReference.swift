import OrderedCollections

/// A column of a foreign key that has another type than the key it refers to, so that SQLite can take rows for orphans that
/// are none, while foreign keys are on and rows are deleted and come back.
///
/// SQLite looks for a parent with the value as the parent column would store it, but for children by comparing both
/// columns. References that it counts when rows go are not found again when the rows come back. See
/// [Foreign Key Support](https://sqlite.org/foreignkeys.html#fk_deferred) and
/// [Comparison](https://sqlite.org/datatype3.html#comparison_expressions).
package struct MistypedReference: Sendable, Hashable {
  /// The fault, and the values that cause it.
  package enum Problem: Sendable, Hashable {
    /// Before 3.46, a REAL value finds no parent by an INTEGER PRIMARY KEY.
    case numberForRowID
    /// Looking for children with the number that a text looks like, SQLite looks for all other children with it as well.
    case numberForText
    /// A number without a type is the text of its parent, but not the other way round.
    case untypedForText
    /// A row that refers to itself counts as one without a parent unless both values are the same; their types differ.
    case ownValue
    /// The same where the key has a collation.
    case ownText
  }

  /// The table that has the foreign key, and its column.
  package let child: SQLName
  package let column: SQLName
  /// The table that it refers to, and its column.
  package let parent: SQLName
  package let parentColumn: SQLName
  package let problem: Problem
  private let keyAffinity: Affinity

  /// True if the table refers to itself.
  package var isOwn: Bool { child == parent }
  /// True if the values that it goes wrong with are those of the key.
  package var isOfKey: Bool { problem == .numberForText }

  /// The columns of a foreign key that have such types.
  package static func all(
    of key: ForeignKeySchema, in child: TableSchema, to parent: TableSchema, profile: EngineProfile
  ) -> [MistypedReference] {
    let parentColumns = InboundKey(child: child, key: key, parent: parent).parentColumns
    return zip(key.columns, parentColumns).flatMap { column, parentColumn -> [MistypedReference] in
      guard let from = child.column(column), let to = parent.column(parentColumn) else { return [] }
      let isRowID = parentColumns.count == 1 && parent.rowIDAlias?.name == parentColumn
      return problems(from, to, isOwn: child.name == parent.name, isRowID: isRowID, profile).map {
        MistypedReference(
          child: child.name, column: column, parent: parent.name, parentColumn: parentColumn, problem: $0,
          keyAffinity: to.affinity)
      }
    }
  }

  private static func problems(
    _ from: ColumnSchema, _ to: ColumnSchema, isOwn: Bool, isRowID: Bool, _ profile: EngineProfile
  ) -> [Problem] {
    var problems: [Problem] = []
    switch (from.affinity, to.affinity) {
    case (.real, _) where isRowID: if profile.losesRealReferences { problems.append(.numberForRowID) }
    case (.integer, .text), (.real, .text), (.numeric, .text): problems.append(.numberForText)
    case (.integer, .blob), (.real, .blob), (.numeric, .blob): problems.append(.numberForText)
    case (.blob, .text): problems.append(.untypedForText)
    default: break
    }
    if isOwn, !isRowID {
      if from.affinity != to.affinity {
        problems.append(.ownValue)
      } else if to.collation != nil {
        problems.append(.ownText)
      }
    }
    return problems
  }

  /// The query that says whether a file has values with which it goes wrong.
  ///
  /// *Cost:* reads rows of a table up to the first such value.
  ///
  /// - Parameters:
  ///   - rows: The table of the file as FROM names it.
  ///   - column: Returns the name of a table's column there.
  package func query(rows: String, column name: (SQLName, SQLName) -> SQLName) -> String {
    let (value, key) = (name(column, child).quoted, name(parentColumn, parent).quoted)
    let condition =
      switch problem {
      case .numberForRowID: "\(value) IS NOT NULL"
      case .numberForText:
        // Where the key becomes a text, numbers do as well.
        "typeof(\(key)) \(keyAffinity == .text ? "<> 'blob'" : "= 'text'") AND \(key) = CAST(\(key) AS NUMERIC) COLLATE BINARY"
      case .untypedForText: "typeof(\(value)) IN ('integer', 'real')"
      case .ownValue: "\(key) = \(value)"
      case .ownText: "\(key) = \(value) AND +\(value) IS NOT +\(key) COLLATE BINARY"
      }
    return "SELECT EXISTS (SELECT 1 FROM \(rows) WHERE \(condition))"
  }

  var rejection: Rejection { Rejection(.referenceTypes, child.text, column.text) }
}

extension Planner {
  /// The columns of foreign keys with such types, in the tables that the plan may fill: as they are and as they are to be.
  package var mistypedReferences: Set<MistypedReference> {
    let (schemas, concerned) = ([renamed, target], tablesToCount)
    return Set(
      schemas.flatMap(\.tables.values).filter { concerned.contains($0.name) }.flatMap { child in
        child.foreignKeys.flatMap { key in mistypedReferences(of: key, in: child) }
      })
  }

  /// The mistyped references of one key, to its parent as it is and as it is to be.
  private func mistypedReferences(of key: ForeignKeySchema, in child: TableSchema) -> [MistypedReference] {
    [renamed, target].compactMap { $0.tables[key.parent] }.flatMap {
      MistypedReference.all(of: key, in: child, to: $0, profile: profile)
    }
  }

  /// The reason why rows of a table cannot be inserted while foreign keys are on, although their parents are there.
  func rejection(toInsertingInto table: TableSchema) -> Rejection? {
    table.foreignKeys.lazy.flatMap { key -> [MistypedReference] in
      guard let parent = target.tables[key.parent] else { return [] }
      return MistypedReference.all(of: key, in: table, to: parent, profile: profile)
    }.first { $0.problem == .numberForRowID && !harmlessReferences.contains($0) }?.rejection
  }

  /// The reason why rows of a table cannot be deleted and come back while rows refer to them.
  ///
  /// - Parameter parents: The tables whose rows may not be back when those of the table are.
  func rejection(toEmptying table: ReferencedTable, before parents: some Sequence<SQLName> = []) -> Rejection? {
    let waiting = Set(parents).union([table.name])
    return [table.current, table.change.to].lazy.flatMap { child in
      child.foreignKeys.filter { waiting.contains($0.parent) }.flatMap { mistypedReferences(of: $0, in: child) }
    }.first { !harmlessReferences.contains($0) }?.rejection
  }
}

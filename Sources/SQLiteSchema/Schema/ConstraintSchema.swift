import OrderedCollections

/// One column of a key: its name, collating sequence and order.
package struct KeyColumn: Sendable, Hashable {
  package var name: SQLName
  /// The collating sequence in force, folded; nil for BINARY.
  package var collation: SQLName?
  package var isDescending: Bool

  package init(name: SQLName, collation: SQLName? = nil, isDescending: Bool) {
    self.name = name
    self.collation = collation
    self.isDescending = isDescending
  }
}

/// The primary key of a table.
package struct PrimaryKeySchema: Sendable, Hashable {
  package var columns: [KeyColumn]
  package var isAutoincrement: Bool
  package var conflict: ConflictClause?
  /// True if the key is an alias of the rowid.
  ///
  /// See [ROWIDs and the INTEGER PRIMARY KEY](https://sqlite.org/lang_createtable.html#rowid).
  package var isRowIDAlias: Bool
}

/// A UNIQUE constraint. It is not the same as a unique index, which is an object of its own.
package struct UniqueSchema: Sendable, Hashable {
  package var columns: [KeyColumn]
  package var conflict: ConflictClause?
}

/// A CHECK constraint.
package struct CheckSchema: Sendable, Hashable {
  package var name: SQLName?
  package var expression: CanonicalSQL

  // A different name alone is not a difference.
  package static func == (left: CheckSchema, right: CheckSchema) -> Bool { left.expression == right.expression }
  package func hash(into hasher: inout Hasher) { hasher.combine(expression) }
}

/// A foreign key.
package struct ForeignKeySchema: Sendable, Hashable {
  package var columns: [SQLName]
  package var parent: SQLName
  /// The parent's columns; empty if the declaration omits them, which means the parent's primary key.
  package var parentColumns: [SQLName]
  package var onDelete: ForeignKeyAction
  package var onUpdate: ForeignKeyAction
  package var match: SQLName?
  package var isDeferrable: Bool
  package var isInitiallyDeferred: Bool
}

extension ForeignKeySchema {
  /// True if both keys refer from the same columns to the same ones; their actions may differ.
  package func hasSameReference(as other: ForeignKeySchema) -> Bool {
    parent == other.parent && parentColumns.isEmpty == other.parentColumns.isEmpty
      && pairs(with: parentColumns) == other.pairs(with: other.parentColumns)
  }

  /// Its columns, each with the parent's column that it refers to, or with its place where that is not known.
  package func pairs(with referenced: [SQLName]) -> Set<[SQLName]> {
    Set(columns.enumerated().map { [$1, $0 < referenced.count ? referenced[$0] : SQLName("\($0)")] })
  }

  /// The clause as SQL, from REFERENCES on.
  package var clauseSQL: String {
    var sql = "REFERENCES \(parent.quoted)"
    if !parentColumns.isEmpty { sql += " (\(parentColumns.map(\.quoted).joined(separator: ", ")))" }
    if onDelete != .noAction { sql += " ON DELETE \(onDelete.rawValue)" }
    if onUpdate != .noAction { sql += " ON UPDATE \(onUpdate.rawValue)" }
    if let match { sql += " MATCH \(match.quoted)" }
    if isDeferrable { sql += " DEFERRABLE INITIALLY \(isInitiallyDeferred ? "DEFERRED" : "IMMEDIATE")" }
    return sql
  }
}

// Constraints that are equivalent.
extension TableSchema {
  /// The UNIQUE constraints that do not merely repeat the primary key.
  package var ownUniques: [UniqueSchema] {
    guard let key = primaryKey else { return uniques }
    let columns = key.columns.map { KeyColumn(name: $0.name, collation: $0.collation, isDescending: false) }
    return uniques.filter { unique in
      let own = unique.columns.map { KeyColumn(name: $0.name, collation: $0.collation, isDescending: false) }
      return own != columns || (unique.conflict != nil && unique.conflict != key.conflict)
    }
  }
}

extension DatabaseSchema {
  /// A foreign key without the names of the parent's columns where they are those of its primary key, which `REFERENCES p`
  /// means. See [required and suggested indexes](https://sqlite.org/foreignkeys.html#fk_indexes).
  package func withoutImpliedColumns(_ key: ForeignKeySchema) -> ForeignKeySchema {
    guard !key.parentColumns.isEmpty, key.parentColumns == tables[key.parent]?.primaryKey?.columns.map(\.name) else {
      return key
    }
    var key = key
    key.parentColumns = []
    return key
  }
}

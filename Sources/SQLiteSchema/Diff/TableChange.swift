/// The differences between two versions of a table.
package struct TableChange: Sendable, Hashable {
  /// A column that both versions have, and its differences.
  package struct ColumnChange: Sendable, Hashable {
    package var from: ColumnSchema
    package var to: ColumnSchema
    package var kinds: Set<Kind>

    package init(from: ColumnSchema, to: ColumnSchema, kinds: Set<Kind>) {
      self.from = from
      self.to = to
      self.kinds = kinds
    }
  }

  /// A property of a column that can differ.
  package enum Kind: String, Sendable, Hashable, CaseIterable, Comparable {
    case type, form, nullability, defaultValue, collation, generation, conflictClause

    /// The order of the parts in a column's definition.
    package static func < (left: Kind, right: Kind) -> Bool {
      (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
  }

  package var from: TableSchema
  package var to: TableSchema
  package var addedColumns: [ColumnSchema]
  package var droppedColumns: [ColumnSchema]
  package var changedColumns: [ColumnChange]
  package var isPrimaryKeyChanged: Bool
  package var addedUniques: [UniqueSchema]
  package var droppedUniques: [UniqueSchema]
  package var addedChecks: [CheckSchema]
  package var droppedChecks: [CheckSchema]
  package var addedForeignKeys: [ForeignKeySchema]
  package var droppedForeignKeys: [ForeignKeySchema]
  package var isStrictnessChanged: Bool
  package var isRowIDChanged: Bool
  package var isOrderChanged: Bool
  /// A view or trigger that uses the columns by position, for whose sake their order changes.
  package var positionalUser: SQLName?

  /// - Parameters:
  ///   - isOrderStrict: True if a different order of columns counts as a difference.
  ///   - foreignKeys: The new foreign keys, where some are spelled as the old ones are; if omitted, those of the new
  ///     table.
  package init(
    from old: TableSchema, to new: TableSchema, isOrderStrict: Bool = false, foreignKeys: [ForeignKeySchema]? = nil
  ) {
    from = old
    to = new
    addedColumns = new.columns.filter { old.column($0.name) == nil }
    droppedColumns = old.columns.filter { new.column($0.name) == nil }
    let alias = old.rowIDAlias.flatMap { $0.name == new.rowIDAlias?.name ? $0.name : nil }
    changedColumns = new.columns.compactMap { column in
      guard let before = old.column(column.name) else { return nil }
      var kinds = before.differences(from: column)
      // No row has NULL there, whatever is declared: inserting NULL requests the next free number.
      if column.name == alias { kinds.subtract([.nullability, .conflictClause]) }
      return kinds.isEmpty ? nil : ColumnChange(from: before, to: column, kinds: kinds)
    }
    isPrimaryKeyChanged = old.primaryKey != new.primaryKey
    (addedUniques, droppedUniques) = Self.multisetDifference(old.ownUniques, new.ownUniques)
    (addedChecks, droppedChecks) = Self.multisetDifference(old.checks, new.checks)
    (addedForeignKeys, droppedForeignKeys) = Self.multisetDifference(
      old.foreignKeys, foreignKeys ?? new.foreignKeys)
    isStrictnessChanged = old.isStrict != new.isStrict
    isRowIDChanged = old.isWithoutRowID != new.isWithoutRowID
    isOrderChanged = isOrderStrict && Self.hasOtherOrder(old, new)
  }

  /// True if the column order differs from the one that dropping and adding columns leads to.
  package static func hasOtherOrder(_ old: TableSchema, _ new: TableSchema) -> Bool {
    let kept = old.columns.map(\.name).filter { new.column($0) != nil }
    return kept + new.columns.map(\.name).filter { old.column($0) == nil } != new.columns.map(\.name)
  }

  /// True if a column is added whose place is not the last.
  package var addsInOtherPlaces: Bool { !addedColumns.isEmpty && Self.hasOtherOrder(from, to) }

  private static func multisetDifference<Element: Hashable>(
    _ old: [Element], _ new: [Element]
  ) -> (added: [Element], dropped: [Element]) {
    var counts = Dictionary(old.map { ($0, 1) }, uniquingKeysWith: +)
    let added = new.filter { element in
      guard let count = counts[element], count > 0 else { return true }
      counts[element] = count - 1
      return false
    }
    var remaining = counts.filter { $0.value > 0 }
    let dropped = old.filter { element in
      guard let count = remaining[element], count > 0 else { return false }
      remaining[element] = count - 1
      return true
    }
    return (added, dropped)
  }
}

extension TableChange {
  /// True if both versions are the same.
  package var isEmpty: Bool {
    addedColumns.isEmpty && droppedColumns.isEmpty && hasOnlyColumnListChanges && addedChecks.isEmpty
      && droppedChecks.isEmpty && addedForeignKeys.isEmpty && droppedForeignKeys.isEmpty
  }

  /// True if only whole columns, CHECKs and foreign keys are added or dropped, which native ALTERs may be able to do.
  package var hasOnlyColumnListChanges: Bool {
    changedColumns.isEmpty && !isPrimaryKeyChanged && addedUniques.isEmpty && droppedUniques.isEmpty
      && !isStrictnessChanged && !isRowIDChanged && !isOrderChanged
  }

  /// The change of a column that both versions have; nil if it has not changed.
  package func change(of column: SQLName) -> ColumnChange? { changedColumns.first { $0.to.name == column } }
}

extension ColumnSchema {
  /// The differences between two versions of a column.
  package func differences(from other: ColumnSchema) -> Set<TableChange.Kind> {
    var kinds: Set<TableChange.Kind> = []
    if !hasSameType(as: other) { kinds.insert(.type) }
    if isNotNull != other.isNotNull { kinds.insert(.nullability) }
    if notNullConflict != other.notNullConflict { kinds.insert(.conflictClause) }
    if defaultValue?.value != other.defaultValue?.value { kinds.insert(.defaultValue) }
    if collation != other.collation { kinds.insert(.collation) }
    if generation != other.generation { kinds.insert(.generation) }
    return kinds
  }
}

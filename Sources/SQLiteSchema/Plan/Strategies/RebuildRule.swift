/// Explains why a change of a table needs a rebuild: a new table filled from the old one.
///
/// Applies to everything that SQLite's ALTER TABLE cannot do.
/// See [Making Other Kinds Of Table Schema Changes](https://sqlite.org/lang_altertable.html#otheralter).
package enum RebuildRule {
  /// The changes that no native ALTER can make; empty when the column list alone changes.
  package static func rejections(of change: TableChange) -> [Rejection] {
    var reasons: [Rejection] = []
    let kinds = change.changedColumns.reduce(into: Set<TableChange.Kind>()) { $0.formUnion($1.kinds) }
    if let column = change.changedColumns.first {
      let columns = change.changedColumns.count == 1 ? column.to.name.text : "columns"
      reasons.append(Rejection(.changedColumns, kinds.sorted().map(\.phrase).joined(separator: ", "), columns))
    }
    if change.isPrimaryKeyChanged { reasons.append(Rejection(.primaryKey)) }
    if !change.addedUniques.isEmpty || !change.droppedUniques.isEmpty { reasons.append(Rejection(.uniqueConstraint)) }
    if !AddColumnRule.covers(change) || !DropColumnRule.covers(change) {
      let isForeignKey = change.addedForeignKeys.count + change.droppedForeignKeys.count > 0
      let isCheck = change.addedChecks.count + change.droppedChecks.count > 0
      if isCheck { reasons.append(Rejection(.checkConstraint)) }
      if isForeignKey { reasons.append(Rejection(.foreignKey)) }
    }
    if change.isStrictnessChanged { reasons.append(Rejection(.strict)) }
    if change.isRowIDChanged { reasons.append(Rejection(.withoutRowID)) }
    if change.isOrderChanged {
      reasons.append(
        change.positionalUser.map { Rejection(.columnOrderUsed, $0.text) } ?? Rejection(.columnOrder))
    }
    return reasons
  }
}

extension TableChange.Kind {
  /// The kind as text.
  package var phrase: String {
    switch self {
    case .type: "type"
    case .form: "coding"
    case .nullability: "NOT NULL"
    case .defaultValue: "default"
    case .collation: "collation"
    case .generation: "generated value"
    case .conflictClause: "ON CONFLICT"
    }
  }
}

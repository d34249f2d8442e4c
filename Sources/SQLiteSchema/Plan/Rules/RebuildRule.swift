/// Says why a change of a table needs a rebuild: a new table filled from the old one.
///
/// Applies to everything that SQLite's ALTER TABLE cannot say.
/// See [Making Other Kinds Of Table Schema Changes](https://sqlite.org/lang_altertable.html#otheralter).
package enum RebuildRule {
  /// The changes that no native ALTER can make, in words; empty when the column list alone changes.
  package static func reasons(for change: TableChange) -> [String] {
    var reasons: [String] = []
    let kinds = change.changedColumns.reduce(into: Set<TableChange.Kind>()) { $0.formUnion($1.kinds) }
    if let column = change.changedColumns.first {
      let columns = change.changedColumns.count == 1 ? column.to.name.text : "columns"
      reasons.append("\(kinds.sorted().map(\.phrase).joined(separator: ", ")) of \(columns)")
    }
    if change.isPrimaryKeyChanged { reasons.append("the primary key") }
    if !change.addedUniques.isEmpty || !change.droppedUniques.isEmpty { reasons.append("a UNIQUE constraint") }
    if !AddColumnRule.covers(change) || !DropColumnRule.covers(change) {
      let isForeignKey = change.addedForeignKeys.count + change.droppedForeignKeys.count > 0
      let isCheck = change.addedChecks.count + change.droppedChecks.count > 0
      if isCheck { reasons.append("a CHECK constraint") }
      if isForeignKey { reasons.append("a foreign key") }
    }
    if change.isStrictnessChanged { reasons.append("STRICT") }
    if change.isRowIDChanged { reasons.append("WITHOUT ROWID") }
    if change.isOrderChanged {
      reasons.append("the order of columns" + (change.positionalUser.map { ", by which \($0) goes" } ?? ""))
    }
    return reasons
  }
}

extension TableChange.Kind {
  /// The kind in words.
  package var phrase: String {
    switch self {
    case .type: "type"
    case .nullability: "NOT NULL"
    case .defaultValue: "default"
    case .collation: "collation"
    case .generation: "generated value"
    case .conflictClause: "ON CONFLICT"
    }
  }
}

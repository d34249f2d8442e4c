/// Decides whether a table can be dropped and created with foreign keys on once its keys have values that no row refers
/// to: its rows are deleted then, and no foreign key finds one that refers to them.
///
/// Applies if no foreign key to the keys that move has an action on update
/// ([ON DELETE and ON UPDATE Actions](https://sqlite.org/foreignkeys.html#fk_actions)).
enum RekeyRule {
  /// The columns that move: one of each key that is referred to with an action on delete.
  static func columns(of table: ReferencedTable, apartFrom detached: [InboundKey] = []) -> [SQLName] {
    var columns: [SQLName] = []
    for inbound in table.inbound
    where inbound.hasDeleteAction && !detached.contains(inbound)
      && !inbound.parentColumns.contains(where: columns.contains)
    {
      if let column = inbound.parentColumns.first { columns.append(column) }
    }
    return columns
  }

  /// Why they cannot move; nil if they can.
  static func rejection(of table: ReferencedTable, apartFrom detached: [InboundKey] = []) -> Rejection? {
    let columns = columns(of: table, apartFrom: detached)
    let follower = table.inbound.first { inbound in
      inbound.hasUpdateAction && !detached.contains(inbound) && inbound.parentColumns.contains(where: columns.contains)
    }
    if let follower { return Rejection(.updateAction, follower.child.name.text, follower.key.onUpdate.rawValue) }
    if let column = columns.first(where: { table.current.column($0)?.generation != nil }) {
      return Rejection(.generatedKey, column.text)
    }
    if let column = columns.first(where: { table.current.isStrict && table.current.column($0)?.affinity == .real }) {
      return Rejection(.realKey, column.text)
    }
    return table.current.rejection(toEmptying: columns)
  }

  static func statements(for table: ReferencedTable) throws(SQLSyntaxError) -> [PlannedStatement] {
    try table.statements(before: moves(of: table))
  }

  /// The statements that move the keys.
  static func moves(of table: ReferencedTable, apartFrom detached: [InboundKey] = []) -> [PlannedStatement] {
    let columns = columns(of: table, apartFrom: detached)
    return table.dropUniqueIndexes(reading: columns)
      + columns.compactMap { table.current.column($0) }.map {
        ReferencedTable.moving($0, of: table.current, mark: "key")
      }
  }
}

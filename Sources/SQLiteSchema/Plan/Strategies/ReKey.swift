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

  /// The reason why the keys cannot move; nil if they can.
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

extension MigrationStep.Strategy {
  /// With foreign keys on: the same, once the keys have values that no row refers to, so that no action is taken.
  public static let rekey = Self(
    "re-key", .copy, refusal: "nor can the keys move",
    rejections: [.updateAction, .generatedKey, .realKey, .nothingToMove], motives: [.keysMove]
  ) {
    $0.updatesRows = true
    $0.remakesTable = true
    $0.hasAlternative = true
  }
}

extension Rejection.Code {
  package static let updateAction = Self("updateAction") { "a foreign key of \($0[0]) says ON UPDATE \($0[1])" }
  package static let generatedKey = Self("generatedKey") { "the key \($0[0]) is a generated column" }
  package static let realKey = Self("realKey") { "numbers of the REAL key \($0[0]) cannot be moved exactly" }
  package static let nothingToMove = Self("nothingToMove", "no foreign key to it needs that")
}

extension Motive.Code {
  package static let keysMove = Self("keysMove") {
    "foreign keys stay on: its keys have values that no row refers to while it is dropped, so no row of "
      + "\($0.counted(0, "table")) that \($0.word(0, "refers", "refer")) to it changes"
  }
}

extension Planner {
  func rekey(_ table: ReferencedTable) -> ReferencedCandidate {
    let rows = rowCount(of: table.name)
    var way = ReferencedCandidate(strategy: .rekey, rejection: RekeyRule.rejection(of: table))
    if RekeyRule.columns(of: table).isEmpty { way.rejection = way.rejection ?? Rejection(.nothingToMove) }
    (way.cost, way.rows) = ((4 + 2 * table.inbound.count) * rows, rows)
    way.createdIndexes = table.keyIndexes.map(\.name)
    way.motive = Motive(.keysMove, Set(table.inbound.map(\.child.name)).count)
    way.statements = { () throws(SQLSyntaxError) in try RekeyRule.statements(for: table) }
    return way
  }
}

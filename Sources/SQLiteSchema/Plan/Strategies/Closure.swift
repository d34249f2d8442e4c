import OrderedCollections

/// Decides whether a table can be dropped and created with foreign keys on together with all that refer to it, directly
/// or not: each is dropped when nothing refers to it any more, and filled when what it refers to is there again.
///
/// Applies if the tables refer to each other in one direction. A reference to the table itself, or in a circle, must be one
/// that can be NULL meanwhile ([DROP TABLE](https://sqlite.org/foreignkeys.html#fk_schemacommands)).
package struct ClosureRule {
  /// A table that is dropped and created.
  package struct Member {
    package var table: ReferencedTable
    /// Its foreign keys that have an action on delete, and that refer to the table itself or to one that is dropped before.
    package var keys: [ForeignKeySchema]
    /// The statements that create indexes for references that are there before the rows that they refer to, and drop them.
    package var lookups: (create: [PlannedStatement], drop: [PlannedStatement])
    /// The columns by which its rows refer to nothing while tables are dropped.
    var columns: [SQLName?] { keys.map { table.current.nullableColumn(of: $0) } }
  }

  /// The members, parents first.
  package var members: [Member]

  package var rejection: Rejection? {
    for member in members {
      let columns = member.columns.compactMap(\.self)
      if columns.count < member.columns.count { return Rejection(.childCannotLetGo, member.table.name.text) }
      if let rejection = member.table.current.rejection(toEmptying: columns) { return rejection }
      let follower = member.table.inbound.first { inbound in
        inbound.hasUpdateAction && inbound.parentColumns.contains(where: columns.contains)
      }
      if let follower { return Rejection(.updateAction, follower.child.name.text, follower.key.onUpdate.rawValue) }
    }
    return nil
  }

  func statements() throws(SQLSyntaxError) -> [PlannedStatement] {
    var statements = members.reversed().flatMap(\.table.stash.fill)
    for member in members {
      // The rows that were put aside have the references.
      let columns = member.columns.compactMap(\.self)
      statements += member.table.dropUniqueIndexes(reading: columns)
      statements += columns.map { ReferencedTable.nulling($0, of: member.table.current) }
    }
    for member in members.reversed() { statements += member.table.stash.drop }
    for table in members.map(\.table) {
      statements += try table.stash.create(with: table.keyIndexes.map(\.sql)) + table.ownLookups.create
    }
    statements += members.flatMap(\.lookups.create)
    for table in members.map(\.table) { statements += table.stash.refill + table.ownLookups.drop }
    return statements + members.flatMap(\.lookups.drop)
  }
}

extension MigrationStep.Strategy {
  /// With foreign keys on: the table is dropped and created together with all tables that refer to it.
  public static let closure = Self(
    "closure", .copy, refusal: "nor can the tables that refer to it be copied along",
    motives: [.childrenAreCopied, .changesWithParent]
  ) {
    $0.updatesRows = true
    $0.remakesTable = true
    $0.hasAlternative = true
    $0.copiesChildren = true
  }
}

extension Motive.Code {
  package static let childrenAreCopied = Self("childrenAreCopied") {
    "foreign keys stay on: \($0.counted(0, "table")) with \($0.counted(1, "row")) that \($0.word(0, "refers", "refer")) to it, directly or "
      + "not, \($0.word(0, "is", "are")) copied along"
  }
  package static let changesWithParent = Self(
    "changesWithParent", "it is copied together with the table that it refers to")
}

extension MigrationStep {
  /// The step of a table that was copied along with the one that it refers to.
  static func copiedWithParent(_ object: ObjectReference, _ edits: [SchemaEdit]) -> MigrationStep {
    MigrationStep(
      strategy: .closure, object: object, edits: edits, motive: Motive(.changesWithParent), statements: [])
  }
}

extension Planner {
  func closure(of table: ReferencedTable, after done: Set<SQLName>) throws(SQLSyntaxError) -> ReferencedCandidate {
    let names = descendants(of: table.change, after: done)
    var members: [ClosureRule.Member] = []
    for name in names {
      if name == table.name {
        members.append(member(table, of: names))
      } else if let child = tables(named: name, after: done).first {
        let change = mergedChange(of: name, after: done) ?? TableChange(from: child, to: child)
        let projection = projection(
          for: change, hints: change.isEmpty ? TableHints() : hints.tables[name] ?? TableHints())
        let inbound = inboundKeys(to: child, after: done)
        members.append(
          member(try referencedTable(change, current: child, projection: projection, inbound: inbound), of: names))
      }
    }
    let rule = ClosureRule(members: members)
    let rows = names.reduce(0) { $0 + rowCount(of: $1) }
    let inserting = members.indices.lazy.compactMap { place in
      rejection(toInsertingInto: members[place].table.change.to)
        ?? rejection(toEmptying: members[place].table, before: names[place...])
    }.first
    var way = ReferencedCandidate(strategy: .closure, rejection: rule.rejection ?? inserting)
    (way.cost, way.rows) = (3 * rows, rows)
    way.copiedChildren = names.filter { $0 != table.name }
    way.createdIndexes = members.flatMap { $0.table.keyIndexes.map(\.name) }
    way.motive = Motive(.childrenAreCopied, names.count - 1, rows - rowCount(of: table.name))
    way.statements = { () throws(SQLSyntaxError) in try rule.statements() }
    return way
  }

  /// - Parameter names: All members, parents first.
  private func member(_ table: ReferencedTable, of names: [SQLName]) -> ClosureRule.Member {
    let place = names.firstIndex(of: table.name) ?? 0
    let early = Set(names[..<place])
    let tables = early.compactMap { target.tables[$0] }
    let to = table.change.to
    let waiting = tables.flatMap { child in
      child.foreignKeys.filter { $0.parent == to.name }.map { InboundKey(child: child, key: $0, parent: to) }
    }
    return ClosureRule.Member(
      table: table,
      keys: table.current.foreignKeys.filter { key in
        ![.noAction, .restrict].contains(key.onDelete) && names[place...].contains(key.parent)
      },
      lookups: lookups(for: waiting, of: to, named: "_schemakit_later_", isKept: true) { _ in [] })
  }
}

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

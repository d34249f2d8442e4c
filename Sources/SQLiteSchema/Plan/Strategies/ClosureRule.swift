/// Decides whether a table can be dropped and created with foreign keys on together with all that refer to it, directly
/// or not: each is dropped when nothing refers to it any more, and filled when what it refers to is there again.
///
/// Applies if the tables refer to each other in one direction; a table may refer to itself if that reference can be NULL
/// meanwhile ([DROP TABLE](https://sqlite.org/foreignkeys.html#fk_schemacommands)).
package struct ClosureRule {
  /// A table that is dropped and created.
  package struct Member {
    package var table: TableSchema
    package var stash: StashBuilder
    package var keyIndexes: [(name: SQLName, sql: String)]
    package var ownLookups: (create: [PlannedStatement], drop: [PlannedStatement])
    /// The foreign keys from the table to itself.
    package var ownKeys: [ForeignKeySchema]
  }

  /// The members, parents first.
  package var members: [Member]
  /// Tables that refer to each other in a circle; empty if there are none.
  package var circle: [SQLName]

  package var rejection: Rejection? {
    if !circle.isEmpty { return Rejection(.referencesInCircle, circle.map(\.text).joined(separator: ", ")) }
    for member in members where member.table.primaryKey != nil {
      for key in member.ownKeys where hasAction(key) && member.table.nullableColumn(of: key) == nil {
        return Rejection(.childCannotLetGo, member.table.name.text)
      }
    }
    return nil
  }

  private func hasAction(_ key: ForeignKeySchema) -> Bool { ![.noAction, .restrict].contains(key.onDelete) }

  func statements() throws(SQLSyntaxError) -> [PlannedStatement] {
    var statements = members.reversed().flatMap(\.stash.fill)
    for member in members.reversed() {
      // The rows that were put aside have the references.
      for key in member.ownKeys where hasAction(key) {
        if let column = member.table.nullableColumn(of: key) {
          statements.append(ReferencedTable.nulling(column, of: member.table))
        }
      }
      statements += member.stash.drop
    }
    for member in members {
      statements += try member.stash.create(with: member.keyIndexes.map(\.sql)) + member.ownLookups.create
    }
    for member in members { statements += member.stash.refill + member.ownLookups.drop }
    return statements
  }
}

/// Decides whether a table can be dropped and created with foreign keys on together with all that refer to it, directly
/// or not: each is dropped when nothing refers to it any more, and filled when what it refers to is there again.
///
/// Applies if the tables refer to each other in one direction; a table may refer to itself if that reference can be NULL
/// meanwhile ([DROP TABLE](https://sqlite.org/foreignkeys.html#fk_schemacommands)).
package struct ClosureRule {
  /// A table that is dropped and created.
  package struct Member {
    package var table: ReferencedTable
    /// The foreign keys from the table to itself that have an action on delete.
    package var ownKeys: [ForeignKeySchema]
    /// The columns by which its rows refer to nothing while it is dropped.
    var ownColumns: [SQLName?] { ownKeys.map { table.current.nullableColumn(of: $0) } }
  }

  /// The members, parents first.
  package var members: [Member]
  /// Tables that refer to each other in a circle; empty if there are none.
  package var circle: [SQLName]

  package var rejection: Rejection? {
    if !circle.isEmpty { return Rejection(.referencesInCircle, circle.map(\.text).joined(separator: ", ")) }
    return members.first { $0.ownColumns.contains(nil) }.map { Rejection(.childCannotLetGo, $0.table.name.text) }
  }

  func statements() throws(SQLSyntaxError) -> [PlannedStatement] {
    var statements = members.reversed().flatMap(\.table.stash.fill)
    for member in members.reversed() {
      // The rows that were put aside have the references.
      let columns = member.ownColumns.compactMap(\.self)
      statements += member.table.dropUniqueIndexes(reading: columns)
      statements += columns.map { ReferencedTable.nulling($0, of: member.table.current) } + member.table.stash.drop
    }
    for table in members.map(\.table) {
      statements += try table.stash.create(with: table.keyIndexes.map(\.sql)) + table.ownLookups.create
    }
    for table in members.map(\.table) { statements += table.stash.refill + table.ownLookups.drop }
    return statements
  }
}

import OrderedCollections

/// Finds rows that are equal in a unique index that lacks some of them: REINDEX would refuse them.
///
/// *Cost:* one scan of the table, and a sort of the index's terms.
package struct UnseenDuplicates {
  package let table: SQLName
  /// The query that shows what they have in common, with how many they are, for the sqlite3 shell.
  package let query: String
  /// The number of rows that are equal to another one.
  package let count: Int

  /// The rows of an index; nil if there are none, the index is not unique, or this program cannot compare by it.
  ///
  /// - Parameter index: The index's name, which may be that of a constraint.
  package init?(in index: SQLName, of schema: DatabaseSchema, on connection: any SQLConnection) throws {
    guard let (table, terms, predicate) = try Self.terms(of: index, in: schema) else { return nil }
    self.table = table.name
    // Under NOT NULL, integrity_check takes NULLs for equal.
    let present =
      ["1"] + [predicate].compactMap { $0 } + terms.filter(\.isNullable).map { "typeof(\($0.value)) <> 'null'" }
    let list = terms.map(\.value).joined(separator: ", ")
    let keys = terms.map { "\($0.value) COLLATE \($0.collation.quoted)" }.joined(separator: ", ")
    let groups =
      "FROM main.\(table.name.quoted) \(table.rowOrder) WHERE \(present.joined(separator: " AND ")) "
      + "GROUP BY \(keys) HAVING count(*) > 1"
    query = "SELECT \(list), count(*) \(groups);"
    do {
      let sql = "SELECT coalesce(sum(n), 0) FROM (SELECT count(*) AS n \(groups))"
      count = try connection.watchingCollations { try $0.asking { Int(try connection.integer(sql) ?? 0) } }
    } catch let error as SQLiteError where !error.isEnvironmental {
      return nil
    } catch is LackedCollation {
      return nil
    }
    if count == 0 { return nil }
  }

  private typealias Term = (value: String, collation: SQLName, isNullable: Bool)

  private static func terms(
    of index: SQLName, in schema: DatabaseSchema
  ) throws -> (table: TableSchema, terms: [Term], predicate: String?)? {
    for table in schema.tables.values {
      if let created = schema.indexes(on: table.name).first(where: { $0.name == index }) {
        guard created.isUnique else { return nil }
        let terms = created.terms.map { term -> Term in
          let isNullable = term.column.map { table.column($0)?.isNotNull != true } ?? true
          return (
            term.column.map { "+\($0.quoted)" } ?? term.expression.grouped, term.collation ?? "BINARY", isNullable
          )
        }
        return (table, terms, created.predicate?.enclosed)
      }
      let constraints = try table.constraintIndexes()
      for (place, key) in constraints.enumerated() where index == SQLName(table.nameOfConstraintIndex(place + 1)) {
        return (
          table,
          key.columns.map {
            ("+\($0.name.quoted)", $0.collation ?? "BINARY", table.column($0.name)?.isNotNull != true)
          }, nil
        )
      }
    }
    return nil
  }
}

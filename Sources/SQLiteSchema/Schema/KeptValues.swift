/// The rows or values of a dropped table or column, kept in a table of this library so that undoing the change restores them.
///
/// The values are kept as they were stored: without a type, with the key of their row.
package struct KeptValues: Sendable, Hashable {
  /// The number of the table that holds them: `_schemakit_kept_1` and so on.
  package var number: Int
  /// The table that was dropped, or that lost a column, by its former name.
  package var table: SQLName
  /// The column that was dropped; nil if the whole table was.
  package var column: SQLName?
  /// The columns that are kept, in order: all of a table's, or the key's and then the dropped one.
  package var columns: [SQLName]
  /// True if rowids are kept before the columns, because no column holds them.
  package var keepsRowIDs: Bool
  /// The number of the history entry that left it behind; nil before there is one.
  package var entry: Int?
  /// The number of rows that are kept; 0 before they are.
  package var rowCount = 0
  /// The highest key that AUTOINCREMENT had assigned.
  package var mark: Int64?

  package init(number: Int, table: SQLName, column: SQLName?, columns: [SQLName], keepsRowIDs: Bool) {
    self.number = number
    self.table = table
    self.column = column
    self.columns = columns
    self.keepsRowIDs = keepsRowIDs
  }
}

extension KeptValues {
  /// The table that lists what is kept.
  package static let registry: SQLName = "_schemakit_kept"

  /// The table that holds the values.
  package var storage: SQLName { SQLName("\(Self.registry)_\(number)") }

  /// True if a name is that of a table which holds kept values.
  package static func isStorage(_ name: SQLName) -> Bool {
    name.folded.hasPrefix("\(registry.folded)_") && Int(name.folded.dropFirst(registry.folded.count + 1)) != nil
  }

  /// The name of the kept table or column in messages.
  package var object: String { column.map { "\(table).\($0)" } ?? table.text }

  /// The names of the columns in the kept table, those of `columns` in order.
  package var storedNames: [String] { columns.indices.map { "\"_schemakit_k\($0)\"" } }

  /// The name of the rowid's column in the kept table.
  package static let rowIDName = "\"_schemakit_rowid\""

  /// A query that finds a row's value by its key.
  ///
  /// - Parameter name: The name that a column of the key has where the query stands.
  package func lookup(_ name: (SQLName) -> SQLName) -> String {
    // Without an affinity: a text that looks like a number is another key than that number.
    let keys = columns.dropLast()
    let key = zip(keys.indices, keys).map { "\"_schemakit_key_\($0)\" = +\(name($1).quoted)" }.joined(
      separator: " AND ")
    // A query over two subqueries has no hidden rowid, so that a key called rowid is the column outside; one over a table has.
    let stored =
      zip(keys.indices, storedNames).map { "\($1) AS \"_schemakit_key_\($0)\"" } + [
        "\(storedNames.last ?? "NULL") AS \"_schemakit_value\""
      ]
    return """
      SELECT "_schemakit_value" FROM (SELECT \(stored.joined(separator: ", ")) FROM "main".\(storage.quoted)) AS "_schemakit_a", \
      (SELECT 1 AS "_schemakit_one") AS "_schemakit_b" WHERE \(key)
      """
  }
}

/// Rows from all over a table, as the oldest are seldom like the newest; the first ones if the rows have no rowids, or
/// rowids too far apart to find enough of them.
struct RowSample {
  let connection: any SQLConnection
  /// The quoted table name with its schema, and NOT INDEXED where it is a table: an index may hold fewer rows.
  let table: String
  /// The name of the rowid; nil if the rows have none.
  let rowKey: String?

  /// Returns the averages of some expressions, rounded down. Each is 0 if there are no rows, or if SQLite cannot read them: a
  /// failed estimate must not stop a plan.
  ///
  /// *Cost:* the look-up of at most 400 rows.
  func averages(of expressions: [String]) throws -> [Int] {
    do { return try read(expressions) } catch let error as SQLiteError where !error.isEnvironmental {
      return expressions.map { _ in 0 }
    }
  }

  private func read(_ expressions: [String]) throws -> [Int] {
    let terms = expressions.map { "CAST(avg(\($0)) AS INTEGER)" }.joined(separator: ", ")
    if let key = rowKey {
      let sql = """
        WITH RECURSIVE "_schemakit_at"("_schemakit_n") AS (
          SELECT 0 UNION ALL SELECT "_schemakit_n" + 1 FROM "_schemakit_at" WHERE "_schemakit_n" < 199)
        SELECT count(*), \(terms) FROM \(table) WHERE \(key) IN (
          SELECT (SELECT \(key) FROM \(table) WHERE \(key) >= (SELECT min(\(key)) FROM \(table))
            + ((SELECT max(\(key)) FROM \(table)) - (SELECT min(\(key)) FROM \(table))) / 199.0 * "_schemakit_n"
            ORDER BY \(key) LIMIT 1)
          FROM "_schemakit_at")
        """
      if let row = try connection.rows(sql).first, let count = row[0].integer, count >= 50 {
        return row.dropFirst().map { Int($0.integer ?? 0) }
      }
    }
    // Evaluated where the table itself is read: a query over a subquery does not find a column named true.
    let inner = expressions.enumerated().map { "\($1) AS \"_schemakit_\($0)\"" }.joined(separator: ", ")
    let outer = expressions.indices.map { "CAST(avg(\"_schemakit_\($0)\") AS INTEGER)" }.joined(separator: ", ")
    let row = try connection.rows("SELECT \(outer) FROM (SELECT \(inner) FROM \(table) LIMIT 200)").first
    return (row ?? []).map { Int($0.integer ?? 0) }
  }

  /// About how many bytes a column's value takes in a row.
  static func length(of column: SQLName) -> String { "coalesce(length(CAST(\(column.quoted) AS BLOB)), 0) + 2" }
}

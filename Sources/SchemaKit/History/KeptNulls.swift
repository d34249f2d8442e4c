/// Rows in which a default or a fill replaced NULL, as recorded in the history.
package struct KeptNulls: Sendable, Hashable, Codable {
  /// The number that distinguishes the rows of this column from those of others in the same change.
  var number: Int
  /// The table before the change, with its column.
  package var table: String
  package var column: String
  /// The table since the change, with its column.
  package var newTable: String
  package var newColumn: String
  /// The columns of the key since the change.
  package var newKey: [String]
  /// The number of rows that held NULL.
  package var count: Int
}

extension KeptNulls {
  /// The values that undoing does not restore if these rows cannot be found again.
  package var loss: Loss {
    Loss(.replacedNulls, table: SQLName(table), column: SQLName(column), count: count)
      .renamed(table: SQLName(newTable), column: SQLName(newColumn))
  }

  /// A sentence that says what undoing restores.
  package var words: String {
    let place = "NULL comes back in \(table).\(column), in \(count.counted("row"))"
    return count == 1
      ? "\(place) known by its key, where it still holds what replaced it."
      : "\(place) known by their keys, where they still hold what replaced it."
  }

  /// The condition for a row that held NULL and still has its key and the value that replaced NULL.
  ///
  /// - Parameter entry: The number of the change in the history.
  package func condition(of entry: Int) -> String {
    let mark = NullKeeper.mark(of: (newKey + [newColumn]).map { SQLName($0).quoted })
    return
      "\(mark) IN (SELECT mark FROM \"main\".\"_schemakit_nulls\" WHERE history = \(entry) AND number = \(number))"
  }
}

/// Records in `_schemakit_nulls` the rows in which a change replaces NULL: for each, a mark of its key and of the value
/// that it holds afterwards.
///
/// *Cost:* one look at a column for each that holds NULL, and the look-up of at most 10,000 rows by their key.
struct NullKeeper {
  let connection: any SQLConnection

  /// The NULLs that a plan replaces, and whether undoing restores them.
  struct Gathered {
    /// The NULLs whose rows are known.
    var kept: [KeptNulls] = []
    /// The NULLs that are not restored.
    var losses: [Loss] = []
  }

  /// Text that is the same for equal values of the same types, and for no others.
  static func mark(of values: [String]) -> String {
    values.map {
      "CASE typeof(\($0)) WHEN 'real' THEN quote(\($0)) ELSE substr(typeof(\($0)), 1, 1) || hex(\($0)) END"
    }
    .joined(separator: " || ',' || ")
  }

  /// Collects the keys of the rows that hold NULL, before the change.
  func gather(_ columns: [FilledColumn]) throws -> Gathered {
    var gathered = Gathered()
    for (number, filled) in columns.enumerated() {
      let rows =
        "FROM \(filled.formerRows) WHERE typeof(\(filled.formerColumn.quoted)) = 'null'"
      let loss = Self.loss(of: filled)
      guard filled.obstacle == nil, let count = try takeKeys(of: filled, from: rows, number: number)
      else {
        var loss = loss
        if loss.count == nil {
          loss.count = Int(try connection.integer("SELECT count(*) \(rows)") ?? 0)
        }
        if loss.count != 0 { gathered.losses.append(loss) }
        continue
      }
      guard count > 0 else { continue }
      gathered.kept.append(
        KeptNulls(
          number: number, table: filled.formerTable.text, column: filled.formerColumn.text,
          newTable: filled.table.text, newColumn: filled.column.text,
          newKey: filled.key.map(\.text), count: count))
    }
    return gathered
  }

  /// Returns the losses if no row can be remembered.
  static func losses(of columns: [FilledColumn]) -> Gathered {
    Gathered(losses: columns.filter { $0.count != 0 }.map(loss))
  }

  private static func loss(of filled: FilledColumn) -> Loss {
    Loss(.replacedNulls, table: filled.formerTable, column: filled.formerColumn, count: filled.count)
      .renamed(table: filled.table, column: filled.column)
  }

  /// Returns how many rows there are; nil if there are too many, or one is not found by its key again: a text under REAL is
  /// no number to SQLite until it is compared.
  private func takeKeys(of filled: FilledColumn, from rows: String, number: Int) throws -> Int? {
    let most = FilledColumn.mostRemembered
    let terms = filled.formerKey.enumerated().map { "\($1.quoted) AS k\($0)" }.joined(
      separator: ", ")
    try connection.run("DROP TABLE IF EXISTS \(keys(number))")
    try connection.run("CREATE TABLE \(keys(number)) AS SELECT \(terms) \(rows) LIMIT \(most + 1)")
    let count = Int(try connection.integer("SELECT count(*) FROM \(keys(number))") ?? 0)
    let isFound = filled.formerKey.enumerated().map { "_t.\($1.quoted) = _k.k\($0)" }.joined(separator: " AND ")
    let lost = """
      SELECT EXISTS (SELECT 1 FROM \(keys(number)) AS _k \
      WHERE NOT EXISTS (SELECT 1 FROM main.\(filled.formerTable.quoted) AS _t WHERE \(isFound)))
      """
    guard count > 0, try count <= most && connection.integer(lost) == 0 else {
      try connection.run("DROP TABLE \(keys(number))")
      return count > 0 ? nil : 0
    }
    return count
  }

  private func keys(_ number: Int) -> String { "\(connection.schemaForWork).\"_schemakit_null_keys_\(number)\"" }

  /// Records the rows, after the change and under the number that it has in the history.
  func store(_ gathered: Gathered, of entry: Int) throws {
    guard !gathered.kept.isEmpty else { return }
    try connection.run(
      """
      CREATE TABLE IF NOT EXISTS main._schemakit_nulls (
        id INTEGER PRIMARY KEY, history INTEGER NOT NULL, number INTEGER NOT NULL, mark TEXT NOT NULL
      )
      """)
    try LedgerShape(connection: connection).check(LedgerShape.nulls)
    // A change that has left the live line is never undone.
    try connection.run(
      """
      DELETE FROM main._schemakit_nulls WHERE history NOT IN (SELECT id FROM main._schemakit_history WHERE live = 1)
      """)
    for nulls in gathered.kept {
      let key = nulls.newKey.map { "_t.\(SQLName($0).quoted)" }
      let match = key.enumerated().map { "\($1) = _k.k\($0)" }.joined(separator: " AND ")
      try connection.run(
        """
        INSERT INTO main._schemakit_nulls (history, number, mark) \
        SELECT \(entry), \(nulls.number), \(Self.mark(of: key + ["_t.\(SQLName(nulls.newColumn).quoted)"])) \
        FROM \(keys(nulls.number)) AS _k CROSS JOIN main.\(SQLName(nulls.newTable).quoted) AS _t ON \(match)
        """)
      try connection.run("DROP TABLE \(keys(nulls.number))")
    }
  }

  /// Throws if the rows that a change recorded are missing.
  func check(_ nulls: [KeptNulls]) throws {
    if !nulls.isEmpty { try LedgerShape(connection: connection).check(LedgerShape.nulls) }
  }

  /// Forgets the rows of a change that was undone.
  func forget(_ entry: Int) throws {
    guard try LedgerShape(connection: connection).has(LedgerShape.nulls.name) else { return }
    try connection.run("DELETE FROM main._schemakit_nulls WHERE history = \(entry)")
    guard try connection.integer("SELECT EXISTS (SELECT 1 FROM main._schemakit_nulls)") == 0 else {
      return
    }
    try connection.run("DROP TABLE main._schemakit_nulls")
  }
}

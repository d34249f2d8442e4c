/// Gives a copied table its definition, and makes the indexes of its PRIMARY KEY and UNIQUE constraints.
///
/// Each index is made by CREATE INDEX first, which sorts. Then one edit of the
/// [catalog](https://sqlite.org/schematab.html) gives the table its text and the indexes the names that SQLite gives to
/// those of constraints, `sqlite_autoindex_TABLE_N`, without a text of their own. When the catalog is read again, the text
/// of the table makes the constraints, and each finds its index by name.
///
/// *Cost:* one scan and one sort for each index.
package struct Adoption {
  private let target: TableSchema
  private let text: String
  /// The indexes of constraints by their places, before and after.
  private let former: [ConstraintIndex]
  private let future: [ConstraintIndex]
  private let carried: Set<SQLName>

  /// - Parameters:
  ///   - text: The text that the catalog will contain for the table.
  ///   - former: The table before.
  ///   - carried: The columns whose values are taken over.
  package init(
    of target: TableSchema, text: String, former: TableSchema, carried: Set<SQLName>
  ) throws(SQLSyntaxError) {
    self.target = target
    self.text = text
    self.former = try former.constraintIndexes()
    self.carried = carried
    guard case .table(let statement) = try SQLParser.create(text) else {
      future = []
      return
    }
    future = try TableSchema(statement, sql: text).constraintIndexes()
  }

  /// The indexes that are made, with their places. The key of a table WITHOUT ROWID is the table.
  private var built: [(index: ConstraintIndex, name: SQLName, place: Int)] {
    future.enumerated().filter { !($0.element.isPrimary && target.isWithoutRowID) }.map { place, index in
      (index, SQLName("_schemakit_key_\(place + 1)_\(target.name.text)"), place)
    }
  }

  /// The statements, for a table that has its name and its rows.
  package var statements: [PlannedStatement] {
    built.map { PlannedStatement(create($0.index, as: $0.name)) } + [PlannedStatement(edit, role: .adopt)]
  }

  /// The change is not at fault for rows that were equal under a constraint before: such an index is made without UNIQUE,
  /// which stores the same.
  private func create(_ index: ConstraintIndex, as name: SQLName) -> String {
    let stood =
      former.contains { $0.columns == index.columns } && index.columns.allSatisfy { carried.contains($0.name) }
    let terms = index.columns.map { column in
      "\(column.name.quoted) COLLATE \((column.collation ?? "BINARY").quoted)\(column.isDescending ? " DESC" : "")"
    }
    return "CREATE \(stood ? "" : "UNIQUE ")INDEX \"main\".\(name.quoted) ON \(target.name.quoted) "
      + "(\(terms.joined(separator: ", ")))"
  }

  private var edit: String {
    let table = "type = 'table' AND name = \(SQLQuoting.literal(target.name.text))"
    guard !built.isEmpty else {
      return "UPDATE \"main\".sqlite_master SET sql = \(SQLQuoting.literal(text)) WHERE \(table)"
    }
    let names = built.map { built in
      let name = target.nameOfConstraintIndex(built.place + 1)
      return " WHEN \(SQLQuoting.literal(built.name.text)) THEN \(SQLQuoting.literal(name))"
    }
    let list = built.map { SQLQuoting.literal($0.name.text) }.joined(separator: ", ")
    return """
      UPDATE "main".sqlite_master SET sql = CASE type WHEN 'table' THEN \(SQLQuoting.literal(text)) END, \
      name = CASE WHEN type = 'table' THEN name ELSE CASE name\(names.joined()) END END \
      WHERE \(table) OR type = 'index' AND name IN (\(list))
      """
  }

  /// Makes SQLite's table of AUTOINCREMENT marks, which an edit of the catalog would not make.
  package static let sequenceTable = [
    "CREATE TABLE \"main\".\"_schemakit_sequence\" (id INTEGER PRIMARY KEY AUTOINCREMENT)",
    "DROP TABLE \"main\".\"_schemakit_sequence\"",
  ].map { PlannedStatement($0) }

  /// Gives the statistics of constraints their new numbers, and deletes those of constraints that go: SQLite would
  /// attribute them to other ones.
  package func statistics(in tables: [String]) -> [PlannedStatement] {
    let moves = former.indices.filter { $0 >= future.count || future[$0].columns != former[$0].columns }.map { place in
      (place, future.firstIndex { $0.columns == former[place].columns })
    }
    guard !moves.isEmpty else { return [] }
    func name(_ place: Int) -> String { SQLQuoting.literal(target.nameOfConstraintIndex(place + 1)) }
    let all = moves.map { name($0.0) }.joined(separator: ", ")
    let gone = moves.filter { $0.1 == nil }.map { name($0.0) }.joined(separator: ", ")
    let moved = moves.compactMap { from, to in to.map { " WHEN \(name(from)) THEN \(name($0))" } }
    let which = "tbl = \(SQLQuoting.literal(target.name.text)) COLLATE NOCASE AND idx COLLATE NOCASE IN"
    return tables.flatMap { table in
      (gone.isEmpty ? [] : ["DELETE FROM \"main\".\(table) WHERE \(which) (\(gone))"])
        + (moved.isEmpty
          ? []
          : [
            "UPDATE \"main\".\(table) SET idx = CASE idx COLLATE NOCASE\(moved.joined()) ELSE idx END WHERE \(which) (\(all))"
          ])
    }.map { PlannedStatement($0, role: .statistics) }
  }
}

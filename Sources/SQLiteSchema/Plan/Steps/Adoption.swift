/// Gives a table its definition, and the indexes that its PRIMARY KEY and UNIQUE constraints need.
///
/// Each index that is missing is made by CREATE INDEX first, which sorts. Then one edit of the
/// [catalog](https://sqlite.org/schematab.html) gives the table its text and the indexes the names that SQLite gives to
/// those of constraints, `sqlite_autoindex_TABLE_N`, without a text of their own. When the catalog is read again, the text
/// of the table makes the constraints, and each finds its index by name. The index of a constraint that goes gets a name and
/// a text in the same edit, and is dropped like any other.
///
/// *Cost:* one scan and one sort for each index that is missing; the pages of each that goes are freed.
package struct Adoption {
  /// An index that gets another name and text in the catalog.
  private struct Move {
    var from: SQLName
    var to: SQLName
    /// The text that the catalog will contain; nil for the index of a constraint.
    var sql: String?
  }

  private let target: TableSchema
  private let text: String
  /// The indexes of constraints by their places, before and after.
  private let former: [ConstraintIndex]
  private let future: [ConstraintIndex]
  private let carried: Set<SQLName>
  /// True if the table has the indexes of before.
  private let isInPlace: Bool
  /// Indexes made by CREATE INDEX which become those of constraints, and new ones that those of constraints become, with their texts.
  private var leaving: [IndexSchema] = []
  private var arriving: [(index: IndexSchema, text: String)] = []

  /// The definition and the indexes of a copy, which has none yet.
  ///
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
    isInPlace = false
    future = try Self.future(text)
  }

  /// The definition and the indexes of a table that keeps its rows.
  ///
  /// - Parameters:
  ///   - text: The text that the catalog will contain for the table.
  ///   - dropped: The indexes that are to be dropped.
  ///   - added: The indexes that are to be created, with the texts that the catalog will contain.
  package init(
    keepingRowsOf change: TableChange, text: String, dropped: [IndexSchema], added: [(index: IndexSchema, text: String)]
  ) throws(SQLSyntaxError) {
    target = change.to
    self.text = text
    former = try change.from.constraintIndexes()
    carried = []
    isInPlace = true
    future = try Self.future(text)
    leaving = missing.compactMap { place in dropped.first { $0.serves(future[place]) } }
    arriving = gone.compactMap { place in added.first { $0.index.serves(former[place]) } }
  }

  private static func future(_ text: String) throws(SQLSyntaxError) -> [ConstraintIndex] {
    guard case .table(let statement) = try SQLParser.create(text) else { return [] }
    return try TableSchema(statement, sql: text).constraintIndexes()
  }

  // MARK: - Indexes

  /// The places of the constraints that stay, from now on, by those of before: those with the same collations first.
  private var newPlaces: [Int: Int] {
    guard isInPlace else { return [:] }
    var places: [Int: Int] = [:]
    for isSame in [{ $0.columns == $1.columns }, { $0.holdsTheSame(as: $1) }]
      as [(ConstraintIndex, ConstraintIndex) -> Bool]
    {
      for place in former.indices where places[place] == nil {
        places[place] = future.indices.first { new in
          !places.values.contains(new) && isSame(former[place], future[new])
        }
      }
    }
    return places
  }

  /// The constraints whose indexes are not there. The key of a table WITHOUT ROWID is the table.
  private var missing: [Int] {
    let kept = newPlaces.values
    return future.indices.filter { !isTable($0) && !kept.contains($0) }
  }

  /// The constraints of before that go.
  private var gone: [Int] {
    let kept = newPlaces
    return isInPlace ? former.indices.filter { kept[$0] == nil } : []
  }

  private func isTable(_ place: Int) -> Bool { future[place].isPrimary && target.isWithoutRowID }

  /// The indexes that are made, with their names until they are adopted.
  private var built: [(index: ConstraintIndex, name: SQLName, place: Int)] {
    missing.filter { place in !leaving.contains { $0.serves(future[place]) } }.map { place in
      (future[place], SQLName("_schemakit_key_\(place + 1)_\(target.name.text)"), place)
    }
  }

  /// The indexes that are dropped, with their names by then.
  private var dropped: [(name: SQLName, place: Int)] {
    gone.filter { place in !arriving.contains { $0.index.serves(former[place]) } }.map { place in
      (SQLName("_schemakit_former_key_\(place + 1)_\(target.name.text)"), place)
    }
  }

  /// The indexes of the file that become those of constraints.
  package var adopted: Set<SQLName> { Set(leaving.map(\.name)) }

  /// The columns of the indexes that are made, and of those that are adopted.
  package var sortedColumns: Set<SQLName> {
    Set(missing.flatMap { future[$0].columns }.map(\.name))
  }

  /// The new indexes that were those of constraints.
  package var released: Set<SQLName> { Set(arriving.map(\.index.name)) }

  /// The numbers of indexes that are made and that are dropped.
  package var counts: (made: Int, dropped: Int) { (built.count, dropped.count) }

  /// The constraints that keep their indexes, with their names from now on, and whether their collations change.
  package var keptKeys: [(index: ConstraintIndex, name: SQLName, isCollatedAnew: Bool)] {
    newPlaces.sorted { $0.value < $1.value }.filter { !isTable($0.value) }.map { place, new in
      (future[new], name(of: new), former[place].columns != future[new].columns)
    }
  }

  /// True if an index gets another name, is made or goes.
  package var movesIndexes: Bool { !moves.isEmpty }

  private func name(of place: Int) -> SQLName { SQLName(target.nameOfConstraintIndex(place + 1)) }

  private var moves: [Move] {
    let kept = newPlaces.sorted { $0.key < $1.key }.filter { $0.key != $0.value && !isTable($0.value) }.map {
      Move(from: name(of: $0.key), to: name(of: $0.value))
    }
    let adopted = leaving.compactMap { index in
      missing.first { index.serves(future[$0]) }.map { Move(from: index.name, to: name(of: $0)) }
    }
    let released = arriving.compactMap { index, text in
      gone.first { index.serves(former[$0]) }.map { Move(from: name(of: $0), to: index.name, sql: text) }
    }
    return built.map { Move(from: $0.name, to: name(of: $0.place)) } + kept + adopted + released
      + dropped.map { Move(from: name(of: $0.place), to: $0.name, sql: create(former[$0.place], as: $0.name.quoted)) }
  }

  // MARK: - Statements

  /// The statements, for a table that has its name and its rows.
  package var statements: [PlannedStatement] { builds + [edit] + drops }

  /// The statements that make the missing indexes.
  package var builds: [PlannedStatement] {
    built.map { built in
      PlannedStatement(
        create(built.index, as: "\"main\".\(built.name.quoted)", isUnique: !isStanding(built.index)))
    }
  }

  /// The statements that drop the indexes of constraints that go.
  package var drops: [PlannedStatement] {
    dropped.map { PlannedStatement("DROP INDEX \"main\".\($0.name.quoted)") }
  }

  /// True for a constraint that stood before: the change is not at fault for rows that were equal under it. Its index is made
  /// without UNIQUE, which stores the same.
  private func isStanding(_ index: ConstraintIndex) -> Bool {
    former.contains { $0.columns == index.columns } && index.columns.allSatisfy { carried.contains($0.name) }
  }

  private func create(_ index: ConstraintIndex, as name: String, isUnique: Bool = false) -> String {
    let terms = index.columns.map { column in
      "\(column.name.quoted) COLLATE \((column.collation ?? "BINARY").quoted)\(column.isDescending ? " DESC" : "")"
    }
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(name) ON \(target.name.quoted) "
      + "(\(terms.joined(separator: ", ")))"
  }

  /// The edit of the catalog.
  package var edit: PlannedStatement {
    let table = "type = 'table' AND name = \(SQLQuoting.literal(target.name.text))"
    let moves = moves
    guard !moves.isEmpty else {
      var statement = CatalogText.statement(storing: text, of: target.name)
      if !isInPlace { statement.role = .adopt }
      return statement
    }
    func cases(_ value: (Move) -> String) -> String {
      moves.map { " WHEN \(SQLQuoting.literal($0.from.text)) THEN \(value($0))" }.joined()
    }
    let texts =
      moves.contains { $0.sql != nil }
      ? "CASE name COLLATE NOCASE\(cases { $0.sql.map(SQLQuoting.literal) ?? "NULL" }) END" : "NULL"
    let list = moves.map { SQLQuoting.literal($0.from.text) }.joined(separator: ", ")
    return PlannedStatement(
      """
      UPDATE "main".sqlite_master SET \
      sql = CASE type WHEN 'table' THEN \(SQLQuoting.literal(text)) ELSE \(texts) END, \
      name = CASE WHEN type = 'table' THEN name ELSE CASE name COLLATE NOCASE\(cases { SQLQuoting.literal($0.to.text) }) END END \
      WHERE \(table) OR type = 'index' AND name COLLATE NOCASE IN (\(list))
      """, role: .adopt)
  }

  /// Makes SQLite's table of AUTOINCREMENT marks, which an edit of the catalog would not make.
  package static let sequenceTable = [
    "CREATE TABLE \"main\".\"_schemakit_sequence\" (id INTEGER PRIMARY KEY AUTOINCREMENT)",
    "DROP TABLE \"main\".\"_schemakit_sequence\"",
  ].map { PlannedStatement($0) }

  /// Gives the statistics of indexes their new names, and deletes those of constraints that go: SQLite would attribute them
  /// to other ones.
  package func statistics(in tables: [String]) -> [PlannedStatement] {
    let places = former.indices.filter { $0 >= future.count || future[$0].columns != former[$0].columns }
    var moved = places.map { place -> (from: SQLName, to: SQLName?) in
      let new = future.firstIndex { $0.columns == former[place].columns }
      let released = arriving.first { isInPlace && new == nil && $0.index.serves(former[place]) }
      return (name(of: place), new.map(name) ?? released?.index.name)
    }
    moved += leaving.compactMap { index in
      missing.first { index.serves(future[$0]) }.map { (index.name, name(of: $0)) }
    }
    guard !moved.isEmpty else { return [] }
    func literal(_ name: SQLName) -> String { SQLQuoting.literal(name.text) }
    let all = moved.map { literal($0.from) }.joined(separator: ", ")
    let gone = moved.filter { $0.to == nil }.map { literal($0.from) }.joined(separator: ", ")
    let names = moved.compactMap { move in move.to.map { " WHEN \(literal(move.from)) THEN \(literal($0))" } }
    let which = "tbl = \(SQLQuoting.literal(target.name.text)) COLLATE NOCASE AND idx COLLATE NOCASE IN"
    return tables.flatMap { table in
      (gone.isEmpty ? [] : ["DELETE FROM \"main\".\(table) WHERE \(which) (\(gone))"])
        + (names.isEmpty
          ? []
          : [
            "UPDATE \"main\".\(table) SET idx = CASE idx COLLATE NOCASE\(names.joined()) ELSE idx END WHERE \(which) (\(all))"
          ])
    }.map { PlannedStatement($0, role: .statistics) }
  }
}

extension ConstraintIndex {
  /// True if both hold the same values; in what order they have them is decided by the collations.
  fileprivate func holdsTheSame(as other: ConstraintIndex) -> Bool {
    columns.map(\.name) == other.columns.map(\.name) && columns.map(\.isDescending) == other.columns.map(\.isDescending)
  }
}

extension IndexSchema {
  /// True for a unique index that holds what the index of a constraint does.
  fileprivate func serves(_ constraint: ConstraintIndex) -> Bool {
    isUnique && predicate == nil
      && terms.map { KeyColumn(name: $0.column ?? "", collation: $0.collation, isDescending: $0.isDescending) }
        == constraint.columns
  }
}

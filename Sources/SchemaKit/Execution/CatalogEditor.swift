/// Edits the stored text of a table as described in
/// [Making Other Kinds Of Table Schema Changes](https://sqlite.org/lang_altertable.html#otheralter), and has SQLite
/// itself confirm afterwards that the rows are still read as before.
///
/// *Cost:* one row of the catalog, which all its readers then read again.
struct CatalogEditor {
  let connection: any LocalEngine

  /// Runs one edit, inside a transaction.
  ///
  /// - Parameter changes: The properties that SQLite may read differently from now on.
  /// - Throws: `SQLiteError` if SQLite does not accept the text, or would read the rows differently; the caller rolls
  ///   back.
  func run(_ sql: String, on table: SQLName, allowing changes: ChangedReading = ChangedReading()) throws {
    if try isVirtual(table) { return try redeclare(sql, table) }
    let before = try StorageShape(of: table, on: connection)
    try edit(sql, on: table, entries: 1)
    let after = try StorageShape(of: table, on: connection)
    guard before.overlooking(changes) == after.overlooking(changes) else { throw Self.misreading(of: table, sql: sql) }
  }

  /// Gives a table that keeps its rows another definition, and its constraints the indexes that they have from now on,
  /// inside a transaction.
  ///
  /// - Throws: As `run`: also if an index would be read other than it was built, or belongs to nothing.
  func adopt(_ sql: String, on table: SQLName, allowing changes: ChangedReading) throws {
    let before = try StorageShape(of: table, on: connection)
    let indexesBefore = try indexes(of: [table], overlooking: changes)
    try edit(sql, on: table, entries: nil)
    let after = try StorageShape(of: table, on: connection)
    guard after.overlooking(changes).keeps(rowsOf: before.overlooking(changes)),
      try indexes(of: [table], overlooking: changes) == indexesBefore
    else { throw Self.misreading(of: table, sql: sql) }
  }

  /// Gives columns of a table other names in all statements that mention them, inside a transaction.
  ///
  /// - Parameter names: The new names by the former ones.
  /// - Throws: As `run`.
  func rename(_ sql: String, on table: SQLName, entries: Int, names: [String: String]) throws {
    let before = try StorageShape(of: table, on: connection).renaming(names)
    try edit(sql, on: table, entries: entries)
    guard try StorageShape(of: table, on: connection) == before else { throw Self.misreading(of: table, sql: sql) }
  }

  /// Gives a virtual table another statement, which reads the same shadow tables. It may be one that this program cannot open,
  /// because its own program has what it needs.
  private func redeclare(_ sql: String, _ table: SQLName) throws {
    func columns() throws -> Int { try connection.rows("PRAGMA main.table_xinfo(\(table.quoted))").count }
    let before = try? columns()
    try edit(sql, on: table, entries: 1, isOpened: before != nil)
    if let before, try columns() != before { throw Self.misreading(of: table, sql: sql) }
  }

  private func isVirtual(_ table: SQLName) throws -> Bool {
    try connection.integer(
      "SELECT rootpage FROM main.sqlite_master WHERE type = 'table' AND name = ?1 COLLATE NOCASE", [.text(table.text)])
      == 0
  }

  /// Swaps a table's rows for those of a copy, inside a transaction.
  ///
  /// - Throws: As `run`: also if an index would be read other than the one built for the rows.
  func swap(_ sql: String, on table: SQLName) throws {
    let before = try StorageShape(of: table, on: connection)
    let rootsBefore = try roots()
    try edit(sql, on: table, entries: 2)
    let rootsAfter = try roots()
    // The copy is the object whose former root page the table has now.
    guard let root = rootsAfter[table], let copy = rootsBefore.first(where: { $0.value == root })?.key, copy != table,
      rootsAfter[copy] == rootsBefore[table]
    else { throw Self.misplaced(table, sql: sql) }
    let after = try StorageShape(of: table, on: connection)
    guard try after.stores(like: StorageShape(of: copy, on: connection)), after.readsIndexes(like: before) else {
      throw Self.misreading(of: table, sql: sql)
    }
  }

  /// Gives a copied table its definition, and its constraints the indexes that it has, inside a transaction.
  ///
  /// - Throws: As `run`: also if an index would be read other than it was built, or belongs to no constraint.
  func adopt(_ sql: String, on table: SQLName) throws {
    let before = try StorageShape(of: table, on: connection)
    let indexesBefore = try indexes(of: [table])
    try edit(sql, on: table, entries: 1 + before.createdIndexes)
    let after = try StorageShape(of: table, on: connection)
    guard after.stores(like: before), after.createdIndexes == 0, try indexes(of: [table]) == indexesBefore else {
      throw Self.misreading(of: table, sql: sql)
    }
  }

  /// Lets a table and its copy change places with the indexes that the copy has built, inside a transaction.
  ///
  /// - Throws: As `swap`: both have to be read as the other one was, and each index as before, wherever it belongs now.
  func exchange(_ sql: String, of table: SQLName, with copy: SQLName, entries: Int) throws {
    let shapes = try [copy, table].map { try StorageShape(of: $0, on: connection) }
    let rootsBefore = try roots()
    let indexesBefore = try indexes(of: [table, copy])
    try edit(sql, on: table, entries: entries)
    let rootsAfter = try roots()
    guard rootsAfter[table] == rootsBefore[copy], rootsAfter[copy] == rootsBefore[table],
      Set(rootsAfter.values) == Set(rootsBefore.values)
    else { throw Self.misplaced(table, sql: sql) }
    for (name, shape) in zip([table, copy], shapes) {
      guard try StorageShape(of: name, on: connection).stores(like: shape) else {
        throw Self.misreading(of: name, sql: sql)
      }
    }
    guard try indexes(of: [table, copy]) == indexesBefore else { throw Self.misreading(of: table, sql: sql) }
  }

  /// Makes a table WITHOUT ROWID, which has a column for each term and one for the row, an index of a table, inside a transaction.
  func makeIndex(_ sql: String, of table: SQLName) throws { try edit(sql, on: table, entries: 1) }

  /// The content of each index of some tables, by its root page. The key of a table WITHOUT ROWID is the table.
  private func indexes(
    of tables: [SQLName], overlooking changes: ChangedReading = ChangedReading()
  ) throws -> [Int64: [[SQLValue]]] {
    let (roots, tableRoots) = (try roots(of: "index"), try roots())
    var contents: [Int64: [[SQLValue]]] = [:]
    for table in tables {
      let shape = try StorageShape(of: table, on: connection).overlooking(changes)
      for (name, content) in shape.contents {
        let root = roots[SQLName(name)] ?? (shape.isKey(name) ? tableRoots[table] : nil)
        guard let root, contents.updateValue(content, forKey: root) == nil else {
          throw SQLiteError.misuse("the catalog has no place of its own for index \(name)", sql: "")
        }
      }
    }
    return contents
  }

  /// - Parameter entries: The number of entries of the catalog that change; nil for any number.
  private func edit(_ sql: String, on table: SQLName, entries: Int?, isOpened: Bool = true) throws {
    let version = try connection.integer("PRAGMA main.schema_version") ?? 0
    try connection.withWritableCatalog("RESET") {
      let changed = try connection.run(sql)
      guard changed == entries ?? max(1, changed) else {
        throw SQLiteError.misuse("the catalog has not \(entries ?? 1) such entries for table \(table)", sql: sql)
      }
      // Other connections, and cached statements of this one, only look at the cookie.
      try connection.execute("PRAGMA main.schema_version = \(version + 1)")
    }
    if isOpened {
      try connection.watchingCollations { watch in
        try watch.asking { try connection.prepareOnly("SELECT 1 FROM main.\(table.quoted) LIMIT 0") }
      }
    }
  }

  /// The root page of each table, or of each index. See [The Schema Table](https://sqlite.org/schematab.html).
  private func roots(of type: String = "table") throws -> [SQLName: Int64] {
    let rows = try connection.rows("SELECT name, rootpage FROM main.sqlite_master WHERE type = '\(type)'")
    return Dictionary(
      rows.compactMap { row in row[0].text.flatMap { name in row[1].integer.map { (SQLName(name), $0) } } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func misplaced(_ table: SQLName, sql: String) -> SQLiteError {
    SQLiteError.misuse("the catalog does not give the rows of the copy to \(table)", sql: sql)
  }

  private static func misreading(of table: SQLName, sql: String) -> SQLiteError {
    SQLiteError.misuse("the rows of \(table) would be read in another way than they were stored", sql: sql)
  }
}

/// The properties that determine how SQLite reads the rows and indexes of a table: the order, affinity and kind of its columns,
/// its key, and the content of each of its indexes.
private struct StorageShape: Equatable {
  private struct Place: Equatable {
    var name: String
    var affinity: Affinity
    var keyPosition: Int64
    var hidden: Int64
  }
  private var columns: [Place]
  /// By the name of each index: whether it is unique, where it comes from, whether it is partial, and its terms.
  private var indexes: [String: [[SQLValue]]]

  init(of table: SQLName, on connection: any LocalEngine) throws {
    columns = try connection.rows("PRAGMA main.table_xinfo(\(table.quoted))").map { row in
      Place(
        name: row[1].text ?? "", affinity: Affinity(declaredType: row[2].text, isStrict: false),
        keyPosition: row[5].integer ?? 0, hidden: row[6].integer ?? 0)
    }
    indexes = [:]
    for row in try connection.rows("PRAGMA main.index_list(\(table.quoted))") {
      let name = row[1].text ?? ""
      let terms = try connection.rows("PRAGMA main.index_xinfo(\(SQLQuoting.identifier(name)))")
      indexes[name] = [Array(row.dropFirst(2))] + terms
    }
  }

  /// The shape with other names for some columns.
  func renaming(_ names: [String: String]) -> StorageShape {
    var shape = self
    for index in columns.indices { shape.columns[index].name = names[columns[index].name] ?? columns[index].name }
    shape.indexes = indexes.mapValues { rows in
      rows.prefix(1)
        + rows.dropFirst().map { term in
          var term = term
          // The name of the column; NULL for an expression.
          if let name = term[2].text, let new = names[name] { term[2] = .text(new) }
          return term
        }
    }
    return shape
  }

  /// The shape without what may change: an expression can have the collation of a column that it reads.
  func overlooking(_ changes: ChangedReading) -> StorageShape {
    var shape = self
    for index in columns.indices where changes.affinities.contains(SQLName(columns[index].name)) {
      shape.columns[index].affinity = .numeric
    }
    while let last = shape.columns.last, changes.undeclared.contains(SQLName(last.name)) { shape.columns.removeLast() }
    guard !changes.collations.isEmpty else { return shape }
    shape.indexes = indexes.mapValues { rows in
      rows.prefix(1)
        + rows.dropFirst().map { term in
          var term = term
          if term[2].text.map({ changes.collations.contains(SQLName($0)) }) ?? true { term[4] = .null }
          return term
        }
    }
    return shape
  }

  /// True if the rows of another version of the table are read as there, whatever its keys are.
  func keeps(rowsOf other: StorageShape) -> Bool {
    func withoutKeys(_ columns: [Place]) -> [Place] {
      columns.map { column in
        var column = column
        column.keyPosition = 0
        return column
      }
    }
    return withoutKeys(columns) == withoutKeys(other.columns) && rowIDAlias == other.rowIDAlias
  }

  /// True if rows that were stored for another table are read correctly: both store the same columns in the same order, and
  /// the same one is the rowid. A column without an affinity has stored its values as they were.
  func stores(like other: StorageShape) -> Bool {
    let pairs = zip(stored, other.stored)
    return stored.count == other.stored.count && rowIDAlias == other.rowIDAlias
      && pairs.allSatisfy { own, its in
        own.name == its.name && (own.affinity == its.affinity || own.affinity == .blob || its.affinity == .blob)
      }
  }

  /// The columns that rows store: all but the computed ones that are not STORED.
  private var stored: [Place] { columns.filter { $0.hidden != 2 } }

  /// The number of indexes that were made by CREATE INDEX.
  var createdIndexes: Int { indexes.values.count { $0.first?.dropFirst().first == .text("c") } }

  /// True for the index of the primary key.
  func isKey(_ index: String) -> Bool { indexes[index]?.first?.dropFirst().first == .text("pk") }

  /// True if all indexes hold the same terms, whatever the positions of their columns in the rows.
  func readsIndexes(like other: StorageShape) -> Bool {
    func kinds(_ shape: StorageShape) -> [String: [SQLValue]] { shape.indexes.mapValues { $0.first ?? [] } }
    return rowIDAlias == other.rowIDAlias && kinds(self) == kinds(other) && contents == other.contents
  }

  /// The content of each index: whether it is partial, and its terms, whatever the positions of their columns in the rows.
  var contents: [String: [[SQLValue]]] {
    indexes.mapValues { rows in [[rows.first?.last ?? .null]] + rows.dropFirst().map(Self.term) }
  }

  /// A term of an index: its position in the index, its position in the rows (-1 for the rowid, -2 for an expression), and
  /// what else describes it. The collation is as somebody wrote it.
  private static func term(_ row: [SQLValue]) -> [SQLValue] {
    let rest = row.dropFirst(2).map { (value: SQLValue) in value.text.map { .text(SQLName.fold($0)) } ?? value }
    return [row[0], .integer(min(row[1].integer ?? 0, 0))] + rest
  }

  /// The column that is the rowid: the only key without an index of its own.
  private var rowIDAlias: String? {
    let keys = columns.filter { $0.keyPosition > 0 }
    return keys.count == 1 && !indexes.keys.contains(where: isKey) ? keys[0].name : nil
  }
}

/// How a row is found by columns that are unique together.
struct UniqueRow {
  let columns: [Int]
  /// The condition that a row has the values bound to the parameters in the order of the columns.
  let condition: String
}

extension ModelMapping {
  /// Finds the unique index or constraint over exactly some columns, in the database itself.
  ///
  /// - Throws: ``RecordError`` if there is none, or only one with a condition.
  func uniqueRow(_ columns: [Int]) throws -> UniqueRow {
    if let known = uniqueRows[columns] { return known }
    let names = columns.map { SQLName(shape.columns[$0].name) }
    var partial: String?
    // seq, name, unique, origin, partial
    for index in try connection.rows("PRAGMA main.index_list(\(shape.quotedName))") where index[2].integer == 1 {
      guard let name = index[1].text else { continue }
      // seqno, cid, name, desc, coll, key
      let terms = try connection.rows("PRAGMA main.index_xinfo(\(SQLQuoting.identifier(name)))")
        .filter { $0[5].integer == 1 }
      let collations = Dictionary(
        terms.map { ($0[2].text.map { SQLName($0) }, $0[4].text) }, uniquingKeysWith: { first, _ in first })
      guard terms.count == names.count, Set(collations.keys) == Set(names) else { continue }
      guard index[4].integer == 0 else {
        partial = name
        continue
      }
      let conditions = zip(columns, names).enumerated().map { number, column in
        let collation = (collations[column.1] ?? nil).map { " COLLATE \(SQLQuoting.identifier($0))" } ?? ""
        let value = InsertText(shape).parameter(column.0, number: number + 1)
        return "\(shape.columns[column.0].quoted)\(collation) = \(value)"
      }
      let found = UniqueRow(columns: columns, condition: conditions.joined(separator: " AND "))
      uniqueRows[columns] = found
      return found
    }
    throw RecordError(
      .notUnique(table: shape.name, columns: columns.map { shape.columns[$0].name }, partial: partial))
  }

  /// Saves one object over the row that equals it in unique columns, and returns it as stored.
  func save(_ object: M, _ kind: InsertKind, over row: UniqueRow, in store: RecordStore) throws -> M {
    var key: [SQLValue] = []
    try connection.withStatement(insertSlot(kind)) { statement in
      let binder = statement.binder(keyColumns: shape.keyIndexes)
      var row = RowWriter(binder, codings: shape.codings)
      try insert(object, statement, binder, &row, in: store) { _ in }
      key = inKeyOrder(binder.key)
    }
    let isWritten = connection.changes > 0
    let all = try values(of: object)
    let found = try connection.withStatement("\(allSlot.sql) WHERE \(row.condition)") { statement in
      try statement.bind(row.columns.map { all[$0] })
      return try first(statement)
    }
    // A row with a NULL equals no other, so it was inserted.
    return try found ?? reread(key, isWritten: isWritten) ?? object
  }

  /// The primary key, or the rowid, of the row that equals an object in unique columns.
  func key(of object: M, in row: UniqueRow) throws -> [SQLValue]? {
    let all = try values(of: object)
    let key = shape.keyIndexes.map { shape.columns[$0].quoted }
    let list = key.isEmpty ? shape.hiddenRowID ?? "rowid" : key.joined(separator: ", ")
    let sql = "SELECT \(list) FROM \(shape.source) WHERE \(row.condition)"
    return try connection.rows(sql, row.columns.map { all[$0] }).first
  }
}

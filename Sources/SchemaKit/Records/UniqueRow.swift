/// The lookup of a row by columns that are unique together.
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
    connection.forgetInsertedRowID()
    try connection.withStatement(insertSlot(kind)) { statement in
      let binder = statement.binder(keyColumns: shape.keyIndexes)
      var row = RowWriter(binder, codings: shape.codings)
      try insert(object, statement, binder, &row, in: store) { _ in }
      key = inKeyOrder(binder.key)
    }
    let all = try values(of: object)
    let found = try connection.withStatement("\(allSlot.sql) WHERE \(row.condition)") { statement in
      try statement.bind(row.columns.map { all[$0] })
      return try first(statement)
    }
    if let found { return found }
    try checkInserted(all, row)
    guard let inserted = try reread(key, isWritten: true) else { throw missing(all, row) }
    return inserted
  }

  /// The primary key, or the rowid, of the row that an object was just saved over, or that was inserted.
  func key(of object: M, in row: UniqueRow, bound: [SQLValue]) throws -> [SQLValue] {
    let all = try values(of: object)
    let key = shape.keyIndexes.map { shape.columns[$0].quoted }
    let list = key.isEmpty ? shape.hiddenRowID ?? "rowid" : key.joined(separator: ", ")
    let sql = "SELECT \(list) FROM \(shape.source) WHERE \(row.condition)"
    if let found = try connection.rows(sql, row.columns.map { all[$0] }).first { return found }
    try checkInserted(all, row)
    return keyAfter(bound)
  }

  /// Throws if a row may have been updated that is not found by its unique columns afterwards.
  ///
  /// A row with a NULL among them equals no other, so it was inserted. A trigger may change the columns of a row that
  /// was inserted; of one that was updated, nothing tells which it was.
  private func checkInserted(_ values: [SQLValue], _ row: UniqueRow) throws {
    if connection.insertedRowID != nil || row.columns.contains(where: { values[$0].isNull }) { return }
    throw missing(values, row)
  }

  private func missing(_ values: [SQLValue], _ row: UniqueRow) -> RecordError {
    RecordError(.notFound(table: shape.name, key: RecordKey(row.columns.map { values[$0] })))
  }
}

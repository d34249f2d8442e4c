import OrderedCollections

extension StorageCheck.Findings {
  /// Takes out the rows that are said to hold NULL and hold none. SQLite 3.40 and 3.41 say so of a second column of a row, behind one
  /// of numbers that holds a text; others in tables WITHOUT ROWID: see `EngineProfile.misreadsNullsWithoutRowID`.
  ///
  /// *Cost:* scans the tables concerned.
  package mutating func removeMisreadNulls(on connection: any SQLConnection) throws {
    guard values.contains(where: \.isNull), let schema = try? SchemaReader.read(connection) else { return }
    var left: [String: Int] = [:]
    for place in Set(values.filter(\.isNull).map(\.place)) {
      for table in schema.tables.values {
        for column in table.columns where place == "\(table.name.text).\(column.name.text)" {
          // IS NULL would be answered from the declaration.
          let rows = "main.\(table.name.quoted) \(table.rowOrder)"
          let sql = "SELECT count(1) FROM \(rows) WHERE typeof(\(column.name.quoted)) = 'null'"
          do {
            left[place, default: 0] += Int(try connection.integer(sql) ?? 0)
          } catch let error as SQLiteError where error.isOfStatement {}
        }
      }
    }
    values.removeAll { value in
      guard value.isNull, let rows = left[value.place] else { return false }
      left[value.place] = rows - 1
      return rows <= 0
    }
  }
}

import OrderedCollections

extension StorageCheck.Findings {
  /// Takes out the rows that are said to hold NULL and hold none: see `EngineProfile.misreadsNullsWithoutRowID`.
  ///
  /// *Cost:* scans the tables concerned.
  package mutating func removeMisreadNulls(on connection: any SQLConnection) throws {
    guard values.contains(where: \.isNull), EngineProfile(versionOf: connection).misreadsNullsWithoutRowID,
      let schema = try? SchemaReader.read(connection)
    else { return }
    var misread: [String: Bool] = [:]
    for place in Set(values.filter(\.isNull).map(\.place)) {
      for table in schema.tables.values where table.isWithoutRowID {
        for column in table.columns where place == "\(table.name.text).\(column.name.text)" {
          // IS NULL would be answered from the declaration.
          let rows = "main.\(table.name.quoted) \(table.rowOrder)"
          let sql = "SELECT EXISTS (SELECT 1 FROM \(rows) WHERE typeof(\(column.name.quoted)) = 'null')"
          misread[place] = try connection.integer(sql) == 0
        }
      }
    }
    values.removeAll { $0.isNull && misread[$0.place] == true }
  }
}

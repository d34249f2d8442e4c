// Ledgers of the previous version keep losses only as sentences, in which a column has its name after the change. They
// are read here and nowhere else.
extension Loss {
  /// Parses the sentences of an older record.
  ///
  /// - Parameters:
  ///   - renames: The objects that the change renamed.
  ///   - statements: The objects before the change.
  static func read(former sentences: [String], renames: [UndoRecord.Rename], statements: [String])
    -> [Loss]
  {
    sentences.map { sentence in
      var loss = Loss(.told)
      if let path = sentence.between("The values of column ", " that changed in ") {
        loss = changedValues(at: path, renames: renames, statements: statements)
      } else if let name = sentence.between("What data step ", " did to the rows stays.") {
        loss = Loss(.dataStep, name: name)
      } else if let name = sentence.between("What ", " did to the rows stays as it is now.") {
        loss = Loss(.dataFile, name: name)
      }
      loss.sentence = sentence
      return loss
    }
  }

  private static func changedValues(
    at path: String, renames: [UndoRecord.Rename], statements: [String]
  ) -> Loss {
    let tables = Set(statements.compactMap { (try? SQLParser.create($0))?.name })
    // A name may contain a dot; the table existed.
    let losses = path.indices.filter { path[$0] == "." }.map { dot in
      let (newTable, newColumn) = (
        SQLName(String(path[..<dot])), SQLName(String(path[dot...].dropFirst()))
      )
      let own = renames.filter { SQLName($0.newTable) == newTable }
      let table = own.first.map { SQLName($0.table) } ?? newTable
      let column =
        own.first { $0.newColumn.map { SQLName($0) } == newColumn }?.column.map { SQLName($0) }
        ?? newColumn
      return Loss(.changedValues, table: table, column: column).renamed(
        table: newTable, column: newColumn)
    }
    return losses.first { $0.table.map { tables.contains(SQLName($0)) } ?? false } ?? losses.first
      ?? Loss(.told)
  }
}

extension String {
  /// The text between a prefix and the first occurrence of what follows it; nil if they are missing.
  fileprivate func between(_ beginning: String, _ rest: String) -> String? {
    guard hasPrefix(beginning), let end = firstRange(of: rest) else { return nil }
    return String(self[..<end.lowerBound].dropFirst(beginning.count))
  }
}

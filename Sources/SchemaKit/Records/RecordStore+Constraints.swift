extension RecordStore {
  /// Runs a statement that writes, and determines the columns of a violated constraint.
  ///
  /// - Parameter isDelete: Whether rows are deleted, so that a foreign key can only be that of another table.
  func explained<Result>(
    _ shape: ModelShape, isDelete: Bool = false, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as SQLiteError where error.isConstraint {
      throw RecordError(shape.reason(of: error, isDelete: isDelete))
    }
  }
}

extension ModelShape {
  /// SQLite's message names the columns for most violations, and the constraint or its text for a CHECK.
  fileprivate func reason(of error: SQLiteError, isDelete: Bool) -> RecordError.Reason {
    let kind: RecordError.ConstraintKind =
      switch error.extendedCode >> 8 {
      // ON DELETE RESTRICT is reported as a trigger error.
      case _ where error.isForeignKeyViolation: .foreignKey
      case 1: .check
      case 3: .foreignKey
      case 5: .notNull
      case 6, 10: .primaryKey
      case 8: .unique
      default: .other
      }
    var table = name
    var named: [String] = []
    if let subject = error.constraintSubject {
      if kind == .check {
        named = checkedColumns(subject)
      } else {
        // A trigger may have written to another table.
        let parts = subject.components(separatedBy: ", ").map {
          $0.split(separator: ".", maxSplits: 1).map(String.init)
        }
        let own = ownColumns(subject)
        let other = parts.first { $0.count == 2 }?[0]
        if own.isEmpty, let other { table = other }
        named = own.isEmpty ? parts.compactMap { $0.count == 2 ? $0[1] : nil } : own
      }
    }
    if kind == .foreignKey, !isDelete, references.count == 1 { named = references[0].columns }
    return .constraint(kind, table: table, columns: named, cause: error)
  }

  /// The columns in a list such as `notes.title, notes.author`.
  private func ownColumns(_ list: String) -> [String] {
    let prefix = name + "."
    return columns.map(\.name).filter { column in
      list.components(separatedBy: ", ").contains { $0 == prefix + column }
    }
  }

  /// The column on which a CHECK is declared, by the constraint's name or text.
  private func checkedColumns(_ subject: String) -> [String] {
    func trimmed(_ sql: String) -> String { sql.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    return checks.filter {
      $0.name == subject || trimmed($0.sql) == trimmed(subject) || subject.hasSuffix("_\($0.column)_check")
    }.map(\.column)
  }
}

extension String {
  fileprivate func components(separatedBy separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(of: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }
}

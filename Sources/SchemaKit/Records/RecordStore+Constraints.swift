extension RecordStore {
  /// Runs a statement that writes, and determines the columns of a violated constraint.
  ///
  /// - Parameter isDelete: True if rows are deleted, so that a foreign key can only be that of another table.
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

extension SQLiteError {
  /// The kind of the violated constraint.
  var constraintKind: RecordError.ConstraintKind {
    switch extendedCode >> 8 {
    // ON DELETE RESTRICT is reported as a trigger error.
    case _ where isForeignKeyViolation: .foreignKey
    case 1: .check
    case 3: .foreignKey
    case 5: .notNull
    case 6, 10: .primaryKey
    case 8: .unique
    default: .other
    }
  }

  /// The columns that the message names as `notes.title, notes.author`.
  var columnsOfConstraint: [(table: String, column: String)] {
    (constraintSubject?.components(separatedBy: ", ") ?? []).compactMap { part in
      let names = part.split(separator: ".", maxSplits: 1).map(String.init)
      return names.count == 2 ? (table: names[0], column: names[1]) : nil
    }
  }
}

extension ModelShape {
  /// SQLite's message names the columns for most violations, and the constraint or its text for a CHECK.
  fileprivate func reason(of error: SQLiteError, isDelete: Bool) -> RecordError.Reason {
    let kind = error.constraintKind
    var table = name
    var named: [String] = []
    if let subject = error.constraintSubject {
      if kind == .check {
        named = checkedColumns(subject)
      } else {
        // A trigger may have written to another table.
        let parts = error.columnsOfConstraint
        let own = ownColumns(subject)
        if own.isEmpty, let other = parts.first?.table { table = other }
        named = own.isEmpty ? parts.map(\.column) : own
      }
    }
    if kind == .notNull, SQLName(table) == SQLName(name), let column = named.first, index(of: column) == nil {
      return .undeclaredColumn(model: model, table: name, column: column)
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

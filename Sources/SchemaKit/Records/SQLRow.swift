/// One row of a result, with its columns by name and by position.
public struct SQLRow: Sendable, Hashable {
  /// The names of the columns, which all rows of a result share.
  public let columnNames: [String]
  /// The values in the order of the columns.
  public let values: [SQLValue]

  /// The value of a column by its position, from 0; nil if there is no such column.
  public subscript(position: Int) -> SQLValue? { values.indices.contains(position) ? values[position] : nil }

  /// The value of a column by its name, ignoring case; nil if there is no such column. NULL is `.null`.
  ///
  /// If several columns have the name, it is the first.
  public subscript(name: String) -> SQLValue? { position(of: name).map { values[$0] } }

  /// Reads a column as a Swift type.
  ///
  /// - Throws: ``RecordError`` if there is no such column or its value does not fit.
  public func get<Value: ColumnValue>(_ name: String, as type: Value.Type = Value.self) throws -> Value {
    guard let position = position(of: name) else { throw RecordError(.noColumn(name, available: columnNames)) }
    return try get(position, as: type)
  }

  /// Reads a column by its position, from 0, as a Swift type.
  public func get<Value: ColumnValue>(_ position: Int, as type: Value.Type = Value.self) throws -> Value {
    guard values.indices.contains(position) else {
      throw RecordError(.noColumn("number \(position)", available: columnNames))
    }
    do {
      return try Value(sqlValue: values[position])
    } catch var error as ColumnValueError {
      error.column = columnNames[position]
      throw error
    }
  }

  /// The values by the names of their columns; if several columns have the same name, the first.
  public var dictionary: [String: SQLValue] {
    Dictionary(zip(columnNames, values), uniquingKeysWith: { first, _ in first })
  }

  private func position(of name: String) -> Int? {
    if let exact = columnNames.firstIndex(of: name) { return exact }
    let folded = SQLName(name)
    return columnNames.firstIndex { SQLName($0) == folded }
  }
}

/// The effects of a statement.
public struct WriteResult: Sendable, Hashable {
  /// The number of rows that it inserted, changed or deleted itself, not through triggers or foreign keys.
  public let changes: Int
  /// The rowid of the row that it inserted last; nil if it inserted none.
  public let lastInsertedID: Int64?
}

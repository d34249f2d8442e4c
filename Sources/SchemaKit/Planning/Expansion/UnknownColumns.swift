extension ColumnSchema {
  /// True if each INSERT must give the column a value.
  package var needsValue: Bool {
    isNotNull && generation == nil && defaultValue.map(\.isNull) ?? true
  }

  /// True if a row that does not name the column has NULL there.
  package var isNullByDefault: Bool { generation == nil && defaultValue.map(\.isNull) ?? true && !isNotNull }
}

extension TableSchema {
  /// True if CHECKs read nothing but some columns, and allow the row of a program that does not know these.
  package func allowsDefaults(of columns: [ColumnSchema], under checks: [CheckSchema]) throws -> Bool {
    let definitions = columns.filter { $0.generation == nil }.map {
      "\($0.name.quoted) \($0.type ?? "")" + ($0.defaultValue.map { " DEFAULT \($0.expression)" } ?? "")
    }
    let conditions = checks.map { "CHECK \($0.expression.enclosed)" }
    let database = try SQLiteConnection.memory()
    do {
      try database.execute(
        "CREATE TABLE t (\((definitions + conditions).joined(separator: ", ")))\(isStrict ? " STRICT" : "")")
      try database.execute("INSERT INTO t DEFAULT VALUES")
      return true
    } catch is SQLiteError {
      return false
    }
  }
}

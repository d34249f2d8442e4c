/// Any value as stored, for columns that hold values of several kinds: those without a type, with ANY in a STRICT
/// table, or with a type such as DATE whose values may be numbers as well as text.
extension SQLValue: ColumnValue {
  public static var columnType: ColumnType { ColumnType("") }

  @inlinable public init(sqlValue: SQLValue) { self = sqlValue }

  @inlinable public func sqlValue() -> SQLValue { self }

  public static func sampleSQLValue(_ seed: Int) -> SQLValue? { .integer(Int64(seed)) }
}

extension Field {
  /// How many rows have a value here.
  public var count: Field<Int> { Field<Int>(function("count"), isNeverNull: true) }

  /// How many different values there are.
  public var countDistinct: Field<Int> {
    Field<Int>(SQL(raw: "count(DISTINCT ") + term + SQL(raw: ")"), isNeverNull: true)
  }

  /// The average of the values, which are stored as the numbers that they are; nil without any.
  public var average: Field<Double?> { Field<Double?>(arithmetic("avg")) }

  /// The least value; nil without any.
  public var min: Field<Value.Unwrapped?> { extreme("min") }

  /// The greatest value; nil without any.
  public var max: Field<Value.Unwrapped?> { extreme("max") }

  private func extreme(_ name: String) -> Field<Value.Unwrapped?> {
    let optional = (coding as? ColumnCoding<Value.Unwrapped>)?.optional
    return Field<Value.Unwrapped?>(
      SQL(raw: "\(name)(") + orderedTerm + SQL(raw: ")"), coding: optional ?? coding)
  }

  fileprivate func arithmetic(_ name: String) -> SQL {
    SQL(raw: "\(name)(") + numberTerm + SQL(raw: ")")
  }

  private func function(_ name: String) -> SQL { SQL(raw: "\(name)(") + term + SQL(raw: ")") }
}

extension Field where Value.Unwrapped: FixedWidthInteger {
  /// The sum of the values; nil without any. One beyond 64 bits is an error of SQLite.
  public var sum: Field<Int64?> { Field<Int64?>(arithmetic("sum")) }
}

extension Field where Value.Unwrapped: BinaryFloatingPoint {
  /// The sum of the values; nil without any.
  public var sum: Field<Double?> { Field<Double?>(arithmetic("sum")) }
}

extension Field where Value.Unwrapped == Bool {
  /// How many rows are true; nil without any that is true or false.
  public var sum: Field<Int64?> { Field<Int64?>(arithmetic("sum")) }
}

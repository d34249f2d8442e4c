extension Field {
  /// The number of rows that have a value here.
  public var count: Field<Int> { Field<Int>(function("count"), isNeverNull: true) }

  /// The number of distinct values.
  public var countDistinct: Field<Int> {
    Field<Int>(SQL(raw: "count(DISTINCT ") + term + SQL(raw: ")"), isNeverNull: true)
  }

  /// The average of the values, which must be stored as numbers; nil if there are none.
  public var average: Field<Double?> { Field<Double?>(arithmetic("avg")) }

  /// The least value; nil if there is none.
  public var min: Field<Value.Unwrapped?> { extreme("min") }

  /// The greatest value; nil if there is none.
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
  /// The sum of the values; nil if there are none. A sum that does not fit in 64 bits is an SQLite error.
  public var sum: Field<Int64?> { Field<Int64?>(arithmetic("sum")) }
}

extension Field where Value.Unwrapped: BinaryFloatingPoint {
  /// The sum of the values; nil if there are none.
  public var sum: Field<Double?> { Field<Double?>(arithmetic("sum")) }
}

extension Field where Value.Unwrapped == Bool {
  /// The number of rows that are true; nil if none is true or false.
  public var sum: Field<Int64?> { Field<Int64?>(arithmetic("sum")) }
}

public import SchemaKitFoundation

extension Field {
  /// The number of rows that have a value here.
  public var count: Field<Int> { Field<Int>(SQL(aggregate: "count(", of: term), isNeverNull: true) }

  /// The number of distinct values.
  public var countDistinct: Field<Int> {
    Field<Int>(SQL(aggregate: "count(DISTINCT ", of: term), isNeverNull: true)
  }

  /// The average of the values, which must be stored as plain numbers; nil if there are none.
  ///
  /// A `Decimal` and a `Duration` have none: SQLite computes averages in floating point. Divide the `sum` by the `count`.
  public var average: Field<Double?> { Field<Double?>(arithmetic("avg")) }

  /// The least value; nil if there is none.
  public var min: Field<Value.Unwrapped?> { extreme("min") }

  /// The greatest value; nil if there is none.
  public var max: Field<Value.Unwrapped?> { extreme("max") }

  private func extreme(_ name: String) -> Field<Value.Unwrapped?> {
    let optional = (coding as? ColumnCoding<Value.Unwrapped>)?.optional
    return Field<Value.Unwrapped?>(SQL(aggregate: "\(name)(", of: orderedTerm), coding: optional ?? coding)
  }

  fileprivate func arithmetic(_ name: String) -> SQL { SQL(aggregate: "\(name)(", of: numberTerm) }
}

extension Field where Value.Unwrapped: FixedWidthInteger {
  /// The sum of the values; nil if there are none. A sum that does not fit in 64 bits is an SQLite error.
  public var sum: Field<Int64?> { Field<Int64?>(arithmetic("sum")) }
}

extension Field where Value.Unwrapped: BinaryFloatingPoint {
  /// The sum of the values; nil if there are none.
  public var sum: Field<Double?> { Field<Double?>(arithmetic("sum")) }
}

extension Field where Value.Unwrapped == Decimal {
  /// The exact sum of the values of a column with `.scaled(digits:)`; nil if there are none.
  ///
  /// A sum of the smallest units that does not fit in 64 bits is an SQLite error. A `Decimal` in its default form, as
  /// text, has no sum in SQLite.
  public var sum: Field<Decimal?> {
    let optional = (coding as? ColumnCoding<Decimal>)?.optional
    return Field<Decimal?>(SQL(aggregate: "sum(", of: additiveTerm), coding: optional ?? coding)
  }
}

extension Field where Value.Unwrapped == Bool {
  /// The number of rows that are true; nil if none is true or false.
  public var sum: Field<Int64?> { Field<Int64?>(arithmetic("sum")) }
}

extension Field where Value.Unwrapped == Duration {
  /// The sum of the values; nil if there are none. A sum beyond 292 years is an SQLite error.
  public var sum: Field<Duration?> { Field<Duration?>(SQL(aggregate: "sum(", of: additiveTerm)) }
}

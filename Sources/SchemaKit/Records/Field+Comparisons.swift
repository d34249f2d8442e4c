// A few generic functions on our own type: each additional one makes every filter slower to compile.

extension Field {
  /// The field equals a value; `nil` matches rows without one.
  public static func == (field: Field, value: Value) -> Filter { field.equation("IS", "=", value) }

  /// The field has a different value, or none.
  public static func != (field: Field, value: Value) -> Filter { field.equation("IS NOT", "<>", value) }

  /// The field is less than a value. Rows without a value do not match.
  public static func < (field: Field, value: Value) -> Filter { field.comparison(" < ", field.bound(value)) }

  /// The field is less than or equal to a value. Rows without a value do not match.
  public static func <= (field: Field, value: Value) -> Filter { field.comparison(" <= ", field.bound(value)) }

  /// The field is greater than a value. Rows without a value do not match.
  public static func > (field: Field, value: Value) -> Filter { field.comparison(" > ", field.bound(value)) }

  /// The field is greater than or equal to a value. Rows without a value do not match.
  public static func >= (field: Field, value: Value) -> Filter { field.comparison(" >= ", field.bound(value)) }

  /// Two fields are equal, or both without a value. Either may be optional; both must be stored in the same way, here
  /// and below.
  public static func == <Other>(left: Field, right: Field<Other>) -> Filter where Other.Unwrapped == Value.Unwrapped {
    left.equation(left.isNeverNull && right.isNeverNull ? "=" : "IS", right)
  }

  /// Two fields differ.
  public static func != <Other>(left: Field, right: Field<Other>) -> Filter where Other.Unwrapped == Value.Unwrapped {
    left.equation("IS NOT", right)
  }

  /// One field is less than another. Rows in which either has no value do not match, here and below.
  public static func < <Other>(left: Field, right: Field<Other>) -> Filter where Other.Unwrapped == Value.Unwrapped {
    left.comparison(" < ", right.term(beside: left))
  }

  /// One field is less than or equal to another.
  public static func <= <Other>(left: Field, right: Field<Other>) -> Filter where Other.Unwrapped == Value.Unwrapped {
    left.comparison(" <= ", right.term(beside: left))
  }

  /// One field is greater than another.
  public static func > <Other>(left: Field, right: Field<Other>) -> Filter where Other.Unwrapped == Value.Unwrapped {
    left.comparison(" > ", right.term(beside: left))
  }

  /// One field is greater than or equal to another.
  public static func >= <Other>(left: Field, right: Field<Other>) -> Filter where Other.Unwrapped == Value.Unwrapped {
    left.comparison(" >= ", right.term(beside: left))
  }

  private func equation<Other>(_ sign: String, _ other: Field<Other>) -> Filter {
    Filter(term + SQL(raw: " \(sign) ") + other.term(beside: self))
  }

  /// IS and IS NOT for what may be NULL; the plain operators otherwise.
  private func equation(_ word: String, _ plain: String, _ value: Value) -> Filter {
    let bound = bound(value)
    if bound.values == [.null] { return Filter(term + SQL(raw: " \(word) NULL")) }
    return Filter(term + SQL(raw: " \(isNeverNull ? plain : word) ") + bound)
  }

  /// The sign has a space on either side.
  private func comparison(_ sign: String, _ other: SQL) -> Filter {
    var sql = orderedTerm
    sql += sign
    sql += other
    return Filter(sql)
  }
}

extension Field {
  /// True if the field has no value.
  public var isNil: Filter { Filter(term + SQL(raw: " IS NULL")) }

  /// The field is one of the values, of which there may be many thousands. A nil among them matches rows without a
  /// value.
  public func isIn(_ values: some Sequence<Value>) -> Filter {
    membership { try values.map(stored) }
  }

  /// The field is one of the values, also where it may have none.
  @_disfavoredOverload
  public func isIn(_ values: some Sequence<Value.Unwrapped>) -> Filter {
    membership { try values.map { try stored(present: $0) } }
  }

  private func membership(in values: () throws -> [SQLValue]) -> Filter {
    do {
      return try MembershipCondition(term: term, values: values()).filter
    } catch {
      return Filter(SQL(unstorable: error))
    }
  }

  /// The field is between two values, inclusive. Rows without a value do not match.
  public func between(_ low: Value.Unwrapped, _ high: Value.Unwrapped) -> Filter {
    Filter(orderedTerm + SQL(raw: " BETWEEN ") + bound(present: low) + SQL(raw: " AND ") + bound(present: high))
  }
}

extension Field where Value.Unwrapped: Comparable {
  /// The field is in a range that includes its end.
  public func isIn(_ range: ClosedRange<Value.Unwrapped>) -> Filter { between(range.lowerBound, range.upperBound) }

  /// The field is in a range that does not include its end.
  public func isIn(_ range: Range<Value.Unwrapped>) -> Filter {
    comparison(" >= ", bound(present: range.lowerBound)) && comparison(" < ", bound(present: range.upperBound))
  }
}

extension Field where Value.Unwrapped == Bool {
  /// The field is true; one without a value is not.
  var isTrue: Filter { Filter(term + SQL(raw: isNeverNull ? " = " : " IS ") + bound(present: true)) }
}

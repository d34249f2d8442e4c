// A few generic functions on a type of our own: whoever adds more makes every filter slower to compile.

extension Field {
  /// The field has a value; `nil` asks for rows without one.
  public static func == (field: Field, value: Value) -> Filter { field.compare("IS", "=", value) }

  /// The field has another value. Rows without a value are among them.
  public static func != (field: Field, value: Value) -> Filter { field.compare("IS NOT", "<>", value) }

  /// The field is less than a value. Rows without a value are not among them.
  public static func < (field: Field, value: Value) -> Filter { field.condition("<", value) }

  /// The field is a value or less.
  public static func <= (field: Field, value: Value) -> Filter { field.condition("<=", value) }

  /// The field is greater than a value. Rows without a value are not among them.
  public static func > (field: Field, value: Value) -> Filter { field.condition(">", value) }

  /// The field is a value or greater.
  public static func >= (field: Field, value: Value) -> Filter { field.condition(">=", value) }

  /// Two fields are equal, or both without a value.
  public static func == (left: Field, right: Field) -> Filter { left.condition(left.equality, right) }

  /// Two fields differ.
  public static func != (left: Field, right: Field) -> Filter { left.condition("IS NOT", right) }

  /// One field is less than another.
  public static func < (left: Field, right: Field) -> Filter { left.condition("<", right) }

  /// One field is less than another or equal.
  public static func <= (left: Field, right: Field) -> Filter { left.condition("<=", right) }

  /// One field is greater than another.
  public static func > (left: Field, right: Field) -> Filter { left.condition(">", right) }

  /// One field is greater than another or equal.
  public static func >= (left: Field, right: Field) -> Filter { left.condition(">=", right) }

  /// A plain equation for a column that is never NULL; IS for any other.
  private var equality: String { isNeverNull ? "=" : "IS" }

  private func compare(_ word: String, _ plain: String, _ value: Value) -> Filter {
    let bound = bound(value)
    if bound.values == [.null] { return Filter(term + SQL(raw: " \(word) NULL")) }
    return Filter(term + SQL(raw: " \(isNeverNull ? plain : word) ") + bound)
  }

  fileprivate func condition(_ word: String, _ value: Value) -> Filter {
    Filter(term + SQL(raw: " \(word) ") + bound(value))
  }

  private func condition(_ word: String, _ other: Field) -> Filter { Filter(term + SQL(raw: " \(word) ") + other.term) }
}

extension Field {
  /// Whether the field has no value.
  public var isNil: Filter { Filter(term + SQL(raw: " IS NULL")) }

  /// The field lies between two values, both of them included.
  public func between(_ low: Value, _ high: Value) -> Filter {
    Filter(term + SQL(raw: " BETWEEN ") + bound(low) + SQL(raw: " AND ") + bound(high))
  }

  /// The field is one of the values, of which there may be many thousands. A nil among them means rows without a value.
  public func isIn(_ values: some Sequence<Value>) -> Filter {
    do {
      return try MembershipCondition(term: term, values: values.map(stored)).filter
    } catch {
      return Filter(SQL(flaw: .unstorable((error as? ColumnValueError)?.description ?? "\(error)")))
    }
  }
}

extension Field where Value: Comparable {
  /// The field lies in a range that includes its end.
  public func isIn(_ range: ClosedRange<Value>) -> Filter { between(range.lowerBound, range.upperBound) }

  /// The field lies in a range that does not include its end.
  public func isIn(_ range: Range<Value>) -> Filter {
    condition(">=", range.lowerBound) && condition("<", range.upperBound)
  }
}

extension Field {
  /// The text is like a pattern in which `%` stands for any run of characters and `_` for any one.
  ///
  /// Letters of ASCII match in either case. See [LIKE](https://sqlite.org/lang_expr.html#like).
  ///
  /// - Parameter escape: A character that takes the meaning from a `%`, `_` or itself behind it.
  public func like(_ pattern: String, escape: Character? = nil) -> Filter {
    var sql = term + SQL(raw: " LIKE ") + SQL(raw: "?", stored: [.text(pattern)])
    if let escape { sql += SQL(raw: " ESCAPE ?", stored: [.text(String(escape))]) }
    return Filter(sql)
  }

  /// The text matches a pattern with `*`, `?` and `[…]`, letters in their own case.
  public func glob(_ pattern: String) -> Filter { Filter(term + SQL(raw: " GLOB ?", stored: [.text(pattern)])) }

  /// The text begins with another, letters in their own case. An index on the field is used.
  public func hasPrefix(_ prefix: String) -> Filter { glob(GlobPattern.literal(prefix) + "*") }

  /// The text ends with another, letters in their own case.
  public func hasSuffix(_ suffix: String) -> Filter { glob("*" + GlobPattern.literal(suffix)) }

  /// The text has another in it.
  ///
  /// - Parameter match: Whether letters of ASCII match in either case.
  public func contains(_ text: String, _ match: TextMatch = .exact) -> Filter {
    if match == .ignoringCase { return like("%" + LikePattern.literal(text) + "%", escape: "\\") }
    return Filter(SQL(raw: "instr(") + term + SQL(raw: ", ?) > 0", stored: [.text(text)]))
  }
}

extension Field {
  /// A value inside a column of JSON text, by its path: `$0.style.json("$.font", as: String.self)`.
  ///
  /// It is nil where the path leads nowhere. See [json_extract](https://sqlite.org/json1.html#jex).
  public func json<Part: ColumnValue>(_ path: String, as type: Part.Type) -> Field<Part?> {
    Field<Part?>(SQL(raw: "json_extract(") + term + SQL(raw: ", ?)", stored: [.text(path)]))
  }
}

extension Field {
  /// How many rows have a value here.
  public var count: Field<Int> { Field<Int>(function("count"), isNeverNull: true) }

  /// How many different values there are.
  public var countDistinct: Field<Int> {
    Field<Int>(SQL(raw: "count(DISTINCT ") + term + SQL(raw: ")"), isNeverNull: true)
  }

  /// The average of the values; nil without any.
  public var average: Field<Double?> { Field<Double?>(function("avg")) }

  /// The least value; nil without any.
  public var min: Field<Value.Unwrapped?> { Field<Value.Unwrapped?>(function("min"), coding: optionalCoding) }

  /// The greatest value; nil without any.
  public var max: Field<Value.Unwrapped?> { Field<Value.Unwrapped?>(function("max"), coding: optionalCoding) }

  /// The sum of the values; nil without any. Integers that overflow are an error of SQLite.
  public var sum: Field<Value.Unwrapped?> { Field<Value.Unwrapped?>(function("sum"), coding: optionalCoding) }

  private func function(_ name: String) -> SQL { SQL(raw: "\(name)(") + term + SQL(raw: ")") }

  /// The coding for the optional that an aggregate gives.
  private var optionalCoding: (any AnyColumnCoding)? {
    if let coding = coding as? ColumnCoding<Value.Unwrapped> { return coding.optional }
    return coding
  }
}

/// How letters are compared.
public enum TextMatch: Sendable, Hashable {
  /// As they are.
  case exact
  /// Letters of ASCII in either case; others as they are.
  case ignoringCase
}

/// Patterns of LIKE with the escape character `\`.
enum LikePattern {
  /// A pattern that matches a text and nothing else.
  static func literal(_ text: String) -> String {
    var pattern = ""
    for scalar in text.unicodeScalars {
      if "%_\\".unicodeScalars.contains(scalar) { pattern += "\\" }
      pattern.unicodeScalars.append(scalar)
    }
    return pattern
  }
}

/// Patterns of GLOB.
enum GlobPattern {
  /// A pattern that matches a text and nothing else.
  static func literal(_ text: String) -> String {
    var pattern = ""
    for scalar in text.unicodeScalars {
      if "*?[".unicodeScalars.contains(scalar) {
        pattern += "[\(scalar)]"
      } else {
        pattern.unicodeScalars.append(scalar)
      }
    }
    return pattern
  }
}

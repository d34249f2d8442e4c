/// A piece of SQL with the values that belong to it.
///
/// A literal is used as SQL; an interpolated value is bound and never becomes part of the text, so that no value can be
/// mistaken for SQL; an interpolated field stands for its column:
///
/// ```swift
/// try session.query("SELECT * FROM notes WHERE title = \(title) AND \(id: column) > \(5)")
/// try session.all(Note.self, where: { .sql("lower(\($0.title)) = \(title)") })
/// ```
public struct SQL: Sendable, Hashable {
  /// The text, with a question mark for each value.
  public private(set) var text: String
  /// The values, in the order of their question marks.
  public private(set) var values: [SQLValue]
  /// The error found when it was assembled; thrown when it is used.
  private(set) var flaw: RecordError.Reason?
  /// The aggregate in it, such as `count("notes"."id")`; nil if it is computed from a single row.
  private(set) var aggregate: String?

  /// Uses a text as SQL, such as one read from a file. Do not put values into it.
  public init(raw text: String) {
    self.text = text
    values = []
  }

  /// A text with values for its parameters in order.
  public init(_ text: String, _ values: [(any ColumnValue)?]) {
    self.init(raw: text)
    for value in values { bind(value) }
  }

  /// A text to which others will be appended, with the size in bytes that is expected.
  init(raw text: String, capacity: Int) {
    self.init(raw: text)
    self.text.reserveCapacity(capacity)
  }

  init(raw text: String, stored values: [SQLValue]) {
    self.text = text
    self.values = values
  }

  init(flaw: RecordError.Reason) {
    text = "NULL"
    values = []
    self.flaw = flaw
  }

  /// In the place of a value that cannot be stored.
  init(unstorable error: any Error) { self.init(flaw: Self.unstorable(error)) }

  private static func unstorable(_ error: any Error) -> RecordError.Reason {
    .unstorable((error as? ColumnValueError)?.description ?? "\(error)")
  }

  /// An aggregate function over a term.
  init(aggregate name: String, of term: SQL) {
    self = SQL(raw: name) + term + SQL(raw: ")")
    aggregate = text
  }

  /// Throws the error found when it was assembled.
  func checked() throws -> SQL {
    if let flaw { throw RecordError(flaw) }
    return self
  }

  /// Throws if it is not computed from a single row, as a condition on rows must be.
  func ofOneRow() throws -> SQL {
    if let aggregate, flaw == nil { throw RecordError(.aggregate(aggregate)) }
    return self
  }

  /// The aggregate as a part of a subquery, which gives one value; throws if it is none.
  func asAggregate() throws -> SQL {
    if aggregate == nil, flaw == nil { throw RecordError(.noAggregate(text)) }
    var sql = self
    sql.aggregate = nil
    return sql
  }

  /// Records the first flaw.
  private mutating func note(_ other: RecordError.Reason?) { flaw = flaw ?? other }

  private mutating func bind(_ value: (any ColumnValue)?) {
    do {
      values.append(try value?.sqlValue() ?? .null)
    } catch {
      values.append(.null)
      note(Self.unstorable(error))
    }
  }
}

extension SQL {
  static func + (left: SQL, right: SQL) -> SQL {
    var sum = left
    sum += right
    return sum
  }

  static func += (left: inout SQL, right: SQL) {
    left.text += right.text
    if left.values.isEmpty { left.values = right.values } else if !right.values.isEmpty { left.values += right.values }
    if right.flaw != nil { left.note(right.flaw) }
    if right.aggregate != nil { left.aggregate = left.aggregate ?? right.aggregate }
  }

  static func += (left: inout SQL, right: String) { left.text += right }

  /// The pieces with a text between them.
  static func joined(_ pieces: [SQL], by separator: String) -> SQL {
    var sum = SQL(raw: "")
    for (index, piece) in pieces.enumerated() {
      if index > 0 { sum.text += separator }
      sum += piece
    }
    return sum
  }
}

extension SQL: ExpressibleByStringInterpolation {
  public init(stringLiteral text: String) { self.init(raw: text) }

  public init(stringInterpolation: StringInterpolation) { self = stringInterpolation.sql }

  /// Collects the pieces of a literal.
  public struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var sql = SQL(raw: "")

    public init(literalCapacity: Int, interpolationCount: Int) {
      sql.text.reserveCapacity(literalCapacity + 2 * interpolationCount)
    }

    public mutating func appendLiteral(_ literal: String) { sql.text += literal }

    /// Binds a value.
    public mutating func appendInterpolation(_ value: (any ColumnValue)?) {
      sql.text += "?"
      sql.bind(value)
    }

    /// Quotes a name, such as that of a table or a column.
    ///
    /// It is never read as a string literal, as SQLite does with an unknown name in double quotes.
    /// https://sqlite.org/quirks.html#double_quoted_string_literals_are_accepted
    public mutating func appendInterpolation(id name: String) {
      sql.text += "`"
      for scalar in name.unicodeScalars { sql.text += scalar == "`" ? "``" : String(scalar) }
      sql.text += "`"
    }

    /// Inserts a field by its name in the statement, qualified as in the rest of it: `.sql("lower(\($0.title))")`.
    ///
    /// SQLite computes with the stored form, whatever the coding of the column.
    public mutating func appendInterpolation<Value>(_ field: Field<Value>) { sql += field.term }

    /// Inserts another piece of SQL, with its values.
    public mutating func appendInterpolation(sql piece: SQL) { sql += piece }
  }
}

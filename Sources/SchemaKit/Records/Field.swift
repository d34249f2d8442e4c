/// The fields of a model, by the names of its properties.
///
/// It exists inside the closures of filters, orders and selections, as `$0`.
@dynamicMemberLookup
public struct Fields<Root: Model> {
  let scope: FieldScope

  /// The column of a property.
  public subscript<Value: ColumnValue>(
    dynamicMember path: any KeyPath<Root, Value> & Sendable
  ) -> Field<Value> {
    scope.field(at: path)
  }

  /// A property that is true or false, as a condition: `{ $0.isDone && !$0.isLate }`.
  ///
  /// Without a value the condition is not met, and its opposite with `!` is. `== false` finds those that are false.
  @_disfavoredOverload
  public subscript<Value: ColumnValue>(dynamicMember path: any KeyPath<Root, Value> & Sendable) -> Filter
  where Value.Unwrapped == Bool {
    let field: Field<Value> = scope.field(at: path)
    return field.isTrue
  }

  /// The columns of an embedded fragment.
  public subscript<Value: Fragment>(
    dynamicMember path: any KeyPath<Root, Value> & Sendable
  ) -> FragmentFields<Root, Value> {
    FragmentFields(scope: scope, path: path)
  }

  /// The columns of an optional fragment.
  public subscript<Value: Fragment>(
    dynamicMember path: any KeyPath<Root, Value?> & Sendable
  ) -> OptionalFragmentFields<Root, Value> {
    OptionalFragmentFields(scope: scope, whole: path)
  }
}

/// A column of the rows in question, or an expression over them, with the Swift type of its values.
public struct Field<Value: ColumnValue>: Sendable {
  let term: SQL
  /// The coding of the column's values; nil if they are stored as their type says.
  let coding: (any AnyColumnCoding)?
  /// The name of the column; nil for an expression.
  let column: String?
  /// The table of the column.
  let table: String?
  let isNeverNull: Bool

  init(
    _ term: SQL, coding: (any AnyColumnCoding)? = nil, column: String? = nil, of table: String? = nil,
    isNeverNull: Bool = false
  ) {
    self.term = term
    self.coding = coding
    self.column = column
    self.table = table
    self.isNeverNull = isNeverNull
  }

  /// An SQL expression over the columns of the table, whose values have the given type.
  public static func sql(_ sql: SQL, as type: Value.Type = Value.self) -> Field {
    Field(SQL(raw: "(") + sql + SQL(raw: ")"))
  }

  /// A value to bind, as this column stores it.
  func bound(_ value: Value) -> SQL {
    do {
      return SQL(raw: "?", stored: [try stored(value)])
    } catch {
      return SQL(unstorable: error)
    }
  }

  /// A non-nil value to bind, as this column stores it.
  func bound(present value: Value.Unwrapped) -> SQL {
    do {
      return SQL(raw: "?", stored: [try stored(present: value)])
    } catch {
      return SQL(unstorable: error)
    }
  }

  func stored(_ value: Value) throws -> SQLValue { try coding?.stored(value) ?? value.sqlValue() }

  func stored(present value: Value.Unwrapped) throws -> SQLValue { try coding?.stored(value) ?? value.sqlValue() }

  /// Reads a value that SQLite computed for this field.
  func value(from stored: SQLValue) throws -> Value {
    if let coding = coding as? ColumnCoding<Value> { return try coding.decode(stored) }
    return try Value(sqlValue: stored)
  }
}

extension Field {
  /// Sorts by this field, the least value first.
  public var ascending: Ordering { ordering(isDescending: false) }

  /// Sorts by this field, the greatest value first.
  public var descending: Ordering { ordering(isDescending: true) }

  private func ordering(isDescending: Bool) -> Ordering {
    Ordering(term: orderedTerm, isDescending: isDescending, putsNullsFirst: nil, isNeverNull: isNeverNull)
  }

  /// The same field, compared and sorted with another collation.
  public func collate(_ collation: Collation) -> Field {
    Field(
      term + SQL(raw: " COLLATE " + SQLQuoting.identifier(collation.name)), coding: coding, isNeverNull: isNeverNull)
  }
}

extension Field {
  /// Assigns a value to the column in an update.
  public func set(_ value: Value) -> Assignment { assignment(bound(value)) }

  /// Assigns the value of an SQL expression over the row's former column values.
  public func set(sql: SQL) -> Assignment { assignment(SQL(raw: "(") + sql + SQL(raw: ")")) }

  /// Assigns the value of another field of the row, stored in the same way. Either may be optional; NULL in a column
  /// that refuses it is a ``RecordError``.
  public func set<Other>(_ other: Field<Other>) -> Assignment where Other.Unwrapped == Value.Unwrapped {
    assignment(other.term(beside: self))
  }

  /// Adds to the column's number; NULL stays NULL.
  ///
  /// The column is stored as its type says, or with `.scaled(digits:)`. An integer that would exceed its type is an
  /// error.
  public func increase(by amount: Value.Unwrapped) -> Assignment {
    guard Value.Unwrapped.self != Bool.self else { return assignment(SQL(flaw: .notANumber(label, storage: "a Bool"))) }
    let sum = additiveTerm + SQL(raw: " + ") + bound(present: amount)
    guard storageType == "INTEGER" else { return assignment(sum) }
    // SQLite continues in floating point, which no integer property can read; abs() of this number is an error.
    var isBeyond = SQL(raw: "typeof(") + sum + SQL(raw: ") = 'real'")
    if let range = (Value.Unwrapped.self as? any FixedWidthInteger.Type)?.storedRange {
      isBeyond += SQL(raw: " OR ") + sum
      isBeyond += " NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)"
    }
    return assignment(
      SQL(raw: "CASE WHEN ") + isBeyond + SQL(raw: " THEN abs(-9223372036854775808) ELSE ") + sum + SQL(raw: " END"))
  }

  private func assignment(_ value: SQL) -> Assignment {
    guard let column else {
      return Assignment(column: "", value: SQL(flaw: .notAColumn(term.text)))
    }
    return Assignment(column: column, value: value)
  }
}

extension FixedWidthInteger {
  /// The values that SQLite can store; nil if there is no narrower range.
  fileprivate static var storedRange: ClosedRange<Int64>? {
    guard bitWidth < 64 || !isSigned else { return nil }
    return Int64(min)...Int64(clamping: max)
  }
}

/// The scope in which the column names of one table are resolved and written in a statement.
struct FieldScope {
  let store: RecordStore
  let shape: ModelShape
  /// The quoted name that precedes each column.
  let qualifier: String
  /// True if that is the name of the table.
  private let isUnaliased: Bool
  /// The depth at which this condition is nested in others of the statement.
  var depth = 0
  /// True if there may be no row here at all, so that every column may be NULL.
  var mayBeMissing = false

  init(_ shape: ModelShape, in store: RecordStore) {
    self.store = store
    self.shape = shape
    qualifier = shape.quotedName
    isUnaliased = true
  }

  init(_ shape: ModelShape, alias: String, depth: Int = 0, in store: RecordStore) {
    self.store = store
    self.shape = shape
    qualifier = alias
    isUnaliased = false
    self.depth = depth
  }

  func field<Value: ColumnValue>(at path: AnyKeyPath) -> Field<Value> {
    guard let index = shape.index(at: path) else {
      return Field(SQL(flaw: .unknownField(model: shape.model, field: "\(path)")))
    }
    let column = shape.columns[index]
    return Field(
      SQL(raw: isUnaliased ? column.qualified : "\(qualifier).\(column.quoted)"), coding: column.coding,
      column: column.name, of: shape.name,
      isNeverNull: column.isNeverNull && !mayBeMissing)
  }

  /// The columns of the table as a list, in order.
  var list: String { shape.columns.map { "\(qualifier).\($0.quoted)" }.joined(separator: ", ") }
}

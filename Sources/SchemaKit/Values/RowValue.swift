/// A value that fills one or more neighbouring columns of a row.
///
/// Authors conform to ``ColumnValue`` (one column) or ``Fragment`` (several); this is what the two have in common.
public protocol RowValue: SendableMetatype {
  /// Reads the value from the next columns of a row.
  init(row: inout RowReader) throws

  /// Appends the value's columns to a row.
  func write(to row: inout RowWriter) throws
}

// Reading and writing are inlined into the author's module, where the types of the columns are known.

/// A row being read, column after column.
public struct RowReader: Sendable {
  @usableFromInline let values: [SQLValue]
  /// How many columns have been read.
  @inlinable public var position: Int { index }
  @usableFromInline var index = 0

  /// Starts at the first of the values.
  @inlinable
  public init(_ values: [SQLValue]) { self.values = values }

  /// Takes the next column's value.
  ///
  /// - Throws: ``ColumnValueError`` when the row has no more columns.
  @inlinable
  public mutating func next() throws -> SQLValue {
    guard index < values.count else { throw exhausted }
    defer { index += 1 }
    return values[index]
  }

  @usableFromInline var exhausted: ColumnValueError {
    ColumnValueError(expected: "a row of more than \(values.count) columns", found: "its end")
  }
}

/// A row being written, column after column.
public struct RowWriter: Sendable {
  /// The values written so far, in the order of the declared columns.
  public var values: [SQLValue] { written }
  @usableFromInline var written: [SQLValue] = []

  /// Starts an empty row.
  ///
  /// - Parameter capacity: The number of columns expected, to make room for them at once.
  @inlinable
  public init(capacity: Int = 0) { written.reserveCapacity(capacity) }

  /// Appends the value of the next column.
  @inlinable
  public mutating func append(_ value: SQLValue) { written.append(value) }
}

/// A value that fills one or more adjacent columns of a row.
///
/// Conform to ``ColumnValue`` (one column) or ``Fragment`` (several); this is what the two have in common.
public protocol RowValue: SendableMetatype {
  /// Reads the value from the next columns of a row.
  init(row: inout RowReader) throws

  /// Appends the value's columns to a row.
  func write(to row: inout RowWriter) throws

  /// Reads the value from the next columns of a row; nil if they are NULL.
  static func readOptional(from row: inout RowReader) throws -> Self?

  /// Appends NULL for each of the value's columns to a row.
  static func writeNil(to row: inout RowWriter)
}

extension Optional: RowValue where Wrapped: RowValue {
  @inlinable public init(row: inout RowReader) throws { self = try Wrapped.readOptional(from: &row) }

  @inlinable public func write(to row: inout RowWriter) throws {
    if let value = self { try value.write(to: &row) } else { Wrapped.writeNil(to: &row) }
  }

  @inlinable public static func readOptional(from row: inout RowReader) throws -> Self? {
    try Wrapped.readOptional(from: &row).map { .some($0) }
  }

  @inlinable public static func writeNil(to row: inout RowWriter) { Wrapped.writeNil(to: &row) }
}

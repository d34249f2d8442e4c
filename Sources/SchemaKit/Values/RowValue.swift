/// A value that fills one or more adjacent columns of a row.
///
/// Conform to ``ColumnValue`` (one column) or ``Fragment`` (several); this is what the two have in common.
public protocol RowValue: SendableMetatype {
  /// Reads the value from the next columns of a row.
  init(row: inout RowReader) throws

  /// Appends the value's columns to a row.
  func write(to row: inout RowWriter) throws
}

/// A model that encodes its own rows, which avoids key paths in programs that save many.
///
/// ```swift
/// extension Note: RowEncodable {
///   func encode(into row: inout RowWriter) throws {
///     try row.append(id)
///     try row.append(title)
///   }
/// }
/// ```
///
/// The values are in the order of the declared columns, one for each, including computed columns. The first object
/// saved in a session is written both ways and compared, so that forgetting a column is an error rather than a mix-up.
public protocol RowEncodable: Model {
  /// Appends the values of all columns in order.
  func encode(into row: inout RowWriter) throws
}

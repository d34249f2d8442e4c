/// A model that writes its rows by itself, which saves the detour over key paths in programs that save many.
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
/// The values stand in the order of the declared columns, one for each, computed columns included. The first object
/// saved in a session is written both ways and compared, so that a column forgotten here is an error and no mix-up.
public protocol RowEncodable: Model {
  /// Appends the values of all columns in order.
  func encode(into row: inout RowWriter) throws
}

/// A model that makes itself from its rows, in programs that load many: the compiler then sees the type of each column.
///
/// ```swift
/// extension Note: RowDecodable {
///   static func decode(from row: inout RowReader) throws -> Note {
///     Note(id: try row.read(), title: try row.read())
///   }
/// }
/// ```
///
/// The values come in the order of the declared columns, computed columns included, and every one must be read. The
/// first row loaded in a session is read both ways and compared, so that two columns mixed up are an error.
public protocol RowDecodable: Model {
  /// Makes an object from the values of all columns in order.
  static func decode(from row: inout RowReader) throws -> Self
}

extension RowDecodable {
  // Inlined into the author's module, where the objects have a known size.
  @inlinable
  public static func decodeAll(from row: inout RowReader, next: () throws -> Bool) throws -> [Self] {
    var all: [Self] = []
    while try next() {
      row.rewind()
      all.append(try decode(from: &row))
      // Whoever asked sees from where it stands that a row was not read to its end.
      guard row.isAtEnd else { break }
    }
    return all
  }
}

/// A model that decodes its own rows, for programs that fetch many: the compiler then sees the type of each column.
///
/// ```swift
/// extension Note: RowDecodable {
///   static func decode(from row: inout RowReader) throws -> Note {
///     Note(id: try row.read(), title: try row.read())
///   }
/// }
/// ```
///
/// The values come in the order of the declared columns, including computed columns, and every one must be read. The
/// first row fetched in a session is read both ways and compared, so that swapping two columns is an error.
public protocol RowDecodable: Model {
  /// Creates an object from the values of all columns in order.
  static func decode(from row: inout RowReader) throws -> Self
}

extension RowDecodable {
  // Inlined into the client's module, where the objects have a known size.
  @inlinable
  public static func decodeAll(from row: inout RowReader, next: () throws -> Bool) throws -> [Self] {
    var all: [Self] = []
    while try next() {
      row.rewind()
      all.append(try decode(from: &row))
      // The caller can tell from the reader's position that a row was not read to its end.
      guard row.isAtEnd else { break }
    }
    return all
  }
}

import SchemaKit

/// A query written so that a dqlite server gives its values as they are stored.
///
/// The server makes other values of columns that are declared DATE, DATETIME, TIMESTAMP or BOOLEAN, ends where they hold
/// what it does not expect, and cuts texts at U+0000. So no column is asked for as it is declared, and texts come as their
/// bytes: after the values, a row has the initials of their types.
///
/// The rows are made once, on the server, before the first is sent: a function is not called again for the type of its value.
struct ExactQuery {
  let text: String
  private let columns: Int
  /// The number of types in one text: a longer expression would be too deep for SQLite.
  private static let group = 50
  /// The server sends names and rows by pages of 4,096 bytes, and no row at all where the names fill a page. A name takes 8.
  private static let mostColumns = 490

  /// - Parameter columns: The number of columns of the query.
  /// - Throws: `RemoteError` for a query with more columns than the server can send.
  init(_ query: String, columns: Int) throws(RemoteError) {
    guard columns <= Self.mostColumns else { throw RemoteError(reason: .unsupported(.columns(columns))) }
    self.columns = columns
    let names = (0..<columns).map { "c\($0)" }
    let values = names.map { "CASE typeof(\($0)) WHEN 'text' THEN CAST(\($0) AS BLOB) ELSE +\($0) END" }
    let types = stride(from: 0, to: columns, by: Self.group).map { start in
      names[start..<min(start + Self.group, columns)].map { "substr(typeof(\($0)), 1, 1)" }.joined(separator: " || ")
    }
    // The line ends a comment that may end the query.
    text =
      "WITH schemakit_query (\(names.joined(separator: ", "))) AS MATERIALIZED (\(query)\n) "
      + "SELECT \((values + types).map { "\($0) AS c" }.joined(separator: ", ")) FROM schemakit_query"
  }

  /// True if an error says nothing: where a query fails after it has begun, dqlite 1.11 sends the number of columns and the
  /// name of the first in the place of the code and the message.
  func isGarbled(_ error: SQLiteError) -> Bool { error.message == "c" && Int(error.extendedCode) == width }

  /// The number of columns of a row, including those with the types.
  private var width: Int { columns + (columns + Self.group - 1) / Self.group }

  /// The values of a row as they are stored.
  ///
  /// - Parameter repairsTexts: True if texts that are not valid UTF-8 are repaired.
  /// - Throws: `RemoteError` for a row that does not belong to the query, and for a text that is not repaired.
  func row(_ row: [SQLValue], repairsTexts: Bool) throws(RemoteError) -> [SQLValue] {
    let types = row.dropFirst(columns).map { $0.text ?? "" }.joined()
    guard row.count == width, types.utf8.count == columns else {
      throw RemoteError(reason: .malformed)
    }
    var values = Array(row.prefix(columns))
    for (index, type) in types.utf8.enumerated() where type == UInt8(ascii: "t") {
      guard case .blob(let bytes) = values[index] else { throw RemoteError(reason: .malformed) }
      let text = String(decoding: bytes, as: UTF8.self)
      guard repairsTexts || text.utf8.elementsEqual(bytes) else {
        throw RemoteError(reason: .brokenText(column: index, name: nil))
      }
      values[index] = .text(text)
    }
    return values
  }
}

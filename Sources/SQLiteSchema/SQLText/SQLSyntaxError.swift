/// A text that is not the SQL that was expected, with the place where reading it stopped.
package struct SQLSyntaxError: Error, Sendable, Equatable {
  /// The expected text and the text that stood there instead.
  package var message: String
  /// The place in UTF-8 bytes from the start of the text.
  package var offset: Int
  /// The line, counted from 1.
  package var line: Int
  /// The column in characters, counted from 1.
  package var column: Int

  /// Creates an error at a place in a text, whose line and column are worked out here.
  package init(_ message: String, at offset: Int, in bytes: [UInt8]) {
    let offset = min(offset, bytes.count)
    let before = bytes[..<offset]
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    self.message = message
    self.offset = offset
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    column = 1 + String(decoding: bytes[lineStart..<offset], as: UTF8.self).count
  }
}

extension SQLSyntaxError: CustomStringConvertible {
  package var description: String { "line \(line), column \(column): \(message)" }
}

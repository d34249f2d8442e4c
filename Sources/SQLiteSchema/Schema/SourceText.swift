/// Reads the text of a schema, a migration or a dump.
package enum SourceText {
  /// The text of some bytes.
  ///
  /// - Throws: `SchemaError` with the line of the first byte that is not UTF-8, or of what a merge has left.
  package static func read(
    _ bytes: some Collection<UInt8>, source: String, mayConflict: Bool = false
  ) throws(SchemaError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      if bytes.prefix(2).elementsEqual([0xFF, 0xFE]) || bytes.prefix(2).elementsEqual([0xFE, 0xFF]) {
        throw SchemaError(source: source, line: 1, problem: "the text is UTF-16; save it as UTF-8")
      }
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw SchemaError(
        source: source, line: line + 1, problem: "this line is not valid UTF-8; save the file as UTF-8")
    }
    if !mayConflict { try MergeConflict.check(bytes, source: source) }
    return text
  }

  /// True for bytes that are text in some encoding, as a database and an encrypted one are not: no control characters but
  /// white space.
  package static func isText(_ bytes: some Collection<UInt8>) -> Bool {
    // UTF-16 has a zero beside each letter of ASCII.
    let head = Array(bytes.prefix(4))
    if head.count == 4,
      head[0] == 0xFF && head[1] == 0xFE && head[3] == 0 || head[0] == 0xFE && head[1] == 0xFF && head[2] == 0
    {
      return true
    }
    return !bytes.prefix(4096).contains { $0 < 9 || ($0 > 13 && $0 < 27) }
  }
}

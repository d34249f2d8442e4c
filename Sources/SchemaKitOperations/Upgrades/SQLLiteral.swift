/// A value as it is written in SQL: NULL, 1, 1.5, 'text' or x'00'.
///
/// See [Literal Values](https://sqlite.org/lang_expr.html#literal_values_constants_).
package enum SQLLiteral {
  /// Reads the values of a row, separated by bars.
  ///
  /// - Returns: nil if one of them is not a value.
  package static func row(_ text: String) -> [SQLValue]? {
    guard let tokens = try? SQLLexer.tokens(of: text) else { return nil }
    var values: [SQLValue] = []
    for part in tokens.split(omittingEmptySubsequences: false, whereSeparator: { $0.isSymbol("|") }) {
      guard let value = value(part) else { return nil }
      values.append(value)
    }
    return values
  }

  private static func value(_ tokens: ArraySlice<SQLToken>) -> SQLValue? {
    guard let token = tokens.last else { return nil }
    let sign = tokens.count == 2 ? tokens.first?.text ?? "" : ""
    guard tokens.count == 1 || (["-", "+"].contains(sign) && [.integer, .float].contains(token.kind)) else {
      return nil
    }
    switch token.kind {
    case .word: return token.isKeyword("NULL") ? .null : nil
    case .string: return token.name.map { .text($0.text) }
    case .blob: return blob(token.text)
    case .integer where token.text.lowercased().hasPrefix("0x"): return nil
    case .integer: return Int64((sign == "-" ? "-" : "") + token.text).map { .integer($0) }
    case .float: return Double(token.text).map { .real(sign == "-" ? -$0 : $0) }
    case .quotedName, .variable, .symbol: return nil
    }
  }

  private static func blob(_ text: String) -> SQLValue? {
    let digits = Array(text.dropFirst(2).dropLast().utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    let bytes = stride(from: 0, to: digits.count, by: 2).compactMap { index in
      UInt8(String(decoding: digits[index...(index + 1)], as: UTF8.self), radix: 16)
    }
    return bytes.count == digits.count / 2 ? .blob(bytes) : nil
  }

  /// Writes the values of a row as they are read.
  package static func text(_ row: [SQLValue]) -> String { row.map(text).joined(separator: " | ") }

  /// Writes a value as it is read.
  package static func text(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): number.isInfinite ? (number < 0 ? "-9e999" : "9e999") : "\(number)"
    case .text(let text): SQLQuoting.literal(text)
    case .blob(let bytes): "x'" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() + "'"
    }
  }
}

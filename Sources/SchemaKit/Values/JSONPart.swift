import SchemaKitFoundation

/// How values stand inside of JSON text, as `json_extract()` returns them.
///
/// https://sqlite.org/json1.html#jex
enum JSONPart {
  /// The coding of a type that JSON writes otherwise than a column of its own; nil for any other.
  static func coding<Part: ColumnValue>(of type: Part.Type) -> (any AnyColumnCoding)? {
    guard !isPlain(Part.Unwrapped.self), let part = Part.Unwrapped.self as? any (ColumnValue & Codable).Type else {
      return nil
    }
    return optionalCoding(part)
  }

  /// Whether SQLite returns a column's form from JSON.
  private static func isPlain(_ type: any ColumnValue.Type) -> Bool {
    switch type {
    case is String.Type, is Double.Type, is Bool.Type, is any FixedWidthInteger.Type: true
    case is [UInt8].Type: false
    case let type as any (RawRepresentable & ColumnValue).Type: isPlainRaw(type)
    default: type.isJSON
    }
  }

  private static func isPlainRaw<Raw: RawRepresentable>(_ type: Raw.Type) -> Bool {
    (Raw.RawValue.self as? any ColumnValue.Type).map(isPlain) ?? true
  }

  private static func optionalCoding<Part: ColumnValue & Codable>(_ type: Part.Type) -> any AnyColumnCoding {
    let isNumber = type == Decimal.self || type == Float.self
    return ColumnCoding<Part>(
      "as JSON has it", type: isNumber ? .numeric : Part.columnType,
      isOrdered: isNumber || type == UUID.self || type == Date.self, encode: { try stored($0) },
      decode: { try value(in: $0) }
    ).optional
  }

  /// A value as `json_extract()` would return it.
  private static func stored(_ value: some Encodable) throws -> SQLValue {
    let list = try JSONText.encode([value])
    let text = String(list.dropFirst().dropLast())
    switch text.utf8.first {
    case UInt8(ascii: "\""): return .text(try JSONText.decode([String].self, from: .text(list))[0])
    case UInt8(ascii: "{"), UInt8(ascii: "["): return .text(text)
    case UInt8(ascii: "n"): return .null
    case UInt8(ascii: "t"): return .integer(1)
    case UInt8(ascii: "f"): return .integer(0)
    default: break
    }
    if let number = Int64(text) { return .integer(number) }
    guard let number = Double(text) else {
      throw ColumnValueError(expected: "a number", found: "JSON", problem: "is out of range")
    }
    return .real(number)
  }

  /// The value that `json_extract()` returned.
  private static func value<Part: Decodable>(in stored: SQLValue) throws -> Part {
    let text: String =
      switch stored {
      case .integer(let number): "\(number)"
      case .real(let number): "\(number)"
      case .text(let text): String(try JSONText.encode([text]).dropFirst().dropLast())
      case .null, .blob: throw ColumnValueError(expected: "\(Part.self)", found: stored)
      }
    do {
      return try JSONText.decode([Part].self, from: .text("[\(text)]"))[0]
    } catch {
      // An object or a list is returned as its text.
      guard case .text(let text) = stored else { throw error }
      return try JSONText.decode([Part].self, from: .text("[\(text)]"))[0]
    }
  }
}

import SchemaKitFoundation

/// The form of values inside JSON text, as `json_extract()` returns them.
///
/// https://sqlite.org/json1.html#jex
enum JSONPart {
  /// The coding of a type that JSON writes otherwise than a column of its own; nil for any other.
  static func coding<Part: ColumnValue>(of type: Part.Type) -> (any AnyColumnCoding)? {
    switch Part.Unwrapped.self {
    case is UUID.Type: coding(UUID.self, .text, isOrdered: true)
    case is Decimal.Type: coding(Decimal.self, .numeric, isOrdered: true)
    // A number like any other, but for its digits.
    case is Float.Type: coding(Float.self, .real, isOrdered: true, name: nil)
    case is Data.Type: coding(Data.self, .text, isOrdered: false)
    case is [UInt8].Type: coding([UInt8].self, .text, isOrdered: false)
    // It may be a single text or number.
    case let type as any JSONColumnValue.Type: json(type)
    default: nil
    }
  }

  private static func json<Part: JSONColumnValue>(_ type: Part.Type) -> any AnyColumnCoding {
    coding(type, .text, isOrdered: false)
  }

  private static func coding<Part: ColumnValue & Codable>(
    _ type: Part.Type, _ columnType: ColumnType, isOrdered: Bool, name: String? = "as JSON has it"
  ) -> any AnyColumnCoding {
    ColumnCoding<Part>(
      name, type: columnType, isOrdered: isOrdered, encode: { try stored($0) }, decode: { try value(in: $0) }
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

import SchemaKitFoundation

/// The checksum of a JSON object: over its values, regardless of spacing and the order of its keys.
enum SavedPlanSeal {
  /// The key of the checksum, which the checksum does not cover.
  static let key = "checksum"

  /// The checksum of everything in an object but the checksum itself.
  ///
  /// - Throws: `DecodingError` for text that is not JSON.
  static func of(_ json: Data) throws -> String {
    var value = try JSONDecoder().decode(JSONValue.self, from: json)
    if case .object(var members) = value {
      members[key] = nil
      value = .object(members)
    }
    return "sha256:" + SHA256.hexDigest(of: value.canonicalText)
  }
}

/// Any JSON value.
private enum JSONValue: Decodable {
  case null
  case bool(Bool)
  case integer(Int64)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(String.self) {
      // Most values are texts.
      self = .string(value)
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Equal text for equal values; the length before a string keeps different values from producing the same text.
  var canonicalText: String {
    switch self {
    case .null: "n"
    case .bool(let value): value ? "t" : "f"
    case .integer(let value): "i\(value)"
    case .number(let value): "d\(value)"
    case .string(let text): Self.canonical(text)
    case .array(let values): "[" + values.map(\.canonicalText).joined(separator: ",") + "]"
    case .object(let members):
      "{"
        + members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        .map { Self.canonical($0.key) + $0.value.canonicalText }.joined(separator: ",") + "}"
    }
  }

  private static func canonical(_ text: String) -> String { "s\(text.utf8.count):\(text)" }
}

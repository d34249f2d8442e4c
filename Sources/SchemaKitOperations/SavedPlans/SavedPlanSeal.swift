import SchemaKitFoundation

/// The checksum of a JSON object: over its values, regardless of spacing and the order of its keys.
struct SavedPlanSeal: Decodable {
  /// The key of the checksum, which the checksum does not cover.
  private static let key = "checksum"
  /// The lists of which each element counts by a digest of its own, so that no more than one of them is in memory.
  private static let longLists: Set<String> = ["groups", "counts"]

  /// The members of the object in canonical text.
  private var members: [String: String]

  /// The checksum of everything in an object but the checksum itself.
  ///
  /// - Throws: `DecodingError` for text that is not a JSON object.
  static func of(_ json: Data) throws -> String {
    try JSONDecoder().decode(SavedPlanSeal.self, from: json).checksum
  }

  init(from decoder: any Decoder) throws {
    members = try decoder.singleValueContainer().decode([String: Member].self).mapValues(\.text)
    members[Self.key] = nil
  }

  /// Adds a long list to the object.
  mutating func add(_ list: [ElementDigest], as key: String) { members[key] = Self.canonicalText(of: list) }

  var checksum: String { "sha256:" + SHA256.hexDigest(of: JSONValue.canonicalText(of: members)) }

  private static func canonicalText(of list: [ElementDigest]) -> String {
    "[" + list.map(\.digest).joined(separator: ",") + "]"
  }

  /// The digest of an element of a long list.
  struct ElementDigest: Decodable {
    let digest: String

    init(from decoder: any Decoder) throws { digest = SHA256.hexDigest(of: try JSONValue(from: decoder).canonicalText) }
  }

  /// The canonical text of a member.
  private struct Member: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text =
        try SavedPlanSeal.longLists.contains(decoder.codingPath.last?.stringValue ?? "")
        ? SavedPlanSeal.canonicalText(of: container.decode([ElementDigest].self))
        : container.decode(JSONValue.self).canonicalText
    }
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
    case .object(let members): Self.canonicalText(of: members.mapValues(\.canonicalText))
    }
  }

  /// The text of an object whose members are in canonical text.
  static func canonicalText(of members: [String: String]) -> String {
    "{"
      + members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      .map { canonical($0.key) + $0.value }.joined(separator: ",") + "}"
  }

  private static func canonical(_ text: String) -> String { "s\(text.utf8.count):\(text)" }
}

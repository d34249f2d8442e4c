extension SQLValue: Codable {
  private enum CodingKeys: String, CodingKey { case null, integer, real, text, blob }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    if let value = try container.decodeIfPresent(Int64.self, forKey: .integer) {
      self = .integer(value)
    } else if let bits = try container.decodeIfPresent(String.self, forKey: .real) {
      guard let pattern = UInt64(bits, radix: 16) else {
        throw DecodingError.dataCorruptedError(forKey: .real, in: container, debugDescription: "no bits of a number")
      }
      self = .real(Double(bitPattern: pattern))
    } else if let value = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .text(value)
    } else if let value = try container.decodeIfPresent([UInt8].self, forKey: .blob) {
      self = .blob(value)
    } else {
      self = .null
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .null: try container.encode(true, forKey: .null)
    case .integer(let value): try container.encode(value, forKey: .integer)
    // As bits, since formats such as JSON have no infinity and may round.
    case .real(let value): try container.encode(String(value.bitPattern, radix: 16), forKey: .real)
    case .text(let value): try container.encode(value, forKey: .text)
    case .blob(let value): try container.encode(value, forKey: .blob)
    }
  }
}

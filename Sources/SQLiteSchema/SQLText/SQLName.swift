/// A name in a schema, compared as SQLite compares names: ASCII letters without regard to case.
///
/// `ß` and `SS`, or `É` and `é`, are different names, as they are to SQLite.
public struct SQLName: Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The name as it was written, without quotes.
  public let text: String

  /// The name with its ASCII letters in lower case: equal for equal names.
  public let folded: String

  /// A number that is equal for equal names and almost always differs for others.
  private let code: UInt64

  /// Creates a name from its unquoted spelling.
  public init(_ text: String) {
    self.text = text
    folded = Self.fold(text)
    code = folded.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
  }

  /// Creates a name from a literal.
  public init(stringLiteral text: String) { self.init(text) }

  public var description: String { text }

  /// The name as an SQL identifier in double quotes.
  public var quoted: String { SQLQuoting.identifier(text) }

  /// The name as a person would write it: in quotes only where it needs them.
  package var quotedIfNeeded: String { SQLKeywords.needsQuoting(text) ? quoted : text }

  /// Lowers the ASCII letters of a text and leaves everything else as it is.
  package static func fold(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 >= 65 && $0 <= 90 }) else { return text }
    return String(decoding: text.utf8.map { $0 >= 65 && $0 <= 90 ? $0 + 32 : $0 }, as: UTF8.self)
  }
}

extension SQLName: Hashable, Comparable {
  public static func == (left: SQLName, right: SQLName) -> Bool {
    // Byte by byte: Swift would call a letter and its decomposed form the same, and SQLite does not.
    left.code == right.code && left.folded.utf8.elementsEqual(right.folded.utf8)
  }
  public static func < (left: SQLName, right: SQLName) -> Bool {
    left.folded.utf8.lexicographicallyPrecedes(right.folded.utf8)
  }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
}

extension SQLName: Codable {
  public init(from decoder: any Decoder) throws {
    self.init(try decoder.singleValueContainer().decode(String.self))
  }
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}

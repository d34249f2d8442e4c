import ArgumentParser
import SchemaKit

/// A colour as `#RRGGBB`, stored as that text.
struct Colour: RawRepresentable, ColumnValue, Hashable, Sendable {
  let rawValue: String

  static let black = Colour(red: 0, green: 0, blue: 0)

  /// Reads six hexadecimal digits, with or without `#` before them.
  init?(rawValue: String) {
    let digits = rawValue.hasPrefix("#") ? rawValue.dropFirst() : rawValue[...]
    guard digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit) else { return nil }
    self.rawValue = "#" + digits.uppercased()
  }

  private init(red: UInt8, green: UInt8, blue: UInt8) {
    rawValue = "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}

extension Colour: ExpressibleByArgument {
  init?(argument: String) { self.init(rawValue: argument) }
}

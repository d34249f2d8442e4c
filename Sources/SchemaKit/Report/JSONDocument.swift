import Foundation

/// Writes values as JSON with sorted keys, so that equal values give equal texts.
enum JSONDocument {
  /// The version of the forms that reports have; additions keep it, changes raise it.
  static let formatVersion = 1

  /// The text, with a line break at its end.
  static func of(_ value: some Encodable) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Reports hold texts, whole numbers and lists only, none of which can fail to be encoded.
    guard let data = try? encoder.encode(value) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

import Foundation
import SchemaKit

/// Writes values as JSON with sorted keys, so that equal values give equal texts.
enum JSONDocument {
  /// The version of the forms that reports have; additions keep it, changes raise it.
  static let formatVersion = 1

  /// The text, with a line break at its end.
  static func of(_ value: some Encodable) -> String { text(of: value, [.prettyPrinted]) }

  /// The text on one line, with a line break at its end.
  static func line(of value: some Encodable) -> String { text(of: value, []) }

  private static func text(of value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    // Reports hold texts, whole numbers and lists only, none of which can fail to be encoded.
    guard let data = try? encoder.encode(value) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

import SchemaKit
import SchemaKitFoundation

/// Writes values as JSON with sorted keys, so that equal values produce equal text.
enum JSONDocument {
  /// The version of the report formats; additions keep it, changes raise it.
  static let formatVersion = 2

  /// The text, with a trailing line break.
  static func of(_ value: some Encodable) -> String { text(of: value, [.prettyPrinted]) }

  /// The text on one line, with a trailing line break.
  static func line(of value: some Encodable) -> String { text(of: value, []) }

  private static func text(of value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
    // Reports contain strings, integers and lists only, whose encoding cannot fail.
    guard let data = try? encoder.encode(value) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }
}

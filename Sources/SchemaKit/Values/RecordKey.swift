/// The primary key of a row, or its rowid if there is no other.
public struct RecordKey: Sendable, Hashable {
  /// The values of the key's columns, in the order of the key.
  public let values: [SQLValue]

  /// Creates a key from stored values.
  public init(_ values: [SQLValue]) { self.values = values }

  /// The key as an integer; nil unless it is a single one, such as a rowid.
  public var integer: Int64? { values.count == 1 ? values[0].integer : nil }

  /// The key as text; nil unless it is a single text value.
  public var text: String? { values.count == 1 ? values[0].text : nil }
}

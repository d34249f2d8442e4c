/// The column type for a Swift type: a declared type, and whether it allows NULL.
public struct ColumnType: Sendable, Hashable {
  /// The declared type, such as INTEGER.
  public var name: String
  /// True if the Swift type has a value for NULL. If not, the column is NOT NULL.
  public var isOptional: Bool

  /// Creates a column type.
  public init(_ name: String, isOptional: Bool = false) {
    self.name = name
    self.isOptional = isOptional
  }

  /// An integer of up to 64 bits.
  public static let integer = ColumnType("INTEGER")
  /// A floating-point number.
  public static let real = ColumnType("REAL")
  /// Text.
  public static let text = ColumnType("TEXT")
  /// Bytes.
  public static let blob = ColumnType("BLOB")
  /// A number of either kind. STRICT tables do not support it.
  public static let numeric = ColumnType("NUMERIC")

  /// The same type with NULL allowed.
  public var optional: ColumnType { ColumnType(name, isOptional: true) }
}

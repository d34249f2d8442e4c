/// The column that a Swift type asks for: a declared type, and whether NULL is a value of it.
public struct ColumnType: Sendable, Hashable {
  /// The declared type, such as INTEGER.
  public var name: String
  /// Whether the Swift type has a value for NULL. Without one, the column is NOT NULL.
  public var isOptional: Bool

  /// Creates a column type.
  public init(_ name: String, isOptional: Bool = false) {
    self.name = name
    self.isOptional = isOptional
  }

  /// A whole number of up to 64 bits.
  public static let integer = ColumnType("INTEGER")
  /// A floating-point number.
  public static let real = ColumnType("REAL")
  /// A text.
  public static let text = ColumnType("TEXT")
  /// Bytes.
  public static let blob = ColumnType("BLOB")
  /// A number of either kind. STRICT tables do not have it.
  public static let numeric = ColumnType("NUMERIC")

  /// The same type with NULL allowed.
  public var optional: ColumnType { ColumnType(name, isOptional: true) }
}

/// A stored value that does not fit its Swift type, or a Swift value that SQLite cannot store.
///
/// It contains what was expected and which storage class was found, never the value itself.
public struct ColumnValueError: Error, Sendable, Hashable {
  /// The expected type, such as `Int8`.
  public var expected: String
  /// The type that was found instead: a storage class as named by `typeof()`, or a Swift type.
  public var found: String
  /// The reason why it does not fit, if the storage class alone does not explain it, such as "is out of range".
  public var problem: String?
  /// The column it was read from, if known.
  public var column: String?

  /// Creates an error.
  public init(expected: String, found: String, problem: String? = nil, column: String? = nil) {
    self.expected = expected
    self.found = found
    self.problem = problem
    self.column = column
  }

  init(expected: String, found value: SQLValue, problem: String? = nil) {
    self.init(expected: expected, found: value.storageClass, problem: problem)
  }
}

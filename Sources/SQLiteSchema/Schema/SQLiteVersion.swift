/// A version of the SQLite library.
public struct SQLiteVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  /// The number as SQLite gives it: 3040001 for 3.40.1.
  public let number: Int

  /// Creates a version from the number that SQLite gives.
  public init(number: Int) { self.number = number }

  /// Creates a version from its parts.
  public init(_ major: Int, _ minor: Int, _ patch: Int = 0) { number = major * 1_000_000 + minor * 1000 + patch }

  public var description: String { "\(number / 1_000_000).\(number / 1000 % 1000).\(number % 1000)" }

  public static func < (left: SQLiteVersion, right: SQLiteVersion) -> Bool { left.number < right.number }
}

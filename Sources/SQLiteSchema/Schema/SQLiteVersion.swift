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

/// What a version of SQLite can do to a table without rebuilding it.
package struct Capabilities: Sendable, Hashable {
  package var version: SQLiteVersion

  package init(version: SQLiteVersion) { self.version = version }

  /// See [ALTER TABLE DROP COLUMN](https://sqlite.org/lang_altertable.html#alter_table_drop_column).
  package var canDropColumn: Bool { version >= SQLiteVersion(3, 35) }

  /// Whether ALTER TABLE sets and drops NOT NULL and CHECK. See [ALTER TABLE](https://sqlite.org/lang_altertable.html).
  package var canAlterConstraints: Bool { version >= SQLiteVersion(3, 53) }

  /// See [STRICT tables](https://sqlite.org/stricttables.html).
  package var hasStrictTables: Bool { version >= SQLiteVersion(3, 37) }

  /// See [PRAGMA table_list](https://sqlite.org/pragma.html#pragma_table_list).
  package var hasTableList: Bool { version >= SQLiteVersion(3, 37) }
}

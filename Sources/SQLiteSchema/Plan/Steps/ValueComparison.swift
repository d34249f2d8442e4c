// Conditions on values that a declaration cannot answer, worded once.
extension RowProjection {
  /// The words behind a value that ask for NULL. SQLite answers `IS NULL` of a NOT NULL column without a look, and a
  /// comparison needs the column's collation, which this program may lack.
  package static let isNull = "IS (SELECT NULL) COLLATE BINARY"

  /// The condition that of two values that are equal one is an integer and one a real; only numbers can differ so.
  package static func isOtherNumber(_ value: String, _ other: String) -> String {
    "(+\(value) < '' COLLATE BINARY AND typeof(\(value)) <> typeof(\(other)))"
  }
}

/// A change of constraints that ALTER TABLE may make. See [ALTER TABLE](https://sqlite.org/lang_altertable.html).
package enum ConstraintForm: String, Sendable, Hashable, CaseIterable {
  /// Sets and drops NOT NULL, adds a CHECK to an empty table and drops one by its name.
  case notNullAndChecks
  /// Adds a CHECK to a table with rows, and lets rows pass for which it is NULL, as every CHECK does.
  case checksOverRows
  /// Drops a foreign key by the name of its constraint.
  case foreignKeys

  /// The statements that only an engine with the form takes, in an empty database.
  package var probe: [String] {
    switch self {
    case .notNullAndChecks:
      [
        "CREATE TABLE t (a)", "ALTER TABLE t ALTER COLUMN a SET NOT NULL",
        "ALTER TABLE t ADD CONSTRAINT k CHECK (a > 0)",
        "ALTER TABLE t DROP CONSTRAINT k",
      ]
    case .checksOverRows:
      ["CREATE TABLE t (a)", "INSERT INTO t VALUES (NULL)", "ALTER TABLE t ADD CONSTRAINT k CHECK (a > 0)"]
    case .foreignKeys: ["CREATE TABLE t (a CONSTRAINT k REFERENCES t)", "ALTER TABLE t DROP CONSTRAINT k"]
    }
  }

  private var since: SQLiteVersion {
    switch self {
    case .notNullAndChecks: SQLiteVersion(3, 53)
    case .checksOverRows, .foreignKeys: SQLiteVersion(3, 54)
    }
  }

  /// The forms of a version that cannot be tried.
  package static func known(in version: SQLiteVersion) -> Set<ConstraintForm> {
    Set(allCases.filter { version >= $0.since })
  }
}

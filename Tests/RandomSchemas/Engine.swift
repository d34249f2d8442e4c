/// What the SQLite that the tests run on can do, found out by trying it.
package enum Engine {
  package enum Feature: String, CaseIterable {
    case strict = "STRICT tables"
    case dropColumn = "DROP COLUMN"
    case tableList = "PRAGMA table_list"
    case alterConstraints = "ALTER TABLE for NOT NULL and CHECK"
    case jsonArrows = "the operators -> and ->>"
    case unixEpoch = "unixepoch()"
    case catalogReset = "PRAGMA writable_schema=RESET"
    case fts5 = "FTS5"
    case fts4 = "FTS4"
    case rtree = "R*Tree"
    case columnMetadata = "names for the columns that a query reads"
    case typesBehindBrackets = "types that begin with brackets and go on behind them"
    case typesWithoutGenerated = "types that end before GENERATED ALWAYS"

    /// Statements that only an engine with the feature takes.
    var probe: String {
      switch self {
      case .strict: "CREATE TABLE t (a INT) STRICT"
      case .dropColumn: "CREATE TABLE t (a, b); ALTER TABLE t DROP COLUMN b"
      case .tableList: "SELECT * FROM pragma_table_list"
      case .alterConstraints: "CREATE TABLE t (a); ALTER TABLE t ALTER COLUMN a SET NOT NULL"
      case .jsonArrows: "SELECT '{}' ->> '$.a'"
      case .unixEpoch: "SELECT unixepoch()"
      case .catalogReset:
        """
        CREATE TABLE t (a); PRAGMA writable_schema=ON; UPDATE sqlite_master SET sql = 'CREATE TABLE t (a, b)';
        PRAGMA writable_schema=RESET; SELECT b FROM t
        """
      case .fts5: "CREATE VIRTUAL TABLE t USING fts5 (a)"
      case .fts4: "CREATE VIRTUAL TABLE t USING fts4 (a)"
      case .rtree: "CREATE VIRTUAL TABLE t USING rtree (a, b, c)"
      case .columnMetadata:
        "SELECT json(CASE WHEN sqlite_compileoption_used('ENABLE_COLUMN_METADATA') THEN '1' ELSE 'no' END)"
      // As below: the sum overflows where the first pair of brackets encloses the whole type.
      case .typesBehindBrackets:
        """
        CREATE TABLE t (a [x y] INT);
        SELECT sum(9223372036854775807) FROM pragma_table_xinfo('t'), (VALUES (1), (2)) WHERE type = 'x y'
        """
      // The sum overflows, which is an error, where the words count as a part of the type.
      case .typesWithoutGenerated:
        """
        CREATE TABLE t (z, a INT GENERATED ALWAYS AS (1));
        SELECT sum(9223372036854775807) FROM pragma_table_xinfo('t'), (VALUES (1), (2)) WHERE type LIKE '%ALWAYS'
        """
      }
    }

    /// Whether SQL cannot be read without the feature.
    fileprivate func isUsed(in sql: String) -> Bool {
      switch self {
      case .strict: sql.contains(/\bSTRICT\b/)
      case .jsonArrows: sql.contains(/->>? *'/)
      case .unixEpoch: sql.contains("unixepoch()")
      case .fts5: sql.contains(/(?i)using "?fts5\b/)
      case .fts4: sql.contains(/(?i)using "?fts4\b/)
      case .rtree: sql.contains(/(?i)using "?rtree\b/)
      case .dropColumn: sql.contains(/\bDROP COLUMN\b/)
      case .columnMetadata, .tableList, .catalogReset, .alterConstraints, .typesBehindBrackets, .typesWithoutGenerated:
        false
      }
    }
  }

  /// The version of the running SQLite, for example "3.40.1".
  package static let version = (try? RawSQLite().rows("SELECT sqlite_version()").first?.first?.string) ?? "unknown"

  /// Whether a REAL comes back whole from its text, as in the newest versions; before, it had 15 digits.
  package static let writesRealsWhole: Bool = {
    let same = try? RawSQLite().rows("SELECT CAST(CAST(1234567890123456.7 AS TEXT) AS REAL) = 1234567890123456.7")
    return same == [[.int(1)]]
  }()

  private static let features = Set(
    Feature.allCases.filter { feature in (try? RawSQLite().exec(feature.probe)) != nil })

  package static func has(_ feature: Feature) -> Bool { features.contains(feature) }

  /// What SQL needs and the engine lacks.
  package static func missing(in sql: String) -> Feature? {
    Feature.allCases.first { !has($0) && $0.isUsed(in: sql) }
  }

  /// Whether the engine has all that SQL needs.
  package static func reads(_ sql: String) -> Bool { missing(in: sql) == nil }
}

/// A condition on the rows of a table, made by comparing fields:
///
/// ```swift
/// try session.all(Note.self, where: { $0.title.hasPrefix("G") && ($0.stars > 3 || $0.author == nil) })
/// ```
///
/// Conditions follow Swift rather than SQL where the two differ: a comparison with nil is true or false, never unknown,
/// and `!` negates every condition.
public struct Filter: Sendable, Hashable {
  let sql: SQL

  init(_ sql: SQL) { self.sql = sql }

  init(_ text: String, _ values: [SQLValue] = []) { sql = SQL(raw: text, stored: values) }

  /// An SQL condition over the columns of the table, with bound values: `.sql("length(title) > \(10)")`.
  public static func sql(_ sql: SQL) -> Filter { Filter(SQL(raw: "(") + sql + SQL(raw: ")")) }

  /// A condition that is true for every row.
  public static let always = Filter("1")

  /// A condition that is true for no row.
  public static let never = Filter("0")

  /// Both conditions are met.
  public static func && (left: Filter, right: Filter) -> Filter { combined(left, " AND ", right) }

  /// At least one of the conditions is met.
  public static func || (left: Filter, right: Filter) -> Filter { combined(left, " OR ", right) }

  /// The condition is not met. A condition that is NULL is not met, so its opposite is.
  public static prefix func ! (filter: Filter) -> Filter {
    Filter(SQL(raw: "(") + filter.sql + SQL(raw: " IS NOT TRUE)"))
  }

  private static func combined(_ left: Filter, _ word: String, _ right: Filter) -> Filter {
    var sql = SQL(raw: "(", capacity: left.sql.text.utf8.count + word.utf8.count + right.sql.text.utf8.count + 2)
    sql += left.sql
    sql += word
    sql += right.sql
    sql += ")"
    return Filter(sql)
  }
}

/// A sort key: a field, its direction, and the position of NULL.
public struct Ordering: Sendable, Hashable {
  let term: SQL
  var isDescending: Bool
  /// True if rows without a value come first; nil for SQLite's own rule, by which NULL is less than anything.
  var putsNullsFirst: Bool?
  /// True if the term can never be NULL, which shortens the conditions of a page.
  let isNeverNull: Bool

  /// Puts the rows without a value first.
  public var nullsFirst: Ordering { changing { $0.putsNullsFirst = true } }

  /// Puts the rows without a value last.
  public var nullsLast: Ordering { changing { $0.putsNullsFirst = false } }

  /// A custom order of the rows: `.sql("length(title)")`.
  public static func sql(_ term: SQL, descending: Bool = false) -> Ordering {
    Ordering(
      term: SQL(raw: "(") + term + SQL(raw: ")"), isDescending: descending, putsNullsFirst: nil, isNeverNull: false)
  }

  private func changing(_ change: (inout Ordering) -> Void) -> Ordering {
    var copy = self
    change(&copy)
    return copy
  }

  /// True if NULL comes before all values.
  var hasNullsFirst: Bool { putsNullsFirst ?? !isDescending }

  var sql: SQL {
    var sql = term + SQL(raw: isDescending ? " DESC" : " ASC")
    // Written only if it differs: NULLS FIRST and LAST were added in SQLite 3.30 and keep some indexes from being used.
    if let putsNullsFirst, putsNullsFirst == isDescending, !isNeverNull {
      sql += putsNullsFirst ? " NULLS FIRST" : " NULLS LAST"
    }
    return sql
  }
}

/// A new value for a column of the rows that an update changes.
public struct Assignment: Sendable, Hashable {
  let column: String
  let value: SQL
}

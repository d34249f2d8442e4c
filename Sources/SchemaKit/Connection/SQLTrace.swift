/// Reports each statement that has run, for `Configuration.trace`.
///
/// ```swift
/// configuration.trace = .statements { print($0.duration, $0.sql) }
/// ```
///
/// All connections of the database report, those that read too, each on its own thread; so do the statements that
/// SchemaKit runs for itself. The callback must not use the database. Without a trace nothing is measured. See
/// [sqlite3_trace_v2()](https://sqlite.org/c3ref/trace_v2.html).
public struct SQLTrace: Sendable {
  /// A statement that has ended.
  public struct Event: Sendable, Hashable {
    /// Its SQL.
    public let sql: String
    /// The time from its first step to its end, including the time that the program took between its rows.
    public let duration: Duration
  }

  let showsValues: Bool
  let report: @Sendable (Event) -> Void

  /// Reports SQL as it is written, with question marks in the place of bound values: none of them gets into a log.
  public static func statements(_ report: @escaping @Sendable (Event) -> Void) -> SQLTrace {
    SQLTrace(showsValues: false, report: report)
  }

  /// Reports SQL with the bound values in it, for the eyes of the developer. Secrets show.
  public static func statementsWithValues(_ report: @escaping @Sendable (Event) -> Void) -> SQLTrace {
    SQLTrace(showsValues: true, report: report)
  }
}

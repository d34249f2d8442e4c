/// A function in Swift that SQL can call, for `Configuration.functions`.
///
/// ```swift
/// SQLFunction("slug", isDeterministic: true) { (title: String) in title.lowercased().replacing(" ", with: "-") }
/// SQLFunction("largest", argumentCount: nil) { values in .integer(values.compactMap(\.integer).max() ?? 0) }
/// ```
///
/// An error that it throws fails the statement with an `SQLiteError` that names the function. It runs on whatever thread
/// runs the statement, on several at once where readers read in parallel, and must not use the database.
///
/// See [Application-Defined SQL Functions](https://sqlite.org/appfunc.html).
public struct SQLFunction: Sendable {
  /// From where a function may be called.
  public enum CallSite: Sendable, Hashable {
    /// From statements alone; SQLite refuses it in views, triggers, checks, indexes and computed columns.
    case statements
    /// From statements, and from the schema of a file that is trusted: see ``Configuration/trustsSchema``.
    case trustedSchema
    /// From the schema of any file too; only for a function that is harmless whatever it is called with.
    case anySchema
  }

  /// The name by which SQL calls it; SQLite ignores the case of ASCII letters.
  public let name: String
  /// The number of its arguments; nil for any number.
  public let argumentCount: Int?
  /// True if equal arguments always give the same result, which indexes and computed columns require.
  public let isDeterministic: Bool
  /// From where it may be called.
  public let callSite: CallSite

  let kind: Kind

  enum Kind: Sendable {
    case scalar(@Sendable ([SQLValue]) throws -> SQLValue)
    case aggregate(@Sendable () -> any AggregateGroup)
  }

  private init(_ name: String, _ argumentCount: Int?, isDeterministic: Bool, _ callSite: CallSite, _ kind: Kind) {
    self.name = name
    self.argumentCount = argumentCount
    self.isDeterministic = isDeterministic
    self.callSite = callSite
    self.kind = kind
  }

  /// A function of values as SQLite stores them.
  ///
  /// - Parameters:
  ///   - argumentCount: The number of its arguments, at most 100; nil for any number. Several functions may have one
  ///     name and different numbers.
  ///   - isDeterministic: True if equal arguments always give the same result, in every version of the program: an index
  ///     keeps what was computed when a row was written.
  public init(
    _ name: String, argumentCount: Int?, isDeterministic: Bool = false,
    callableFrom callSite: CallSite = .trustedSchema,
    _ body: @escaping @Sendable (_ arguments: [SQLValue]) throws -> SQLValue
  ) {
    self.init(name, argumentCount, isDeterministic: isDeterministic, callSite, .scalar(body))
  }

  /// A function of Swift values; an argument that may be NULL is optional.
  public init<each Argument: ColumnValue, Result: ColumnValue>(
    _ name: String, isDeterministic: Bool = false, callableFrom callSite: CallSite = .trustedSchema,
    _ body: @escaping @Sendable (repeat each Argument) throws -> Result
  ) {
    var count = 0
    for _ in repeat (each Argument).self { count += 1 }
    self.init(
      name, count, isDeterministic: isDeterministic, callSite,
      .scalar { values in
        var row = RowReader(values)
        return try body(repeat try (each Argument)(row: &row)).sqlValue()
      })
  }

  /// A function of many rows, with a state for each group of them.
  ///
  /// ```swift
  /// .aggregate("longest", argumentCount: 1, initial: "") { longest, values in
  ///   if let text = values[0].text, text.count > longest.count { longest = text }
  /// } result: { .text($0) }
  /// ```
  ///
  /// - Parameters:
  ///   - initial: The state of a new group.
  ///   - step: Adds a row to the state.
  ///   - result: Makes the result from the state; for no rows from the initial one.
  public static func aggregate<State>(
    _ name: String, argumentCount: Int?, callableFrom callSite: CallSite = .trustedSchema,
    initial: @escaping @autoclosure @Sendable () -> State,
    step: @escaping @Sendable (_ state: inout State, _ arguments: [SQLValue]) throws -> Void,
    result: @escaping @Sendable (State) throws -> SQLValue
  ) -> SQLFunction {
    SQLFunction(
      name, argumentCount, isDeterministic: false, callSite,
      .aggregate { StatefulGroup(state: initial(), step: step, result: result) })
  }
}

/// A group of rows that an aggregate function has begun.
protocol AggregateGroup: AnyObject {
  func step(_ arguments: [SQLValue]) throws
  func result() throws -> SQLValue
}

/// It has identity because SQLite keeps it from row to row.
private final class StatefulGroup<State>: AggregateGroup {
  private var state: State
  private let stepBody: @Sendable (inout State, [SQLValue]) throws -> Void
  private let resultBody: @Sendable (State) throws -> SQLValue

  init(
    state: State, step: @escaping @Sendable (inout State, [SQLValue]) throws -> Void,
    result: @escaping @Sendable (State) throws -> SQLValue
  ) {
    self.state = state
    stepBody = step
    resultBody = result
  }

  func step(_ arguments: [SQLValue]) throws { try stepBody(&state, arguments) }
  func result() throws -> SQLValue { try resultBody(state) }
}

/// A collation in Swift, by which columns are compared and sorted, for `Configuration.collations`.
///
/// ```swift
/// SQLCollation("natural") { left, right in left.compare(right, options: .numeric).rawValue }
/// ```
///
/// It must order all texts in one way for good: the indexes of a file keep the order in which they were written. Where it
/// changes, run [REINDEX](https://sqlite.org/lang_reindex.html). It runs on whatever thread runs the statement, and must
/// not use the database. See [Collating Sequences](https://sqlite.org/datatype3.html#collation).
public struct SQLCollation: Sendable {
  /// The name by which SQL knows it; SQLite ignores the case of ASCII letters.
  public let name: String
  let compare: @Sendable (String, String) -> Int

  /// - Parameter compare: Less than 0 if the first comes first, 0 if both are equal, more than 0 otherwise. A text that is
  ///   not valid UTF-8 comes repaired.
  public init(_ name: String, _ compare: @escaping @Sendable (_ left: String, _ right: String) -> Int) {
    self.name = name
    self.compare = compare
  }
}

/// The functions and collations that a program adds to SQL.
struct SQLAdditions: Sendable {
  var functions: [SQLFunction] = []
  var collations: [SQLCollation] = []

  var isEmpty: Bool { functions.isEmpty && collations.isEmpty }
}

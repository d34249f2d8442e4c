/// A catalog that could not be read without losing something.
public struct IntrospectionError: Error, Sendable, Equatable {
  /// The reason reading stopped.
  public enum Reason: Sendable, Equatable {
    /// The stored statement of an object cannot be parsed; the text says where and why.
    case unreadableStatement(object: String, problem: String)
    /// The stored statement and SQLite's own description of the object differ.
    case disagreement(object: String, problem: String)
    /// This version of SQLite would crash on the table when compiling a statement.
    case crashingName(table: String, engine: String)
  }

  /// The reason reading stopped.
  public let reason: Reason
}

extension IntrospectionError: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .unreadableStatement(let object, let problem):
      "The stored SQL of \(object) cannot be read: \(problem). Nothing was changed; please report this statement."
    case .disagreement(let object, let problem):
      "The stored SQL of \(object) and what SQLite says about it differ: \(problem). Nothing was changed; "
        + "please report this statement."
    case .crashingName(let table, let engine):
      "SQLite \(engine) crashes on the table \(table): its name begins with a quote that is not closed, and it has a "
        + "foreign key with RESTRICT. Nothing was changed. Use SQLite 3.42 or newer, or rename the table first."
    }
  }
}

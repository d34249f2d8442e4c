/// SQLite's error for a view, a trigger or an expression of a table that is stored nevertheless.
///
/// SQLite compiles the first two, and computes the last, when they are used.
package struct CompilationFault: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable { case view, trigger, table }

  package enum Cause: Sendable, Hashable {
    case doesNotCompile
    /// It compiles only as long as string literals are accepted in double quotes.
    case doubleQuotedText
  }

  package var kind: Kind
  package var name: SQLName
  /// The table or view of a trigger; the view or table itself.
  package var table: SQLName
  package var cause: Cause
  /// SQLite's message.
  package var problem: String

  package init(kind: Kind, name: SQLName, table: SQLName, cause: Cause, problem: String) {
    self.kind = kind
    self.name = name
    self.table = table
    self.cause = cause
    self.problem = problem
  }
}

/// A finding that the author of a schema has chosen to ignore.
package struct LintIgnore: Sendable, Hashable {
  package enum Scope: Sendable, Hashable {
    case everything
    /// A table, view, index or trigger with everything that belongs to it.
    case object(SQLName)
    /// The definitions that begin on a line of the text, counted from 1.
    case line(Int)
  }
  /// The place of the comment.
  package struct Place: Sendable, Hashable {
    package var source: String
    package var line: Int
    package var column: Int

    package init(source: String, line: Int, column: Int) {
      self.source = source
      self.line = line
      self.column = column
    }
  }
  package var code: String
  package var scope: Scope
  package var place: Place

  package init(code: String, scope: Scope, place: Place) {
    self.code = code
    self.scope = scope
    self.place = place
  }
}

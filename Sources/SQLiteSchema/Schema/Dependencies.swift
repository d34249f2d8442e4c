/// A column of a table or view; without a name, the table as a whole.
package struct ColumnReference: Sendable, Hashable, Comparable {
  package var table: SQLName
  package var column: SQLName?

  package init(_ table: SQLName, _ column: SQLName? = nil) {
    self.table = table
    self.column = column
  }

  package static func < (left: ColumnReference, right: ColumnReference) -> Bool {
    (left.table, left.column ?? "") < (right.table, right.column ?? "")
  }
}

/// Which columns each view and trigger of a schema needs, according to SQLite's own compiler.
package struct Dependencies: Sendable, Hashable {
  /// The tables and columns that a view or trigger refers to itself, including a view that it reads.
  package var direct: [SQLName: Set<ColumnReference>] = [:]

  package init() {}

  /// Returns the tables and columns that a view or trigger needs, through every view that it reads.
  package func all(of object: SQLName) -> Set<ColumnReference> {
    var needed: Set<ColumnReference> = []
    var open = [object]
    var seen: Set<SQLName> = []
    while let next = open.popLast() {
      guard seen.insert(next).inserted, let references = direct[next] else { continue }
      needed.formUnion(references)
      // A trigger that writes to a table with triggers needs what those need; only views are followed here, since
      // a trigger's own needs are told with that trigger.
      open += references.map(\.table).filter { direct[$0] != nil }
    }
    return needed
  }
}

/// A view or trigger that needs something which a plan changes.
public struct PlanImpact: Sendable, Hashable {
  /// The effect of a plan on a view or trigger.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// Its SQL is unchanged; it is compiled again to verify it.
    case kept
    /// SQLite rewrites the names in its SQL.
    case rewritten
    /// The declared schema gives it new SQL.
    case replaced
    /// It is dropped.
    case dropped
  }
  /// The kind of the object: view or trigger.
  public var kind: String
  /// The object's name in the file.
  public var object: String
  /// Which of the things that change it needs: `table.column`, or `table` for a table that is dropped or renamed.
  public var needs: [String]
  /// The effect of the plan on it.
  public var outcome: Outcome
}

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

/// Which columns each view and trigger of a schema needs, as SQLite's own compiler says.
package struct Dependencies: Sendable, Hashable {
  /// What a view or trigger names itself; a view that it reads is among them.
  package var direct: [SQLName: Set<ColumnReference>] = [:]

  package init() {}

  /// What a view or trigger needs, through every view that it reads.
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
  /// What a plan does to a view or trigger.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// Its text is kept; it is compiled again as a proof.
    case kept
    /// SQLite writes the new names into its text.
    case rewritten
    /// The declared schema gives it a new text.
    case replaced
    /// It goes.
    case dropped
  }
  /// The kind of the object: view or trigger.
  public var kind: String
  /// The object's name in the file.
  public var object: String
  /// What it needs of that which changes: `table.column`, or `table` for a table that goes or gets another name.
  public var needs: [String]
  /// What becomes of it.
  public var outcome: Outcome
}

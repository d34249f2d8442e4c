/// Questions to ask of the rows before anything is written: plain SQL, made by the planner, run by introspection.
package struct FactQuestions: Sendable, Hashable {
  /// The questions about one table.
  package struct TableQuestions: Sendable, Hashable {
    /// The table as the declaration calls it; as the file does when it is dropped.
    package var name: SQLName
    /// The table as the file calls it.
    package var formerName: SQLName
    /// Columns whose lengths add up to the size of a row.
    package var columns: [SQLName]
    package var questions: [FactQuestion]
  }

  /// Statements that fill temporary tables with values as the new schema would store them.
  package var setup: [String] = []
  package var tables: [TableQuestions] = []
  /// Statements that drop those tables.
  package var teardown: [String] = []
}

/// One question about rows.
package struct FactQuestion: Sendable, Hashable {
  package var kind: TableFacts.Finding.Kind
  package var column: SQLName?
  /// A query for how many rows are concerned.
  package var count: String
  /// A query for the keys of at most ten of them.
  package var samples: String
}

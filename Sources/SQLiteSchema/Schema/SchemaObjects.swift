/// An index created by CREATE INDEX. Indexes that belong to constraints are part of their table.
package struct IndexSchema: Sendable, Hashable {
  /// One term of an index.
  package struct Term: Sendable, Hashable {
    /// The column or expression.
    package var expression: CanonicalSQL
    /// The column, if the term is just a column.
    package var column: SQLName?
    /// The collating sequence in force, folded; nil for BINARY.
    package var collation: SQLName?
    package var isDescending: Bool
  }
  package var name: SQLName
  package var table: SQLName
  package var isUnique: Bool
  package var terms: [Term]
  package var predicate: CanonicalSQL?
  package var sql: String
}

extension IndexSchema {
  /// True if both indexes are the same except for the spelling of their statements.
  package func isEquivalent(to other: IndexSchema) -> Bool {
    name == other.name && table == other.table && isUnique == other.isUnique && terms == other.terms
      && predicate == other.predicate
  }
}

/// A view.
package struct ViewSchema: Sendable, Hashable {
  package var name: SQLName
  /// The column list and the query, in canonical form.
  package var definition: CanonicalSQL
  package var sql: String

  /// True if both views are the same except for the spelling of their statements.
  package func isEquivalent(to other: ViewSchema) -> Bool { name == other.name && definition == other.definition }
}

/// A trigger on a table or a view.
package struct TriggerSchema: Sendable, Hashable {
  package var name: SQLName
  package var table: SQLName
  /// True if the trigger runs before the event, when another value can still be given to the row.
  package var isBefore: Bool
  /// The event that fires the trigger: INSERT, UPDATE or DELETE.
  package var event: String
  /// The columns after UPDATE OF; empty for other triggers.
  package var updateColumns: [SQLName]
  /// Timing, event, table, condition and body, in canonical form.
  package var definition: CanonicalSQL
  package var sql: String

  /// True if both triggers are the same except for the spelling of their statements.
  package func isEquivalent(to other: TriggerSchema) -> Bool { name == other.name && definition == other.definition }
}

/// A virtual table. Its shadow tables belong to it and are not listed.
package struct VirtualTableSchema: Sendable, Hashable {
  package var name: SQLName
  package var module: SQLName
  package var arguments: [String]
  /// True if the module is loaded in this process; without it the table can be neither read nor changed.
  package var isModuleLoaded: Bool
  package var sql: String

  /// True if both tables have the same module and arguments.
  package func isEquivalent(to other: VirtualTableSchema) -> Bool {
    name == other.name && module == other.module && arguments == other.arguments
  }
}

extension VirtualTableSchema {
  /// True if a name occurs among the arguments, as that of the content does in an external-content full-text index.
  ///
  /// See [External Content Tables](https://sqlite.org/fts5.html#external_content_tables).
  package func mentions(_ name: SQLName) -> Bool {
    arguments.contains { argument in
      (try? SQLLexer.tokens(of: argument))?.contains { $0.name == name } ?? true
    }
  }
}

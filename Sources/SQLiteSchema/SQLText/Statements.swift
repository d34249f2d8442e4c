// The statements that a schema is made of, as their text says it. Every part keeps its span in the source,
// so that a text can be edited in place and everything else in it stays as its author wrote it.

/// A CREATE TABLE statement. See [CREATE TABLE](https://sqlite.org/lang_createtable.html).
package struct CreateTableStatement: Sendable, Hashable {
  package var name: SQLName
  /// Where the name stands, quotes included, without a schema prefix.
  package var nameSpan: Span
  /// Where `schema.name` (or the name alone) stands.
  package var qualifiedNameSpan: Span
  package var isTemporary: Bool
  package var columns: [ColumnDefinition]
  package var constraints: [TableConstraint]
  package var isStrict: Bool
  package var isWithoutRowID: Bool
}

/// One column of a CREATE TABLE statement.
package struct ColumnDefinition: Sendable, Hashable {
  package var name: SQLName
  /// The declared type as written, white space and comments reduced to single spaces; nil when there is none.
  /// `GENERATED ALWAYS` is never part of it.
  package var type: String?
  /// The declared type with the comments inside it: SQLite looks into those too when it works out the affinity.
  package var storedType: String?
  package var constraints: [ColumnConstraint]
  /// The whole definition, from the name to the last constraint.
  package var span: Span
  package var nameSpan: Span

  package var isGenerated: Bool {
    constraints.contains { if case .generated = $0.kind { true } else { false } }
  }
}

/// One constraint of a column, with its name if it has one.
package struct ColumnConstraint: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case primaryKey(order: SortDirection?, conflict: ConflictClause?, isAutoincrement: Bool)
    case notNull(conflict: ConflictClause?)
    /// The word NULL alone, which SQLite accepts and ignores.
    case null(conflict: ConflictClause?)
    case unique(conflict: ConflictClause?)
    case check(SQLExpression, conflict: ConflictClause?)
    /// The expression as written: a literal, a signed number, a bare word, or an expression in parentheses
    /// (the outer parentheses are part of it).
    case defaultValue(SQLExpression)
    case collate(SQLName)
    case references(ForeignKeyClause)
    /// The expression without its outer parentheses.
    case generated(SQLExpression, isStored: Bool)
  }
  package var name: SQLName?
  package var kind: Kind
  /// From CONSTRAINT (or the first word without it) to the last token.
  package var span: Span
}

/// One table constraint, with its name if it has one.
package struct TableConstraint: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case primaryKey([IndexedColumn], conflict: ConflictClause?, isAutoincrement: Bool)
    case unique([IndexedColumn], conflict: ConflictClause?)
    case check(SQLExpression, conflict: ConflictClause?)
    case foreignKey([SQLName], ForeignKeyClause)
  }
  package var name: SQLName?
  package var kind: Kind
  package var span: Span
}

/// The REFERENCES clause of a foreign key.
package struct ForeignKeyClause: Sendable, Hashable {
  package var table: SQLName
  package var tableSpan: Span
  /// The parent columns; empty when the clause leaves them to the parent's primary key.
  package var columns: [SQLName]
  package var onDelete: ForeignKeyAction?
  package var onUpdate: ForeignKeyAction?
  package var match: SQLName?
  package var deferral: Deferral?
}

public enum ForeignKeyAction: String, Sendable, Hashable, Codable {
  case noAction = "NO ACTION"
  case restrict = "RESTRICT"
  case setNull = "SET NULL"
  case setDefault = "SET DEFAULT"
  case cascade = "CASCADE"
}

/// The clause of a foreign key that says when it is checked.
package struct Deferral: Sendable, Hashable {
  package var isDeferrable: Bool
  /// True for INITIALLY DEFERRED, false for INITIALLY IMMEDIATE, nil when it is not said.
  package var isInitiallyDeferred: Bool?
}

public enum SortDirection: String, Sendable, Hashable, Codable {
  case ascending = "ASC"
  case descending = "DESC"
}

public enum ConflictClause: String, Sendable, Hashable, Codable {
  case rollback = "ROLLBACK"
  case abort = "ABORT"
  case fail = "FAIL"
  case ignore = "IGNORE"
  case replace = "REPLACE"
}

/// One term of an index, a primary key or a unique constraint.
package struct IndexedColumn: Sendable, Hashable {
  /// The term without COLLATE and ASC / DESC at its end.
  package var expression: SQLExpression
  /// The column's name when the term is nothing but a name.
  package var column: SQLName?
  package var collation: SQLName?
  package var order: SortDirection?
}

/// A CREATE INDEX statement. See [CREATE INDEX](https://sqlite.org/lang_createindex.html).
package struct CreateIndexStatement: Sendable, Hashable {
  package var name: SQLName
  package var nameSpan: Span
  package var qualifiedNameSpan: Span
  package var table: SQLName
  package var tableSpan: Span
  package var isUnique: Bool
  package var columns: [IndexedColumn]
  package var predicate: SQLExpression?
}

/// A CREATE VIEW statement. See [CREATE VIEW](https://sqlite.org/lang_createview.html).
package struct CreateViewStatement: Sendable, Hashable {
  package var name: SQLName
  package var nameSpan: Span
  package var qualifiedNameSpan: Span
  package var isTemporary: Bool
  /// The column names in parentheses after the name; nil without them.
  package var columns: [SQLName]?
  /// Everything after AS.
  package var body: SQLExpression
}

/// A CREATE TRIGGER statement. See [CREATE TRIGGER](https://sqlite.org/lang_createtrigger.html).
package struct CreateTriggerStatement: Sendable, Hashable {
  package enum Timing: String, Sendable, Hashable {
    case before = "BEFORE"
    case after = "AFTER"
    case insteadOf = "INSTEAD OF"
  }
  package enum Event: Sendable, Hashable {
    case delete
    case insert
    /// The columns after OF; empty when every update fires it.
    case update(of: [SQLName])
  }
  package var name: SQLName
  package var nameSpan: Span
  package var qualifiedNameSpan: Span
  package var isTemporary: Bool
  /// Nil when the text leaves it out, which means BEFORE.
  package var timing: Timing?
  package var event: Event
  package var table: SQLName
  package var tableSpan: Span
  /// Where `schema.table` (or the table alone) stands after ON.
  package var qualifiedTableSpan: Span
  package var condition: SQLExpression?
  /// The statements between BEGIN and END, both words left out.
  package var body: SQLExpression
}

/// A CREATE VIRTUAL TABLE statement. See [CREATE VIRTUAL TABLE](https://sqlite.org/lang_createvtab.html).
package struct CreateVirtualTableStatement: Sendable, Hashable {
  package var name: SQLName
  package var nameSpan: Span
  package var qualifiedNameSpan: Span
  package var module: SQLName
  /// The arguments as SQLite passes them to the module: cut at top-level commas, trimmed.
  package var arguments: [String]
}

/// Any statement that makes a schema object.
package enum CreateStatement: Sendable, Hashable {
  case table(CreateTableStatement)
  case index(CreateIndexStatement)
  case view(CreateViewStatement)
  case trigger(CreateTriggerStatement)
  case virtualTable(CreateVirtualTableStatement)
}

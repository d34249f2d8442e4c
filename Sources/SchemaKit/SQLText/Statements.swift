// The statements that a schema is made of, as their text says it. Every part keeps its span in the source,
// so that a text can be edited in place and everything else in it stays as its author wrote it.

/// A CREATE TABLE statement. See [CREATE TABLE](https://sqlite.org/lang_createtable.html).
struct CreateTableStatement: Sendable, Hashable {
  var name: SQLName
  /// Where the name stands, quotes included, without a schema prefix.
  var nameSpan: Span
  /// Where `schema.name` (or the name alone) stands.
  var qualifiedNameSpan: Span
  var isTemporary: Bool
  var columns: [ColumnDefinition]
  var constraints: [TableConstraint]
  var isStrict: Bool
  var isWithoutRowID: Bool
}

/// One column of a CREATE TABLE statement.
struct ColumnDefinition: Sendable, Hashable {
  var name: SQLName
  /// The declared type as written, white space and comments reduced to single spaces; nil when there is none.
  /// `GENERATED ALWAYS` is never part of it.
  var type: String?
  /// The declared type with the comments inside it: SQLite looks into those too when it works out the affinity.
  var storedType: String?
  var constraints: [ColumnConstraint]
  /// The whole definition, from the name to the last constraint.
  var span: Span
  var nameSpan: Span
}

/// One constraint of a column, with its name if it has one.
struct ColumnConstraint: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case primaryKey(order: SortOrder?, conflict: ConflictClause?, isAutoincrement: Bool)
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
  var name: SQLName?
  var kind: Kind
  /// From CONSTRAINT (or the first word without it) to the last token.
  var span: Span
}

/// One table constraint, with its name if it has one.
struct TableConstraint: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    case primaryKey([IndexedColumn], conflict: ConflictClause?, isAutoincrement: Bool)
    case unique([IndexedColumn], conflict: ConflictClause?)
    case check(SQLExpression, conflict: ConflictClause?)
    case foreignKey([SQLName], ForeignKeyClause)
  }
  var name: SQLName?
  var kind: Kind
  var span: Span
}

/// The REFERENCES clause of a foreign key.
struct ForeignKeyClause: Sendable, Hashable {
  var table: SQLName
  var tableSpan: Span
  /// The parent columns; empty when the clause leaves them to the parent's primary key.
  var columns: [SQLName]
  var onDelete: ForeignKeyAction?
  var onUpdate: ForeignKeyAction?
  var match: SQLName?
  var deferral: Deferral?
}

public enum ForeignKeyAction: String, Sendable, Hashable, Codable {
  case noAction = "NO ACTION"
  case restrict = "RESTRICT"
  case setNull = "SET NULL"
  case setDefault = "SET DEFAULT"
  case cascade = "CASCADE"
}

/// What a foreign key says about when it is checked.
struct Deferral: Sendable, Hashable {
  var isDeferrable: Bool
  /// True for INITIALLY DEFERRED, false for INITIALLY IMMEDIATE, nil when it is not said.
  var isInitiallyDeferred: Bool?
}

public enum SortOrder: String, Sendable, Hashable, Codable {
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
struct IndexedColumn: Sendable, Hashable {
  /// The term without COLLATE and ASC / DESC at its end.
  var expression: SQLExpression
  /// The column's name when the term is nothing but a name.
  var column: SQLName?
  var collation: SQLName?
  var order: SortOrder?
}

/// A CREATE INDEX statement. See [CREATE INDEX](https://sqlite.org/lang_createindex.html).
struct CreateIndexStatement: Sendable, Hashable {
  var name: SQLName
  var nameSpan: Span
  var qualifiedNameSpan: Span
  var table: SQLName
  var tableSpan: Span
  var isUnique: Bool
  var columns: [IndexedColumn]
  var predicate: SQLExpression?
}

/// A CREATE VIEW statement. See [CREATE VIEW](https://sqlite.org/lang_createview.html).
struct CreateViewStatement: Sendable, Hashable {
  var name: SQLName
  var nameSpan: Span
  var qualifiedNameSpan: Span
  var isTemporary: Bool
  /// The column names in parentheses after the name; nil without them.
  var columns: [SQLName]?
  /// Everything after AS.
  var body: SQLExpression
}

/// A CREATE TRIGGER statement. See [CREATE TRIGGER](https://sqlite.org/lang_createtrigger.html).
struct CreateTriggerStatement: Sendable, Hashable {
  enum Timing: String, Sendable, Hashable {
    case before = "BEFORE"
    case after = "AFTER"
    case insteadOf = "INSTEAD OF"
  }
  enum Event: Sendable, Hashable {
    case delete
    case insert
    /// The columns after OF; empty when every update fires it.
    case update(of: [SQLName])
  }
  var name: SQLName
  var nameSpan: Span
  var qualifiedNameSpan: Span
  var isTemporary: Bool
  /// Nil when the text leaves it out, which means BEFORE.
  var timing: Timing?
  var event: Event
  var table: SQLName
  var tableSpan: Span
  /// Where `schema.table` (or the table alone) stands after ON.
  var qualifiedTableSpan: Span
  var condition: SQLExpression?
  /// The statements between BEGIN and END, both words left out.
  var body: SQLExpression
}

/// A CREATE VIRTUAL TABLE statement. See [CREATE VIRTUAL TABLE](https://sqlite.org/lang_createvtab.html).
struct CreateVirtualTableStatement: Sendable, Hashable {
  var name: SQLName
  var nameSpan: Span
  var qualifiedNameSpan: Span
  var module: SQLName
  /// The arguments as SQLite passes them to the module: cut at top-level commas, trimmed.
  var arguments: [String]
}

/// Any statement that makes a schema object.
enum CreateStatement: Sendable, Hashable {
  case table(CreateTableStatement)
  case index(CreateIndexStatement)
  case view(CreateViewStatement)
  case trigger(CreateTriggerStatement)
  case virtualTable(CreateVirtualTableStatement)
}

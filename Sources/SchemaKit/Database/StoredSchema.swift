/// The schema of a database as plain values: its tables, views and triggers.
///
/// The words are those of SQLite's manual, and names and SQL are spelled as in the file. The tables of SQLite and of
/// SchemaKit, and the shadow tables of virtual tables, are left out.
///
/// ```swift
/// for column in try session.storedSchema().table("notes")?.columns ?? [] { print(column.name, column.type) }
/// ```
public struct StoredSchema: Sendable, Hashable {
  /// The tables, virtual ones included, in the order of their creation.
  public let tables: [Table]
  /// The views, in the order of their creation.
  public let views: [View]
  /// The triggers of tables and views, in the order of their creation.
  public let triggers: [Trigger]

  /// The table with a name, ignoring case; nil if it does not exist.
  public func table(_ name: String) -> Table? { tables.first { SQLName($0.name) == SQLName(name) } }

  /// The view with a name, ignoring case; nil if it does not exist.
  public func view(_ name: String) -> View? { views.first { SQLName($0.name) == SQLName(name) } }

  /// A table. See [CREATE TABLE](https://sqlite.org/lang_createtable.html).
  public struct Table: Sendable, Hashable {
    public let name: String
    /// The columns in order, generated and hidden ones included.
    public let columns: [Column]
    /// The columns of the primary key in its order; empty if none is declared.
    public let primaryKey: [String]
    /// True if a deleted key is never assigned again.
    public let isAutoincrement: Bool
    /// The UNIQUE constraints. An index created as UNIQUE is among the indexes.
    public let uniqueConstraints: [UniqueConstraint]
    public let checks: [Check]
    public let foreignKeys: [ForeignKey]
    /// The indexes made by CREATE INDEX.
    public let indexes: [Index]
    public let isStrict: Bool
    public let isWithoutRowID: Bool
    /// The module of a virtual table; nil for an ordinary one, whose keys and constraints alone are known.
    public let module: String?
    /// The statement that creates it.
    public let sql: String

    /// The column with a name, ignoring case; nil if it does not exist.
    public func column(_ name: String) -> Column? { columns.first { SQLName($0.name) == SQLName(name) } }
  }

  /// A column, as [table_xinfo](https://sqlite.org/pragma.html#pragma_table_xinfo) lists it.
  public struct Column: Sendable, Hashable {
    public let name: String
    /// The declared type; empty if there is none.
    public let type: String
    /// True if the column is declared as NOT NULL.
    public let isNotNull: Bool
    /// The default as SQL text; nil if there is none.
    public let defaultValue: String?
    /// The place of the column in the primary key, from 1; nil if it is not part of it.
    public let primaryKeyPosition: Int?
    /// The collating sequence as it is written; `BINARY` unless declared.
    public let collation: String
    /// The expression of a generated column; nil for any other. See [Generated Columns](https://sqlite.org/gencol.html).
    public let generated: Generated?
    /// True if `SELECT *` leaves it out, as a virtual table may declare.
    public let isHidden: Bool
  }

  /// The expression of a generated column and whether its values are stored.
  public struct Generated: Sendable, Hashable {
    /// The expression, without its parentheses.
    public let expression: String
    /// True if the value is stored; otherwise it is computed when it is read.
    public let isStored: Bool
  }

  /// A UNIQUE constraint of a table.
  public struct UniqueConstraint: Sendable, Hashable {
    public let columns: [String]
  }

  /// A CHECK constraint.
  public struct Check: Sendable, Hashable {
    /// Its name; nil if it has none.
    public let name: String?
    public let expression: String
  }

  /// A foreign key. See [Foreign Key Support](https://sqlite.org/foreignkeys.html).
  public struct ForeignKey: Sendable, Hashable {
    public let columns: [String]
    public let parentTable: String
    /// The columns that it refers to; those of the parent's primary key if the declaration names none.
    public let parentColumns: [String]
    public let onDelete: ForeignKeyAction
    public let onUpdate: ForeignKeyAction
    /// True if it is checked at the end of the transaction only.
    public let isDeferred: Bool
  }

  /// An index. See [CREATE INDEX](https://sqlite.org/lang_createindex.html).
  public struct Index: Sendable, Hashable {
    /// One of the values that it sorts by.
    public struct Term: Sendable, Hashable {
      /// The column; nil if the term is an expression.
      public let column: String?
      /// The term as SQL text, without collation and order.
      public let expression: String
      public let collation: String
      public let isDescending: Bool
    }

    public let name: String
    public let isUnique: Bool
    public let terms: [Term]
    /// The condition of a partial index, as SQL text; nil if it has every row.
    public let condition: String?
    /// The statement that creates it.
    public let sql: String
  }

  /// A view. See [CREATE VIEW](https://sqlite.org/lang_createview.html).
  public struct View: Sendable, Hashable {
    public let name: String
    /// Its columns; empty if SQLite cannot compile the view.
    public let columns: [Column]
    /// The statement that creates it.
    public let sql: String
  }

  /// A trigger. See [CREATE TRIGGER](https://sqlite.org/lang_createtrigger.html).
  public struct Trigger: Sendable, Hashable {
    public let name: String
    /// The table or view that it is on.
    public let table: String
    /// `BEFORE`, `AFTER` or `INSTEAD OF`.
    public let timing: String
    /// `INSERT`, `UPDATE` or `DELETE`.
    public let event: String
    /// The columns after UPDATE OF; empty if any update fires it.
    public let updateColumns: [String]
    /// The statement that creates it.
    public let sql: String
  }
}

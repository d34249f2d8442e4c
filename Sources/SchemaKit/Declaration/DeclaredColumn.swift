/// The content of a ``Column``, without the Swift types of its declaration.
@usableFromInline
struct DeclaredColumn: Sendable {
  struct PrimaryKey: Sendable {
    var isAutoincrement: Bool
    var order: SortDirection?
    var conflict: ConflictClause?
  }

  struct NotNull: Sendable {
    var conflict: ConflictClause?
  }

  struct Unique: Sendable {
    var conflict: ConflictClause?
    var name: String?
  }

  struct Check: Sendable {
    var sql: String
    var name: String?
  }

  struct Generated: Sendable {
    var sql: String
    var kind: GeneratedColumnKind
  }

  enum DefaultValue: Sendable {
    case literal(String)
    case expression(String)
    /// A Swift value that has no literal, and why.
    case unrepresentable(String)
  }

  var name: String
  /// The path from the model; a function because an appended key path is not known to be Sendable.
  var path: @Sendable () -> AnyKeyPath
  /// The paths of the fragments that it is a part of.
  var fragments: @Sendable () -> [AnyKeyPath] = { [] }
  /// The property's value in a model; nil if an optional fragment that it is a part of is nil.
  var value: @Sendable (Any) -> Any?
  /// True if an optional fragment that it is a part of may be nil.
  var isInOptionalFragment = false
  /// The problem with the embedding of a fragment that it is a part of.
  var flaw: DeclarationError.Reason?
  var valueType: ColumnType
  /// The Swift type of the values, without an optional around it.
  var swiftType: ObjectIdentifier
  /// The coding of the values; nil if they are stored as their type says.
  var coding: (any AnyColumnCoding)?
  /// The form in which the values are stored and read.
  var form: @Sendable () -> ValueForm
  /// True if the Swift type reads a stored value.
  var reads: @Sendable (SQLValue) -> Bool
  /// True if a value may be read back altered, such as a date without its last digits.
  var mayRound = false
  /// The attachments that a stored value refers to; nil for a column that never refers to any.
  var attachments: (@Sendable (SQLValue) throws -> [FileAttachment])?
  /// The declared type that replaces the default for the Swift type.
  var exactType: String?
  var primaryKey: PrimaryKey?
  var notNull: NotNull?
  var unique: Unique?
  var checks: [Check] = []
  var defaultValue: DefaultValue?
  var collation: Collation?
  var reference: DeclaredReference?
  var generated: Generated?
  var hints = ColumnHints()
  /// Swift functions that compute values for existing rows.
  var backfill: RowFunction?
  var conversion: RowFunction?
  /// A stored value that the Swift type accepts; nil if none was found.
  var sample: @Sendable (Int) -> SQLValue?

  init(
    name: String,
    path: @escaping @Sendable () -> AnyKeyPath,
    value: @escaping @Sendable (Any) -> Any?,
    valueType: ColumnType,
    swiftType: ObjectIdentifier,
    form: @escaping @Sendable () -> ValueForm,
    reads: @escaping @Sendable (SQLValue) -> Bool,
    sample: @escaping @Sendable (Int) -> SQLValue?
  ) {
    self.name = name
    self.path = path
    self.value = value
    self.valueType = valueType
    self.swiftType = swiftType
    self.form = form
    self.reads = reads
    self.sample = sample
  }

  /// The declared type as written in the table.
  var typeName: String { exactType ?? valueType.name }

  /// True if the program writes a value there for every object.
  var isRequired: Bool { !valueType.isOptional && generated == nil }
}

/// The parent side of a foreign key, looked up late because two tables may refer to each other.
struct DeclaredReference: Sendable {
  /// The name of the parent's model; nil if the declaration gives the name of the table.
  var model: String?
  var table: @Sendable () -> String
  /// The parent's columns; empty for its primary key. Nil for a key path without a column.
  var columns: @Sendable () -> [String?]
  var onDelete: ForeignKeyAction?
  var onUpdate: ForeignKeyAction?
  var deferrable: Deferrability?
  var name: String?
}

/// When a deferrable foreign key is checked.
public enum Deferrability: String, Sendable, Hashable {
  /// At the end of the transaction.
  case initiallyDeferred = "DEFERRABLE INITIALLY DEFERRED"
  /// After each statement, unless `PRAGMA defer_foreign_keys` is on.
  case initiallyImmediate = "DEFERRABLE INITIALLY IMMEDIATE"
}

/// The time at which a generated column is computed: when it is read or when the row is written.
public enum GeneratedColumnKind: String, Sendable, Hashable {
  /// Computed on reading; takes no space in the file.
  case virtual = "VIRTUAL"
  /// Computed on writing and stored in the row.
  case stored = "STORED"
}

/// A collation, by which SQLite compares and sorts text. Write a custom one as a string: `.collate("german")`.
public struct Collation: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name by which SQLite knows it.
  public var name: String

  /// Creates a collation from its name.
  public init(_ name: String) { self.name = name }

  /// Creates a collation from a literal.
  public init(stringLiteral name: String) { self.name = name }

  /// Compares byte by byte; SQLite's default.
  public static let binary = Collation("BINARY")
  /// Ignores the case of ASCII letters.
  public static let nocase = Collation("NOCASE")
  /// Ignores trailing spaces.
  public static let rtrim = Collation("RTRIM")
}

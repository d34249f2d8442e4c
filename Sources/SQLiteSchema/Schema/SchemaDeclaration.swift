/// The content of a declaration: the SQL of its objects in creation order, and migration hints.
public struct SchemaDeclaration: Sendable, Hashable {
  /// The name of this schema in the ledger; "main" by default, empty for SQL files.
  public var name: String
  /// The statements that create the objects, each after those it needs if possible.
  public var statements: [DeclaredStatement]
  /// The declared hints about migrating from an older schema to this one.
  public var hints: MigrationHints
  /// True if objects that are not declared here are to be dropped: false for models, true for SQL.
  public var ownsWholeFile: Bool

  /// Creates a declaration from its parts.
  public init(
    name: String = "main",
    statements: [DeclaredStatement] = [],
    hints: MigrationHints = MigrationHints(),
    ownsWholeFile: Bool = false
  ) {
    self.name = name
    self.statements = statements
    self.hints = hints
    self.ownsWholeFile = ownsWholeFile
  }
}

/// One statement that creates an object of a declared schema.
public struct DeclaredStatement: Sendable, Hashable {
  /// A single CREATE statement, without a trailing semicolon.
  public var sql: String
  /// The line on which it begins in the file it was read from; nil for models.
  public var line: Int?
  /// The table that the statement creates or belongs to, if known.
  public var table: SQLName?
  /// The file it was read from, where a declaration comes from several.
  package var source: String?

  /// Creates a statement from its text.
  public init(sql: String, line: Int? = nil, table: SQLName? = nil) {
    self.sql = sql
    self.line = line
    self.table = table
  }
}

/// The declared hints about migrating from an older schema to this one.
public struct MigrationHints: Sendable, Hashable {
  /// The hints for each table, under its declared (new) name.
  public var tables: [SQLName: TableHints]
  /// Tables whose dropping the author consents to.
  public var removedTables: Set<SQLName>
  /// The work that the program does on the rows during the migration, in the order of the declaration.
  public var dataSteps: [DataStepHint]
  /// The former names of tables and columns if they are known for certain, so that nothing is guessed from hints.
  package var knownRenames: KnownRenames?
  /// The states, in one file, of the hints that swap names.
  package var renameStates: [FormerName: FormerName.RenameState] = [:]
  /// Kept rows that fill declared tables when these are recreated.
  package var keptTables: [SQLName: KeptValues] = [:]
  /// Kept values that fill columns when these are recreated.
  package var keptColumns: [KeptValues] = []
  /// The findings that `lint` ignores.
  package var ignores: [LintIgnore] = []
  /// The rules that the schema keeps beyond those of SQLite.
  public var rules: SchemaRules = []

  /// Creates hints; without arguments there are none.
  public init(
    tables: [SQLName: TableHints] = [:], removedTables: Set<SQLName> = [], dataSteps: [DataStepHint] = []
  ) {
    self.tables = tables
    self.removedTables = removedTables
    self.dataSteps = dataSteps
  }
}

extension MigrationHints {
  /// Adds the hints of another part of the same declaration.
  package mutating func add(_ other: MigrationHints) {
    for (table, hints) in other.tables {
      guard var merged = tables[table] else {
        tables[table] = hints
        continue
      }
      merged.renamedFrom += hints.renamedFrom
      merged.columns.merge(hints.columns) { $1 }
      merged.removedColumns.formUnion(hints.removedColumns)
      merged.looseTypes.formUnion(hints.looseTypes)
      tables[table] = merged
    }
    removedTables.formUnion(other.removedTables)
    dataSteps += other.dataSteps
    ignores += other.ignores
    rules.formUnion(other.rules)
  }

  /// True if they lead back to the schema before a change, whose renames are known.
  package var isUndo: Bool { knownRenames != nil }
}

/// Work on the rows that a program does once in each file, described as far as a plan needs it.
public struct DataStepHint: Sendable, Hashable {
  /// When the work may be done, at the earliest.
  public enum Moment: Sendable, Hashable {
    /// Once the table exists, and before anything else is changed or dropped.
    case tableAdded(SQLName)
    /// Once the column exists, and before any column or table is dropped.
    case columnAdded(SQLName, SQLName)
    /// Once everything else has been done.
    case schemaChanged
  }
  /// The name by which the ledger records that it was done.
  public var name: String
  /// When it may be done, at the earliest.
  public var moment: Moment
  /// True if it is done in new files as well.
  public var isForNewFiles: Bool

  /// Creates a hint.
  public init(name: String, moment: Moment, isForNewFiles: Bool = false) {
    self.name = name
    self.moment = moment
    self.isForNewFiles = isForNewFiles
  }
}

/// The declared hints about migrating one table.
public struct TableHints: Sendable, Hashable {
  /// Former names of the table, the newest first.
  public var renamedFrom: [SQLName]
  /// The hints for each column, by its declared name.
  public var columns: [SQLName: ColumnHints]
  /// Columns whose dropping the author consents to.
  public var removedColumns: Set<SQLName>
  /// Columns whose declared type derives from a Swift type: a stored table only needs the same affinity.
  public var looseTypes: Set<SQLName>
  /// The forms in which the program stores and reads the values of columns.
  package var forms: [SQLName: DeclaredForm] = [:]
  /// The columns whose values have another form in one file.
  package var formChanges: [SQLName: FormChange] = [:]

  /// Creates hints; without arguments there are none.
  public init(
    renamedFrom: [SQLName] = [],
    columns: [SQLName: ColumnHints] = [:],
    removedColumns: Set<SQLName> = [],
    looseTypes: Set<SQLName> = []
  ) {
    self.renamedFrom = renamedFrom
    self.columns = columns
    self.removedColumns = removedColumns
    self.looseTypes = looseTypes
  }
}

/// The declared hints about migrating one column.
public struct ColumnHints: Sendable, Hashable {
  /// Former names of the column, the newest first.
  public var renamedFrom: [SQLName]
  /// An SQL expression that gives a value to rows which have none: for a new column, or for NULL in one that becomes
  /// NOT NULL.
  public var backfill: String?
  /// An SQL expression that replaces the value of every row when the stored type changes, once in each file.
  public var conversion: String?
  /// The conversion, if the file no longer needs it; then `conversion` is nil.
  package var appliedConversion: String?
  /// True if the change that the applied conversion was part of has since been undone: the column has its old type again.
  package var isConversionUndone = false

  /// True if a fill was done in the file before, or had nothing to do there; it is done again where a row needs it.
  package var isBackfillApplied = false
  /// The fill as it is declared, where the rows have it under other names; nil where `backfill` is that.
  package var declaredBackfill: String?
  /// A condition for the rows in which NULL is restored.
  package var nullCondition: String?
  /// True if the backfill gives values that the column has elsewhere, such as those that were kept of it, and that stay as
  /// they are stored.
  package var isRestored = false

  /// True if only the program with the models can compute the values.
  package var needsProgram: Bool { [backfill, conversion].contains { $0.map(Self.isSwift) ?? false } }

  /// The prefix of the names by which SQL calls functions of the program.
  package static let functionPrefix = "_schemakit_row_"

  /// True if an expression calls a function of the program, whose name is meaningless to users.
  package static func isSwift(_ expression: String) -> Bool { expression.hasPrefix("\"\(functionPrefix)") }

  /// Creates hints; without arguments there are none.
  public init(renamedFrom: [SQLName] = [], backfill: String? = nil, conversion: String? = nil) {
    self.renamedFrom = renamedFrom
    self.backfill = backfill
    self.conversion = conversion
  }
}

/// Former names that are known and need not be resolved: anything else with such a name is a different object.
package struct KnownRenames: Sendable, Hashable {
  /// The former names of tables, by the declared ones.
  package var tables: [SQLName: SQLName] = [:]
  /// The former names of columns, by the declared names of their table and their own.
  package var columns: [SQLName: [SQLName: SQLName]] = [:]

  package init(tables: [SQLName: SQLName] = [:], columns: [SQLName: [SQLName: SQLName]] = [:]) {
    self.tables = tables
    self.columns = columns
  }
}

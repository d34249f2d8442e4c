/// One step of a plan.
public struct MigrationStep: Sendable, Hashable {
  /// A strategy that was not taken, and why.
  public struct PassedOver: Sendable, Hashable, Codable {
    /// The strategy.
    public var strategy: Strategy
    /// The reasons against it.
    public var rejections: [Rejection]
  }
  /// The strategy by which the step is carried out.
  public var strategy: Strategy
  /// The object that the step changes.
  public var object: ObjectReference
  /// The object's name before, when the step renames it.
  public var formerName: SQLName?
  /// The changes that strategy and object do not say.
  public var edits: [SchemaEdit]
  /// The reason for the chosen strategy, or for the step; nil where there is none to give.
  public var motive: Motive?
  /// The cheaper strategies that were tried, with what stands against each.
  public var passedOver: [PassedOver] = []
  /// The statements, in order.
  public var statements: [PlannedStatement]
  /// The number of rows that are copied or rewritten; nil if no row is touched.
  public var rows: Int?
  /// About how many bytes are written; nil when no row is touched.
  public var bytes: Int?
  /// The table or other object whose change makes this step necessary; nil for a change of its own.
  ///
  /// The step takes that object out of the way, or puts it back.
  public var onBehalfOf: SQLName?
  /// True if rows may refer to nothing afterwards, so that foreign keys must be checked.
  package var canViolateReferences = true
  /// True if columns go.
  package var dropsColumns = false
  /// The number of index entries that change their places with the rows that are updated.
  package var movedEntries = 0
  /// The number of entries of the catalog in which an edit gives new names; 0 if it gives none.
  package var renamedEntries = 0
  /// The columns that SQLite reads otherwise after an edit of the table's text that keeps its rows; nil for other steps.
  package var reading: ChangedReading?
  /// True if an edit of the table's text needs indexes that are made or sorted anew.
  package var sortsIndexes = false
  /// The columns of the indexes that an edit of the table's text makes, sorts anew or adopts.
  package var sortedColumns: Set<SQLName> = []
  /// The indexes that are made anew before rows are updated.
  package var remadeIndexes: Set<SQLName> = []
  /// The indexes of the file that become those of constraints.
  package var adoptedIndexes: Set<SQLName> = []
  /// True if it can be done whatever rows the table has by then.
  package var holdsForAnyRows = false
  /// True if rows that refer to a table would be changed or deleted with it if foreign keys were on.
  package var dropsReferencedTable = false
  /// The tables that are copied along because they refer to this one.
  package var copiedChildren: Set<SQLName> = []
  /// The tables whose references are put aside meanwhile.
  package var updatedChildren: Set<SQLName> = []
  /// The indexes that are created together with their table.
  package var createdIndexes: Set<SQLName> = []
  /// True if values are replaced by what a declared conversion makes of them.
  package var convertsValues = false
  /// Conditions for rows that an edit of the catalog would leave in breach of what it declares. They were counted for the
  /// plan; a script, which may run later, looks once more.
  package var refusedRows: [String] = []
  /// The columns whose kept values are stored under their type, which converts what does not fit.
  package var retypedColumns: Set<SQLName> = []
  /// The procedure that copies the rows while others write them.
  package var onlineCopy: OnlineCopy?

  package init(
    strategy: Strategy, object: ObjectReference, edits: [SchemaEdit], motive: Motive? = nil,
    passedOver: [PassedOver] = [], statements: [PlannedStatement], rows: Int? = nil, bytes: Int? = nil
  ) {
    self.strategy = strategy
    self.object = object
    self.edits = edits
    self.motive = motive
    self.passedOver = passedOver
    self.statements = statements
    self.rows = rows
    self.bytes = bytes
  }

  /// The same step as a part of the change of another object; a change of its own where that is nil.
  package func onBehalf(of name: SQLName?) -> MigrationStep {
    var step = self
    step.onBehalfOf = name
    return step
  }
}

/// The columns that SQLite reads otherwise after an edit of a table's text, although the rows and indexes stay as they are.
package struct ChangedReading: Sendable, Hashable {
  /// The columns whose values are compared by another collation.
  package var collations: Set<SQLName> = []
  /// The columns whose values are read under another affinity.
  package var affinities: Set<SQLName> = []
  /// The columns at the end that the table does not have any more, though its rows still store them.
  package var undeclared: Set<SQLName> = []

  package init(collations: Set<SQLName> = [], affinities: Set<SQLName> = [], undeclared: Set<SQLName> = []) {
    self.collations = collations
    self.affinities = affinities
    self.undeclared = undeclared
  }
}

extension MigrationStep {
  /// True if some rows are updated where they are, and the others stay.
  package var updatesRows: Bool { strategy.updatesRows && strategy.replacesInPlace && (rows ?? 0) > 0 }
}

/// One statement of a plan.
public struct PlannedStatement: Sendable, Hashable {
  /// The purpose of a statement.
  public enum Role: String, Sendable, Hashable, Codable {
    /// Creates, alters or drops an object.
    case definition
    /// Copies the rows of a table.
    case copy
    /// Updates rows where they are.
    case update
    /// Edits the stored text of a table, which needs `writable_schema`, a new schema cookie, and another look at the result.
    case catalog
    /// Lets two tables change places in the catalog, which needs the same.
    case swap
    /// Gives a copied table its definition and its constraints the indexes that were made for them, which needs the same.
    case adopt
    /// Returns no row when all is well; any row stops the migration.
    case verification
    /// Carries over what SQLite keeps beside the table: AUTOINCREMENT marks.
    case bookkeeping
    /// Carries over the statistics of ANALYZE.
    case statistics
  }
  /// The statement without a semicolon.
  public var sql: String
  /// The purpose of the statement.
  public var role: Role
  /// True if it is a rename that must leave other objects alone, which SQLite calls `legacy_alter_table`.
  public var leavesReferences: Bool
  /// True if it must not be tested against CHECK constraints, which SQLite calls `ignore_check_constraints`.
  public var ignoresChecks: Bool

  /// True if the statement writes into the catalog itself.
  package var editsCatalog: Bool { [.catalog, .swap, .adopt].contains(role) }

  package init(
    _ sql: String, role: Role = .definition, leavesReferences: Bool = false, ignoresChecks: Bool = false
  ) {
    self.sql = sql
    self.role = role
    self.leavesReferences = leavesReferences
    self.ignoresChecks = ignoresChecks
  }
}

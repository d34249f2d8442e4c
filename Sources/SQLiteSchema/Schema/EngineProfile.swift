/// The limits of statements of an engine that takes less than SQLite does. See [Limits](https://sqlite.org/limits.html).
package struct StatementLimits: Sendable, Hashable {
  /// The depth of an expression.
  package var expressionDepth: Int
  /// The SELECTs of a compound one.
  package var compoundSelects: Int
  /// The instructions that a statement is compiled to.
  package var instructions: Int
  /// The arguments of a function.
  package var functionArguments: Int
  /// The bytes of a pattern of LIKE or GLOB, which SQLite looks at when it compares.
  package var patternBytes: Int
}

/// The capabilities of an engine that a plan may use: the features of its version, and those that the connection to it allows.
///
/// Planning asks this and never a version or a class. The profile of a local file is found by trying.
package struct EngineProfile: Sendable, Hashable {
  package var version: SQLiteVersion {
    didSet { constraintForms.formIntersection(ConstraintForm.known(in: version)) }
  }
  /// The changes that ALTER TABLE can make to constraints. They are found by trying if the engine is here; otherwise
  /// they are those of the version.
  package var constraintForms: Set<ConstraintForm>
  /// True if the catalog can be edited; a connection in defensive mode refuses it.
  /// See [PRAGMA writable_schema](https://sqlite.org/pragma.html#pragma_writable_schema).
  package var canEditCatalog = true
  /// True if foreign keys are off during a change or can be switched off, so that dropping a table leaves its children alone.
  /// Inside a transaction they cannot. See [PRAGMA foreign_keys](https://sqlite.org/pragma.html#pragma_foreign_keys).
  package var canSuspendForeignKeys = true
  /// True if tables of modules are protected from SQL, as in defensive mode.
  /// See [SQLITE_DBCONFIG_DEFENSIVE](https://sqlite.org/c3ref/c_dbconfig_defensive.html).
  package var protectsShadowTables = false
  /// The most columns of a table, a query or an index. See [Limits](https://sqlite.org/limits.html#max_column).
  package var maximumColumns = 2_000
  /// The most bytes of a statement; nil where nothing is that long. See [Limits](https://sqlite.org/limits.html#max_sql_length).
  package var maximumStatementBytes: Int?
  /// The limits of statements; nil where they are SQLite's own.
  package var limits: StatementLimits?
  /// True if each node runs the statements by itself, so that a random number or the time is another one on each.
  package var replicatesStatements = false
  /// True if ALTER TABLE is to be spared columns with a name of the rowid, which SQLite refuses from 3.54 on.
  package var avoidsRowIDNames = false
  /// True if a rename can leave other objects alone.
  /// See [PRAGMA legacy_alter_table](https://sqlite.org/pragma.html#pragma_legacy_alter_table).
  package var canLeaveReferences = true
  /// True if a statement can be spared the CHECK constraints.
  /// See [PRAGMA ignore_check_constraints](https://sqlite.org/pragma.html#pragma_ignore_check_constraints).
  package var canIgnoreChecks = true
  /// True if a script begins and ends its own transaction. Otherwise all of it runs in one that its reader has begun.
  package var hasTransactions = true
  /// The engine that it was made for by name; nil for the connection's own.
  package var name: Name?

  package init(version: SQLiteVersion) {
    self.version = version
    constraintForms = ConstraintForm.known(in: version)
  }

  /// See [ALTER TABLE DROP COLUMN](https://sqlite.org/lang_altertable.html#alter_table_drop_column).
  package var canDropColumn: Bool { version >= SQLiteVersion(3, 35) }

  /// True if ALTER TABLE sets and drops NOT NULL and CHECK. See [ALTER TABLE](https://sqlite.org/lang_altertable.html).
  package var canAlterConstraints: Bool { constraintForms.contains(.notNullAndChecks) }

  /// True if ALTER TABLE adds a CHECK only where it is NULL for no row.
  package var addsDecidedChecksOnly: Bool { canAlterConstraints && !constraintForms.contains(.checksOverRows) }

  /// True if ADD COLUMN tests the rows against a new CHECK or NOT NULL.
  /// See [ALTER TABLE ADD COLUMN](https://sqlite.org/lang_altertable.html#alter_table_add_column).
  package var checksRowsOfAddedColumns: Bool { version >= SQLiteVersion(3, 37) }

  /// True if the engine's check of rows takes columns of a WITHOUT ROWID table for NULL where its key is in another order
  /// than its columns. ADD COLUMN runs it for a generated column with NOT NULL or a CHECK, and fails.
  package var misreadsNullsWithoutRowID: Bool { checksRowsOfAddedColumns && version < SQLiteVersion(3, 46) }

  /// True if the engine finds no parent for a REAL value that refers to an INTEGER PRIMARY KEY, so that no row with one can be
  /// written while foreign keys are on. 3.40 does so, 3.46.1 does not.
  package var losesRealReferences: Bool { version < SQLiteVersion(3, 46) }

  /// See [STRICT tables](https://sqlite.org/stricttables.html).
  package var hasStrictTables: Bool { version >= SQLiteVersion(3, 37) }

  /// See [PRAGMA table_list](https://sqlite.org/pragma.html#pragma_table_list).
  package var hasTableList: Bool { version >= SQLiteVersion(3, 37) }

  /// True if names of some objects crash the engine when they are read back.
  package var crashesOnSomeNames: Bool { version < SQLiteVersion(3, 42) }

  /// The profile for a plan that is recorded for other files: the oldest version that runs recorded migrations.
  package var forRecording: EngineProfile {
    var profile = self
    profile.version = min(version, SQLiteVersion(3, 35))
    profile.avoidsRowIDNames = true
    return profile
  }
}

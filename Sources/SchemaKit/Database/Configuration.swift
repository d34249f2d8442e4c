public import Logging

/// The settings for opening and migrating a database.
public struct Configuration {
  /// The permission to migrate a file that does not have the declared schema: `.automatic(_:)` or `.refuse`, and with
  /// SchemaKitOperations `.planned(_:)`, `.fleet(_:)` or `.recorded(_:)`.
  public struct Migration: Sendable {
    package let permission: any MigrationPermission

    package init(_ permission: any MigrationPermission) { self.permission = permission }
  }

  /// The treatment of a file that is ahead of the declared schema, because a newer program migrated it.
  public enum NewerFile: Sendable {
    /// Opening throws `HistoryError`; `PlanPolicy.allowsDowngrade` migrates the file back instead.
    case refuse
    /// It is opened unchanged if it has every declared table and column; otherwise opening throws `HistoryError`.
    case openAsIs
  }

  /// The treatment of columns of declared tables that the models neither declare nor list in `removed:`, such as those
  /// that somebody added by hand.
  public enum UndeclaredColumns: Sendable {
    /// A column with nothing but NULL is dropped; dropping any other requires consent, and opening throws `PlanError`.
    case dropEmpty
    /// They stay in the file, and every change of their table copies them. Models read and write beside them: a row
    /// gets the column's default, so one that is NOT NULL without a default makes saving throw `RecordError`.
    /// One that cannot stand in the declared table, such as the file's own primary key, makes opening throw `PlanError`.
    case keep
    /// Opening throws `PlanError`, and the file is left unchanged.
    case refuse
  }

  /// The permission to migrate a file that does not have the declared schema; by default, any lossless migration.
  public var migration = Migration.automatic(.lossless)
  /// The extent of the migration if older programs may use the same file; by default, all of it.
  public var phase = MigrationPhase.complete
  /// The treatment of a file that is ahead of the declared schema; by default, it is refused.
  public var newerFile = NewerFile.refuse
  /// The treatment of columns that the models do not have; by default, empty ones are dropped.
  public var undeclaredColumns = UndeclaredColumns.dropEmpty
  /// When the file is copied before a migration changes it; never by default.
  public var backup = BackupPolicy.never
  /// The level at which the rows of copied tables are verified; by default, every value is compared.
  public var verification = VerificationLevel.full
  /// True if plans are made without examining rows, as `--quick` does; false by default.
  ///
  /// Opening then takes the same time for any file that needs no change of its rows, but the number of affected rows is
  /// unknown: whatever could be lost in a table with rows counts as lost and requires consent (`Hazard.isCounted` is
  /// false), and rows that violate a constraint, such as a new CHECK, are only found while the plan runs, which is then
  /// rolled back. A plan of `Migration.planned` records by itself whether rows were examined.
  public var isQuick = false
  /// True if the file is opened read-only; a migration that is needed then throws `PlanError`.
  public var isReadOnly = false
  /// True if the schema stored in the file may call any function and virtual table, as SQLite allows by default.
  ///
  /// Turn it off for files from untrusted sources: then views, triggers, checks and indexes may call only what SQLite
  /// knows to be harmless. Some builds, including that of Debian 12, do not count JSON functions and full-text search
  /// among these, and cannot read a schema that uses them. See
  /// [trusted_schema](https://sqlite.org/pragma.html#pragma_trusted_schema).
  public var trustsSchema = true
  /// The time to wait for a lock, in seconds.
  public var busyTimeout: Double = 10
  /// Decides in the place of `busyTimeout` whether to try once more to get a lock, after a pause of its own making: called
  /// with 0, 1, 2 and so on for each wait, on the thread that waits. False ends the wait with an error that is `isBusy`.
  /// It must not use the database.
  ///
  /// Cancelling the task ends its wait as soon as the handler returns. See
  /// [sqlite3_busy_handler()](https://sqlite.org/c3ref/busy_handler.html).
  public var busyHandler: (@Sendable (_ attempt: Int) -> Bool)?
  /// The key of the file, which needs SQLCipher: see ``EncryptionKey``. A new file is encrypted with it, and so is every
  /// copy that SchemaKit makes.
  ///
  /// A file that is not encrypted is refused; `SQLiteConnection.encryptedCopy(toNewFile:key:)` encrypts it.
  public var key: EncryptionKey?
  /// Functions in Swift that SQL and the schema can call, on every connection of the database.
  ///
  /// Other programs that use the file need them as well, `schemactl` included.
  public var functions: [SQLFunction] = []
  /// Collations in Swift by which columns can be compared and sorted, on every connection of the database.
  public var collations: [SQLCollation] = []
  /// Reports each statement that has run, with its duration; nothing by default.
  public var trace: SQLTrace?
  /// The parameters with which SQLite opens the file.
  public var openParameters = OpenParameters()
  /// A database that is copied to the path if no file exists there yet, such as one shipped with an app.
  public var seedFile: String?
  /// The name of the program, recorded in the history.
  public var program = ""
  /// Called with the plan before anything is written; throwing stops the open and leaves the file unchanged.
  public var onPlan: (MigrationPlan) throws -> Void = { _ in }
  /// Called as each step of a migration begins, before the file is checked for damage, and up to ten times a second
  /// during long-running work; it must not use the database.
  public var onProgress: (ApplyProgress) -> Void = { _ in }
  /// Called with the attachments that no row refers to any more, after the commit and before their files are removed.
  public var onAttachmentsRemoved: ([FileAttachment]) -> Void = { _ in }
  /// Called before each statement of a migration, and from time to time during one; returning true rolls everything
  /// back.
  public var isCancelled: () -> Bool = { false }
  /// The logger that reports what the library does.
  public var logger = Logger(label: "SchemaKit")

  /// Creates the default configuration.
  public init() {}
}

extension Configuration {
  /// The options with which connections are opened.
  var connectionOptions: ConnectionOptions {
    ConnectionOptions(
      busyTimeout: busyTimeout, busyHandler: busyHandler, trustsSchema: trustsSchema, parameters: openParameters,
      additions: SQLAdditions(functions: functions, collations: collations), trace: trace, key: key)
  }

  /// The mode in which the file is opened.
  var mode: SQLiteConnection.Mode {
    isReadOnly ? .readOnly : openParameters.mustExist ? .readWrite : .readWriteCreate
  }
}

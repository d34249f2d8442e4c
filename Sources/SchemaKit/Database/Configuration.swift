public import Logging

/// How a database is opened and how it may be migrated.
public struct Configuration {
  /// What may happen to a file that does not have the declared schema.
  public enum Migration: Sendable {
    /// It is migrated before the open returns, as far as the policy allows.
    case automatic(PlanPolicy)
    /// Only this plan may run, and only where it leads to the declared schema and is still the one that the file needs;
    /// anything else throws `PlanError` with the plan. The consent that it was made with counts.
    case planned(SavedPlan)
    /// The recorded steps that it lacks are applied, and nothing else: where they do not lead to the declared schema,
    /// opening throws `MigrationError`.
    case recorded(RecordedMigrations)
    /// It is left alone and opening throws `PlanError` with the plan.
    case refuse
  }

  /// What happens to a file that has moved on from the declared schema: a newer program was here.
  public enum NewerFile: Sendable {
    /// Opening throws `HistoryError`; `PlanPolicy.allowsDowngrade` takes the file back instead.
    case refuse
    /// It is opened as it is, if it has every declared table and column; otherwise opening throws `HistoryError`.
    case openAsIs
  }

  /// What may happen to a file that does not have the declared schema; everything lossless by default.
  public var migration = Migration.automatic(.lossless)
  /// What happens to a file that has moved on from the declared schema; it is refused by default.
  public var newerFile = NewerFile.refuse
  /// When the file is copied before a migration changes it; never by default.
  public var backup = BackupPolicy.never
  /// How far the rows of copied tables are proved; every value by default.
  public var verification = VerificationLevel.full
  /// Whether plans are made without examining rows, as `--quick` does; false by default.
  ///
  /// Opening then takes the same time for any file that needs no change of its rows, but nobody knows how many rows a
  /// change concerns: what could be lost in a table with rows counts as lost and requires consent (`Hazard.isCounted`
  /// is false), and what rows could refuse, such as a new CHECK, is found while the plan runs, which is then rolled back.
  /// A plan of `Migration.planned` says by itself whether rows were examined.
  public var isQuick = false
  /// Whether the file is opened for reading only; then a migration that is needed throws `PlanError`.
  public var isReadOnly = false
  /// Whether the schema stored in the file may call any function and virtual table, as it may in SQLite by default.
  ///
  /// Switch it off for files that strangers made: then views, triggers, checks and indexes may call only what SQLite knows
  /// to be harmless. Some builds, that of Debian 12 among them, do not count JSON functions and full-text search as such, and
  /// read no schema that uses them. See [trusted_schema](https://sqlite.org/pragma.html#pragma_trusted_schema).
  public var trustsSchema = true
  /// How long to wait for a lock, in seconds.
  public var busyTimeout: Double = 10
  /// A database that is copied to the path when no file is there yet, such as one shipped with an app.
  public var seedFile: String?
  /// The name of the program, for the history.
  public var program = ""
  /// Called with the plan before anything is written; throwing stops the open and leaves the file as it was.
  public var onPlan: (MigrationPlan) throws -> Void = { _ in }
  /// Called as each step of a migration begins, before the file is checked for damage, and up to ten times a second while
  /// something takes long; it may not use the database.
  public var onProgress: (ApplyProgress) -> Void = { _ in }
  /// Called with the attachments that no row names any more, after the commit and before their files are removed.
  public var onAttachmentsRemoved: ([FileAttachment]) -> Void = { _ in }
  /// Asked before each statement of a migration, and now and then during one; true rolls everything back.
  public var isCancelled: () -> Bool = { false }
  /// Where the library says what it does.
  public var logger = Logger(label: "SchemaKit")

  /// Creates the default configuration.
  public init() {}
}

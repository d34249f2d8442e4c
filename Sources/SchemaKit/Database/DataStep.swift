/// Work on the rows that a program does once in each file, as part of the migration.
///
/// For what a column's default, backfill or conversion cannot express, such as a BLOB that becomes rows of another
/// table:
///
/// ```swift
/// let schema = ModelSchema {
///   Note.self
///   NoteImage.self
///   DataStep("split-images", after: .tableAdded(NoteImage.self)) { session in
///     for row in try session.query("SELECT noteID, imagesData FROM Note WHERE imagesData IS NOT NULL") {
///       try session.save(images(in: row))
///     }
///   }
/// }
/// ```
///
/// It runs in the transaction of the migration: if it throws, everything is rolled back and the open fails. The file
/// records it by its name. A file that has the table already, but no record of the step, gets it at the next open, so
/// that skipping a few releases of a program misses nothing. A new file has nothing to convert: there it counts as
/// done, unless it is for all files.
public struct DataStep: DeclaredDataStep {
  /// When a step may run, at the earliest.
  public struct Moment: Sendable {
    let moment: DataStepHint.Moment

    /// Once the model's table exists: new tables exist, and nothing else has been changed or dropped yet.
    ///
    /// Read other tables in SQL, with the columns that the old file has.
    public static func tableAdded<M: Model>(_ model: M.Type) -> Moment {
      Moment(moment: .tableAdded(SQLName(M.table.name)))
    }

    /// Once the property's column exists. Columns and tables that the models no longer have are dropped afterwards, in
    /// the same transaction: read them in SQL.
    ///
    /// *Cost:* a table that loses columns is changed twice, before the step and after it.
    public static func columnAdded<M: Model>(_ path: any PartialKeyPath<M> & Sendable) -> Moment {
      let table = SQLName(M.table.name)
      return Moment(moment: .columnAdded(table, SQLName(M.table.columnName(at: path) ?? "\(path)")))
    }

    /// Once the file has the declared schema: what the models no longer have is gone, because some new indexes, views
    /// and triggers can only be made without it. To read it, wait for a table or a column instead, which may be one that
    /// was there before; the name stays the same.
    public static let schemaChanged = Moment(moment: .schemaChanged)
  }

  /// Which files a step is for.
  public enum Files: Sendable, Hashable {
    /// Files that had any of the schema's tables before.
    case existing
    /// New files too: for rows that every file starts with.
    case all
  }

  public let hint: DataStepHint
  let run: @Sendable (Session) throws -> Void

  /// Declares a step.
  ///
  /// - Parameters:
  ///   - name: The name by which files record it. Never reuse it for another step.
  ///   - moment: When it may run, at the earliest.
  ///   - files: Which files it is for.
  ///   - run: The work. Foreign keys are not enforced while it runs; they are checked before the commit.
  public init(
    _ name: String, after moment: Moment, files: Files = .existing, run: @escaping @Sendable (Session) throws -> Void
  ) {
    hint = DataStepHint(name: name, moment: moment.moment, isForNewFiles: files == .all)
    self.run = run
  }
}

extension ModelSchema {
  /// Returns a function that runs the schema's data steps over a connection on which a migration is in progress.
  package func dataStepRunner(
    over connection: SQLiteConnection, configuration: Configuration = Configuration()
  ) -> (String) throws -> Void {
    { name in
      guard let step = dataSteps.first(where: { $0.hint.name == name }) as? DataStep else {
        throw ApplyError(reason: .unknownDataStep(name))
      }
      let session = Session(during: connection, schema: self, configuration: configuration)
      try connection.confiningToRows { try step.run(session) }
    }
  }
}

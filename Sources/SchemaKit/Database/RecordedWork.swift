/// Work on the rows in Swift that a recorded migration refers to by name, for what SQL cannot express.
///
/// The line `-- schemakit: run split-names` in `0004-names.after.sql` or `0004-names.before.sql` runs it, between the
/// statements before and after the line:
///
/// ```swift
/// let schema = ModelSchema {
///   Person.self
///   RecordedWork("split-names") { session in
///     for row in try session.query("SELECT id, name FROM person") { … }
///   }
/// }
/// ```
///
/// It runs in the transaction of its step: if it throws, the step is rolled back. A program that does not have it
/// refuses the step, and so does `schemactl`; a tool built on `SchemaTool` has what its schema has.
public struct RecordedWork: DeclaredRecordedWork {
  public let name: String
  let run: @Sendable (Session) throws -> Void

  /// Declares the work.
  ///
  /// - Parameters:
  ///   - name: The name that recorded steps call it by. Never reuse it for other work.
  ///   - run: The work. Read and write the columns that the file has at that step; later ones do not exist yet. Foreign
  ///     keys are not enforced while it runs; they are checked before the commit.
  public init(_ name: String, run: @escaping @Sendable (Session) throws -> Void) {
    self.name = name
    self.run = run
  }
}

extension ModelSchema {
  /// Returns a function that runs the work with a given name over a connection on which a step is in progress; nil if
  /// unknown.
  package func recordedWork(
    over connection: SQLiteConnection, configuration: Configuration = Configuration()
  ) -> (String) -> (() throws -> Void)? {
    { name in
      guard let work = recordedWorks.first(where: { $0.name == name }) as? RecordedWork else { return nil }
      return {
        let session = Session(during: connection, schema: self, configuration: configuration)
        try connection.confiningToRows { try work.run(session) }
      }
    }
  }
}

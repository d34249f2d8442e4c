/// Work on the rows in Swift that a recorded migration names, for what SQL cannot say.
///
/// The line `-- schemakit: run split-names` in `0004-names.after.sql` or `0004-names.before.sql` runs it, between the
/// statements that stand before and after the line:
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
/// It runs in the transaction of its step: when it throws, the step is rolled back. A program that does not have it
/// refuses the step, `schemactl` among them; a tool on `SchemaTool` has what its schema has.
public struct RecordedWork: DeclaredRecordedWork {
  public let name: String
  let run: @Sendable (Session) throws -> Void

  /// Declares the work.
  ///
  /// - Parameters:
  ///   - name: The name that recorded steps call it by. Never give it to other work.
  ///   - run: The work. Read and write in the columns that the file has at that step; later ones are not there yet.
  ///     Foreign keys are not enforced while it runs; they are checked before the commit.
  public init(_ name: String, run: @escaping @Sendable (Session) throws -> Void) {
    self.name = name
    self.run = run
  }
}

extension ModelSchema {
  /// Finds the work of a name, to be done over a connection on which a step is under way; nil where there is none.
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

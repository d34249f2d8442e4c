/// The wish for a change of a database, with what the program that wishes for it contributes.
package struct ChangeRequest {
  /// The choices for the plan, and the consent.
  package var plan = PlanRequest()
  /// The name of the program, for the history.
  package var program: String
  /// True if everything is rolled back at the end.
  package var isDryRun = false
  /// The extent of the change, where older programs may use the same file.
  package var phase = MigrationPhase.complete
  /// The limits on how far copying a table online may disturb others.
  package var online = OnlineLimits()
  /// The change that is undone, when the target is the schema before it.
  package var undo: UndoContext?
  /// The recorded migration that is applied, to be remembered under its name.
  package var recordedMigration: AppliedMigration?
  /// When a script was made, in UTC as ISO 8601, for the history that it writes; nil where nothing but the plan itself does.
  package var scriptTime: String?

  // MARK: - What the program contributes

  package var observer = ChangeObserver()
  /// Copies the database before it is changed; nil where nothing does.
  package var copy: (any ChangeCopy)?
  /// Finds the work in Swift that a recorded migration names; nil where there is none of that name.
  package var work: (String) -> (() throws -> Void)? = { _ in nil }
  /// Does the work of a data step, by its name.
  package var runDataStep: (String) throws -> Void = { throw ApplyError(reason: .unknownDataStep($0)) }
  /// The free space for a file, in bytes; nil where that is not known.
  package var freeSpace: (String) -> Int64? = { DiskSpace.free(at: $0) }

  // MARK: - What is known already

  /// The file's schema, or the part of it that matters where nothing is to be done, if that was read already.
  package var known: KnownCatalog?
  /// The memory from file to file; nil where there is one file only.
  package var memory: PlanningMemory?
  /// The findings that an examination with the same target and request already made.
  package var examination: PlanExamination?
  /// True if the file was found to be whole already.
  package var isFileChecked = false

  /// Wishes for a change with some consent, all the way and for good.
  package init(allowing policy: PlanPolicy = .lossless, program: String = "") {
    plan.policy = policy
    self.program = program
  }
}

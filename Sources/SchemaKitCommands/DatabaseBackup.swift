import SQLiteSchema
import SchemaKit
import SchemaKitFoundation

/// Copies a database before it is changed: where it is asked for, and before anything is lost.
struct DatabaseBackup {
  var console: Console
  private let backup: MigrationBackup
  var policy: BackupPolicy { backup.policy }

  init(console: Console, options: BackupOptions) {
    self.console = console
    backup = MigrationBackup(options.backup.map { .beforeChange($0) } ?? (options.noBackup ? .never : .beforeLoss))
  }

  /// Copies a database before a plan runs, where that is due; returns the copy that was made.
  ///
  /// - Parameters:
  ///   - losesRows: True if rows may be lost that the plan knows nothing of.
  ///   - progress: Tells how far the copy is.
  @discardableResult
  func copy(
    _ source: SQLiteConnection, of path: String, before plan: MigrationPlan?, losesRows: Bool = false,
    progress: ProgressTeller
  ) throws -> DatabaseCopy? {
    guard let file = try backup.destination(for: plan, of: path, on: source, losesRows: losesRows) else { return nil }
    if let obstacle = SQLiteConnection.obstacle(toNewFile: file) {
      throw CommandError(
        code: .failed,
        sentence: obstacle.isTaken
          ? "the backup \(obstacle.sentence). Nothing was changed."
          : "\(obstacle.sentence). Nothing was changed. Name another place with --backup.")
    }
    do {
      try backup.makeFolder()
    } catch {
      throw CommandError(
        code: .failed,
        sentence: "the folder of the backup \(file) cannot be made. Nothing was changed. Name another place with "
          + "--backup.")
    }
    guard FileManager.default.fileExists(atPath: SQLiteConnection.folder(of: file)) else {
      throw CommandError(
        code: .failed,
        sentence: "the backup \(file) has no folder to go to. Nothing was changed. Make the folder, or name it with / "
          + "at its end.")
    }
    let made: DatabaseCopy
    do {
      made = try naming(file) {
        try MigrationBackup.copy(source, to: file) {
          try backup.destination(for: plan, of: path, on: source, losesRows: losesRows)
        } progress: { done in
          let share = (done.totalPages - done.remainingPages) * 100 / max(1, done.totalPages)
          progress.tell(
            "copying \(path) to \(file)", figures: ["\(share) % of \(Wording.counted(done.totalPages, "page"))"])
        }
      }
    } catch let error as FileError {
      guard let cause = error.cause as? SQLiteError, !cause.isInterrupted, !cause.isBusy else { throw error }
      if cause.isCorrupt {
        throw CommandError(
          code: .failed,
          sentence:
            "\(path) is damaged: \(cause.message). Nothing was changed; restore the file from a backup, or save "
            + "what can be read with the .recover command of the sqlite3 shell.")
      }
      let problem =
        cause.isFull
        ? "there is no room for a copy of \(path) in \(file)."
        : "\(path) cannot be copied to \(file): \(cause.message)."
      throw CommandError(
        code: .failed,
        sentence: "\(problem) Nothing was changed. Name another place with --backup, or go without one with "
          + "--no-backup.")
    }
    console.note(["\(path) was copied to \(made.path)."])
    return made
  }
}

extension DatabaseCopy {
  /// Returns the message about a copy that was made for a change which then failed.
  func words(unchanged database: String) -> String {
    "the copy \(path) stays; \(database) is as it was, and the copy can be deleted."
  }
}

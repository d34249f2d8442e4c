import SQLiteSchema
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// The wish for a copy of a database before a change, and what is said about the copy.
struct DatabaseBackup {
  var console: Console
  var policy: BackupPolicy

  init(console: Console, options: BackupOptions) {
    self.console = console
    policy = options.backup.map { .beforeChange($0) } ?? (options.noBackup ? .never : .beforeLoss)
  }

  /// The copy of a file, which tells how far it is, and that it was made.
  ///
  /// - Parameters:
  ///   - path: The file, as the user named it.
  ///   - tell: Called as the copy goes on.
  ///   - onDiscard: Called when the copy was removed, because there was nothing left to do.
  func copy(
    of path: String, on connection: SQLiteConnection, tell: @escaping (_ title: String, _ figures: [String]) -> Void,
    onDiscard: @escaping (DatabaseCopy) -> Void
  ) -> FileCopy {
    FileCopy(
      of: path, on: connection, policy,
      making: { file, make in
        if let obstacle = SQLiteConnection.obstacle(toNewFile: file) { throw CommandError(obstacle) }
        do {
          try MigrationBackup(policy).makeFolder()
        } catch {
          throw CommandError(
            code: .failed,
            sentence: "the folder of the backup \(file) cannot be made. Nothing was changed. Name another place with "
              + "--backup.")
        }
        guard FileManager.default.fileExists(atPath: SQLiteConnection.folder(of: file)) else {
          throw CommandError(
            code: .failed,
            sentence:
              "the backup \(file) has no folder to go to. Nothing was changed. Make the folder, or name it with / "
              + "at its end.")
        }
        let made: DatabaseCopy
        do {
          made = try make { done in
            let share = (done.totalPages - done.remainingPages) * 100 / max(1, done.totalPages)
            tell("copying \(path) to \(file)", ["\(share) % of \(Wording.counted(done.totalPages, "page"))"])
          }
        } catch let error as SQLiteError where !error.isInterrupted && !error.isBusy {
          throw CommandError(copying: path, to: file, failed: error)
        }
        console.note(["\(path) was copied to \(made.path)."])
        return made
      }, onDiscard: onDiscard)
  }

  /// Says that the copy of a database that stays unchanged can be deleted.
  func tellUnneeded(_ copy: DatabaseCopy, of path: String) {
    console.note(["the copy \(copy.path) stays; \(path) is as it was, and the copy can be deleted."])
  }
}

extension CommandError {
  fileprivate init(_ obstacle: SQLiteConnection.NameObstacle) {
    self.init(
      code: .failed,
      sentence: obstacle.isTaken
        ? "the backup \(obstacle.sentence). Nothing was changed."
        : "\(obstacle.sentence). Nothing was changed. Name another place with --backup.")
  }

  fileprivate init(copying path: String, to file: String, failed cause: SQLiteError) {
    if cause.isCorrupt {
      self.init(
        code: .failed,
        sentence:
          "\(path) is damaged: \(cause.message). Nothing was changed; restore the file from a backup, or save "
          + "what can be read with the .recover command of the sqlite3 shell.")
      return
    }
    let problem =
      cause.isFull
      ? "there is no room for a copy of \(path) in \(file)." : "\(path) cannot be copied to \(file): \(cause.message)."
    self.init(
      code: .failed,
      sentence: "\(problem) Nothing was changed. Name another place with --backup, or go without one with "
        + "--no-backup.")
  }
}

/// The copy of a database on a server, which is made in a new file on this machine.
///
/// It is made under the lock, where nobody else writes until the change is made: a server has no page versions to tell
/// that somebody has.
final class ServerCopy: ChangeCopy {
  private let access: DatabaseAccess
  private let connection: any SQLConnection
  private let policy: BackupPolicy
  /// The file; nil where none was made.
  private(set) var file: String?

  init(of access: DatabaseAccess, over connection: any SQLConnection, _ policy: BackupPolicy) {
    self.access = access
    self.connection = connection
    self.policy = policy
  }

  var name: String? { file.map(FilePaths.absolute) }

  func make(before plan: MigrationPlan?, losesRows: Bool) {}

  func begin(_ plan: MigrationPlan?, isRenewing: Bool) throws {
    // Where the change is tried again, others may have written since.
    if let old = file { try FileManager.default.removeItem(atPath: old) }
    file = nil
    file = try plan.flatMap { try access.copy(connection, before: $0, policy) }
  }

  func discardIfIdle() {}
}

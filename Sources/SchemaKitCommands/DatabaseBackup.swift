import Foundation
import SchemaKit

/// Copies a database before it is changed: where it is asked for, and before anything is lost.
struct DatabaseBackup {
  var console: Console
  /// The file that was asked for; nil for one beside the database.
  var file: String?
  /// Whether no copy is wanted even before something is lost.
  var isRefused = false

  /// The file to copy to before a plan runs, or nil when there is none to be made.
  func destination(for plan: MigrationPlan, of path: String) -> String? {
    if let file { return plan.isEmpty ? nil : file }
    guard !isRefused, plan.losesSomething else { return nil }
    let base = "\(path).before-\(plan.sourceFingerprint.prefix(8))"
    let names = ["\(base).db"] + (2...999).map { "\(base)-\($0).db" }
    return names.first { !FileManager.default.fileExists(atPath: $0) }
  }

  /// Copies a database to a file that must not exist, and checks the copy.
  func copy(_ source: SQLiteConnection, of path: String, to backup: String) throws {
    guard !FileManager.default.fileExists(atPath: backup) else {
      throw CommandError(
        code: .failed, sentence: "the backup \(backup) exists already and is not overwritten. Nothing was changed.")
    }
    try checkSpace(for: source, of: path, at: backup)
    try naming(backup) {
      do {
        try source.backup(toNewFile: backup)
      } catch let error as SQLiteError where error.isFull {
        throw lacksSpace(backup, path: path)
      }
    }
    console.note(["\(path) was copied to \(backup)."])
  }

  private func checkSpace(for source: SQLiteConnection, of path: String, at backup: String) throws {
    let pages = try source.integer("PRAGMA main.page_count") ?? 0
    let size = try source.integer("PRAGMA main.page_size") ?? 0
    guard let free = DiskSpace.free(at: backup), free < pages * size else { return }
    throw lacksSpace(backup, path: path)
  }

  private func lacksSpace(_ backup: String, path: String) -> CommandError {
    let way =
      file == nil
      ? "Name another place with --backup, or go without one with --no-backup." : "Name another place with --backup."
    return CommandError(
      code: .failed, sentence: "there is no room for a copy of \(path) in \(backup). Nothing was changed. \(way)")
  }
}

extension MigrationPlan {
  /// Whether the plan loses or changes values, whoever consents to that.
  fileprivate var losesSomething: Bool { hazards.contains { [.lossy, .destructive].contains($0.hazardClass) } }
}

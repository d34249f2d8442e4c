import Foundation
import SchemaKit

/// Copies a database before it is changed.
struct DatabaseBackup {
  var console: Console

  /// Copies a database to a file that must not exist, and checks the copy.
  func copy(_ source: SQLiteConnection, of path: String, to backup: String) throws {
    guard !FileManager.default.fileExists(atPath: backup) else {
      throw CommandError(
        code: .failed, sentence: "the backup \(backup) exists already and is not overwritten. Nothing was changed.")
    }
    do {
      try naming(backup) {
        let target = try SQLiteConnection(path: backup, mode: .readWriteCreate)
        try SQLiteConnection.backup(from: source, to: target)
        guard try target.value("PRAGMA quick_check")?.text == "ok" else {
          throw CommandError(
            code: .failed, sentence: "the backup of \(path) does not pass quick_check. Nothing was changed.")
        }
      }
    } catch {
      try? FileManager.default.removeItem(atPath: backup)
      throw error
    }
    console.note(["\(path) was copied to \(backup)."])
  }
}

import Foundation

/// When a database is copied before a migration changes it.
public enum BackupPolicy: Sendable, Hashable {
  /// No copy is made.
  case never
  /// A copy is made beside the database before values are lost or converted: `notes.db.before-1a2b3c4d.db`, named after the schema
  /// that it has. A file that is there already is never overwritten.
  case beforeLoss
  /// A copy is made in this file before anything is changed; or, where it is a folder or ends in `/`, in a new file there
  /// that is named as with `beforeLoss`; a folder that ends in `/` is made where it is missing.
  case beforeChange(String)
}

/// A copy of a database, made before a plan runs.
package struct MigrationBackup {
  package var policy: BackupPolicy

  package init(_ policy: BackupPolicy) { self.policy = policy }

  /// The file to copy to before a plan runs, or nil when there is none to be made.
  ///
  /// - Parameter losesRows: Whether rows may be lost that the plan knows nothing of.
  package func destination(for plan: MigrationPlan?, of path: String, losesRows: Bool = false) -> String? {
    switch policy {
    case .never: return nil
    case .beforeChange(let place):
      guard plan?.isEmpty == false || losesRows else { return nil }
      guard place.hasSuffix("/") || Self.isFolder(place) else { return place }
      let folder = place.hasSuffix("/") ? place : place + "/"
      return Self.unusedName(for: plan, of: folder + (path.split(separator: "/").last ?? "database"))
    case .beforeLoss:
      guard losesRows || plan?.replacesValues == true else { return nil }
      return Self.unusedName(for: plan, of: path)
    }
  }

  private static func unusedName(for plan: MigrationPlan?, of path: String) -> String {
    let names = names(of: path, before: plan?.sourceFingerprint ?? "migration")
    return names.first { !FileManager.default.fileExists(atPath: $0) } ?? path
  }

  /// The names of copies that are made beside a database while it has a schema, in their order.
  private static func names(of path: String, before fingerprint: String) -> some Sequence<String> {
    let base = "\(path).before-\(fingerprint.prefix(8))"
    return (1...).lazy.map { $0 == 1 ? "\(base).db" : "\(base)-\($0).db" }
  }

  /// The last copy beside a database that was made while it had the schema before a change, and not after that change;
  /// nil where none is there.
  package static func copy(of path: String, before entry: HistoryEntry) -> String? {
    guard let applied = try? Date(entry.appliedAt, strategy: .iso8601) else { return nil }
    func date(of file: String) -> Date? {
      (try? FileManager.default.attributesOfItem(atPath: file))?[.modificationDate] as? Date
    }
    return names(of: path, before: entry.fromFingerprint).prefix { FileManager.default.fileExists(atPath: $0) }
      // The history counts whole seconds.
      .filter { date(of: $0).map { $0 < applied.addingTimeInterval(1) } == true }.last
  }

  /// Makes the folder that copies go to, where the policy names one that is not there.
  ///
  /// - Throws: The error of Foundation when it cannot be made.
  package func makeFolder() throws {
    guard case .beforeChange(let place) = policy, place.hasSuffix("/"), !Self.isFolder(place) else { return }
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
  }

  private static func isFolder(_ path: String) -> Bool {
    var isDirectory: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
  }

  /// Copies a database, the content of its WAL included, and checks the copy.
  ///
  /// - Throws: `SQLiteError` that is full when there is no room for it, or when copying fails; then no file is left.
  package static func copy(_ source: SQLiteConnection, to file: String) throws {
    let size = try (source.integer("PRAGMA main.page_count") ?? 0) * (source.integer("PRAGMA main.page_size") ?? 0)
    if let free = DiskSpace.free(at: file), free < size {
      throw SQLiteError.full("a copy in \(file) needs \(size >> 20) MiB, and \(free >> 20) MiB are free")
    }
    try source.backup(toNewFile: file)
  }
}

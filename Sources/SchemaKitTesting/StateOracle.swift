import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// Says of the files that a crash or a fault left whether they are wholly old or wholly new.
struct StateOracle {
  enum Outcome: Sendable, Hashable {
    case old
    case new
    case wrong(String)
  }

  private let old: DatabaseDump
  private let new: DatabaseDump
  private let dump: (String) throws -> DatabaseDump
  private let recover: (String) throws -> Void
  private let migrate: (String) throws -> Void
  private let verify: (String, CrashMatrix.Ending) throws -> Void
  private let folder: TestFolder
  /// The outcomes for files after recovery, which depend on their bytes alone.
  private var known: [(files: [String: Data], ending: CrashMatrix.Ending, outcome: Outcome)] = []

  init(
    old: DatabaseDump, new: DatabaseDump, dump: @escaping (String) throws -> DatabaseDump,
    recover: @escaping (String) throws -> Void, migrate: @escaping (String) throws -> Void,
    verify: @escaping (String, CrashMatrix.Ending) throws -> Void
  ) throws {
    self.old = old
    self.new = new
    self.dump = dump
    self.recover = recover
    self.migrate = migrate
    self.verify = verify
    folder = try TestFolder()
  }

  /// The number of different sets of files that came out of recovery.
  var recoveredFiles: Int { Set(known.map(\.files)).count }

  private var path: String { folder.path(of: CrashRun.fileName) }

  /// Recovers the files and examines them.
  mutating func outcome(of files: [String: Data], after ending: CrashMatrix.Ending) throws -> Outcome {
    try folder.replaceFiles(with: files)
    do {
      try recover(path)
    } catch {
      return .wrong("the file cannot be opened any more: \(error)")
    }
    let recovered = try folder.files().ignoringFinishedJournals
    if let known = known.first(where: { $0.files == recovered && $0.ending == ending }) { return known.outcome }
    let outcome = examine(after: ending)
    known.append((recovered, ending, outcome))
    return outcome
  }

  private func examine(after ending: CrashMatrix.Ending) -> Outcome {
    let found: DatabaseDump
    do {
      found = try dump(path)
    } catch {
      return .wrong("the file is damaged: \(error)")
    }
    guard found == old || found == new else {
      let fromOld = found.differences(from: old).joined(separator: ", ")
      let fromNew = found.differences(from: new).joined(separator: ", ")
      return .wrong(
        "neither the old file nor the new one: not the old one in \(fromOld); not the new one in \(fromNew)")
    }
    if ending == .returned, found != new {
      return .wrong("the migration returned without an error, and the file is still the old one")
    }
    do {
      try verify(path, ending)
    } catch {
      return .wrong("\(error)")
    }
    do {
      try migrate(path)
    } catch {
      return .wrong("the migration does not run again: \(error)")
    }
    do {
      let differences = try dump(path).differences(from: new)
      guard differences.isEmpty else {
        return .wrong("run again, the migration leads elsewhere, in \(differences.joined(separator: ", "))")
      }
    } catch {
      return .wrong("run again, the migration damages the file: \(error)")
    }
    return found == new ? .new : .old
  }
}

extension [String: Data] {
  /// The files, without the contents of journals that SQLite will not look at again: those that begin with a zero byte.
  fileprivate var ignoringFinishedJournals: [String: Data] {
    reduce(into: [:]) { files, file in
      let isFinished = file.key.hasSuffix("-journal") && file.value.first ?? 0 == 0
      files[file.key] = isFinished ? Data() : file.value
    }
  }
}

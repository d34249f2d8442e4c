/// The error thrown when work on a fleet cannot begin, or go on. A problem with a single file is in the report instead.
public struct FleetError: Error, Sendable, Hashable {
  /// The obstacle to the work.
  public enum Reason: Sendable, Hashable {
    /// A file, folder or pattern leads to no database.
    case noMatch(String)
    /// A folder cannot be read.
    case unreadableFolder(String)
    /// The journal would be in a folder whose files are worked on.
    case journalAmongFiles(journal: String, folder: String)
    /// Another run works on the same files, or has the journal open.
    case running(String)
    /// The journal cannot be made, read or written; with what the system or SQLite says.
    case journal(String, problem: String)
    /// The file is not the journal of a run.
    case notAJournal(String)
    /// A newer version wrote the journal.
    case newerJournal(String, format: Int)
    /// The journal belongs to the run of another plan.
    case otherRun(String)
    /// A file that is to be changed first is none of the fleet's.
    case noCanary(String)
    /// The journal has no such wave.
    case noWave(String, wave: Int)
  }
  /// The obstacle to the work.
  public let reason: Reason

  package init(reason: Reason) { self.reason = reason }
}

extension FleetError: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .noMatch(let place): "\(place.isEmpty ? "An empty path" : place) leads to no database. Nothing was changed."
    case .unreadableFolder(let folder):
      "The folder \(folder) cannot be read, so that files may be missing. Check its permissions. Nothing was changed."
    case .journalAmongFiles(let journal, let folder):
      "The journal \(journal) would be in \(folder), whose files are worked on. Name another place for it. "
        + "Nothing was changed."
    case .running(let place):
      "Another run works with \(place). Wait for it to end, or stop it; nothing was changed by this one."
    case .journal(let path, let problem): "The journal \(path) cannot be used: \(problem)."
    case .notAJournal(let path):
      "\(path) is not the journal of a fleet run. Name another file. Nothing was changed."
    case .newerJournal(let path, let format):
      "The journal \(path) has format \(format), which a newer version wrote. Use that version, or name another file. "
        + "Nothing was changed."
    case .otherRun(let path):
      "The journal \(path) belongs to a run of another plan. Finish that one with its plan, or name another file. "
        + "Nothing was changed."
    case .noCanary(let path):
      "The canary \(path) is not among the files. Nothing was changed."
    case .noWave(let path, let wave):
      "The run of \(path) has no wave \(wave). Nothing was changed."
    }
  }
}

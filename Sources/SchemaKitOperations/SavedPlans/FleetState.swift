/// The state of a file in work on a fleet.
public enum FleetState: String, Sendable, Hashable, Codable, CaseIterable {
  /// Its turn has not come.
  case waiting
  /// It has the schema, and nothing was to be done.
  case current
  /// It needs changes.
  case pending
  /// It was changed, verified and committed.
  case applied
  /// Its change was undone.
  case undone
  /// It was left out: it has hazards without consent, or more of them than were planned for.
  case refused
  /// It was left out: the plan has nothing for the schema and the rows that it has, or somebody changed it since.
  case stale
  /// It was left out: a newer program has changed it.
  case newer
  /// Another program had it locked.
  case busy
  /// It could not be read or changed; it is as it was.
  case failed
  /// It is not a SQLite database, or is encrypted, and no list has it.
  case skipped
}

/// A file of a fleet with what keeps it from being done.
public struct FleetProblem: Sendable, Hashable, Codable {
  public let path: String
  public let state: FleetState
  /// The problem, in a sentence.
  public let message: String

  /// The path from the root.
  var absolutePath: String { FilePaths.absolute(path) }

  package init(path: String, state: FleetState, message: String) {
    self.path = path
    self.state = state
    self.message = message
  }
}

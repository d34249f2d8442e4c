/// Sentences about single files of a fleet.
package enum FleetMessage {
  /// A path in a list leads to no file.
  static func missing(_ path: String) -> String {
    "\(path) does not exist." + (path.contains("\u{FFFD}") ? " Its name may not be UTF-8." : "")
  }

  /// Another file has the path now.
  static func replaced(_ path: String) -> String {
    "\(path) is another file than the one that was found under this name. Nothing was changed in it."
  }

  /// The plan has nothing for the file's schema, or its rows need another way.
  static let unplanned =
    "The plan has nothing for this file, as its schema and rows are now. Nothing was changed; make the plan again."

  /// The file has more of a hazard than was planned for.
  static func more(_ differences: [String]) -> String {
    "It holds more than was planned for: \(differences.joined(separator: "; ")). Nothing was changed; make the plan again."
  }

  /// Nobody has changed the file yet.
  static let notSeen = "No run and no program has changed this file yet."

  /// The file is a journal of ours.
  static let journal = "It is the journal of a fleet run, and no database of the fleet."

  /// Something has changed the file since the run that is undone.
  static let changedSince = "Something else has changed this file since. Nothing was undone in it."
}

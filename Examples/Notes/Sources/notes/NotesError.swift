import SchemaKit

/// What can go wrong, in the words that the user reads.
enum NotesError: Error {
  case noFile(String)
  case notADatabase(String)
  case notAdoptable(String, PlanError)
  case noNote(Int64)
  case noImage(String, Int64)
  case imageTaken(String, Int64)
  case unreadable(String)
  case refused(String)

  /// The exit code: 2 for what is not there, 1 for everything else.
  var exitCode: Int32 {
    switch self {
    case .noFile, .noNote, .noImage: 2
    default: 1
    }
  }
}

extension NotesError: CustomStringConvertible {
  var description: String {
    switch self {
    case .noFile(let path): "There is no file \(path). \"notes new\" begins one."
    case .notADatabase(let path): "\(path) is not a notes file."
    case .notAdoptable(let path, let error):
      "\(path) cannot be brought to the present schema.\n\(Self.obstacles(error))"
    case .noNote(let id): "There is no note \(id). \"notes list\" shows those that are there."
    case .noImage(let name, let id): "Note \(id) has no image \(name). \"notes images list \(id)\" shows those it has."
    case .imageTaken(let name, let id): "Note \(id) has an image \(name) already. Nothing was added."
    case .unreadable(let path): "\(path) cannot be read. Nothing was added."
    case .refused("title"): "A note needs a title."
    case .refused("text"): "A note needs a text."
    case .refused("size"): "The size of a font is more than 0."
    case .refused(let column): "The database refuses this \(column)."
    }
  }
  /// What stands in the way, and in which notes; the rest of the error is for those who write the program.
  private static func obstacles(_ error: PlanError) -> String {
    guard case .refused(_, let hazards) = error.reason else { return "\(error)" }
    let lines = hazards.map { hazard in
      let notes = hazard.samples.isEmpty ? "" : " See note \(hazard.samples.joined(separator: ", "))."
      return "\(hazard.message)\(notes)\n"
    }
    return lines.joined() + "Nothing was changed."
  }
}

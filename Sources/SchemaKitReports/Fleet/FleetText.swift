import OrderedCollections
import SchemaKit
import SchemaKitOperations

/// The texts that the reports about a fleet have in common.
enum FleetText {
  /// The number of problems of one kind that are shown if there are more.
  private static let mostAlike = 8

  /// The files that are not done, by what they have in common: those with one message stand above it.
  static func problems(_ problems: [FleetProblem], style: Style, isVerbose: Bool) -> [String] {
    FleetState.allCases.compactMap { state -> String? in
      let alike = problems.filter { $0.state == state }
      guard !alike.isEmpty else { return nil }
      let head = "\(Wording.counted(alike.count, "file")) \(words(for: state, isPlural: alike.count != 1)):"
      return block(style.red(head), alike, style: style, isVerbose: isVerbose)
    }
  }

  /// The files that were changed back without all that they had.
  static func losses(_ losses: [FleetProblem], style: Style, isVerbose: Bool) -> [String] {
    guard !losses.isEmpty else { return [] }
    let head = "Not everything comes back in \(Wording.counted(losses.count, "file")):"
    return [block(style.yellow(head), losses, style: style, isVerbose: isVerbose)]
  }

  private static func block(_ head: String, _ problems: [FleetProblem], style: Style, isVerbose: Bool) -> String {
    let messages = OrderedDictionary(grouping: problems, by: \.message)
    let shown = isVerbose ? messages.elements[...] : messages.elements.prefix(mostAlike)
    let lines = shown.flatMap { _, problems in
      let names = isVerbose ? problems[...] : problems.prefix(3)
      let rest = problems.count - names.count
      return names.map { "  \($0.path)" } + (rest > 0 ? ["  and \(Wording.number(rest)) more alike"] : [])
        + style.paragraph(problems[0].message, indent: 4)
    }
    let rest = messages.count - shown.count
    return ([head] + lines + (rest > 0 ? ["  and \(Wording.number(rest)) other reasons; -v shows all"] : []))
      .joined(separator: "\n")
  }

  /// The words about the files of a state.
  static func words(for state: FleetState, isPlural: Bool) -> String {
    let verb = isPlural ? "were" : "was"
    return switch state {
    case .waiting: isPlural ? "wait" : "waits"
    case .current: isPlural ? "are in sync" : "is in sync"
    case .pending: isPlural ? "need changes" : "needs changes"
    case .applied: "\(verb) changed"
    case .undone: "\(verb) changed back"
    case .refused: "\(verb) left out pending a decision"
    case .stale: "\(verb) left out because the plan does not fit"
    case .newer: isPlural ? "are newer than the schema" : "is newer than the schema"
    case .busy: "\(verb) locked"
    case .failed: "failed"
    case .skipped: isPlural ? "are not SQLite databases, or are encrypted" : "is not a SQLite database, or is encrypted"
    }
  }

  /// The lines about files that were left out or have several names.
  static func others(_ files: FleetFiles, isVerbose: Bool) -> [String] {
    var lines: [String] = []
    let excluded = FleetFiles.Exclusion.allCases.compactMap { exclusion in
      files.excluded[exclusion].map { "\(Wording.number($0)) \(words(for: exclusion, isPlural: $0 != 1))" }
    }
    if !excluded.isEmpty { lines.append("Left out: \(Wording.list(excluded)).") }
    let doubles = files.files.filter { !$0.otherPaths.isEmpty }
    let shown = isVerbose ? doubles[...] : doubles.prefix(mostAlike)
    lines += shown.map { "\($0.path) is the same file as \(Wording.list($0.otherPaths))." }
    if doubles.count > shown.count {
      lines.append("\(Wording.number(doubles.count - shown.count)) more files have several names; -v shows all.")
    }
    return lines.isEmpty ? [] : [lines.joined(separator: "\n")]
  }

  private static func words(for exclusion: FleetFiles.Exclusion, isPlural: Bool) -> String {
    switch exclusion {
    case .besideDatabase: "beside databases (-wal, -shm, -journal)"
    case .copy: isPlural ? "copies made before a change" : "copy made before a change"
    case .journal: isPlural ? "journals of runs" : "journal of a run"
    case .link: isPlural ? "symbolic links (--follow takes them)" : "symbolic link (--follow takes it)"
    case .hidden: "hidden"
    case .empty: "empty"
    case .special: isPlural ? "pipes, sockets or devices" : "pipe, socket or device"
    }
  }

  static func counts(_ excluded: [FleetFiles.Exclusion: Int]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: excluded.map { ($0.key.rawValue, $0.value) })
  }

  /// The names of each file that has several.
  static func sameFiles(_ files: FleetFiles) -> [[String]] {
    files.files.filter { !$0.otherPaths.isEmpty }.map { [$0.path] + $0.otherPaths }
  }
}

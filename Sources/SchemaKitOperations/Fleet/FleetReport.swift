/// A report on a run, from the run itself or from its journal.
public struct FleetReport: Sendable {
  /// The way a run ended.
  public enum Ending: Sendable, Hashable {
    /// Every file had its turn.
    case complete
    /// More files failed than may.
    case tooManyFailures
    /// The callback between the waves stopped it, with its reason.
    case stopped(reason: String)
    /// The caller asked for it.
    case cancelled
  }

  /// A wave.
  public struct Wave: Sendable, Hashable, Codable {
    /// Its number, from 1.
    public var number: Int
    /// The number of waves.
    public var of: Int
    /// The number of files in it.
    public var files: Int
    /// The number of its files in each state.
    public var counts: [String: Int]
    /// The run, as it is in the history of the files.
    public var run: String
  }

  /// The run, as it is in the history of the files.
  public var run: String
  /// The number of files in each state.
  public var counts: [FleetState: Int]
  public var waves: [Wave]
  /// The files that are neither done nor waiting, with the reason.
  public var problems: [FleetProblem]
  /// The files that were changed back, with what does not come back in them; files without such a loss are not listed.
  public var losses: [FleetProblem]
  public var ending: Ending
  /// The duration of this part of the run.
  public var milliseconds: Int
  /// The number of files that were worked on in this part of the run.
  public var processedCount: Int

  /// The number of files.
  public var fileCount: Int { counts.values.reduce(0, +) }
}

extension FleetReport {
  /// Reads a journal's report on its run.
  ///
  /// - Throws: ``FleetError`` if it cannot be read, or holds no run.
  public init(journal path: String) throws {
    let journal = try FleetJournal(at: path, mayCreate: false, isReader: true)
    guard let run = try journal.run() else { throw FleetError(reason: .notAJournal(path)) }
    try self.init(of: journal, run, .complete)
  }

  init(
    of journal: FleetJournal, _ run: FleetJournal.Run, _ ending: Ending, milliseconds: Int = 0, processed: Int = 0
  ) throws(FleetError) {
    let counts = try journal.counts()
    let numbers = counts.keys.sorted()
    self.init(
      run: run.id, counts: counts.values.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) },
      waves: numbers.map { Wave($0, of: numbers.last ?? 0, counts: counts[$0] ?? [:], run: run.id) },
      problems: try journal.entries(states: [.refused, .stale, .newer, .busy, .failed, .skipped]).map {
        FleetProblem(path: $0.path, state: $0.state, message: $0.message ?? "")
      },
      losses: counts.values.allSatisfy { $0[.undone] == nil }
        ? []
        : try journal.entries(states: [.undone]).compactMap { entry in
          entry.message.map { FleetProblem(path: entry.path, state: .undone, message: $0) }
        }, ending: ending, milliseconds: milliseconds, processedCount: processed)
  }
}

extension FleetReport.Wave {
  init(_ number: Int, of last: Int, counts: [FleetState: Int], run: String) {
    self.init(
      number: number, of: last, files: counts.values.reduce(0, +),
      counts: Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) }), run: run)
  }
}

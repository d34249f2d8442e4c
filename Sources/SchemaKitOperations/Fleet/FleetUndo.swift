import SchemaKitFoundation

/// Undoes what a run changed.
///
/// ```swift
/// let report = try FleetUndo(journal: "tenants.fleet-journal").apply(wave: 1)
/// print(report.counts[.undone] ?? 0)
/// ```
public struct FleetUndo: Sendable {
  let journal: String
  /// The options for the work on the files.
  public var options = FleetOptions()

  /// Prepares to undo what the run of a journal changed.
  public init(journal: String) { self.journal = journal }

  /// Undoes the change of each file of the run, or of one wave; files that something else has changed since are left alone,
  /// and reported.
  ///
  /// - Parameter policy: The consent to lose what was written into new tables and columns since.
  /// - Throws: ``FleetError`` if the journal cannot be used. A problem with a single file is in the report.
  public func apply(wave: Int? = nil, allowing policy: PlanPolicy = .lossless) throws -> FleetReport {
    let start = WorkClock.now
    let journal = try FleetJournal(at: journal, mayCreate: false)
    guard let run = try journal.run() else { throw FleetError(reason: .notAJournal(journal.path)) }
    if let wave, try !(1...max(1, journal.lastWave())).contains(wave) {
      throw FleetError(reason: .noWave(journal.path, wave: wave))
    }
    // A run that was killed can have changed files that its journal does not know of.
    let entries = try journal.entries(
      wave: wave, states: Set(FleetState.allCases).subtracting([.undone, .skipped, .current]))
    let lock = try FleetLock(
      folders: Fleet.lockable(Set(entries.map { SQLiteConnection.folder(of: $0.path) })))
    defer { withExtendedLifetime(lock) {} }
    let problems = Shared([FleetProblem]())
    let done = try options.process(entries, in: journal) { [options] entry in
      var entry = entry
      // The history of the file tells what this run did to it.
      entry.identity = nil
      var result = options.undo(entry, allowing: policy, changedBy: run.program)
      guard result.state != .undone else { return result }
      // Nothing was changed in a file that failed in the run, whatever keeps it from being read now.
      guard let message = result.message, ![.failed, .skipped].contains(entry.state) || result.state != entry.state
      else {
        // The run did nothing to it.
        result.message = entry.message
        return result
      }
      let problem = FleetProblem(path: result.path, state: result.state, message: message)
      problems.change { $0.append(problem) }
      // The file keeps what the run did to it.
      result.state = entry.state
      return result
    }
    var report = try FleetReport(
      of: journal, run, options.isCancelled() ? .cancelled : .complete, milliseconds: start.milliseconds,
      processed: done.count)
    report.problems = problems.value.sorted { $0.path < $1.path }
    return report
  }
}

extension FleetOptions {
  /// Undoes the change that a run made to a file.
  fileprivate func undo(
    _ file: FleetJournal.Entry, allowing policy: PlanPolicy, changedBy program: String
  ) -> FleetResult {
    var losses: [String] = []
    var result = work(on: file) { connection, copy in
      let history = try Ledger(connection: connection).entries()
      let last = history.last
      // An undo that was killed has come this far.
      if last?.kind == .undo, last?.program == program { return .undone }
      let isOurs = history.contains { $0.kind == .apply && $0.program == program && $0.isLive }
      guard isOurs || file.state == .applied else { return file.state }
      guard last?.program == program else { throw FleetRefusal(reason: .changedSince) }
      let undo = try MigrationUndo(over: connection)
      guard undo.entry.program == program else { throw FleetRefusal(reason: .changedSince) }
      var request = request(copy, allowing: policy, program: program)
      request.undo = undo.context
      _ = try Change(over: connection, to: undo.target, request).apply()
      losses = undo.losses
      return .undone
    }
    if !losses.isEmpty { result.message = losses.joined(separator: " ") }
    return result
  }
}

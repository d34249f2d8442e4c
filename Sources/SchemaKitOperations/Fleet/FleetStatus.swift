extension Fleet {
  /// Returns a journal's report on its run. Unfinished files that have the schema by now, because a program opened them
  /// since with the same plan, count as current.
  ///
  /// *Cost:* reads the catalog of each unfinished file.
  public static func status(
    ofJournal path: String, plan: FleetPlan, models: ModelSchema? = nil, options: FleetOptions = FleetOptions()
  ) throws -> FleetReport {
    let journal = try FleetJournal(at: path, mayCreate: false, isReader: true)
    guard let run = try journal.run() else { throw FleetError(reason: .notAJournal(path)) }
    guard run.plan == plan.sealed().checksum else { throw FleetError(reason: .otherRun(path)) }
    var report = try FleetReport(of: journal, run, .complete)
    let entries = try journal.entries().filter { !$0.state.isSettled }
    var fleet = Fleet(
      try FleetFiles(at: [], paths: entries.map(\.path), followsLinks: true),
      target: try plan.targetSchema(source: "the plan"), models: models)
    fleet.options = options
    fleet.request.isQuick = true
    fleet.request.isOrderStrict = plan.isOrderStrict
    let current = Shared(Set<ExactText>())
    fleet.forEachFile { [fleet] file in
      guard let found = try? fleet.examine(file.path), found.plan.isEmpty else { return }
      current.change { _ = $0.insert(ExactText(file.absolutePath)) }
    }
    for entry in entries where current.value.contains(ExactText(entry.path)) {
      report.counts[entry.state, default: 0] -= 1
      if report.counts[entry.state] == 0 { report.counts[entry.state] = nil }
      report.counts[.current, default: 0] += 1
    }
    report.problems.removeAll { current.value.contains(ExactText($0.path)) }
    report.problems += entries.filter { $0.state == .waiting && !current.value.contains(ExactText($0.path)) }.map {
      FleetProblem(path: $0.path, state: .waiting, message: FleetMessage.notSeen)
    }
    return report
  }
}

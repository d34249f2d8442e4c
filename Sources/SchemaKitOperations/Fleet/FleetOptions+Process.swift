extension FleetOptions {
  /// When work on several files stops by itself.
  struct Stop: Sendable {
    /// True if a result counts as a failure.
    var isFailure: @Sendable (FleetResult) -> Bool = { _ in false }
    /// True if so many failures are too many.
    var isExceeded: @Sendable (Int) -> Bool = { _ in false }
  }

  /// Works on some files on several threads, and notes what became of them.
  func process(
    _ entries: [FleetJournal.Entry], in journal: FleetJournal, until stop: Stop = Stop(),
    _ work: @escaping @Sendable (FleetJournal.Entry) -> FleetResult
  ) throws -> (count: Int, failures: Int) {
    let progress = Shared(Progress())
    let total = entries.count
    let isOver: @Sendable () -> Bool = { [isCancelled] in
      isCancelled() || progress.change { $0.error != nil || stop.isExceeded($0.failures) }
    }
    WorkerPool(size: jobs).forEach(total, until: isOver) { [onProgress] index in
      let result = work(entries[index])
      let (batch, done) = progress.change { $0.add(result, isFailure: stop.isFailure(result)) }
      progress.record(batch, in: journal)
      onProgress(done, total)
    }
    progress.record(progress.change { $0.takeAll() }, in: journal)
    if let error = progress.value.error { throw error }
    return (progress.value.done, progress.value.failures)
  }
}

/// The progress of the threads of a wave, with the results that are not in the journal yet.
private struct Progress: Sendable {
  var done = 0
  var failures = 0
  var error: (any Error)?
  private var results: [FleetResult] = []

  /// The number of results that go into the journal at once.
  private static let batch = 50

  /// Adds a result. Returns those that are due in the journal, and how many files are done.
  mutating func add(_ result: FleetResult, isFailure: Bool) -> (due: [FleetResult], done: Int) {
    done += 1
    if isFailure { failures += 1 }
    results.append(result)
    return (results.count < Self.batch ? [] : takeAll(), done)
  }

  mutating func takeAll() -> [FleetResult] {
    defer { results = [] }
    return results
  }
}

extension Shared<Progress> {
  /// Notes results in the journal. Where that fails, nothing more is begun.
  fileprivate func record(_ results: [FleetResult], in journal: FleetJournal) {
    do {
      try journal.record(results)
    } catch {
      change { $0.error = error }
    }
  }
}

import FloorRecords
import Foundation

/// The time that one implementation took for one phase, once.
struct Sample {
  let seconds: Double
  let cpuSeconds: Double

  /// Times a body; what it returns is checked and freed by the caller, after the clock has stopped.
  static func measure<Value>(_ body: () throws -> Value) rethrows -> (Sample, Value) {
    let cpu = floor_cpu_nanoseconds()
    let start = ContinuousClock.now
    let value = try body()
    let elapsed = ContinuousClock.now - start
    let cpuElapsed = floor_cpu_nanoseconds() - cpu
    return (Sample(seconds: elapsed / .seconds(1), cpuSeconds: Double(cpuElapsed) / 1e9), value)
  }
}

/// Runs all implementations, phase by phase in turn, so that each ratio compares neighbours in time.
struct Runner {
  let workload: Workload
  let candidates: [Candidate]
  let directory: URL
  /// Told what is going on.
  var onProgress: (String) -> Void = { _ in }

  /// The samples of every repetition: by phase, then by candidate.
  func run(repetitions: Int) throws -> [Phase: [[Sample]]] {
    let openers = candidates.map { $0.open(workload) }
    let expected = Phase.allCases.map { workload.expected(in: $0) }
    let expectedAtEnd = workload.expectedAtEnd
    var samples: [Phase: [[Sample]]] = [:]
    for repetition in 0..<repetitions {
      let folder = directory.appendingPathComponent("repetition-\(repetition)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let paths = candidates.map { folder.appendingPathComponent("\($0.key).sqlite").path }
      var contenders = try zip(openers, paths).map { open, path in try open(path) }
      try requireEqualSettings(contenders)
      for (phase, expected) in zip(Phase.allCases, expected) {
        onProgress("repetition \(repetition + 1) of \(repetitions): \(phase.title(workload))")
        var taken = [Sample?](repeating: nil, count: candidates.count)
        for turn in candidates.indices {
          let index = (turn + repetition) % candidates.count
          taken[index] = try measure(phase, contenders[index], candidates[index], expected)
        }
        samples[phase, default: []].append(taken.compactMap { $0 })
      }
      contenders = []
      for (path, candidate) in zip(paths, candidates) {
        let left = try FloorContender.checksum(ofFileAt: path)
        try require(left, equals: expectedAtEnd, of: candidate, "at the end, read in C")
      }
    }
    return samples
  }

  private func measure(
    _ phase: Phase, _ contender: any Contender, _ candidate: Candidate, _ expected: Checksum?
  ) throws -> Sample {
    let (sample, found): (Sample, (any Fetched)?) = try Sample.measure {
      switch phase {
      case .insert:
        try contender.insert()
        return nil
      case .fetchAll: return try contender.fetchAll()
      case .fetchByKey: return try contender.fetchByKey()
      case .filter: return try contender.filter([workload.wideRange])
      case .smallFilters: return try contender.filter(workload.narrowRanges)
      case .update:
        try contender.update()
        return nil
      }
    }
    if let expected {
      try require(found?.checksum, equals: expected, of: candidate, "in \(phase.rawValue)")
    }
    return sample
  }

  private func require(
    _ found: Checksum?, equals expected: Checksum, of candidate: Candidate, _ place: String
  ) throws {
    guard found != expected else { return }
    let text = found.map(\.description) ?? "nothing"
    throw BenchmarkError("\(candidate.title) has \(text) \(place), but the workload makes \(expected)")
  }

  /// A ratio means something only when both sides use the same SQLite in the same way on the same table.
  private func requireEqualSettings(_ contenders: [any Contender]) throws {
    for query in Settings.queries {
      let answers = try contenders.map { try $0.text(query) ?? "NULL" }
      for (candidate, answer) in zip(candidates, answers) where answer != answers[0] {
        throw BenchmarkError("\(query): \(candidate.title) has \(answer), \(candidates[0].title) has \(answers[0])")
      }
    }
    guard try contenders[0].text("PRAGMA journal_mode") == "wal", try contenders[0].text("PRAGMA synchronous") == "1"
    else { throw BenchmarkError("the files are not in WAL mode with synchronous = NORMAL") }
  }
}

extension FloorContender {
  /// What a file holds, read over a connection of its own.
  static func checksum(ofFileAt path: String) throws -> Checksum {
    let connection = try CConnection(path: path)
    let found = FloorRows()
    try connection.check(found.fetchAll(connection.handle))
    return found.checksum
  }
}

/// What must be the same for all.
enum Settings {
  static let queries = [
    "SELECT sqlite_source_id()",
    "SELECT group_concat(compile_options, ' ') FROM pragma_compile_options",
    "PRAGMA journal_mode",
    "PRAGMA synchronous",
    "PRAGMA page_size",
    "PRAGMA cache_size",
    "PRAGMA mmap_size",
    "PRAGMA wal_autocheckpoint",
    "PRAGMA encoding",
    "SELECT group_concat(name || ' ' || type || ' ' || pk, ', ') FROM pragma_table_info('records')",
    "SELECT group_concat(ii.name) FROM pragma_index_list('records') il, pragma_index_info(il.name) ii",
  ]
}

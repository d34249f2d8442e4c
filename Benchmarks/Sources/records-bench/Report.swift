import Foundation

/// Everything a run found, as `--format json` prints it.
struct Report: Codable {
  let setup: Setup
  let phases: [PhaseReport]
  let awaited: [AwaitedReport]
}

/// One phase, with all implementations; the first is the floor.
struct PhaseReport: Codable {
  let phase: Phase
  let title: String
  let rows: Int
  let floorRowsPerSecond: Double
  let implementations: [Implementation]

  struct Implementation: Codable {
    let key: String
    let title: String
    let seconds: [Double]
    let cpuSeconds: [Double]
    let medianSeconds: Double
    let ratio: Ratio
    let cpuRatio: Ratio
  }

  init(_ phase: Phase, _ samples: [[Sample]], candidates: [Candidate], workload: Workload) {
    self.phase = phase
    title = phase.title(workload)
    rows = workload.rows(in: phase)
    implementations = candidates.enumerated().map { index, candidate in
      let own = samples.map { $0[index] }
      let pairs = samples.map { ($0[index], $0[0]) }
      return Implementation(
        key: candidate.key,
        title: candidate.title,
        seconds: own.map(\.seconds),
        cpuSeconds: own.map(\.cpuSeconds),
        medianSeconds: own.map(\.seconds).median,
        ratio: Ratio(of: pairs.map { $0.seconds / $1.seconds }),
        cpuRatio: Ratio(of: pairs.map { $0.cpuSeconds / $1.cpuSeconds })
      )
    }
    floorRowsPerSecond = Double(rows) / implementations[0].medianSeconds
  }
}

/// The ratios of all repetitions, each over the floor of its own repetition.
struct Ratio: Codable {
  let median: Double
  let smallest: Double
  let largest: Double

  init(of ratios: [Double]) {
    median = ratios.median
    smallest = ratios.min() ?? .nan
    largest = ratios.max() ?? .nan
  }
}

/// The cost of one object, fetched by key from asynchronous code.
struct AwaitedReport: Codable {
  let title: String
  let microseconds: [Double]
  let medianMicroseconds: Double

  init(title: String, microseconds: [Double]) {
    self.title = title
    self.microseconds = microseconds
    medianMicroseconds = microseconds.median
  }
}

extension Workload {
  func rows(in phase: Phase) -> Int {
    switch phase {
    case .insert: records.count
    case .update: changes.count
    case .fetchAll, .fetchByKey, .filter, .smallFilters: expected(in: phase)?.count ?? 0
    }
  }
}

extension [Double] {
  /// The middle value, or the mean of the two in the middle.
  var median: Double {
    let sorted = sorted()
    guard let last = sorted.last else { return .nan }
    return sorted.count % 2 == 1
      ? sorted[sorted.count / 2]
      : (sorted[sorted.count / 2 - 1] + (sorted.count > 1 ? sorted[sorted.count / 2] : last)) / 2
  }
}

extension Report {
  /// The report for people.
  var text: String {
    var lines = setup.lines
    for phase in phases {
      lines += ["", phase.title, "  the floor does \(phase.floorRowsPerSecond.grouped) rows/s", Self.head]
      lines += phase.implementations.map { one in
        let ratio = one.ratio
        let range = "(\(ratio.smallest.digits(2))–\(ratio.largest.digits(2)))"
        return "  " + one.title.padded(34) + "\((one.medianSeconds * 1000).digits(1)) ms".leftPadded(12)
          + "\(ratio.median.digits(2))x".leftPadded(10) + "  " + range.padded(14)
          + "\(one.cpuRatio.median.digits(2))x".leftPadded(8)
      }
    }
    guard !awaited.isEmpty else { return lines.joined(separator: "\n") }
    lines += ["", "one object by key, from asynchronous code: median (min–max)"]
    lines += awaited.map { one in
      let range = "(\((one.microseconds.min() ?? .nan).digits(2))–\((one.microseconds.max() ?? .nan).digits(2)))"
      return "  " + one.title.padded(52) + "\(one.medianMicroseconds.digits(2)) µs".leftPadded(12) + "  " + range
    }
    return lines.joined(separator: "\n")
  }

  private static let head =
    "  " + "".padded(34) + "time".leftPadded(12) + "ratio".leftPadded(10) + "  " + "(min–max)".padded(14)
    + "CPU".leftPadded(8)
}

extension String {
  func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

  func leftPadded(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}

extension Double {
  func digits(_ count: Int) -> String { String(format: "%.\(count)f", self) }

  /// Without a fraction, in groups of three digits.
  var grouped: String {
    guard isFinite else { return "?" }
    var text = String(Int(rounded()))
    var position = text.count - 3
    while position > 0 {
      text.insert(",", at: text.index(text.startIndex, offsetBy: position))
      position -= 3
    }
    return text
  }
}

import Foundation

/// What one contender took once.
struct Sample {
  let milliseconds: Double
  let cpuMilliseconds: Double
}

/// The table that is printed for a file.
struct Report {
  let tables: Int
  let samples: [[Contender: Sample]]

  private static let heads = [
    "".padded(38), "ms".leftPadded(9), "  ", "(min–max)".padded(18), "CPU ms".leftPadded(9), "over".leftPadded(10),
    "CPU over".leftPadded(10), "wall".leftPadded(8), "CPU".leftPadded(8),
  ]

  var lines: [String] {
    var lines = ["", "a file of \(tables) tables"]
    for base in [Contender.select, .pragmas] {
      lines.append(Self.heads.joined())
      lines += Contender.allCases.filter { $0.base == base }.map(line)
    }
    return lines
  }

  private func line(of contender: Contender) -> String {
    let pairs = samples.compactMap { sample in
      sample[contender].flatMap { own in sample[contender.base].map { (own: own, base: $0) } }
    }
    let walls = pairs.map(\.own.milliseconds)
    let cells = [
      contender.title.padded(38), walls.median.digits(3).leftPadded(9), "  ",
      "(\((walls.min() ?? .nan).digits(2))–\((walls.max() ?? .nan).digits(2)))".padded(18),
      pairs.map(\.own.cpuMilliseconds).median.digits(3).leftPadded(9),
      pairs.map { $0.own.milliseconds - $0.base.milliseconds }.median.digits(3).leftPadded(10),
      pairs.map { $0.own.cpuMilliseconds - $0.base.cpuMilliseconds }.median.digits(3).leftPadded(10),
      (pairs.map { $0.own.milliseconds / $0.base.milliseconds }.median.digits(2) + "x").leftPadded(8),
      (pairs.map { $0.own.cpuMilliseconds / $0.base.cpuMilliseconds }.median.digits(2) + "x").leftPadded(8),
    ]
    return cells.joined()
  }
}

extension [Double] {
  /// The middle value, or the mean of the two in the middle.
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return .nan }
    return (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
  }
}

extension String {
  func padded(_ width: Int) -> String { self + String(repeating: " ", count: Swift.max(0, width - count)) }

  func leftPadded(_ width: Int) -> String { String(repeating: " ", count: Swift.max(0, width - count)) + self }
}

extension Double {
  func digits(_ count: Int) -> String { String(format: "%.\(count)f", self) }
}

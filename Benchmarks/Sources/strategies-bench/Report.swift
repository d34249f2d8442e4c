import Foundation

/// The table that is printed for a change.
struct Report {
  let change: Change
  let samples: [[Sample]]

  private static let cells: [String] = [
    "".padded(28), "strategy".padded(10), "wall ms".leftPadded(10), "  ", "(min–max)".padded(20),
    "CPU ms".leftPadded(9), "wall".leftPadded(9), "CPU".leftPadded(9), "memory".leftPadded(10),
  ]

  var lines: [String] {
    let contenders = Contender.of(change)
    let lines = contenders.indices.map { index in
      let own = samples.map { $0[index] }
      let walls = own.map { $0.seconds * 1000 }
      let range = "(\((walls.min() ?? .nan).digits(1))–\((walls.max() ?? .nan).digits(1)))"
      let wall = samples.map { $0[index].seconds / $0[0].seconds }.median
      let cpu = samples.map { $0[index].cpuSeconds / $0[0].cpuSeconds }.median
      let memory = own.compactMap(\.memory).max().map { "\((Double($0) / 1_048_576).digits(1)) MiB" } ?? "?"
      let cells: [String] = [
        contenders[index].title.padded(28), own[0].strategy.padded(10), walls.median.digits(1).leftPadded(10), "  ",
        range.padded(20), (own.map(\.cpuSeconds).median * 1000).digits(1).leftPadded(9),
        Self.ratio(wall).leftPadded(9), Self.ratio(cpu).leftPadded(9), memory.leftPadded(10),
      ]
      return cells.joined()
    }
    return ["", change.title, Self.cells.joined()] + lines
  }

  private static func ratio(_ ratio: Double) -> String {
    ratio < 0.1 ? "1/\((1 / ratio).digits(0))" : "\(ratio.digits(2))x"
  }
}

extension Runner.Statement {
  var line: String {
    let text = sql.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    let short = text.count > 200 ? String(text.prefix(199)) + "…" : text
    let cells: [String] = [
      milliseconds.digits(1).leftPadded(10), cpuMilliseconds.digits(1).leftPadded(10), String(runs).leftPadded(4), "  ",
      short,
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

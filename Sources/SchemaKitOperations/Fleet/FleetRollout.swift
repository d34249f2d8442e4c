/// In which order the files of a fleet are changed, and when that stops.
public struct FleetRollout: Sendable {
  /// The limit on failures, beyond which a run stops.
  public enum FailureLimit: Sendable, Hashable {
    /// More files than this.
    case count(Int)
    /// More than this share of all files, from 0 to 1.
    case share(Double)

    func isExceeded(by failures: Int, of files: Int) -> Bool {
      switch self {
      case .count(let count): failures > count
      case .share(let share): Double(failures) > share * Double(files) + 1e-6
      }
    }
  }

  /// The number of files that are changed first. They include one of each schema as far as the number allows; the rest is
  /// spread evenly over the other files.
  public var canaryCount: Int?
  /// The files that are changed first, instead of a number of them.
  public var canaries: [String] = []
  /// The factor by which each further wave is larger than the one before.
  public var growth = 10
  /// The limit on failed files, beyond which no further file is begun. Files that the plan knows to be damaged do not count.
  public var failureLimit = FailureLimit.count(0)
  /// The pause between two waves, in seconds.
  public var pause = 0.0
  /// Called after each wave; false ends the run there, and so does what it throws, which is in the report.
  public var continues: @Sendable (FleetReport.Wave) throws -> Bool = { _ in true }

  public init() {}
}

extension FleetRollout {
  /// Throws if a canary is not among the files: nothing would then be tried first.
  func checkCanaries(_ files: [FleetFiles.File]) throws(FleetError) {
    let known = Set(files.map(\.identity))
    for path in canaries where !(FileIdentity(ofFileAt: path).map(known.contains) ?? false) {
      throw FleetError(reason: .noCanary(path))
    }
  }

  /// The files in waves: the canaries, then more and more.
  func waves(of files: [FleetFiles.File], examples: [String]) -> [[FleetFiles.File]] {
    let named = Set(canaries.compactMap { FileIdentity(ofFileAt: $0) })
    let first = canaries.isEmpty ? chosen(files, examples: examples) : named
    let canaries = files.filter { first.contains($0.identity) }
    var waves = canaries.isEmpty ? [] : [canaries]
    var rest = files.filter { !first.contains($0.identity) }[...]
    var size = max(1, canaries.count)
    while !rest.isEmpty {
      size = size.multipliedReportingOverflow(by: max(1, growth)).partialValue
      if size <= 0 { size = rest.count }
      // A remainder smaller than a wave is not worth one of its own.
      if rest.count < size * 2 { size = rest.count }
      waves.append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return waves
  }

  private func chosen(_ files: [FleetFiles.File], examples: [String]) -> Set<FileIdentity> {
    // Of a few files, one goes first.
    let count = min(files.count, canaryCount ?? max(1, min(10, files.count / 100)))
    guard count > 0 else { return [] }
    let known = Set(files.map(\.identity))
    var chosen = Set(examples.compactMap { FileIdentity(ofFileAt: $0) }.filter { known.contains($0) }.prefix(count))
    let stride = max(1, files.count / count)
    for offset in 0..<stride {
      for index in Swift.stride(from: offset, to: files.count, by: stride) {
        guard chosen.count < count else { return chosen }
        chosen.insert(files[index].identity)
      }
    }
    return chosen
  }
}

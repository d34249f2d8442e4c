/// Simulates one seed after the other.
package struct SimulationRun {
  let first: Int
  let stride: Int
  let offset: Int
  let most: Int
  let seeds: Int
  let isLying: Bool
  package private(set) var total = Total()

  /// - Parameters:
  ///   - first: The first seed; each next one is greater by one.
  ///   - stride: The number of processes that share the seeds.
  ///   - offset: The number of this process, from 0.
  ///   - steps: No further seed is begun after this number of operations, of all processes; nil for no limit.
  ///   - seeds: The most seeds, of all processes.
  ///   - isLying: True for a disk that forgets what it was told to keep.
  package init(first: Int, stride: Int, offset: Int, steps: Int?, seeds: Int, onLyingDisk isLying: Bool) {
    self.isLying = isLying
    self.first = first
    self.stride = stride
    self.offset = offset
    most = steps.map { ($0 + stride - 1) / stride } ?? .max
    self.seeds = seeds
  }

  package mutating func run(_ tell: (_ seed: Int, _ simulation: Simulation, _ result: Simulation.Result) -> Void) {
    var next = offset
    while next < seeds, total.steps < most {
      let seed = first &+ next
      next += stride
      do {
        let simulation = try Simulation(seed: seed, onLyingDisk: isLying)
        let result = simulation.run()
        total.add(result)
        tell(seed, simulation, result)
      } catch {
        total.violations += 1
        print("violation of seed \(seed): it gives no scene: \(error)")
      }
    }
  }

  /// The sums of a run.
  package struct Total: Sendable {
    var seeds = 0
    package fileprivate(set) var steps = 0
    var faults = 0
    package fileprivate(set) var violations = 0
    var refused = 0
    private var trace = Trace()

    package init() {}

    fileprivate mutating func add(_ result: Simulation.Result) {
      seeds += 1
      steps += result.steps
      faults += result.faults
      violations += result.violations.count
      refused += result.ending == "refused" ? 1 : 0
      trace.add(Int(truncatingIfNeeded: result.trace))
    }

    /// Adds what another process found.
    package mutating func add(_ other: Total) {
      seeds += other.seeds
      steps += other.steps
      faults += other.faults
      violations += other.violations
      refused += other.refused
      trace.add(Int(truncatingIfNeeded: other.trace.value))
    }

    /// The numbers, to be read by another process.
    package var line: String { "\(seeds) \(steps) \(faults) \(violations) \(refused) \(trace.value)" }

    package init?(line: some StringProtocol) {
      let numbers = line.split(separator: " ").compactMap { UInt64($0) }
      guard numbers.count == 6 else { return nil }
      (seeds, steps, faults) = (Int(numbers[0]), Int(numbers[1]), Int(numbers[2]))
      (violations, refused, trace) = (Int(numbers[3]), Int(numbers[4]), Trace(value: numbers[5]))
    }

    /// The last line of a run.
    package func summary(from first: Int) -> String {
      "\(seeds) seeds from \(first), \(refused) refused: \(steps) steps, \(faults) faults, \(violations) violations, "
        + "trace \(trace.digits)"
    }
  }
}

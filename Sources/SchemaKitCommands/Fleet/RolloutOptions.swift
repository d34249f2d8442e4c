import ArgumentParser
import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// The order in which files are changed, and when that stops.
struct RolloutOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "How many files are changed first, or which one; may be repeated with files. By default one in a hundred, at least 1 and "
        + "at most 10. One of each schema is among them.", valueName: "number|file"))
  var canary: [String] = []
  @Option(help: "How many times as large each further wave is.")
  var growth = 10
  @Option(
    help: ArgumentHelp(
      "How many files may fail, as a number or a share such as 1%, before no further one is begun.",
      valueName: "number|share"))
  var maxFailures = "0"
  @Option(help: ArgumentHelp("How long to wait between two waves, in seconds.", valueName: "seconds"))
  var pause = 0.0
  @Option(
    help: ArgumentHelp(
      "Run a program after each wave, without a shell, with the result as JSON on its standard input. Any exit code but 0 stops "
        + "the run.", valueName: "program"), completion: .file())
  var hook: String?
  @Option(
    help: ArgumentHelp("How long the program of --hook may take, in seconds.", valueName: "seconds"))
  var hookTimeout = 60.0

  func validate() throws {
    guard growth >= 1 else { throw ValidationError("--growth takes a number, 1 or more.") }
    guard Setting.seconds ~= pause else { throw ValidationError("--pause is \(Setting.secondsInWords).") }
    guard hookTimeout > 0, Setting.seconds ~= hookTimeout else {
      throw ValidationError("--hook-timeout is above 0 and up to \(Int(Setting.seconds.upperBound)) seconds.")
    }
    guard limit != nil else {
      throw ValidationError("--max-failures takes a number, 0 or more, or a share from 0% to 100%.")
    }
    guard canary.count <= 1 || canary.allSatisfy({ Int($0) == nil }) else {
      throw ValidationError("--canary takes one number, or files.")
    }
  }

  private var limit: FleetRollout.FailureLimit? {
    if maxFailures.hasSuffix("%") {
      guard let share = Double(maxFailures.dropLast()), 0...100 ~= share else { return nil }
      return .share(share / 100)
    }
    return Int(maxFailures).flatMap { $0 >= 0 ? .count($0) : nil }
  }

  /// The order for the library.
  func rollout(onWave: @escaping @Sendable (FleetReport.Wave) -> Void) throws -> FleetRollout {
    var rollout = FleetRollout()
    if let count = canary.first.flatMap(Int.init) {
      guard count >= 0 else { throw CommandError.usage("--canary takes a number, 0 or more, or files.") }
      rollout.canaryCount = count
    } else {
      rollout.canaries = canary
      for path in canary where !FileManager.default.fileExists(atPath: path) {
        throw CommandError.usage("--canary \(path): there is no such file.")
      }
    }
    rollout.growth = growth
    rollout.failureLimit = limit ?? .count(0)
    if let hook, access(hook, X_OK) != 0 {
      throw CommandError.usage("--hook \(hook) cannot be run: \(String(cString: strerror(errno))).")
    }
    rollout.pause = pause
    let (hook, timeout) = (hook, hookTimeout)
    rollout.continues = { wave in
      onWave(wave)
      if let hook {
        let outcome = ChildProcess.run(hook, input: FleetRunReport.eventLine(wave), timeout: timeout)
        if outcome != .exited(0) { throw HookRefusal(hook: hook, wave: wave.number, outcome: outcome) }
      }
      return true
    }
    return rollout
  }
}

/// The program of --hook has stopped the run.
struct HookRefusal: Error, CustomStringConvertible {
  var hook: String
  var wave: Int
  var outcome: ChildProcess.Outcome

  var description: String {
    switch outcome {
    case .exited(let code): "\(hook) ended with exit code \(code) after wave \(wave)"
    case .signalled(let signal): "\(hook) was ended by signal \(signal) after wave \(wave)"
    case .timedOut: "\(hook) took longer than --hook-timeout after wave \(wave)"
    case .notStarted(let problem): "\(hook) could not be started after wave \(wave): \(problem)"
    }
  }
}

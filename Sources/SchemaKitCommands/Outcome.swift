import ArgumentParser

/// The outcome of a command; the numbers are a contract.
enum Outcome: Int32 {
  case done = 0
  case failed = 1
  case pending = 2
  case refused = 3
  case newer = 4
  case busy = 5
  case usage = 64
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// The codes in a line, for the help of each command.
  static let summary =
    "Exit codes: 0 done, 1 error, 2 pending or found, 3 refused, 4 newer, 5 locked: run it again, 64 usage"

  var exitCode: ExitCode { ExitCode(rawValue) }
}

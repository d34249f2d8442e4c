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

  var exitCode: ExitCode { ExitCode(rawValue) }
}

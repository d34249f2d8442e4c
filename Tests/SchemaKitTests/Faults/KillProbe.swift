import Foundation

/// Runs the `kill-probe` program, which migrates a file and kills itself where it is told to, or holds locks on one.
struct KillProbe {
  /// How a run ended.
  struct Outcome {
    var wasKilled: Bool
    var exitCode: Int32
    var output: String
    var errors: String

    /// The words of the last line: what happened, and how many statements ran.
    var words: [String] { output.split(whereSeparator: \.isWhitespace).map(String.init) }
  }

  /// The program was not built beside the tests.
  struct NotFound: Error {}

  private let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private let input = Pipe()

  /// Starts a migration.
  ///
  /// - Parameter moment: The number of a statement, `commit`, `done`, or 0 to let it live.
  init(database: String, schema: String, moment: String = "0") throws {
    try self.init(arguments: [database, schema, moment])
  }

  /// Starts a run of any kind.
  init(arguments: [String]) throws {
    guard let executable = Self.program("kill-probe") else { throw NotFound() }
    process.executableURL = executable
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  /// The first line that the program prints; empty when it ends without one.
  func firstLine() -> String {
    var line = Data()
    while let byte = try? output.fileHandleForReading.read(upToCount: 1), let first = byte.first, first != 10 {
      line.append(first)
    }
    return String(decoding: line, as: UTF8.self)
  }

  /// Writes a line to the program's standard input.
  func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8)) }

  /// Whether the program has not ended yet.
  var isRunning: Bool { process.isRunning }

  /// Tells the program that nothing more will come to its standard input.
  func endInput() { try? input.fileHandleForWriting.close() }

  /// Waits for the end of the run.
  func wait() throws -> Outcome {
    let output = try output.fileHandleForReading.readToEnd() ?? Data()
    let errors = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Outcome(
      wasKilled: process.terminationReason == .uncaughtSignal && process.terminationStatus == SIGKILL,
      exitCode: process.terminationStatus, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self))
  }

  /// A program that the package builds into the folder of the test bundle.
  static func program(_ name: String) -> URL? {
    let places = [Bundle.main.executablePath ?? ""] + CommandLine.arguments.filter { $0.contains(".xctest") }
    for place in places {
      var folder = URL(fileURLWithPath: place).deletingLastPathComponent()
      while folder.path != "/" {
        let candidate = folder.appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
        folder.deleteLastPathComponent()
      }
    }
    return nil
  }
}

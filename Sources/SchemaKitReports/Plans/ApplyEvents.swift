package import SchemaKit

/// The progress of an apply, as a line of a stream.
package struct ProgressEvent: Encodable {
  private var formatVersion = JSONDocument.formatVersion
  private var event = "progress"
  private var activity: String
  private var step: Int
  private var steps: Int
  private var object: String
  private var strategy: String
  private var rows: Int?
  private var rowsDone: Int?
  private var milliseconds: Int
  private var remainingMilliseconds: Int?
  private var journalBytes: Int?
  private var processes: [String]?

  /// - Parameter journalBytes: The size of the journal; nil if there is none.
  package init(_ progress: ApplyProgress, journalBytes: Int?) {
    activity = progress.activity.rawValue
    step = progress.stepIndex + 1
    steps = progress.stepCount
    object = "\(progress.step.object)"
    strategy = progress.step.strategy.rawValue
    rows = progress.rows ?? progress.step.rows
    rowsDone = progress.rowsDone
    milliseconds = Int(progress.elapsed / .milliseconds(1))
    remainingMilliseconds = progress.remaining.map { Int($0 / .milliseconds(1)) }
    self.journalBytes = journalBytes
    processes = progress.processes.isEmpty ? nil : progress.processes
  }

  /// The line.
  package var line: String { JSONDocument.line(of: self) }
}

/// The reason why an apply failed, as the last line of a stream.
package struct ErrorEvent: Encodable {
  private var formatVersion = JSONDocument.formatVersion
  private var event = "error"
  private var message: String
  private var exitCode: Int

  /// - Parameters:
  ///   - message: The message on standard error.
  ///   - exitCode: The exit code of the command.
  package init(message: String, exitCode: Int) {
    self.message = message
    self.exitCode = exitCode
  }

  /// The line.
  package var line: String { JSONDocument.line(of: self) }
}

import SchemaKit
import SchemaKitReports

/// Says in the form that was asked for that something cannot be read, where the form is one of findings; otherwise a CI
/// system would show nothing where most is wrong.
struct UnreadableReport {
  var findings: FindingOptions
  var program: String
  /// The name of the work, such as check or lint.
  var title: String
  var console: Console
  /// The time that locks were waited for, in seconds.
  var lockTimeout: Double

  /// Runs the body; what it throws is printed as a finding and thrown again.
  ///
  /// - Parameter database: The database that the body reads; nil where it reads a schema.
  func telling<T>(of database: String? = nil, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch  where ![.text, .json].contains(findings.format) {
      if let (name, finding) = finding(for: error, database: database) {
        let question = CheckedQuestion(
          "\(name) can be read", denial: "\(name) cannot be read", findings: [finding])
        console.print(findings.text([question], program: program, title: title))
      }
      throw error
    }
  }

  private func finding(for error: any Error, database: String?) -> (name: String, ReportFinding)? {
    if let error = error as? SchemaError {
      let finding = ReportFinding(
        .unreadableSchema, error.problem, file: error.source, line: error.line)
      return (error.source, finding)
    }
    let report = ErrorReport.of(error, lockTimeout: lockTimeout, isVerbose: false)
    // Whoever stops a check knows why nothing comes of it.
    let isStopped = [.interrupted, .terminated, .hungUp, .usage].contains(report.outcome)
    guard !isStopped, let name = (error as? FileError)?.path ?? database else { return nil }
    let finding = ReportFinding(
      .unreadableDatabase, report.sentence, file: name)
    return (name, finding)
  }
}

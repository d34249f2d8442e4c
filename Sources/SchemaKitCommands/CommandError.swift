import ArgumentParser
import SchemaKit
import SchemaKitReports

/// An error that a command finds by itself, with its exit code.
struct CommandError: Error {
  var code: Outcome
  var sentence: String

  /// The command line is invalid, or its options cannot be combined.
  static func usage(_ sentence: String) -> CommandError { CommandError(code: .usage, sentence: sentence) }
}

/// An error from a file, with the name its user gave it.
struct FileError: Error {
  var path: String
  var cause: any Error
}

/// Runs work on a file and adds the file's name to what SQLite says against it.
func naming<T>(_ path: String, _ body: () throws -> T) throws -> T {
  do {
    return try body()
  } catch let error where error is SQLiteError || error is ApplyError {
    throw FileError(path: path, cause: error)
  }
}

extension ParsableCommand {
  /// Runs the body of a command; what it throws is said in one sentence and becomes the exit code.
  ///
  /// - Parameters:
  ///   - events: True if standard output is a stream of events, which an error ends as well.
  ///   - opensFiles: True if the body opens databases, which may need extensions and a key.
  func reporting(
    _ console: Console, options: OutputOptions, events: Bool = false, opensFiles: Bool = true,
    _ body: () throws -> Outcome
  ) throws {
    let outcome: Outcome
    do {
      outcome =
        opensFiles
        ? try SQLiteConnection.opening(with: options.key(console)) {
          try SQLiteConnection.loading(extensions: options.loadExtension, body)
        } : try body()
    } catch {
      let report = ErrorReport.of(error, lockTimeout: options.lockTimeout, isVerbose: options.verbose)
      console.error(report.sentence)
      if events {
        console.print(ErrorEvent(message: report.sentence, exitCode: Int(report.outcome.rawValue)).line)
      }
      throw report.outcome.exitCode
    }
    if let fault = OutputFault.shared.words {
      console.error("the output could not be written: \(fault).")
      throw Outcome.failed.exitCode
    }
    if outcome != .done { throw outcome.exitCode }
  }
}

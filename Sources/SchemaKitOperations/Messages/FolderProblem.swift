/// A problem with a folder of recorded migrations.
package struct FolderProblem: Sendable, Hashable {
  /// The cause of the problem.
  package enum Cause: Sendable, Hashable {
    /// The folder has no checksum file, whose name would be this.
    case noChecksums(file: String)
    /// A step differs from what was recorded.
    case changedStep
    /// A file with work on rows was added to a recorded step.
    case addedDataFile
    /// A step has no checksum.
    case unrecordedStep
    /// A recorded step is missing.
    case missingStep
    /// The checksum file names the steps in another order than their files have.
    case otherOrder
    /// Two steps have the same number; the other one's name.
    case sameNumber(as: String)
    /// A step says that it replaces one whose files are still there.
    case replacedStepRemains(String)
    /// A statement is in a place where `apply` would not run it; its first word, and the files where it would.
    case misplacedStatement(String, before: String, after: String)
    /// There is no snapshot.
    case noSnapshot
    /// The snapshot differs from the schema that the steps lead to, in these objects.
    case otherSnapshot([String])
  }

  package var cause: Cause
  /// The file that is at fault.
  package var file: String
  /// The line, from 1; nil for the whole file.
  package var line: Int?

  package init(_ cause: Cause, file: String, line: Int? = nil) {
    self.cause = cause
    self.file = file
    self.line = line
  }
}

/// A folder of recorded migrations whose problems must be resolved before it can be used.
public struct MigrationFolderError: Error, Sendable, CustomStringConvertible {
  package let problems: [FolderProblem]

  package init(problems: [FolderProblem]) { self.problems = problems }

  public var description: String {
    problems.map { problem in
      [problem.file, problem.line.map(String.init)].compactMap { $0 }.joined(separator: ":") + ": " + problem.message
    }.joined(separator: "\n")
  }
}

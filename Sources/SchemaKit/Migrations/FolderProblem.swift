/// A problem with a folder of recorded migrations.
package struct FolderProblem: Sendable, Hashable {
  /// What is wrong.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A step differs from what was recorded.
    case changed
    /// A step has no checksum.
    case unsealed
    /// A recorded step is missing.
    case missing
    /// The steps are not in the order in which they were recorded, or two have the same number.
    case order
    /// A statement is in a place where `apply` would not run it.
    case statement
    /// The snapshot differs from the schema that the steps lead to.
    case snapshot
  }

  package var kind: Kind
  /// The file that is at fault.
  package var file: String
  /// The line, from 1; nil for the whole file.
  package var line: Int?
  /// What is wrong, and what to do about it.
  package var message: String

  package init(kind: Kind, file: String, line: Int? = nil, message: String) {
    self.kind = kind
    self.file = file
    self.line = line
    self.message = message
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

/// Something that is wrong with a folder of recorded migrations.
package struct FolderProblem: Sendable, Hashable {
  /// What is wrong.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A step is not what it was when it was recorded.
    case changed
    /// A step has no checksum.
    case unsealed
    /// A step that was recorded is gone.
    case missing
    /// The steps are in another order than they were recorded in, or two have one number.
    case order
    /// A statement stands where `apply` would not run it.
    case statement
    /// The snapshot is not the schema that the steps lead to.
    case snapshot
  }

  package var kind: Kind
  /// The file that is at fault.
  package var file: String
  /// The line, from 1; nil for the whole file.
  package var line: Int?
  /// What is wrong, and the way out.
  package var message: String

  package init(kind: Kind, file: String, line: Int? = nil, message: String) {
    self.kind = kind
    self.file = file
    self.line = line
    self.message = message
  }
}

/// A folder of recorded migrations that nothing may be done with before somebody looked at it.
public struct MigrationFolderError: Error, Sendable, CustomStringConvertible {
  package let problems: [FolderProblem]

  package init(problems: [FolderProblem]) { self.problems = problems }

  public var description: String {
    problems.map { problem in
      [problem.file, problem.line.map(String.init)].compactMap { $0 }.joined(separator: ":") + ": " + problem.message
    }.joined(separator: "\n")
  }
}

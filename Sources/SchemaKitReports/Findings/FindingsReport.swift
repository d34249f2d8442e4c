import SchemaKit

/// From which severity on findings fail a check.
package enum FailureThreshold: String, Sendable, Hashable, CaseIterable {
  case error, warning, never

  package func fails(_ level: ReportFinding.Level) -> Bool {
    switch self {
    case .error: level == .error
    case .warning: level != .note
    case .never: false
    }
  }
}

/// The output formats of a check for other programs.
package struct FindingsReport: Sendable {
  /// The program that checked.
  package var program: String
  /// The name of the check, such as check or lint.
  package var title: String
  package var questions: [CheckedQuestion]
  package var failOn: FailureThreshold

  /// - Parameter pathPrefix: The folder that relative paths begin in, as seen from the root of the repository.
  package init(
    program: String, title: String, questions: [CheckedQuestion], failOn: FailureThreshold = .error,
    pathPrefix: String? = nil
  ) {
    self.program = program
    self.title = title
    self.questions = questions
    self.failOn = failOn
    guard let pathPrefix else { return }
    for (number, question) in questions.enumerated() {
      for index in question.findings.indices {
        self.questions[number].findings[index].file = question.findings[index].file.map {
          Self.path($0, below: pathPrefix)
        }
      }
    }
  }

  package var findings: [ReportFinding] { questions.flatMap(\.findings) }

  /// True if a statement holds.
  func holds(_ question: CheckedQuestion) -> Bool { !question.findings.contains { failOn.fails($0.level) } }

  /// A path as seen from where a folder is; an absolute one stays as it is.
  private static func path(_ path: String, below folder: String) -> String {
    guard !path.hasPrefix("/") else { return path }
    var parts: [Substring] = []
    for part in "\(folder)/\(path)".split(separator: "/") where part != "." {
      if part == "..", let last = parts.last, last != ".." { parts.removeLast() } else { parts.append(part) }
    }
    return (folder.hasPrefix("/") ? "/" : "") + parts.joined(separator: "/")
  }
}

import SchemaKit

/// A finding of a check, in a form that every output format can express.
package struct ReportFinding: Sendable, Hashable {
  /// The severity of a finding.
  package enum Level: String, Sendable, Hashable, Codable {
    case error, warning, note
  }

  /// The permanent code, such as SC101 or SL201.
  package var code: String
  package var level: Level
  /// What the code stands for, in a few words.
  package var title: String
  /// What is found, in sentences that name the object.
  package var message: String
  /// The affected object, if any.
  package var object: String?
  /// The faulty file, as given by the user, if any.
  package var file: String?
  /// The line of the file, from 1.
  package var line: Int?

  package init(
    code: String, level: Level, title: String, message: String, object: String? = nil, file: String? = nil,
    line: Int? = nil
  ) {
    self.code = code
    self.level = level
    self.title = title
    self.message = message
    self.object = object
    self.file = file
    self.line = line
  }
}

/// A question that a check asked, with everything that speaks against it.
package struct CheckedQuestion: Sendable, Hashable {
  /// The question as a statement, such as: app.db has the schema of schema.sql.
  package var statement: String
  /// The opposite; nil if the statement is a heading, which is always true.
  package var denial: String?
  package var findings: [ReportFinding]

  package init(_ statement: String, denial: String? = nil, findings: [ReportFinding]) {
    self.statement = statement
    self.denial = denial
    self.findings = findings
  }

  /// What is true: the statement or its opposite.
  package var answer: String { holds ? statement : denial ?? statement }

  /// Whether the statement holds; notes and warnings do not speak against it.
  package var holds: Bool { !findings.contains { $0.level == .error } }
}

/// The output formats of a check for other programs.
package struct FindingsReport: Sendable {
  /// The program that checked.
  package var program: String
  /// What was done, such as check or lint.
  package var title: String
  package var questions: [CheckedQuestion]

  package init(program: String, title: String, questions: [CheckedQuestion]) {
    self.program = program
    self.title = title
    self.questions = questions
  }

  package var findings: [ReportFinding] { questions.flatMap(\.findings) }
}

package import SchemaKit

/// A finding of a check, in a form that every output format can express.
package struct ReportFinding: Sendable, Hashable {
  /// The severity of a finding.
  package enum Level: String, Sendable, Hashable, Codable {
    case error, warning, note
  }

  /// The permanent code, such as SC101 or SL201.
  package var code: String
  package var level: Level
  /// The meaning of the code, in a few words.
  package var title: String
  /// The problem, in sentences that name the object.
  package var message: String
  /// The affected object, if any.
  package var object: String?
  /// The faulty file, as given by the user, if any.
  package var file: String?
  /// The line of the file, from 1.
  package var line: Int?
  /// The column of the line, from 1, in Unicode scalars; nil where only the line is known.
  package var column: Int?

  package init(
    code: String, level: Level, title: String, message: String, object: String? = nil, file: String? = nil,
    line: Int? = nil, column: Int? = nil
  ) {
    self.code = code
    self.level = level
    self.title = title
    self.message = message
    self.object = object
    self.file = file
    self.line = line
    self.column = column
  }

  package init(
    _ code: CheckCode, _ message: String, level: Level = .error, object: String? = nil, file: String? = nil,
    line: Int? = nil, place: TextPlace? = nil
  ) {
    self.init(
      code: code.rawValue, level: level, title: code.title, message: message, object: object, file: file,
      line: place?.line ?? line, column: place?.column)
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
}

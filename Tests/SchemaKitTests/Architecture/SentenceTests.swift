import Foundation
import Testing

/// Keeps decisions away from text that is meant for people: what code has to know is a code or a value.
@Suite("Sentences")
struct SentenceTests {
  /// Files that read texts because there is nothing else to read: messages of SQLite and of the TOML parser, and what
  /// older versions wrote.
  private static let readers: Set<String> = [
    "Sources/SchemaKit/Connection/SQLiteError+Message.swift",
    "Sources/SchemaKit/Connection/SQLiteConnection+Stubs.swift",
    "Sources/SchemaKit/History/HistoryEntry+Summary.swift",
    "Sources/SchemaKit/History/Loss+Former.swift",
    "Sources/SchemaKitCommands/Settings/SettingsFile.swift",
    "Sources/SQLiteSchema/Plan/Hazards/SQLiteMessage.swift",
  ]

  /// Members that hold sentences.
  private static let sentences =
    "message|remedy|sentence|sentences|sentenceOfRejections|reason|reasons|changes|phrases|words|summary|summaryLines|advice"
  private static let reading =
    "contains|hasPrefix|hasSuffix|split|components|firstMatch|wholeMatch|firstRange|firstIndex|range|replacing|drop|dropFirst|dropLast|starts"

  private static let patterns = [
    // A sentence that is searched or cut, and one that is compared.
    #"\.(?:\#(sentences))[?!]?\.(?:\#(reading))\b"#,
    #"\.(?:message|remedy|sentence|sentences|phrases|summary|summaryLines) (?:==|!=|<|>) "#,
    #"(?:==|!=|<|>) \$?\w+\.(?:message|remedy|sentence|phrases|summary)\b"#,
    // The description of an error that is searched.
    #"\("?\\?\(?error\)?"?\)\.(?:\#(reading))\b"#,
    #"\.(?:description|localizedDescription)\.(?:contains|hasPrefix|hasSuffix|split|firstMatch|firstRange)\b"#,
  ]

  private static func findings(in code: String) throws -> [String] {
    try patterns.flatMap { pattern in
      let expression = try NSRegularExpression(pattern: pattern)
      return expression.matches(in: code, range: NSRange(code.startIndex..., in: code)).compactMap { match in
        Range(match.range, in: code).map { String(code[$0]) }
      }
    }
  }

  @Test("no code decides by a sentence")
  func noReading() throws {
    let targets = ["SQLiteSchema", "SchemaKit", "SchemaKitReports", "SchemaKitCommands"]
    let files = try targets.flatMap { try SourceTree.swiftFiles(in: "Sources/\($0)") }
    #expect(files.count > 300)
    for file in files where !Self.readers.contains(file.path) {
      for found in try Self.findings(in: file.code) { Issue.record("\(file.path) reads a sentence: \(found)") }
    }
  }

  @Test(
    "the test sees a sentence that is searched, cut or compared",
    arguments: [
      "if hazard.remedy?.contains(name) == true {", "error.message.hasPrefix(prefix)", "step.changes.dropFirst()",
      "left.message == right.message", "$0.message < $1.message", "known == failure.message",
      "error.description.contains(x)",
    ])
  func seen(code: String) throws {
    #expect(try !Self.findings(in: code).isEmpty)
  }

  @Test("the sentences of a hazard are asked for in Messages alone")
  func hazardWording() throws {
    let files = try ["Sources/SQLiteSchema", "Sources/SchemaKit"].flatMap { try SourceTree.swiftFiles(in: $0) }
    let callers = files.filter { $0.code.contains(".wording.") }.map(\.path)
    #expect(callers == ["Sources/SchemaKit/Messages/Hazard+Sentence.swift"])
  }
}

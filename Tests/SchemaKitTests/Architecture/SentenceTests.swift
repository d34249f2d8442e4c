import Foundation
import Testing

/// Keeps decisions away from text that is meant for people: what code has to know is a code or a value.
@Suite("Sentences")
struct SentenceTests {
  /// Files that read texts because there is nothing else to read: messages of SQLite and of the parsers of TOML and of
  /// command lines, what older versions wrote, and errors of programs, of which one is made a part of a sentence.
  private static let readers: Set<String> = [
    "Sources/SchemaKit/Messages/Clause.swift",
    "Sources/SchemaKit/Connection/StorageCheck.swift",
    "Sources/SchemaKit/Connection/StorageCheck+Values.swift",
    "Sources/SchemaKitCommands/SchemaCommandLine.swift",
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
    // Sentences in variables that are compared, or looked for among others.
    #"\b\w*[Ww]ords (?:==|!=) "#, #"(?:==|!=) \w*[Ww]ords\b"#,
    #"\bcontains\((?:where: )?[\w.]+\.(?:\#(sentences))\)"#,
    // The description of an error that is searched.
    #"\("?\\?\(?error\)?"?\)\.(?:\#(reading))\b"#,
    #"\.(?:description|localizedDescription)\.(?:contains|hasPrefix|hasSuffix|split|firstMatch|firstRange)\b"#,
  ]

  /// Those that see what is looked for: words with a space, a last word, and a full stop that is cut off.
  private static let literals = [
    #"\.(?:contains|hasPrefix|hasSuffix|firstRange\(of:|split\(separator:)\(?\s*"(?!--)(?=[^"]*[A-Za-z]{4})[^"]* [^"]*""#,
    #"\.contains\("[^"]*[A-Za-z]{2,} ?\\\("#, #"\.contains\("[^"]* [A-Za-z]{2,}"#,
    #"\.hasSuffix\("(?:[A-Za-z]{3,}|\.)"\)"#,
  ]

  private static func findings(in code: String, text: String) throws -> [String] {
    let lines = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
    return try findings(of: patterns, in: code) + findings(of: literals, in: lines)
  }

  private static func findings(of patterns: [String], in code: String) throws -> [String] {
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
      for found in try Self.findings(in: file.code, text: file.text) {
        Issue.record("\(file.path) reads a sentence: \(found)")
      }
    }
  }

  @Test(
    "the test sees a sentence that is searched, cut or compared",
    arguments: [
      "if hazard.remedy?.contains(name) == true {", "error.message.hasPrefix(prefix)", "step.changes.dropFirst()",
      "left.message == right.message", "$0.message < $1.message", "known == failure.message",
      "error.description.contains(x)", "if oldWords == newWords {", "known.contains(failure.message)",
      #"line.contains(" in \(name)")"#, #"line.contains("value in ")"#, #"part.hasSuffix("left")"#,
      #"text.hasSuffix(".") ? String(text.dropLast()) : text"#, #"error.hasPrefix("no such ")"#,
    ])
  func seen(code: String) throws {
    #expect(try !Self.findings(in: code, text: code).isEmpty)
  }

  @Test(
    "names, keywords and directives are not taken for sentences",
    arguments: [
      #"name.hasPrefix("sqlite_")"#, #"events.contains("INSERT")"#, #"text.hasPrefix("schemakit:")"#,
      #"words.hasPrefix("run ")"#, #"noun.hasSuffix("ry")"#, #"found.contains(" ")"#,
    ])
  func unseen(code: String) throws {
    #expect(try Self.findings(in: code, text: code).isEmpty)
  }

  @Test("the sentences of a hazard are asked for in Messages alone")
  func hazardWording() throws {
    let files = try ["Sources/SQLiteSchema", "Sources/SchemaKit"].flatMap { try SourceTree.swiftFiles(in: $0) }
    let callers = files.filter { $0.code.contains(".wording.") }.map(\.path)
    #expect(callers == ["Sources/SchemaKit/Messages/Hazard+Sentence.swift"])
  }
}

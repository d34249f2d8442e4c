import Foundation
import SQLiteSchema
import Testing

/// Keeps what is known of a strategy in its file.
@Suite("Files of strategies")
struct StrategyFileTests {
  private static let folder = "Sources/SQLiteSchema/Plan/Strategies"
  private static let list = "Sources/SQLiteSchema/Plan/StrategySelection.swift"

  /// The Swift names of the strategies, by the files that declare them.
  private static func declarations() throws -> [String: Set<String>] {
    let pattern = /static let (\w+) = Self\(\s*"[a-z-]+",\s*\.(?:creation|removal|change|copy|work)\b/
    return try SourceTree.swiftFiles(in: folder).reduce(into: [:]) { names, file in
      let found = file.text.matches(of: pattern).map { String($0.output.1) }
      if !found.isEmpty { names[file.path] = Set(found) }
    }
  }

  /// The places in code where a strategy is named.
  private static func namings(in code: String, of names: Set<String>) throws -> [String] {
    let name = "\\.(?:\(names.sorted().joined(separator: "|")))\\b"
    let patterns = [
      #"(?:\b[sS]trategy(?:: )?|(?<!planner|policy|ways)\.strategy [!=]= )\#(name)"#, #"refused\[[^\]]*\]\?\[\#(name)"#,
      #"\[[^\]]*\#(name)[^\]]*\]\.contains\([^)]*strategy\)"#, #"switch [\w.]*strategy \{\s*case \#(name)"#,
    ]
    return try patterns.flatMap { pattern in
      let expression = try NSRegularExpression(pattern: pattern)
      return expression.matches(in: code, range: NSRange(code.startIndex..., in: code)).compactMap { match in
        Range(match.range, in: code).map { String(code[$0]) }
      }
    }
  }

  @Test("each strategy is declared in a file of its own, beside a page of SQLite's")
  func declared() throws {
    let files = try Self.declarations()
    let names = files.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    #expect(names.count == MigrationStep.Strategy.allCases.count)
    for (path, names) in files where !path.hasSuffix("CreateAndDrop.swift") {
      #expect(names.count == 1, "\(path) declares \(names.sorted())")
      let file = try #require(try SourceTree.swiftFiles(in: Self.folder).first { $0.path == path })
      #expect(file.text.contains("https://sqlite.org/"), "\(path) names no page of SQLite's")
    }
  }

  @Test("no file names a strategy of another, but the list")
  func namedAtHome() throws {
    let files = try Self.declarations()
    let names = files.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    for file in try SourceTree.swiftFiles(in: "Sources") where file.path != Self.list {
      let others = names.subtracting(files[file.path] ?? [])
      for found in try Self.namings(in: file.code, of: others) { Issue.record("\(file.path): \(found)") }
    }
  }

  @Test(
    "the test sees a strategy that is named",
    arguments: [
      "if step.strategy == .rebuild {", "MigrationStep(strategy: .native, object: o)",
      "guard refused[name]?[.swap] == nil else {", "[.update, .swap].contains(step.strategy)",
      "let s = MigrationStep.Strategy.closure", "switch step.strategy {\n    case .native: 1",
    ])
  func seen(line: String) throws {
    let names = try Self.declarations().values.reduce(into: Set<String>()) { $0.formUnion($1) }
    #expect(try !Self.namings(in: line, of: names).isEmpty)
  }

  @Test("every reason and motive is found by its name, so that saved plans can be read")
  func codesAreListed() throws {
    let pattern = /static let \w+ = Self\(\s*"(\w+)"/
    var reasons: Set<String> = []
    var motives: Set<String> = []
    for file in try SourceTree.swiftFiles(in: "Sources/SQLiteSchema/Plan") {
      for part in file.text.split(separator: "\nextension ") {
        let names = part.matches(of: pattern).map { String($0.output.1) }
        if part.hasPrefix("Rejection.Code {") { reasons.formUnion(names) }
        if part.hasPrefix("Motive.Code {") { motives.formUnion(names) }
      }
    }
    #expect(reasons.count > 80 && motives.count > 15)
    #expect(reasons == Set(Rejection.Code.allCases.map(\.rawValue)))
    #expect(motives == Set(Motive.Code.allCases.map(\.rawValue)))
    #expect(Rejection.Code.allCases.count == reasons.count && Motive.Code.allCases.count == motives.count)
  }
}

/// Keeps what is known of a hazard in its file.
@Suite("Files of hazards")
struct HazardFileTests {
  @Test("every code is listed, once, by its number")
  func codesAreListed() throws {
    let codes = HazardCode.allCases.map(\.rawValue)
    let declared = try SourceTree.swiftFiles(in: "Sources/SQLiteSchema/Plan/Hazards").flatMap { file in
      file.text.matches(of: /static let \w+ = Self\(\s*"(SK\d+)"/).map { String($0.output.1) }
    }
    #expect(codes.count > 25 && codes == codes.sorted() && Set(codes).count == codes.count)
    #expect(declared.sorted() == codes)
    #expect(HazardCode.allCases.allSatisfy { HazardCode(rawValue: $0.rawValue) == $0 && !$0.title.isEmpty })
  }

  @Test("every rule is listed where it is asked")
  func rulesAreListed() throws {
    let files = try SourceTree.swiftFiles(in: "Sources/SQLiteSchema/Plan/Hazards")
    let list = try #require(files.first { $0.path.hasSuffix("/HazardRules.swift") }).code
    let rules = files.flatMap { file in
      file.code.matches(of: /(?:struct|enum|extension) (\w+): (?:Schema)?HazardRule\b/).map { String($0.output.1) }
    }
    #expect(rules.count > 12)
    for rule in rules { #expect(list.contains("\(rule).self"), "\(rule) is not asked") }
  }

  /// The files that parse an option, or name a command of schemactl with its options, for programs as well.
  private static let filesWithOptions: Set = [
    "Remedy.swift", "OptionErrors+Description.swift", "MigrationError.swift", "FolderProblem+Message.swift",
    "MigrationChecksums.swift", "MigrationLayout.swift", "SchemaSource.swift", "SQLiteConnection+Strangers.swift",
    "SchemaLoader.swift", "SchemaSnapshot.swift",
  ]

  @Test("no message of the library names an option of the command line", arguments: ["SQLiteSchema", "SchemaKit"])
  func optionsStandInRemedies(target: String) throws {
    for file in try SourceTree.swiftFiles(in: "Sources/\(target)")
    where !Self.filesWithOptions.contains(URL(fileURLWithPath: file.path).lastPathComponent) {
      let lines = file.text.split(separator: "\n").filter {
        !$0.contains("//") && $0.contains(/"[^"]*(^|[^-a-z])--[a-z]/)
      }
      #expect(lines == [], "\(file.path)")
    }
  }
}

import Foundation
import Testing

/// Keeps the folders of the library in one direction, as CONTRIBUTING's table has it.
///
/// The types declared in a folder are looked for, as words, in the code of every other folder, and so are the members
/// that only one folder adds to types of another. Comments and string literals do not count, but what is interpolated
/// does. The compiler keeps the targets apart; this keeps the folders within them.
@Suite("Layers")
struct LayerTests {
  /// Every folder with all folders that it may use.
  static let allowed: [String: Set<String>] = [
    "SQLText": [],
    "Schema": ["SQLText"],
    "Diff": ["SQLText", "Schema"],
    "Plan": ["Diff", "SQLText", "Schema"],
    "Values": [],
    "Connection": ["Values"],
    "Messages": ["Connection", "Diff", "Plan", "SQLText", "Schema", "Values"],
    "Declaration": ["Messages", "SQLText", "Schema", "Values"],
    "Introspection": ["Connection", "Messages", "SQLText", "Schema", "Values"],
    "History": ["Connection", "Messages", "Plan", "SQLText", "Schema", "Values"],
    "Execution": ["Connection", "Plan", "SQLText", "Schema", "Values"],
    "Planning": ["Connection", "Diff", "Execution", "History", "Introspection", "Plan", "SQLText", "Schema", "Values"],
    "Apply": [
      "Connection", "Diff", "Execution", "History", "Introspection", "Messages", "Plan", "Planning", "SQLText",
      "Schema", "Values",
    ],
    "Change": [
      "Apply", "Connection", "Diff", "Execution", "History", "Introspection", "Messages", "Plan", "Planning", "SQLText",
      "Schema", "Values",
    ],
    "Records": ["Connection", "Declaration", "Messages", "SQLText", "Schema", "Values"],
    "Database": [
      "Apply", "Change", "Connection", "Declaration", "Diff", "Execution", "History", "Introspection", "Messages",
      "Plan",
      "Planning", "Records", "SQLText", "Schema", "Values",
    ],
    "Migrations": [
      "Apply", "Change", "Connection", "Database", "Declaration", "Diff", "History", "Introspection", "Messages",
      "Plan", "Planning",
      "SQLText", "Schema", "Values",
    ],
    "Schemas": [
      "Connection", "Database", "Declaration", "History", "Introspection", "Messages", "Migrations", "Plan", "Planning",
      "SQLText", "Schema", "Values",
    ],
    "SavedPlans": [
      "Apply", "Change", "Connection", "Database", "Declaration", "Diff", "History", "Introspection", "Messages",
      "Migrations", "Plan", "Planning",
      "SQLText", "Schema", "Values",
    ],
    "Rehearsal": [
      "Apply", "Change", "Connection", "History", "Introspection", "Plan", "Planning", "SQLText", "Schema", "Values",
    ],
    "Upgrades": [
      "Change", "Connection", "Database", "Declaration", "History", "Introspection", "Messages", "Migrations", "Plan",
      "Planning", "Schemas", "SQLText", "Schema", "Values",
    ],
    "Running": ["Change", "Diff", "Plan", "Planning", "SQLText", "Schema"],
    "Fleet": [
      "Apply", "Change", "Connection", "Database", "Declaration", "History", "Introspection", "Messages", "Plan",
      "Planning", "SavedPlans", "SQLText", "Schema", "Values",
    ],
  ]

  /// Some files whose folders point one way.
  struct Scope: Sendable, CustomTestStringConvertible {
    var roots: [String]
    /// How many parts of a path come before the folder.
    var depth: Int
    var allowed: [String: Set<String>]
    /// Where members are declared too, which then say nothing of these folders.
    var around: [String] = []
    /// How many types and members are declared at least, for the search to mean anything.
    var fewest: (types: Int, members: Int)

    var testDescription: String { roots.joined(separator: " and ") }

    /// The files in these folders; those beside them may use all of them, and be used by all.
    func files() throws -> [SourceTree.File] {
      try roots.flatMap { try SourceTree.swiftFiles(in: $0) }.filter { !folder(of: $0).isEmpty }
    }

    /// The folder that a file is in; empty for a file elsewhere.
    func folder(of file: SourceTree.File) -> String {
      let parts = file.path.split(separator: "/")
      let isInside = roots.contains { file.path.hasPrefix("\($0)/") } && parts.count > depth + 1
      return isInside ? String(parts[depth]) : ""
    }
  }

  static let scopes = [
    Scope(
      roots: ["Sources/SQLiteSchema", "Sources/SchemaKit", "Sources/SchemaKitOperations"], depth: 2, allowed: allowed,
      fewest: (types: 50, members: 500)),
    Scope(
      roots: ["Sources/SQLiteSchema/Plan"], depth: 3,
      allowed: [
        "Steps": [], "Checks": ["Steps"], "Strategies": ["Checks", "Steps"],
        "Hazards": ["Checks", "Steps", "Strategies"], "Order": ["Checks", "Steps", "Strategies"],
      ], around: ["Sources/SQLiteSchema", "Sources/SchemaKit"], fewest: (types: 20, members: 50)),
    Scope(
      roots: ["Sources/SchemaKitReports"], depth: 2,
      allowed: [
        "Text": [], "SwiftModels": [], "Diagram": ["Text"], "Page": ["Diagram", "Text"], "Plans": ["Page", "Text"],
        "Findings": ["Plans", "Text"], "Fleet": ["Plans", "Text"], "Upgrades": ["Findings", "Text"],
        "Lint": ["Findings", "Text"],
        "Doctor": ["Findings", "Lint", "Text"],
      ], around: ["Sources/SQLiteSchema", "Sources/SchemaKit"], fewest: (types: 20, members: 50)),
  ]

  /// What each folder declares at the top level, by name; or inside of other types, which hides what is outside.
  private static func declarations(
    _ files: [SourceTree.File], in scope: Scope, areNested: Bool = false
  ) throws -> [String: Set<String>] {
    let pattern = try NSRegularExpression(
      pattern: (areNested ? "^ +" : "^")
        + #"(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*"#
        + #"(?:struct|enum|class|actor|protocol|typealias)\s+(\w+)"#, options: .anchorsMatchLines)
    var folders: [String: Set<String>] = [:]
    for file in files {
      for match in pattern.matches(in: file.code, range: NSRange(file.code.startIndex..., in: file.code)) {
        guard let range = Range(match.range(at: 1), in: file.code) else { continue }
        folders[String(file.code[range]), default: []].insert(scope.folder(of: file))
      }
    }
    return folders
  }

  /// Names that the standard library gives to members too.
  private static let common: Set<String> = [
    "allCases", "components", "contents", "decodeIfPresent", "decodeNil", "element", "endIndex", "forEach", "hasPrefix",
    "hasSuffix",
    "inserted", "isNumber", "joined",
    "properties",
    "release", "removeAll", "singleValueContainer", "startIndex", "starts",
    "stringValue",
  ]

  /// Members that one folder alone declares, by name, with that folder; what any other folder calls so too, a parameter
  /// included, is left out.
  private static func members(_ files: [SourceTree.File], in scope: Scope) throws -> [String: String] {
    let declaration = try NSRegularExpression(pattern: #"\b(?:func|var|let|case)\s+`?([a-z]\w*)"#)
    let label = try NSRegularExpression(pattern: #"[(,]\s*(?:\w+\s+)?([a-z]\w*)\s*:"#)
    var folders: [String: Set<String>] = [:]
    for file in try files + scope.around.flatMap({ try SourceTree.swiftFiles(in: $0) }) {
      for pattern in [declaration, label] {
        for match in pattern.matches(in: file.code, range: NSRange(file.code.startIndex..., in: file.code)) {
          guard let range = Range(match.range(at: 1), in: file.code) else { continue }
          folders[String(file.code[range]), default: []].insert(scope.folder(of: file))
        }
      }
    }
    return folders.filter { $0.value.count == 1 && $0.value != [""] && $0.key.count > 5 && !common.contains($0.key) }
      .compactMapValues(
        \.first)
  }

  @Test("every folder uses only the members that the folders below it declare", arguments: scopes)
  func membersPointOneWay(scope: Scope) throws {
    let files = try scope.files()
    let declared = try Self.members(files, in: scope)
    #expect(declared.count > scope.fewest.members, "the search for members finds too little to mean anything")
    let member = try NSRegularExpression(pattern: #"(?<=[\w)\]?"]\.)[a-z]\w*"#)
    var violations: [String] = []
    for file in files {
      let folder = scope.folder(of: file)
      let permitted = try #require(scope.allowed[folder], "\(folder) is not in the table")
      for match in member.matches(in: file.code, range: NSRange(file.code.startIndex..., in: file.code)) {
        guard let range = Range(match.range, in: file.code), let home = declared[String(file.code[range])] else {
          continue
        }
        if home != folder, !permitted.contains(home) {
          violations.append("\(file.path) uses .\(file.code[range]) (\(home))")
        }
      }
    }
    #expect(violations == [])
  }

  @Test("every folder uses only the folders below it", arguments: scopes)
  func foldersPointOneWay(scope: Scope) throws {
    let files = try scope.files()
    let declared = try Self.declarations(files, in: scope).compactMapValues(\.first)
    let nested = try Self.declarations(files, in: scope, areNested: true)
    #expect(declared.count > scope.fewest.types, "the search for declarations finds too little to mean anything")
    let word = try NSRegularExpression(pattern: #"(?<![\w.])[A-Z]\w*"#)
    var violations: [String] = []
    for file in files {
      let folder = scope.folder(of: file)
      let permitted = try #require(scope.allowed[folder], "\(folder) is not in the table")
      for (number, line) in file.code.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        let line = String(line)
        for match in word.matches(in: line, range: NSRange(line.startIndex..., in: line)) {
          guard let range = Range(match.range, in: line), let home = declared[String(line[range])] else { continue }
          let isNested = nested[String(line[range])]?.isDisjoint(with: permitted.union([folder])) == false
          if home != folder, !permitted.contains(home), !isNested {
            violations.append(
              "\(file.path):\(number + 1) names \(line[range]) (\(home)); \(folder) may use \(permitted.sorted())")
          }
        }
      }
    }
    #expect(violations == [])
  }

  @Test("the tables themselves have no circle", arguments: scopes)
  func tableHasNoCircle(scope: Scope) {
    // What no folder left in the table is used by can be taken off it, until nothing is left.
    var left = scope.allowed
    while let free = left.first(where: { folder in !left.values.contains { $0.contains(folder.key) } }) {
      left[free.key] = nil
    }
    #expect(left.isEmpty, "\(left.keys.sorted()) use one another")
  }

  @Test(
    "only Connection and the disk of the tests know the C library, only the commands their libraries, and none Foundation"
  )
  func importsStayHome() throws {
    for file in try SourceTree.swiftFiles(in: "Sources") {
      let isEngine = ["Sources/SchemaKit/Connection/", "Sources/SchemaKitTesting/Disk/"].contains {
        file.path.hasPrefix($0)
      }
      #expect(isEngine || !file.code.contains("import CSQLite"), "\(file.path) imports CSQLite")
      let isCommand = file.path.hasPrefix("Sources/SchemaKitCommands/")
      #expect(isCommand || !file.code.contains("import ArgumentParser"), "\(file.path) imports ArgumentParser")
      // HTTP is in the larger part only; no program has it without the trait Remote.
      let subsets = [
        "Sources/SchemaKitFoundation/", "Sources/NotesSample/", "Sources/SchemaKitRemote/LibSQL/HTTPClient.swift",
      ]
      let isSubset = subsets.contains { file.path.hasPrefix($0) }
      #expect(
        isSubset || file.code.firstMatch(of: /import Foundation\b/) == nil,
        "\(file.path) imports Foundation, which a self-contained program must not contain; SchemaKitFoundation has what it may use"
      )
      let isSettings = file.path == "Sources/SchemaKitCommands/Settings/SettingsFile.swift"
      #expect(isSettings || !file.code.contains("import TOMLKit"), "\(file.path) imports TOMLKit")
    }
    let imports = try NSRegularExpression(pattern: #"\bimport\s+(\w+)"#)
    for file in try SourceTree.swiftFiles(in: "Sources/SQLiteSchema") {
      for match in imports.matches(in: file.code, range: NSRange(file.code.startIndex..., in: file.code)) {
        let module = Range(match.range(at: 1), in: file.code).map { String(file.code[$0]) }
        #expect(module == "OrderedCollections", "\(file.path) imports \(module ?? "")")
      }
    }
  }

  @Test("no file is over 400 lines")
  func filesAreSmall() throws {
    for file in try SourceTree.swiftFiles(in: "Sources") + SourceTree.swiftFiles(in: "Tests") {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
      #expect(lines <= 400, "\(file.path) has \(lines) lines")
    }
  }

  @Test("no function and no computed property is over 60 lines, and no initializer takes more than 8 parameters")
  func functionsAreSmall() throws {
    let head = try NSRegularExpression(
      pattern: #"^( *)(?:@?\w+(?:\([^)]*\))? )*(?:func \w+|init[?<(]|var \w+: [^={]*\{$)"#)
    for file in try SourceTree.swiftFiles(in: "Sources") where !file.path.hasPrefix("Sources/NotesSample/") {
      let lines = file.code.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
      for (start, line) in lines.enumerated() {
        guard let match = head.firstMatch(in: line, range: NSRange(line.startIndex..., in: line)),
          let indentation = Range(match.range(at: 1), in: line).map({ line[$0] })
        else { continue }
        let place = "\(file.path):\(start + 1)"
        if !line.hasSuffix("}"), let end = lines[start...].firstIndex(of: indentation + "}") {
          #expect(end - start <= 60, "\(place) has \(end - start) lines")
        }
        guard line.contains("init") else { continue }
        let count = Self.parameterCount(lines[start...])
        #expect(count <= 8, "\(place) takes \(count) parameters")
      }
    }
  }

  /// How many parameters stand in the first parentheses of some lines.
  private static func parameterCount(_ lines: ArraySlice<String>) -> Int {
    var depth = 0
    var count = 0
    for character in lines.prefix(30).joined(separator: " ").drop(while: { $0 != "(" }) {
      if "([<".contains(character) { depth += 1 }
      if ")]>".contains(character) { depth -= 1 }
      if character == ":", depth == 1 { count += 1 }
      if depth == 0 { break }
    }
    return count
  }

  @Test("nothing in the sources traps on a user's mistake")
  func nothingTraps() throws {
    let forced = try NSRegularExpression(pattern: #"[\w)\]]!(?![=\w(])"#)
    for file in try SourceTree.swiftFiles(in: "Sources") {
      for trap in ["fatalError(", "try!", "as!"] { #expect(!file.code.contains(trap), "\(file.path) has \(trap)") }
      if file.path.hasPrefix("Sources/SchemaKit/Connection/") { continue }
      let range = NSRange(file.code.startIndex..., in: file.code)
      #expect(forced.firstMatch(in: file.code, range: range) == nil, "\(file.path) unwraps by force")
    }
  }
}

import SchemaKitFoundation

/// A file as a release left it, with what must come of it: a folder of a test of upgrades.
package struct UpgradeCase: Sendable {
  /// The form in which the file is kept.
  package enum Before: Sendable, Hashable {
    /// Statements that make it.
    case script(String)
    /// A database, which is only copied.
    case database
  }

  /// The name of the folder.
  package var name: String
  package var path: String
  package var before: Before
  /// The path of the file that is kept.
  package var source: String
  /// The schema that the file is to have, if the case has one of its own.
  package var target: String?
  /// The schema of its release, if it is declared beside the file.
  package var schema: String?
  package var expectations: [Expectation]
  /// The path of the settings of the case, if it has some.
  package var settings: String?
}

extension UpgradeCase {
  package static let settingsName = "case.toml"

  private static let scripts = ["before.sql", "to.sql", "schema.sql", "expect.sql"]

  /// Reads the cases of a folder in the order of their names, in which numbers count as numbers; or the one case that the
  /// folder is.
  ///
  /// - Throws: `SchemaError` for a folder that is not there or has no case, and for whatever cannot be read in one.
  package static func read(_ folder: String) throws(SchemaError) -> [UpgradeCase] {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw SchemaError(
        source: folder, problem: "there is no such folder; schemactl test new DATABASE writes its first case")
    }
    guard FileManager.default.folderExists(atPath: folder) else {
      throw SchemaError(source: folder, problem: "this is a file; name the folder of the cases")
    }
    let names = try names(in: folder)
    if names.contains(where: { isBefore($0) }) { return [try UpgradeCase(reading: folder)] }
    let cases = names.filter { !$0.hasPrefix(".") && FileManager.default.folderExists(atPath: "\(folder)/\($0)") }
    guard !cases.isEmpty else {
      throw SchemaError(
        source: folder,
        problem: "the folder has no case: a case is a folder in it with before.sql, or before.db, as a release left it")
    }
    return try cases.sorted(by: isBefore).map { name throws(SchemaError) in
      try UpgradeCase(reading: "\(folder)/\(name)")
    }
  }

  private init(reading path: String) throws(SchemaError) {
    let names = try Self.names(in: path)
    let files = names.filter(Self.isBefore)
    guard let file = files.first else {
      throw SchemaError(
        source: path, problem: "the case has neither before.sql nor before.db, the file as a release left it")
    }
    guard files.count == 1 else {
      throw SchemaError(source: path, problem: "the case has both before.sql and before.db; keep one of them")
    }
    if let other = names.first(where: { $0.hasSuffix(".sql") && !Self.isKnown($0) }) {
      throw SchemaError(
        source: "\(path)/\(other)",
        problem: "a case has \(Wording.list(Self.scripts)), and expectations in files called NAME.expect.sql")
    }
    self.path = path
    name = path.split(separator: "/").last.map { String($0) } ?? path
    source = "\(path)/\(file)"
    before = file == "before.sql" ? .script(try Self.text(source)) : .database
    let targets = names.filter { ["to", "to.sql", "to.json", "to.db"].contains($0) }
    guard targets.count < 2 else {
      throw SchemaError(source: path, problem: "the case has \(Wording.list(targets.sorted())); keep one of them")
    }
    target = targets.first.map { "\(path)/\($0)" }
    schema = names.contains("schema.sql") ? "\(path)/schema.sql" : nil
    settings = names.contains(Self.settingsName) ? "\(path)/\(Self.settingsName)" : nil
    expectations = []
    for name in names.filter({ $0 == "expect.sql" || $0.hasSuffix(".expect.sql") }).sorted(by: Self.isBefore) {
      expectations += try Expectation.read(Self.text("\(path)/\(name)"), file: "\(path)/\(name)")
    }
  }

  private static func isBefore(_ name: String) -> Bool { name == "before.sql" || name == "before.db" }

  private static func isKnown(_ name: String) -> Bool { scripts.contains(name) || name.hasSuffix(".expect.sql") }

  private static func names(in folder: String) throws(SchemaError) -> [String] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      throw SchemaError(source: folder, problem: "the folder cannot be read; check its permissions")
    }
    return names
  }

  private static func text(_ path: String) throws(SchemaError) -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw SchemaError(source: path, problem: "cannot be read; check its permissions")
    }
    return try SourceText.read(data, source: path)
  }

  /// True if a name comes first, where 1.9 comes before 1.10.
  package static func isBefore(_ left: String, _ right: String) -> Bool {
    let (own, others) = (parts(of: left), parts(of: right))
    for (part, other) in zip(own, others) where part != other {
      // Longer numbers are greater ones; their leading zeros are gone.
      if part.isNumber, other.isNumber, part.text.count != other.text.count {
        return part.text.count < other.text.count
      }
      return part.text < other.text
    }
    return own.count == others.count ? left < right : own.count < others.count
  }

  private static func parts(of name: String) -> [(text: String, isNumber: Bool)] {
    var parts: [(text: String, isNumber: Bool)] = []
    for character in name {
      let isDigit = character.isASCII && character.isNumber
      if let last = parts.last, last.isNumber == isDigit {
        let text = isDigit && last.text == "0" ? "" : last.text
        parts[parts.count - 1].text = text + String(character)
      } else {
        parts.append((String(character), isDigit))
      }
    }
    return parts
  }
}

// MARK: - The file

extension UpgradeCase {
  /// True if the statements that make the file hold hints, which say how older files become like it.
  package var hasHints: Bool {
    guard case .script(let text) = before else { return false }
    return text.lowercased().contains("schemakit:")
  }

  /// Makes the file anew at a path.
  ///
  /// - Throws: `SchemaError` with the line of a statement that SQLite refuses.
  package func make(at path: String) throws {
    switch before {
    case .script(let text):
      _ = try DatabaseDump(
        text, source: source, writingTo: SQLiteConnection(path: path, mode: .readWriteCreate))
    case .database:
      for suffix in ["", "-wal", "-journal"] where FileManager.default.fileExists(atPath: source + suffix) {
        guard (try? FileManager.default.copyItem(atPath: source + suffix, toPath: path + suffix)) != nil else {
          throw SchemaError(source: source + suffix, problem: "cannot be copied; check its permissions")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path + suffix)
      }
      try SQLiteConnection(path: path, mode: .readWrite).probe()
    }
  }
}

import SchemaKit
import SchemaKitFoundation
import TOMLKit

/// A file of settings, read and understood as a whole.
///
/// Consent cannot stand in it: see `RefusedSetting`.
struct SettingsFile {
  /// The name that is looked for.
  static let name = "schemactl.toml"

  /// The path as it is shown.
  let path: String
  /// The settings of every environment.
  private(set) var common: [Setting: SettingEntry] = [:]
  private(set) var environments: [String: [Setting: SettingEntry]] = [:]
  /// The rules for `lint` that the project has of its own, in their order.
  private(set) var rules: [SettledRule] = []
  private let lines: TOMLLines

  /// The path of the file in this folder or the nearest one above it, up to the root of a repository.
  static func nearest() -> String? {
    let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
    for height in 0...depth {
      let folder = String(repeating: "../", count: height)
      if isFile(folder + name) { return folder + name }
      if FileManager.default.fileExists(atPath: folder + ".git") { return nil }
    }
    return nil
  }

  /// The environments of the nearest file, for completions; none where it cannot be read.
  static func environmentNames() -> [String] {
    guard let path = nearest(), let file = try? SettingsFile(reading: path, namedBy: "") else { return [] }
    return file.environments.keys.sorted()
  }

  private static func isFile(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path) && !FileManager.default.folderExists(atPath: path)
  }

  /// - Parameter option: The option or variable that names the file, for the error that there is none.
  init(reading path: String, namedBy option: String) throws {
    guard Self.isFile(path) else { throw CommandError.usage("\(option) \(path): there is no such file.") }
    try self.init(text: Self.text(of: path), path: path)
  }

  /// Reads the text of a file.
  fileprivate static func text(of path: String) throws -> String {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError(code: .failed, sentence: "\(path) cannot be read; check its permissions.")
    }
    try MergeConflict.check(data, source: path)
    guard let text = String(data: data, encoding: .utf8), !text.contains("\0") else {
      throw CommandError(code: .failed, sentence: "\(path) is not UTF-8 text.")
    }
    // The parser hands texts over as C does, which end at the first of these.
    for escape in ["\\u0000", "\\U00000000"] where text.contains(escape) {
      throw CommandError(code: .failed, sentence: "\(path): \(escape) is not allowed in a setting.")
    }
    return text
  }

  /// Understands a text.
  init(text: String, path: String) throws {
    self.path = path
    let table = try TOMLTable(string: text, named: path)
    lines = TOMLLines(text)
    for key in table.keys {
      guard let value = table[key] else { continue }
      if key == "environments" {
        try readEnvironments(value)
      } else if key == SettledRule.table {
        try readRules(value)
      } else {
        try read(key, value, environment: nil, into: &common)
      }
    }
  }

  private mutating func readEnvironments(_ value: any TOMLValueConvertible) throws {
    guard let tables = value.table else {
      throw origin(of: ["environments"], nil).error(
        "environments holds tables, such as [environments.production], and not \(Self.described(value)).")
    }
    for name in tables.keys {
      guard let member = tables[name] else { continue }
      guard let table = member.table else {
        throw origin(of: ["environments", name], nil).error(
          "[environments] holds tables, such as [environments.production], and \(name) is \(Self.described(member)).")
      }
      var settings: [Setting: SettingEntry] = [:]
      for key in table.keys {
        if let value = table[key] { try read(key, value, environment: name, into: &settings) }
      }
      environments[name] = settings
    }
  }

  private mutating func readRules(_ value: any TOMLValueConvertible) throws {
    let place = [SettledRule.table, SettledRule.list]
    guard let table = value.table else {
      throw origin(of: [SettledRule.table], nil).error(
        "lint holds rules, each of which begins with [[lint.rule]], and not \(Self.described(value)).")
    }
    if let key = table.keys.first(where: { $0 != SettledRule.list }) {
      throw origin(of: [SettledRule.table, key], nil).error(
        "there is no setting lint.\(key); lint holds rules, each of which begins with [[lint.rule]].")
    }
    guard let value = table[SettledRule.list] else { return }
    guard let elements = value.array else {
      throw origin(of: place, nil).error(
        "a rule begins with [[lint.rule]], in double brackets, and lint.rule is \(Self.described(value)).")
    }
    for (number, element) in elements.enumerated() {
      let place = place + ["[\(number)]"]
      guard let table = element.table else {
        throw origin(of: place, nil).error("a rule is a table, [[lint.rule]], and not \(Self.described(element)).")
      }
      var texts: [String: SettledRule.Text] = [:]
      for key in table.keys {
        guard let value = table[key] else { continue }
        texts[key] = (value.string, Self.described(value), origin(of: place + [key], nil))
      }
      rules.append(try SettledRule(texts, at: origin(of: place, nil), after: rules))
    }
  }

  private func read(
    _ key: String, _ value: any TOMLValueConvertible, environment: String?, into settings: inout [Setting: SettingEntry]
  ) throws {
    let origin = origin(of: (environment.map { ["environments", $0] } ?? []) + [key], environment)
    if let reason = RefusedSetting.reason(for: key, in: "a file") { throw origin.error(reason) }
    guard key != SettledRule.table else {
      throw origin.error("rules of lint are for every environment: write [[lint.rule]] outside of them.")
    }
    guard let setting = Setting(name: key) else {
      throw origin.error(Self.unknown(key, isTable: value.table != nil, isCommon: environment == nil))
    }
    if settings[setting] != nil { throw origin.error("schema and to are the same setting; keep one of them.") }
    settings[setting] = SettingEntry(value: try understood(value, as: setting, origin), origin: origin)
  }

  private static func unknown(_ key: String, isTable: Bool, isCommon: Bool) -> String {
    let names = Setting.allCases.map(\.rawValue) + (isCommon ? ["environments", SettledRule.table] : [])
    if isTable, isCommon, NearestName.of(key, among: names) == nil {
      return "there is no table [\(key)]; write an environment as [environments.\(key)]."
    }
    return "there is no setting \(key); \(NearestName.hint(for: key, among: names))"
  }

  private func understood(
    _ value: any TOMLValueConvertible, as setting: Setting, _ origin: SettingOrigin
  ) throws -> SettingEntry.Value {
    let wrong = origin.error("\(setting) takes \(setting.kind.expectation), and not \(Self.described(value)).")
    switch setting.kind {
    case .path:
      guard let text = value.string, !text.isEmpty else { throw wrong }
      return .text(try self.path(text, of: setting, origin))
    case .paths:
      let texts = value.string.map { [$0] } ?? value.array?.map { $0.string ?? "" } ?? []
      guard !texts.isEmpty, !texts.contains("") else { throw wrong }
      return .texts(try texts.map { try self.path($0, of: setting, origin) })
    case .texts:
      guard let array = value.array else { throw wrong }
      let texts = array.map(\.string)
      guard texts.allSatisfy({ $0?.isEmpty == false }) else {
        throw origin.error("\(setting) takes \(setting.kind.expectation), and nothing else stands in it.")
      }
      return .texts(texts.compactMap { $0 })
    case .seconds:
      guard let number = value.double ?? value.int.map(Double.init), Setting.seconds ~= number else { throw wrong }
      return .number(number)
    case .flag:
      guard let flag = value.bool else { throw wrong }
      return .flag(flag)
    case .choice(let words):
      guard let text = value.string else { throw wrong }
      guard words.contains(text) else { throw origin.error(setting.refusal(of: text, words)) }
      return .text(text)
    }
  }

  /// A path, which counts from the folder of the file.
  private func path(_ text: String, of setting: Setting, _ origin: SettingOrigin) throws -> String {
    guard text != "-" else {
      throw origin.error("\(setting) cannot be standard input in a file; name - on the command line.")
    }
    return text.hasPrefix("/") ? text : folder + text
  }

  /// The file's folder as a path begins with it; empty for the current one.
  private var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  private func origin(of key: [String], _ environment: String?) -> SettingOrigin {
    .file(path, environment: environment, line: lines[key])
  }

  private static func described(_ value: any TOMLValueConvertible) -> String {
    if let text = value.string { return text.isEmpty ? "an empty text" : "the text \"\(text)\"" }
    if let number = value.int { return "the number \(number)" }
    if let number = value.double { return "the number \(number)" }
    if let flag = value.bool { return "\(flag)" }
    if value.array != nil { return "a list" }
    return value.table == nil ? "a date or time" : "a table"
  }
}

/// The settings of one case of a test, in its folder.
struct CaseSettings {
  /// The path of the file; empty where there is none.
  private(set) var path = ""
  /// The consent of the case, as `--allow` takes it.
  private(set) var allowances: [String] = []
  /// The renames of the case, as `--rename` takes them.
  private(set) var renames: [String] = []
  /// The recorded step that the release had last.
  private(set) var at: String?

  init() {}

  /// Reads a file.
  init(reading path: String) throws {
    self.path = path
    let text = try SettingsFile.text(of: path)
    let table = try TOMLTable(string: text, named: path)
    let lines = TOMLLines(text)
    for key in table.keys {
      guard let value = table[key] else { continue }
      let mark = lines[[key]].map { "\(path):\($0)" } ?? path
      switch key {
      case "allow": allowances = try Self.texts(value, of: key, mark)
      case "rename": renames = try Self.texts(value, of: key, mark)
      case "at":
        guard let text = value.string, !text.isEmpty else {
          throw CommandError(code: .failed, sentence: "\(mark): at takes the name of a step in quotes.")
        }
        at = text
      default:
        let hint = NearestName.hint(for: key, among: ["allow", "at", "rename"])
        throw CommandError(code: .failed, sentence: "\(mark): a case has no setting \(key); \(hint)")
      }
    }
  }

  private static func texts(
    _ value: any TOMLValueConvertible, of key: String, _ mark: String
  ) throws -> [String] {
    let texts = value.array?.map { $0.string ?? "" } ?? []
    guard !texts.isEmpty, !texts.contains("") else {
      throw CommandError(
        code: .failed, sentence: "\(mark): \(key) takes \(Setting.Kind.texts.expectation).")
    }
    return texts
  }
}

extension TOMLTable {
  /// Reads a text; what is wrong with it is said with its place.
  fileprivate convenience init(string text: String, named path: String) throws {
    do {
      try self.init(string: text)
    } catch let error as TOMLParseError {
      let place = error.source.begin
      // This is what becomes of a text without quotes.
      let guesses = ["value type", "parsing boolean", "parsing floating-point", "parsing integer", "parsing date"]
      let hint = guesses.contains(where: error.description.contains) ? " Text goes in quotes." : ""
      throw CommandError(
        code: .failed, sentence: "\(path):\(place.line):\(place.column): not TOML: \(error.description).\(hint)")
    }
  }
}

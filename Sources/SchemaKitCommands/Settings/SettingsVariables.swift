import SQLiteSchema
import SchemaKitFoundation

/// The settings in the environment: each is `SCHEMACTL_` and its name in capitals, with `_` for each hyphen.
struct SettingsVariables {
  static let prefix = "SCHEMACTL_"

  private(set) var settings: [Setting: SettingEntry] = [:]
  /// The environment that `SCHEMACTL_ENV` chooses.
  private(set) var environment: String?
  /// The file that `SCHEMACTL_CONFIG` names.
  private(set) var config: String?
  /// The warnings about variables that mean nothing.
  private(set) var warnings: [String] = []

  /// - Parameter variables: All variables; an empty one counts as not set.
  init(_ variables: [String: String]) throws {
    for (variable, text) in variables.sorted(by: { $0.key < $1.key })
    where variable.hasPrefix(Self.prefix) && !text.isEmpty {
      let name = variable.dropFirst(Self.prefix.count).lowercased().map { $0 == "_" ? "-" : String($0) }.joined()
      switch name {
      case "env": environment = text
      case "config": config = text
      case "token": continue
      default: try read(name, text, variable)
      }
    }
  }

  private mutating func read(_ name: String, _ text: String, _ variable: String) throws {
    let origin = SettingOrigin.variable(variable)
    let reason = RefusedSetting.reason(for: name, in: "the environment")
    if let reason, RefusedSetting.consent.contains(name) { throw origin.error(reason) }
    guard let setting = Setting(name: name) else {
      let meant = NearestName.of(name, among: Setting.allCases.map(\.rawValue)).flatMap(Setting.init(rawValue:))
      let hint = meant.map { "; did you mean \(Self.variable($0))?" } ?? "."
      warnings.append(reason.map { "\(variable): \($0)" } ?? "\(variable) is not a setting\(hint)")
      return
    }
    if settings[setting] != nil { throw origin.error("schema and to are the same setting; keep one of them.") }
    settings[setting] = SettingEntry(value: try understood(text, as: setting, origin), origin: origin)
  }

  static func variable(_ setting: Setting) -> String {
    prefix + setting.rawValue.uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
  }

  private func understood(
    _ text: String, as setting: Setting, _ origin: SettingOrigin
  ) throws -> SettingEntry.Value {
    switch setting.kind {
    case .path: return .text(text)
    case .paths: return .texts([text])
    case .texts:
      let texts = text.split(separator: ",").map { String($0.trimmed) }
      return .texts(texts.filter { !$0.isEmpty })
    case .seconds:
      guard let number = Double(text), Setting.seconds ~= number else {
        throw origin.error("\(text) is not a number \(Setting.secondsInWords).")
      }
      return .number(number)
    case .flag:
      switch text.lowercased() {
      case "true", "1", "yes", "on": return .flag(true)
      case "false", "0", "no", "off": return .flag(false)
      default: throw origin.error("\(text) is neither true nor false.")
      }
    case .choice(let words):
      guard words.contains(text) else { throw origin.error(setting.refusal(of: text, words)) }
      return .text(text)
    }
  }
}

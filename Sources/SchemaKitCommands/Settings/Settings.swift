import SchemaKit
import SchemaKitFoundation

/// The settings of a command for options that are not given: from the environment variables, from the chosen environment
/// of a file, and from the common settings of the file, in this order.
struct Settings {
  /// The file; nil when there is none.
  let file: SettingsFile?
  /// The environment that was chosen.
  let environment: String?
  /// The settings that a command took, in order.
  private(set) var taken: [Setting] = []
  /// Where they came from, for `-v`.
  private(set) var notes: [String] = []
  /// The remarks that are printed without `-v` as well.
  var remarks: [String] = []
  private let levels: [[Setting: SettingEntry]]

  init(options: SettingsOptions, variables: SettingsVariables) throws {
    var levels = [variables.settings]
    let config = options.config ?? variables.config
    let path = config == "none" ? nil : config ?? SettingsFile.nearest()
    file = try path.map { path in
      try SettingsFile(reading: path, namedBy: options.config == nil ? "SCHEMACTL_CONFIG" : "--config")
    }
    environment = options.env ?? variables.environment
    if let environment {
      let option = options.env == nil ? "SCHEMACTL_ENV" : "--env"
      levels.append(try Self.table(environment, of: file, option: option, isOff: config == "none"))
      if options.env == nil { notes.append("environment \(environment) from SCHEMACTL_ENV") }
    }
    if let file { levels.append(file.common) }
    self.levels = levels
  }

  private static func table(
    _ name: String, of file: SettingsFile?, option: String, isOff: Bool
  ) throws -> [Setting: SettingEntry] {
    guard let file else {
      throw CommandError.usage(
        isOff
          ? "\(option) \(name) needs a file with [environments.\(name)], and --config none reads none."
          : "\(option) \(name) needs a \(SettingsFile.name) with [environments.\(name)], and there is none in this "
            + "folder or above it.")
    }
    if let table = file.environments[name] { return table }
    let names = file.environments.keys.sorted()
    guard !names.isEmpty else {
      throw CommandError.usage("\(option) \(name): \(file.path) has no environments; write [environments.\(name)].")
    }
    throw CommandError.usage(
      "\(option) \(name): \(file.path) has no such environment; it has \(names.joined(separator: ", ")).")
  }

  /// True if a setting stands anywhere.
  func has(_ setting: Setting) -> Bool { levels.contains { $0[setting] != nil } }

  // MARK: - Taking

  /// The first entry of a setting; where it came from is noted.
  private mutating func entry(_ setting: Setting) -> SettingEntry? {
    guard let entry = levels.lazy.compactMap({ $0[setting] }).first else { return nil }
    note(setting, entry)
    return entry
  }

  private mutating func note(_ setting: Setting, _ entry: SettingEntry) {
    guard !taken.contains(setting) else { return }
    taken.append(setting)
    notes.append("\(setting) from \(entry.origin.text)")
  }

  /// Fills an option that was not given.
  mutating func take(_ setting: Setting, into option: inout String?) {
    if option == nil, case .text(let text)? = entry(setting)?.value { option = text }
  }

  /// Fills a list that was not given; a list that was given stands alone.
  mutating func take(_ setting: Setting, into option: inout [String]) {
    if option.isEmpty, case .texts(let texts)? = entry(setting)?.value { option = texts }
  }

  mutating func take(_ setting: Setting, into option: inout Double?) {
    if option == nil, case .number(let number)? = entry(setting)?.value { option = number }
  }

  mutating func take(_ setting: Setting, into option: inout Bool?) {
    if option == nil, case .flag(let flag)? = entry(setting)?.value { option = flag }
  }

  mutating func take<Choice: RawRepresentable<String>>(_ setting: Setting, into option: inout Choice?) {
    if option == nil, case .text(let text)? = entry(setting)?.value { option = Choice(rawValue: text) }
  }

  /// Fills the options about copies, which belong together: the nearest place that says anything of them decides.
  mutating func take(into options: inout BackupOptions) throws {
    guard options.backup == nil, !options.noBackup else { return }
    var mayBeOff = true
    for level in levels {
      let none = level[.noBackup]
      let isOff = none?.value == .flag(true)
      if let none, isOff, level[.backup] != nil {
        throw none.origin.error("no-backup and backup contradict each other.")
      }
      if let entry = level[.backup], case .text(let text) = entry.value {
        note(.backup, entry)
        options.backup = text
        return
      }
      if let none, isOff, mayBeOff {
        note(.noBackup, none)
        options.noBackup = true
        return
      }
      if none != nil { mayBeOff = false }
    }
  }

  /// Fills the options about the schema; a program with models keeps to them.
  mutating func take(into target: inout TargetOptions, hasModels: Bool) {
    if takeSchema(into: &target.to, hasModels: hasModels) { take(.layout, into: &target.layout) }
    take(.ignore, into: &target.ignore)
    take(.strictOrder, into: &target.givenStrictOrder)
  }

  /// Fills the schema, and returns whether it did, so that the layout of that schema counts; a program with models keeps
  /// to them.
  mutating func takeSchema(into schema: inout [String], hasModels: Bool) -> Bool {
    guard hasModels else {
      let isGiven = !schema.isEmpty
      take(.schema, into: &schema)
      return !isGiven && !schema.isEmpty
    }
    if schema.isEmpty, let entry = levels.lazy.compactMap({ $0[.schema] }).first {
      notes.append("schema from \(entry.origin.text) is passed over: this program has models")
    }
    return false
  }

  mutating func take(into output: inout OutputOptions) {
    take(.lockTimeout, into: &output.givenLockTimeout)
    take(.untrusted, into: &output.givenUntrusted)
    take(.color, into: &output.givenColor)
  }

  /// The rules for `lint` that the project has of its own.
  mutating func takeRules() -> [SettledRule] {
    guard let file, let first = file.rules.first else { return [] }
    notes.append("\(Wording.counted(file.rules.count, "rule")) of lint from \(first.origin.text)")
    return file.rules
  }

  // MARK: - Missing or wrong settings

  /// Fills the database, which the command cannot do without.
  mutating func require(database: inout String?) throws {
    take(.database, into: &database)
    guard database == nil else { return }
    throw CommandError.usage("DATABASE is missing. \(waysToName)")
  }

  /// The ways to name a database, given the contents of the file.
  private var waysToName: String {
    guard let file else {
      return "Name the database file, or write database = \"FILE\" into a \(SettingsFile.name)."
    }
    if let environment {
      return
        "[environments.\(environment)] of \(file.path) names none: name the file here, or write database = \"FILE\" "
        + "there."
    }
    let names = file.environments.filter { $0.value[.database] != nil }.keys.sorted()
    guard !names.isEmpty else {
      return "Name the database file, or write database = \"FILE\" into \(file.path)."
    }
    return "Name the database file, or choose an environment of \(file.path) with --env: "
      + "\(names.joined(separator: ", "))."
  }

  /// An error about a setting, which names its place.
  func error(_ setting: Setting, _ problem: String) -> CommandError {
    levels.lazy.compactMap { $0[setting]?.origin.error(problem) }.first ?? .usage(problem)
  }
}

import SchemaKit
import SchemaKitOperations

/// A setting of a file or the environment; its name is that of its option, without the leading hyphens.
enum Setting: String, CaseIterable {
  case database, schema, layout, migrations, apply, ignore, create
  case strictOrder = "strict-order"
  case strategy, verify
  case lockTimeout = "lock-timeout"
  case backup
  case noBackup = "no-backup"
  case untrusted, color, skip

  /// The kind of value that a setting takes.
  enum Kind {
    case path, paths, texts, seconds, flag
    case choice([String])

    /// The kind in words, behind "takes".
    var expectation: String {
      switch self {
      case .path: "a path in quotes"
      case .paths: "a path in quotes, or a list of paths of .sql files"
      case .texts: "a list of texts in quotes, such as [\"a\", \"b\"]"
      case .seconds: "a number \(Setting.secondsInWords)"
      case .flag: "true or false"
      case .choice(let words): "one of \(words.map { "\"\($0)\"" }.joined(separator: ", "))"
      }
    }
  }

  /// The range of every waiting time, in seconds.
  static let seconds = 0.0...1_000_000
  static let secondsInWords = "from 0 to 1000000 seconds"

  var kind: Kind {
    switch self {
    case .database, .migrations, .backup: .path
    case .schema: .paths
    case .ignore, .skip: .texts
    case .lockTimeout: .seconds
    case .create, .strictOrder, .noBackup, .untrusted: .flag
    case .layout: .choice(MigrationLayout.allCases.map(\.rawValue))
    case .apply: .choice(ApplyWay.allCases.map(\.rawValue))
    case .strategy: .choice(StrategyOptions.Choice.allCases.map(\.rawValue))
    case .verify: .choice(Verification.allCases.map(\.rawValue))
    case .color: .choice(ColorChoice.allCases.map(\.rawValue))
    }
  }

  /// The setting of a name; `schema` may be called `to`, as its option is.
  init?(name: String) { self.init(rawValue: name == "to" ? Self.schema.rawValue : name) }

  /// Returns the message for a word that cannot be chosen.
  func refusal(of word: String, _ words: [String]) -> String {
    "\(self) cannot be \"\(word)\"; \(NearestName.hint(for: word, among: words))"
  }
}

extension Setting: CustomStringConvertible {
  var description: String { rawValue }
}

/// The target of `apply` if both a schema and a folder of migrations are set.
enum ApplyWay: String, CaseIterable { case schema, migrations }

/// The names that look like settings but are none, with the reasons.
enum RefusedSetting {
  /// Consent: these options are given for one run, by whoever has looked at its plan.
  static let consent: Set<String> = ["allow", "yes", "keep", "allow-empty"]

  private static let others: [String: String] = [
    "rename": "write it into the schema, behind a column or table: -- schemakit: renamed from OLD",
    "env": "choose the environment with --env or SCHEMACTL_ENV",
    "config": "name the file with --config or SCHEMACTL_CONFIG",
    "token": "give a token in SCHEMACTL_TOKEN or with --token-file, where it is not committed",
  ]

  private static let perRun: Set<String> = [
    "base", "discard-kept", "dry-run", "empty", "exit-code", "format", "load-extension", "no-ledger", "out",
    "plan", "queries", "quick", "quiet", "rehearse", "rehearse-in", "rule", "seed", "through",
    "token-file", "verbose", "without-data",
  ]

  /// Returns the reason why a name is not a setting, if there is a particular one.
  ///
  /// - Parameter place: The place of the name: "a file" or "the environment".
  static func reason(for name: String, in place: String) -> String? {
    if consent.contains(name) {
      return "\(name) cannot be set in \(place): consent counts for one run, given on its command line by whoever has "
        + "seen the plan. Remove it, and pass --\(name) where it is needed."
    }
    if let way = others[name] { return "\(name) is not a setting; \(way)." }
    return perRun.contains(name)
      ? "\(name) is not a setting: --\(name) is given for one run, on its command line." : nil
  }
}

/// A setting in a file or the environment, with its place.
struct SettingEntry {
  enum Value: Equatable {
    case text(String)
    case texts([String])
    case number(Double)
    case flag(Bool)
  }

  var value: Value
  var origin: SettingOrigin
}

/// Where a setting stands.
enum SettingOrigin {
  case variable(String)
  case file(String, environment: String?, line: Int?)

  /// The place as a note says it.
  var text: String {
    switch self {
    case .variable(let name): name
    case .file(let path, let environment, let line):
      [path, environment.map { "[environments.\($0)]" }, line.map { "line \($0)" }].compactMap { $0 }
        .joined(separator: ", ")
    }
  }

  /// The line of a file; nil where it is not known.
  var line: Int? { if case .file(_, _, let line) = self { line } else { nil } }

  /// The place as the beginning of an error.
  var mark: String {
    switch self {
    case .variable(let name): name
    case .file(let path, _, let line): line.map { "\(path):\($0)" } ?? path
    }
  }

  /// The error that something is wrong there.
  func error(_ problem: String) -> CommandError {
    switch self {
    case .variable: CommandError.usage("\(mark): \(problem)")
    case .file: CommandError(code: .failed, sentence: "\(mark): \(problem)")
    }
  }
}

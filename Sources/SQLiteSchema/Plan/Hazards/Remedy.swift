/// An error whose message advises what the command line and programs call by different names. Its `description` is for programs.
package protocol AdvisingError: Error, CustomStringConvertible {
  /// The message, with the actions that it advises.
  var message: Remedy { get }
}

/// The readers of a sentence.
package enum Audience: Sendable {
  case commandLine, programs
}

/// The advice on a hazard: words, and actions for which the command line and programs have different names.
package struct Remedy: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// Something that a user of the command line does by an option, and a program in Swift.
  package enum Action: Sendable, Hashable {
    /// To consent to a hazard, named as `--allow` takes it; a declaration can consent to what it drops.
    case consent(String, isDrop: Bool)
    /// To keep what no model declares: nothing for the command line, whose schemas are whole.
    case keepUndeclared
    /// To plan with a look at the rows.
    case examineRows
    /// To say what rows get in a column.
    case fill
    /// To say what the values of a column become, with the change: once the column has its type, it is too late.
    case convert
    /// To say what was renamed.
    case rename(hint: String, option: String)
    /// To load what SQLite lacks.
    case loadExtension
    /// To have a history.
    case keepHistory
    /// To copy a table while no other writes it.
    case copyUnderLock
    /// To end the time in which an older program uses the database.
    case contract
    /// To apply a schema in that way.
    case contractPhase
    /// To apply a schema at once, for programs that all know it.
    case completePhase(insteadOf: String)
    /// To go back to a schema that the file has left behind.
    case allowDowngrade
    /// To say which of the schemas in a file is meant.
    case nameSchema
    /// To give the token for a server.
    case giveToken
    /// To change a database that is not copied before.
    case omitCopy
    /// To connect to a server on another machine although nothing protects the connection.
    case connectInsecurely
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}
    package mutating func appendLiteral(_ literal: String) { parts.append(.words(literal)) }
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      parts.append(.words("\(value)"))
    }
    package mutating func appendInterpolation(_ action: Action) { parts.append(.action(action)) }
    package mutating func appendInterpolation(_ remedy: Remedy) { parts += remedy.parts }
  }

  fileprivate enum Part: Sendable, Hashable {
    case words(String)
    case action(Action)
  }

  private var parts: [Part]

  package init(_ words: String) { parts = [.words(words)] }
  package init(stringLiteral words: String) { self.init(words) }
  package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

  /// Some remedies, one after the other.
  package init(_ parts: [Remedy], separator: String) {
    self.parts = Array(parts.map(\.parts).joined(separator: [.words(separator)]))
  }

  package static func + (left: Remedy, right: Remedy) -> Remedy { "\(left)\(right)" }

  /// The remedy in words. An action that begins a sentence begins with a capital.
  package func words(for audience: Audience) -> String {
    parts.reduce(into: "") { text, part in
      switch part {
      case .words(let words): text += words
      case .action(let action):
        let words = action.words(for: audience)
        let begins = text.isEmpty || text.hasSuffix(". ")
        text += begins ? words.prefix(1).uppercased() + words.dropFirst() : words
      }
    }
  }
}

extension Remedy.Action {
  fileprivate func words(for audience: Audience) -> String {
    audience == .commandLine ? wordsOfCommandLine : wordsOfPrograms
  }

  private var wordsOfCommandLine: String {
    switch self {
    case .consent(let object, _): "--allow \(object.shellWord)"
    case .keepUndeclared: ""
    case .examineRows: "plan without --quick (or from a dump with rows)"
    case .fill: "\"-- schemakit: fill EXPR\" on the line of the column, backfill(sql:) in a model"
    case .convert:
      "give a conversion with this change: \"-- schemakit: convert EXPR\" on the line of the column, converting(sql:) in a model"
    case .rename(let hint, let option): "\(hint) (or --rename \(option.shellWord))"
    case .loadExtension: "with --load-extension FILE"
    case .keepHistory: "leave out --no-ledger"
    case .copyUnderLock: "leave out --strategy online"
    case .contract: "apply --contract"
    case .contractPhase: "with --contract"
    case .completePhase(let phase): "without --\(phase)"
    case .allowDowngrade: "--allow downgrade"
    case .nameSchema: "with --schema"
    case .giveToken: "in the variable SCHEMACTL_TOKEN or with --token-file"
    case .omitCopy: "pass --no-backup"
    case .connectInsecurely: "pass --insecure"
    }
  }

  private var wordsOfPrograms: String {
    switch self {
    case .consent(let object, let isDrop):
      "\(isDrop ? "removed: in the declaration, or " : "")a PlanPolicy that allows \(object)"
    case .keepUndeclared: " To keep columns that no model declares, set undeclaredColumns = .keep."
    case .examineRows: "plan with the rows examined"
    case .fill: "backfill(sql:) in the model, or \"-- schemakit: fill EXPR\" in SQL"
    case .convert:
      "give a conversion with this change: converting(sql:) in the model, or \"-- schemakit: convert EXPR\" in SQL"
    case .rename(let hint, _): "renamed(from:) in the declaration, or \(hint) in SQL"
    case .loadExtension: "on the connection"
    case .keepHistory: "record the change"
    case .copyUnderLock: "choose another PlanPolicy.strategy than .online"
    case .contract: "MigrationPhase.contract"
    case .contractPhase: "in MigrationPhase.contract"
    case .completePhase: "in MigrationPhase.complete"
    case .allowDowngrade: "PlanPolicy.allowsDowngrade"
    case .nameSchema: "as schema"
    case .giveToken: "as ServerToken"
    case .omitCopy: "choose BackupPolicy.never"
    case .connectInsecurely: "set allowsInsecure"
    }
  }
}

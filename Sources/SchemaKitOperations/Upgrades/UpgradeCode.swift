/// The permanent code of what a test of an upgrade finds.
package enum UpgradeCode: String, Sendable, Hashable, CaseIterable {
  case unmadeFile = "SU101"
  case failedMigration = "SU201"
  case otherSchema = "SU202"
  case secondPlan = "SU203"
  case damage = "SU204"
  case orphans = "SU205"
  case otherRows = "SU206"
  case expectation = "SU301"
  case interruption = "SU401"
  case undo = "SU501"

  /// The title of the finding, in a few words.
  package var title: String {
    switch self {
    case .unmadeFile: "File cannot be made"
    case .failedMigration: "Migration fails"
    case .otherSchema: "Schema is not that of a new file"
    case .secondPlan: "Second plan is not empty"
    case .damage: "File is damaged"
    case .orphans: "Rows without a parent"
    case .otherRows: "Rows depend on the way"
    case .expectation: "Expectation does not hold"
    case .interruption: "Interrupted migration leaves a mixture"
    case .undo: "Undo does not lead back"
    }
  }

  /// The remedy, in Markdown.
  package var remedy: String {
    switch self {
    case .unmadeFile: "fix the statement in `before.sql`, or name the step that the release had in `case.toml`"
    case .failedMigration: "change the schema, or consent with `--allow` or in `case.toml`"
    case .otherSchema: "declare the object, or list it in a hint `removed`"
    case .secondPlan: "`schemactl plan` on such a file shows what is left"
    case .damage: "`schemactl doctor` on such a file"
    case .orphans: "delete the rows, or give them a parent, in a step of a migration"
    case .otherRows:
      "name every former name in the hint, and keep fills, conversions and defaults the same from version to version"
    case .expectation: "look at the row with `-v`, then change the schema, or the expectation"
    case .interruption: "make the work on rows come out the same each time; report anything else, with the seed"
    case .undo: "report it, or keep what is dropped with `--keep`"
    }
  }
}

/// The way that a file takes to the newest schema.
package enum UpgradeWay: String, Sendable, Hashable, CaseIterable, Codable {
  /// The file as the release left it.
  case creation
  /// One migration to the newest schema.
  case direct
  /// A migration to each later version.
  case stepwise
  /// Both of these, compared.
  case compared
  /// One migration that is stopped on its way, and run again.
  case interrupted
  /// One migration that is undone.
  case undone

  package var words: String {
    switch self {
    case .creation: "as it was"
    case .direct: "in one go"
    case .stepwise: "version by version"
    case .compared: "both ways"
    case .interrupted: "interrupted"
    case .undone: "undone"
    }
  }
}

/// A place in a test where a file is not as it must be.
package struct UpgradeFinding: Sendable, Hashable {
  package var code: UpgradeCode
  package var way: UpgradeWay
  /// The problem in a sentence, without values of rows.
  package var message: String
  /// The table that it is about, if it is about one.
  package var object: String?
  /// The file of the case that says otherwise, if one does.
  package var file: String?
  /// The line of that file, from 1.
  package var line: Int?
  /// The codes of the hazards that refuse the migration.
  package var hazards: [HazardCode] = []
  /// The rows in question, for those who want to see values.
  package var values: [String] = []

  package init(_ code: UpgradeCode, _ way: UpgradeWay, _ message: String, object: String? = nil) {
    self.code = code
    self.way = way
    self.message = message.split(whereSeparator: \.isNewline).map(\.trimmed).joined(separator: " ")
    self.object = object
  }

  /// True if another finding says the same of another way.
  package func isSame(as other: UpgradeFinding) -> Bool {
    var copy = other
    copy.way = way
    return self == copy
  }
}

/// The outcome of one case.
package struct UpgradeOutcome: Sendable {
  /// The ways that were tried to their end.
  package var ways: [UpgradeWay] = []
  /// The number of migrations that were run.
  package var migrations = 0
  /// The number of rows that came to the newest schema.
  package var rows = 0
  /// The number of expectations.
  package var expectations = 0
  /// The number of moments at which a migration was stopped.
  package var interruptions = 0
  package var findings: [UpgradeFinding] = []
  /// The losses that an undo does not bring back, one sentence each.
  package var losses: [String] = []

  package init() {}

  package var hasPassed: Bool { findings.isEmpty }
}

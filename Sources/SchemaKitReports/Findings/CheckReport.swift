package import SchemaKit
package import SchemaKitOperations

/// The result of comparing a database and a folder of recorded migrations with the declared schema.
package struct CheckReport: Sendable {
  /// The result of comparing a database with the schema.
  package enum DatabaseStatus: Sendable, Hashable {
    case inSync
    case pending(MigrationPlan)
    /// The file is ahead of the schema; the sentence says how far.
    case newer(String)
  }

  /// The schema's name, as given by the user.
  package var schema: String
  /// The database and the result of its comparison; nil if none was given.
  package var database: (name: String, isNewFile: Bool, status: DatabaseStatus)?
  /// The text after the report for people about a database that is missing; nil for none.
  package var notice: String?
  /// The notes on hints that are not followed in the database.
  package var idleHints: [Hazard] = []
  /// The notes about a program that runs already; nil if nobody asked.
  package var running: RunningProgram?
  /// The folder of migrations, compared with the schema; nil if none was given, or it cannot be replayed.
  package var migrations: DiffReport?
  /// The faults of the folder itself; nil if none was given.
  package var folder: (name: String, findings: [ReportFinding])?
  /// The effects of the steps that the base does not have; nil if no base was given.
  package var newSteps: (base: String, names: [String], findings: [ReportFinding])?
  /// Where definitions begin in the file that contains the schema, if it is SQL.
  package var schemaPlaces = DefinitionPlaces()

  package init(schema: String) { self.schema = schema }

  /// True if everything that was checked has the schema.
  package var isInSync: Bool {
    (database?.status ?? .inSync) == .inSync && (migrations?.isEmpty ?? true) && isFolderIntact
  }

  /// True if the folder matches what was recorded, and its steps match those that the base has.
  package var isFolderIntact: Bool {
    !((folder?.findings ?? []) + (newSteps?.findings ?? [])).contains { $0.level == .error }
  }

  /// True if the database is newer than the schema.
  package var isNewer: Bool { if case .newer? = database?.status { true } else { false } }
}

extension CheckReport {
  /// The report for people.
  package func text(style: Style = .plain) -> String {
    var lines: [String] = []
    if let database {
      let name = database.isNewFile ? "\(database.name) (does not exist yet)" : database.name
      switch database.status {
      case .inSync: lines.append(style.green("in sync:") + " \(name) has the schema of \(schema)")
      case .newer(let sentence): lines.append(style.red("newer:") + " \(name). \(sentence)")
      case .pending(let plan):
        let changes = plan.changes
        lines.append(
          style.yellow("pending:")
            + " \(name) needs \(Wording.counted(changes.editCount, "change")) to have the schema of \(schema)")
        lines += changes.map { change in
          let words = change.changes.joined(separator: "; ")
          return "  \(change.action.rawValue.padded(to: 7))  \(change.object.label)\(words.isEmpty ? "" : "  \(words)")"
        }
      }
      lines += idleHints.map { Self.line(finding(of: $0, at: database.name)) }
      if let running { lines += running.lines(style: style) }
    }
    if let folder {
      let errors = folder.findings.filter { $0.level == .error }
      if !errors.isEmpty { lines.append(style.red("not as recorded:") + " \(folder.name)") }
      lines += folder.findings.map(Self.line)
    }
    if let migrations {
      if migrations.isEmpty {
        lines.append(style.green("in sync:") + " the migrations in \(migrations.from) lead to the schema of \(schema)")
      } else {
        lines.append(
          style.yellow("pending:") + " the migrations in \(migrations.from) do not lead to the schema of \(schema)")
        lines += migrations.lines(style: style)
      }
    }
    if let newSteps {
      let count = Wording.counted(newSteps.names.count, "step")
      lines.append(
        "new:     \(count) that \(newSteps.base) lacks"
          + (newSteps.names.isEmpty ? "" : ": \(Wording.list(newSteps.names))"))
      lines += newSteps.findings.map(Self.line)
    }
    if let notice { lines.append(notice) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func line(_ finding: ReportFinding) -> String {
    let place = [finding.file, finding.line.map(String.init)].compactMap { $0 }.joined(separator: ":")
    return "  \(place.isEmpty ? "" : place + ": ")\(finding.code) \(finding.message)"
  }

  /// The report for programs.
  package func json() -> String {
    // The same order as that of the exit codes.
    let word = !isFolderIntact ? "damaged" : isNewer ? "newer" : isInSync ? "inSync" : "pending"
    var document = CheckJSON.Document(schema: schema, status: word)
    document.folderFindings = folder?.findings.map(CheckJSON.FindingPart.init)
    document.newSteps = newSteps.map {
      CheckJSON.NewStepsPart(base: $0.base, steps: $0.names, findings: $0.findings.map(CheckJSON.FindingPart.init))
    }
    if let database {
      let (word, steps): (String, [MigrationStep]) =
        switch database.status {
        case .inSync: ("inSync", [])
        case .newer: ("newer", [])
        case .pending(let plan): ("pending", plan.steps.filter { $0.onBehalfOf == nil })
        }
      document.database = CheckJSON.DatabasePart(
        name: database.name, isNewFile: database.isNewFile, status: word,
        steps: steps.map {
          CheckJSON.Step(
            strategy: $0.strategy.rawValue, kind: "\($0.object.kind)", object: "\($0.object)",
            changes: $0.edits.map(SchemaEditDocument.init))
        },
        findings: idleHints.map { CheckJSON.FindingPart(finding(of: $0, at: database.name)) },
        running: running.map(RunningDocument.init))
    }
    document.migrations = migrations.map {
      CheckJSON.MigrationsPart(folder: $0.from, status: $0.isEmpty ? "inSync" : "pending", differences: $0.entries)
    }
    return JSONDocument.of(document)
  }
}

/// The form that a check has as JSON. Its names are a contract.
private enum CheckJSON {
  struct Step: Encodable {
    var strategy: String
    var kind: String
    var object: String
    var changes: [SchemaEditDocument]
  }
  struct DatabasePart: Encodable {
    var name: String
    var isNewFile: Bool
    var status: String
    var steps: [Step]
    var findings: [FindingPart]
    var running: RunningDocument?
  }
  struct MigrationsPart: Encodable {
    var folder: String
    var status: String
    var differences: [DiffReport.Entry]
  }
  struct FindingPart: Encodable {
    var code: String
    var severity: String
    var title: String
    var message: String
    var object: String?
    var file: String?
    var line: Int?

    init(_ finding: ReportFinding) {
      code = finding.code
      severity = finding.level.rawValue
      title = finding.title
      message = finding.message
      object = finding.object
      file = finding.file
      line = finding.line
    }
  }
  struct NewStepsPart: Encodable {
    var base: String
    var steps: [String]
    var findings: [FindingPart]
  }
  struct Document: Encodable {
    var formatVersion = JSONDocument.formatVersion
    var schema: String
    var status: String
    var database: DatabasePart?
    var migrations: MigrationsPart?
    var folderFindings: [FindingPart]?
    var newSteps: NewStepsPart?
  }
}

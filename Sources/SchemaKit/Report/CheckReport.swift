/// Whether a database and a folder of recorded migrations have the declared schema.
package struct CheckReport: Sendable {
  /// How a database compares with the schema.
  package enum DatabaseStatus: Sendable, Hashable {
    case inSync
    case pending(MigrationPlan)
    /// The file has moved on from the schema; the sentence says how far.
    case newer(String)
  }

  /// The schema's name, as its user calls it.
  package var schema: String
  /// The database and how it compares; nil when none was asked about.
  package var database: (name: String, isNewFile: Bool, status: DatabaseStatus)?
  /// The folder of migrations, compared with the schema; nil when none was asked about.
  package var migrations: DiffReport?

  package init(schema: String) { self.schema = schema }

  /// Whether everything that was asked about has the schema.
  package var isInSync: Bool { (database?.status ?? .inSync) == .inSync && (migrations?.isEmpty ?? true) }

  /// Whether the database is newer than the schema.
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
        let outline = PlanOutline(plan)
        lines.append(
          style.yellow("pending:")
            + " \(name) needs \(Wording.counted(outline.changeCount, "change")) to have the schema of \(schema)")
        lines += outline.entries.map { entry in
          let label = entry.kind == "table" ? entry.object : "\(entry.kind) \(entry.object)"
          let changes = entry.action == .replace ? "new definition" : entry.changes.joined(separator: "; ")
          return "  \(entry.action.rawValue.padded(to: 7))  \(label)\(changes.isEmpty ? "" : "  \(changes)")"
        }
      }
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
    return lines.joined(separator: "\n") + "\n"
  }

  /// The report for programs.
  package func json() -> String {
    struct Step: Encodable {
      var strategy: String
      var kind: String
      var object: String
      var changes: [String]
    }
    struct DatabasePart: Encodable {
      var name: String
      var isNewFile: Bool
      var status: String
      var steps: [Step]
    }
    struct MigrationsPart: Encodable {
      var folder: String
      var status: String
      var differences: [DiffReport.Entry]
    }
    struct Document: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var schema: String
      var status: String
      var database: DatabasePart?
      var migrations: MigrationsPart?
    }
    var document = Document(schema: schema, status: isNewer ? "newer" : isInSync ? "inSync" : "pending")
    if let database {
      let (word, steps): (String, [MigrationStep]) =
        switch database.status {
        case .inSync: ("inSync", [])
        case .newer: ("newer", [])
        case .pending(let plan): ("pending", plan.steps.filter { $0.upkeepOf == nil })
        }
      document.database = DatabasePart(
        name: database.name, isNewFile: database.isNewFile, status: word,
        steps: steps.map { Step(strategy: $0.strategy.rawValue, kind: $0.kind, object: $0.object, changes: $0.changes) }
      )
    }
    document.migrations = migrations.map {
      MigrationsPart(folder: $0.from, status: $0.isEmpty ? "inSync" : "pending", differences: $0.entries)
    }
    return JSONDocument.of(document)
  }
}

package import SchemaKit

/// Which recorded steps a database has, printed.
package struct MigrationStatusReport: Sendable {
  package var database: String
  package var folder: String
  /// The names of the folder's steps.
  package var steps: [String]
  /// The steps that the database has, by name.
  package var applied: [String: AppliedMigration]
  /// The names under which the database got steps that have since been renumbered.
  package var former: [String: String] = [:]
  /// Steps that were changed after they were applied to the database.
  package var changed: Set<String>
  /// Steps that the database has and the folder lacks.
  package var unknown: [AppliedMigration]
  /// The reason why the missing steps cannot be applied; nil if they can.
  package var problem: String?

  package init(
    database: String, folder: String, steps: [String], applied: [AppliedMigration], changed: [AppliedMigration],
    unknown: [AppliedMigration]
  ) {
    self.database = database
    self.folder = folder
    self.steps = steps
    self.applied = Dictionary(applied.map { ($0.name, $0) }) { $1 }
    self.changed = Set(changed.map(\.name))
    self.unknown = unknown
  }

  /// The report for people.
  package func text(style: Style = .plain) -> String {
    let missing = steps.filter { applied[$0] == nil }
    let word =
      problem != nil ? style.red("refused:") : missing.isEmpty ? style.green("up to date:") : style.yellow("pending:")
    let count = Wording.counted(steps.count, "step")
    let head =
      missing.isEmpty
      ? "\(word) \(database) has all \(count) of \(folder)"
      : "\(word) \(database) lacks \(missing.count) of \(count) of \(folder)"
    let width = "unknown".count
    let lines = steps.map { name -> String in
      guard let step = applied[name] else {
        return "  \("missing".padded(to: width))  \(String().padded(to: 20))  \(name)"
      }
      let word = changed.contains(name) ? style.red("changed") : "applied"
      return "  \(word)  \(Self.time(step))  \(name)" + (former[name].map { " (as \($0))" } ?? "")
    }
    let others = unknown.map { "  \(style.red("unknown"))  \(Self.time($0))  \($0.name)" }
    return ([head] + lines + others).joined(separator: "\n") + "\n"
  }

  private static func time(_ step: AppliedMigration) -> String {
    step.appliedAt.replacing("T", with: " ").prefix(16) + " UTC"
  }

  /// The report for programs.
  package func json() -> String {
    struct Step: Encodable {
      var name: String
      var state: String
      var appliedAt: String?
      var formerName: String?
    }
    struct Document: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var database: String
      var folder: String
      var steps: [Step]
      var problem: String?
    }
    let known = steps.map { name in
      Step(
        name: name, state: applied[name] == nil ? "missing" : changed.contains(name) ? "changed" : "applied",
        appliedAt: applied[name]?.appliedAt, formerName: former[name])
    }
    let others = unknown.map { Step(name: $0.name, state: "unknown", appliedAt: $0.appliedAt) }
    return JSONDocument.of(
      Document(database: database, folder: folder, steps: known + others, problem: problem))
  }
}

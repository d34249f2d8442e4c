package import SchemaKit

/// The result of applying recorded steps, printed.
package struct RecordedApplyReport: Sendable {
  /// One step that was applied.
  package struct Step: Sendable {
    package var name: String
    package var plan: MigrationPlan
    package var milliseconds: Int

    package init(name: String, plan: MigrationPlan, milliseconds: Int) {
      self.name = name
      self.plan = plan
      self.milliseconds = milliseconds
    }
  }

  package var database: String
  package var folder: String
  package var steps: [Step] = []
  package var isDryRun = false

  package init(database: String, folder: String) {
    self.database = database
    self.folder = folder
  }

  /// The last line for people.
  package func ending(style: Style = .plain) -> String {
    if steps.isEmpty { return style.green("up to date:") + " \(database) has every step of \(folder)\n" }
    if isDryRun {
      return style.green("rehearsed:")
        + " \(Wording.counted(steps.count, "step")) of \(folder); \(database) is as it was\n"
    }
    return style.green("up to date:") + " \(database) has every step of \(folder) now\n"
  }

  /// The report for programs.
  package func json() -> String { JSONDocument.of(document) }

  /// The report as the last line of a stream.
  package func eventLine() -> String {
    struct Event: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var event = "result"
      var result: Document
    }
    return JSONDocument.line(of: Event(result: document))
  }

  /// The latest step as a line of a stream.
  package func stepLine() -> String? {
    struct Event: Encodable {
      var formatVersion = JSONDocument.formatVersion
      var event = "step"
      var step: StepPart
    }
    return document.steps.last.map { JSONDocument.line(of: Event(step: $0)) }
  }

  private var document: Document {
    Document(
      database: database, folder: folder, outcome: steps.isEmpty ? "unchanged" : isDryRun ? "rehearsed" : "applied",
      steps: steps.map {
        StepPart(name: $0.name, milliseconds: $0.milliseconds, changes: $0.plan.summaryLines, losses: $0.plan.losses)
      })
  }

  private struct StepPart: Encodable {
    var name: String
    var milliseconds: Int
    var changes: [String]
    var losses: [String]
  }

  private struct Document: Encodable {
    var formatVersion = JSONDocument.formatVersion
    var database: String
    var folder: String
    var outcome: String
    var steps: [StepPart]
  }
}

extension MigrationPlan {
  /// The rows and values that a plan removed with consent, and the NULLs that it replaced, with counts, one line each.
  package var losses: [String] {
    let lost = hazards.filter { [.lossy, .destructive].contains($0.hazardClass) && $0.count != 0 }
    return (lost + filledColumns.map { $0.note(isUndo: false) }).map { "\($0.code.rawValue): \($0.message)" }
  }
}

/// The sentences of a hazard, beside the rule that finds it. Only `SchemaKit/Messages` calls them.
package protocol HazardWording: Sendable, Hashable {
  /// Describes what would happen.
  func message(for hazard: Hazard) -> String

  /// Returns the recommended action; nil if nothing needs to be done.
  func remedy(for hazard: Hazard) -> Remedy?
}

/// A hazard of a saved plan, with the sentences that were made for it then.
package struct SavedHazard: HazardWording {
  private let message: String
  private let remedy: String?

  package init(message: String, remedy: String?) {
    self.message = message
    self.remedy = remedy
  }

  package func message(for hazard: Hazard) -> String { message }
  package func remedy(for hazard: Hazard) -> Remedy? { remedy.map { Remedy($0) } }
}

extension HazardWording {
  /// The action that allows a plan to run anyway.
  package func consent(_ hazard: Hazard) -> Remedy.Action {
    let object = SQLName(hazard.table).quotedIfNeeded + (hazard.column.map { ".\(SQLName($0).quotedIfNeeded)" } ?? "")
    return .consent("\(hazard.code.rawValue):\(object)", isDrop: [.droppedTable, .droppedColumn].contains(hazard.code))
  }

  /// The remedy for rows that were not examined and may lose something.
  package func remedyOfLoss(_ hazard: Hazard, hint: Remedy = "") -> Remedy {
    hazard.isForRecording
      ? "\(hint)Allow it with \(consent(hazard)), and the step consents for every database."
      : "\(hint)\(.examineRows) to count what SQLite can read, or allow it with \(consent(hazard))."
  }

  /// The remedy for rows that were not examined and may be rejected while the plan runs.
  package func remedyOfRefusal(_ hazard: Hazard, by judge: String = "SQLite") -> Remedy {
    if hazard.isForRecording {
      return "Apply looks at the rows of each database, and changes nothing where there are such rows."
    }
    return hazard.isNote
      ? "\(judge) refuses such rows while the plan runs, and everything is then rolled back; \(.examineRows) to know before."
      : "SQLite would not refuse such rows here; \(.examineRows)."
  }
}

extension Hazard {
  /// The number of affected rows, as text.
  package var rowCount: String { (count ?? 0).counted("row") }

  /// A verb for the affected rows, given in its plural form.
  package func verb(_ plural: String) -> String { count == 1 ? plural + "s" : plural }
}

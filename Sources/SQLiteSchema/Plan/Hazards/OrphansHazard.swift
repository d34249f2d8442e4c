/// SK106: rows refer to a parent that does not exist.
///
/// Applies to new [foreign keys](https://sqlite.org/foreignkeys.html#fk_basics), and to rows that a conversion on
/// either side would make orphans. Foreign keys are off while a plan runs, so that SQLite itself rejects nothing.
/// Blocked. The remedy is to add the parents or to clear the references.
package struct OrphansHazard: HazardRule {
  package static let code = HazardCode.orphans

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    if case .orphans(let parent) = kind { Self(parent: parent) } else { nil }
  }

  package let parent: String

  package func counted(_ rows: ConcernedRows) -> Hazard? { rows.count > 0 ? found(rows) : nil }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? { refused(rows) }

  package func message(for hazard: Hazard) -> String {
    let key = hazard.column ?? "a foreign key"
    return hazard.isCounted
      ? "\(hazard.rowCount) of \(hazard.table) \(hazard.verb("refer")) through \(key) to a row of \(parent) that is not there."
      : "Whether \(key) of \(hazard.table) always refers to a row of \(parent) was not examined."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    hazard.isCounted
      ? "Add the missing rows of \(parent), or clear the references first."
      : remedyOfRefusal(hazard, by: "The check before the commit")
  }
}

extension HazardCode {
  /// Rows refer to a parent that does not exist.
  public static let orphans = Self("SK106", .blocked, "orphans under a new foreign key")
}

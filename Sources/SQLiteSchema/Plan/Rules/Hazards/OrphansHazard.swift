/// SK106: rows refer to a parent that does not exist.
///
/// Applies to new [foreign keys](https://sqlite.org/foreignkeys.html#fk_basics), and to rows that a conversion on
/// either side would make orphans. Foreign keys are off while a plan runs, so that SQLite itself rejects nothing.
/// Blocked. The remedy is to add the parents or to clear the references.
package struct OrphansHazard: HazardRule {
  package static let code = HazardCode.orphans

  package let parent: String

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    guard rows.count > 0 else { return nil }
    return found(
      rows,
      "\(rows.inWords) of \(rows.table) \(rows.verb("refer")) through \(key(rows)) to a row of \(parent) "
        + "that is not there.",
      "Add the missing rows of \(parent), or clear the references first.")
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    refused(
      rows,
      "Whether \(key(rows)) of \(rows.table) always refers to a row of \(parent) was not examined.",
      by: "The check before the commit")
  }

  private func key(_ rows: ConcernedRows) -> String { rows.column?.text ?? "a foreign key" }
}

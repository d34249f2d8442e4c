import SchemaKit

/// Finds indexes that another index or a key makes redundant.
struct DuplicateIndexRule: LintRule {
  let code = LintCode.duplicateIndex
  let severity = Finding.Severity.warning
  let title = "index that is there twice"
  let reason = "it takes room and time at every write, and SQLite never needs both"
  let remedy = "drop one of them"
  let page = "https://sqlite.org/lang_createindex.html"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      let lookups = subject.lookups(of: table)
      return lookups.indices.compactMap { index -> Finding? in
        let own = lookups[index]
        guard let name = own.index, let other = lookups.indices.first(where: { replaces($0, index, in: lookups) })
        else { return nil }
        return finding(
          on: .index, name, of: table.name,
          message:
            "Index \(name.quotedIfNeeded) on \(table.name.quotedIfNeeded) has the terms, order and collations of "
            + "\(lookups[other].words), so that every write pays twice.",
          fix: "Drop it.", sql: ["DROP INDEX \(name.quotedIfNeeded);"])
      }
    }
  }

  /// True if one lookup does everything that another does; of two equal ones, the earlier stays.
  private func replaces(_ other: Int, _ own: Int, in lookups: [Lookup]) -> Bool {
    let (kept, dropped) = (lookups[other], lookups[own])
    guard other != own, kept.terms == dropped.terms, kept.predicate == dropped.predicate,
      kept.isUnique || !dropped.isUnique
    else { return false }
    return kept.isUnique && !dropped.isUnique || other < own
  }
}

import SchemaKit

/// Finds indexes that are a prefix of another one.
struct PrefixIndexRule: LintRule {
  let code = LintCode.prefixIndex
  let severity = Finding.Severity.note
  let title = "index that begins another one"
  let reason = "whatever is found by the shorter index is found by the longer one too, if a little slower"
  let remedy = "drop the shorter one, unless it was measured to be needed"
  let page = "https://sqlite.org/queryplanner.html#_multi_column_indices"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.flatMap { table in
      let lookups = subject.lookups(of: table)
      return lookups.compactMap { own -> Finding? in
        guard let name = own.index, !own.isUnique,
          let longer = lookups.first(where: {
            $0.terms.count > own.terms.count && $0.terms.starts(with: own.terms) && $0.predicate == own.predicate
          })
        else { return nil }
        return finding(
          on: .index, name, of: table.name,
          message:
            "Index \(name.quotedIfNeeded) on \(table.name.quotedIfNeeded) is the beginning of \(longer.words), which "
            + "finds the same rows.",
          fix: "Drop it, unless it was measured to be needed.", sql: ["DROP INDEX \(name.quotedIfNeeded);"])
      }
    }
  }
}

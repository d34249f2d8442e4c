import SchemaKit

/// Finds checks without a name.
///
/// The names of other constraints appear in none of SQLite's messages, so those are not reported.
struct UnnamedCheckRule: LintRule {
  let code = LintCode.unnamedCheck
  let severity = Finding.Severity.note
  let title = "CHECK without a name"
  let reason =
    "SQLite reports the name of a CHECK that fails, or its whole expression where it has no name; since 3.53 ALTER TABLE can drop a CHECK by its name"
  let remedy = "write `CONSTRAINT name CHECK (…)`"
  let page = "https://sqlite.org/lang_createtable.html#ckconst"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.tables.compactMap { table in
      let count = table.checks.filter { $0.name == nil }.count
      guard count > 0 else { return nil }
      return finding(
        table.name, at: offset(in: table.name, subject),
        message:
          "\(count == 1 ? "A CHECK" : "\(count) CHECKs") of \(table.name.quotedIfNeeded) \(count == 1 ? "has" : "have") no name, so that "
          + "SQLite shows the whole expression to whoever violates it.",
        fix: "Write CONSTRAINT name CHECK (…).")
    }
  }

  private func offset(in table: SQLName, _ subject: LintSubject) -> Int? {
    guard let statement = subject.statement(of: table) else { return nil }
    let inColumns = statement.columns.flatMap(\.constraints).filter {
      if case .check = $0.kind { $0.name == nil } else { false }
    }.map(\.span.start)
    let inTable = statement.constraints.filter { if case .check = $0.kind { $0.name == nil } else { false } }
      .map(\.span.start)
    return (inColumns + inTable).min()
  }
}

import SchemaKit

/// Finds tables that take no row, since one of their expressions reads the clock.
struct ClockRule: LintRule {
  let code = LintCode.readsClock
  let severity = Finding.Severity.error
  let title = "CHECK, generated column or index that reads the clock"
  let reason =
    "SQLite creates a table with CHECK (a > julianday()) or AS (datetime('now')), and refuses every INSERT into it: non-deterministic use"
  let remedy = "store the time in a column of its own with DEFAULT CURRENT_TIMESTAMP, or compare in a trigger"
  let page = "https://sqlite.org/deterministic.html"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.faults.filter { $0.kind == .table }.map { fault in
      finding(
        on: .table, fault.name,
        message: "No row can be inserted into \(fault.name.quotedIfNeeded); SQLite says: \(fault.problem).",
        fix: "Take the clock out: store the time in a column of its own with DEFAULT CURRENT_TIMESTAMP.")
    }
  }
}

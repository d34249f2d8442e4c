import SchemaKit

/// Finds views that fail whenever they are read.
struct BrokenViewRule: LintRule {
  let code = LintCode.brokenView
  let severity = Finding.Severity.error
  let title = "view that does not compile"
  let reason =
    "SQLite stores any view and says only to its readers what is missing; ALTER TABLE refuses to rename anything beside it"
  let remedy = "correct the view, or drop it"
  let page = "https://sqlite.org/lang_createview.html"

  func findings(in subject: LintSubject) -> [Finding] {
    subject.faults.filter { $0.kind == .view && $0.cause == .doesNotCompile }.map { fault in
      finding(
        on: .view, fault.name,
        message: "View \(fault.name.quotedIfNeeded) cannot be read; SQLite says: \(fault.problem).",
        fix: "Correct the view, create what is missing, or drop it.")
    }
  }
}

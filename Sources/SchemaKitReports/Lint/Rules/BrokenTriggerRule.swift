import OrderedCollections
import SchemaKit

/// Finds triggers that make every write to their table fail, or that nothing can fire.
struct BrokenTriggerRule: LintRule {
  let code = LintCode.brokenTrigger
  let severity = Finding.Severity.error
  let title = "trigger that does not compile, or never fires"
  let reason =
    "SQLite compiles a trigger when its table is written, and the write fails; a column after UPDATE OF that is not there is never an error, and the trigger never fires"
  let remedy = "correct the trigger, or drop it"
  let page = "https://sqlite.org/lang_createtrigger.html"

  func findings(in subject: LintSubject) -> [Finding] {
    let broken = subject.faults.filter { $0.kind == .trigger && $0.cause == .doesNotCompile }.map { fault in
      let event = subject.schema.triggers[fault.name]?.event ?? "write"
      return finding(
        on: .trigger, fault.name, of: fault.table,
        message: "Trigger \(fault.name.quotedIfNeeded) does not compile, so that every \(event) of "
          + "\(fault.table.quotedIfNeeded) fails; SQLite says: \(fault.problem).",
        fix: "Correct the trigger, create what is missing, or drop it.")
    }
    return broken
      + subject.schema.triggers.values.compactMap { trigger in
        guard let table = subject.schema.table(trigger.table),
          let missing = trigger.updateColumns.first(where: { table.column($0) == nil })
        else { return nil }
        var found = finding(
          on: .trigger, trigger.name, of: trigger.table,
          message: "Trigger \(trigger.name.quotedIfNeeded) waits for UPDATE OF \(missing.quotedIfNeeded), and "
            + "\(table.name.quotedIfNeeded) has no such column: no update of it ever comes.",
          fix: "Correct the name after UPDATE OF.")
        // No write fails for it.
        found.severity = .warning
        return found
      }
  }
}

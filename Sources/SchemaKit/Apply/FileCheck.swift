/// Looks for damage in a file before rows are copied, rewritten or dropped: a copy would spread it, and writing into a
/// page that two tables claim would destroy what is still whole.
///
/// Plans that touch no row run without it: SQLite's own ALTER TABLE ADD COLUMN takes a millisecond, whatever the size of
/// the file, and reading all of the file would take thousands of times that.
///
/// *Cost:* `PRAGMA quick_check` reads every page of the file once, whichever tables the plan concerns, and computes
/// every CHECK and stored generated column; the rebuild of a table takes several times as long for the same pages.
/// See [PRAGMA quick_check](https://sqlite.org/pragma.html#pragma_quick_check).
struct FileCheck {
  let connection: SQLiteConnection

  /// Throws when the file is damaged and the plan touches rows. Files that were opened by somebody else are left to
  /// them.
  ///
  /// - Throws: a `SQLiteError` that is `isCorrupt` and names the first problem; `ApplyError.cancelled`.
  func run(before plan: MigrationPlan) throws {
    guard plan.touchesRows, !connection.isBorrowed, !connection.isInMemory else { return }
    var first: String?
    var count = 0
    do {
      try connection.forEachRow(Self.sql, []) { row in
        let text = row.first?.text ?? ""
        guard text != "ok", !Self.isAboutValues(text) else { return }
        count += 1
        if first == nil { first = text }
      }
    } catch let error as SQLiteError where error.isInterrupted {
      throw ApplyError(reason: .cancelled)
    }
    guard let first else { return }
    let others = count > 1 ? " (and \((count - 1).counted("other problem")))" : ""
    throw SQLiteError(
      code: Self.corrupt,
      message: "quick_check says: \(Self.oneLine(first))\(others). Nothing was changed; restore the file from a backup, "
        + "or save what can be read with the .recover command of the sqlite3 shell",
      sql: Self.sql)
  }

  /// With a limit, since SQLite stops at 100 problems, which values alone can be.
  private static let sql = "PRAGMA main.quick_check(1000000)"
  private static let corrupt: Int32 = 11

  /// Whether a problem lies in what a row says and not in how it is stored. Such rows are the planner's business: they
  /// are counted, and may be what the migration is there to mend.
  private static func isAboutValues(_ problem: String) -> Bool {
    ["NULL value in ", "CHECK constraint failed in ", "NUMERIC value in ", "TEXT value in "].contains {
      problem.hasPrefix($0)
    } || (problem.hasPrefix("non-") && problem.contains(" value in "))
  }

  private static func oneLine(_ text: String) -> String {
    String(text.split(separator: "\n").joined(separator: " ").prefix(300))
  }
}

extension MigrationPlan {
  /// Whether rows are copied, rewritten, dropped or worked on by the program.
  var touchesRows: Bool {
    steps.contains { $0.strategy == .rebuild || $0.strategy == .data || ($0.rows ?? 0) > 0 }
      || hazards.contains { $0.hazardClass == .lossy || $0.hazardClass == .destructive }
  }
}

/// Looks for damage in a file before rows are copied, rewritten or dropped: a copy would spread it, and writing into a
/// page that two tables claim would destroy what is still whole.
///
/// Plans that touch no rows skip it: SQLite's own ALTER TABLE ADD COLUMN takes a millisecond, whatever the size of the
/// file, and reading the whole file would take thousands of times that.
///
/// The content of the rows is the planner's business: offending rows are counted, and may be what the migration is
/// there to fix.
///
/// *Cost:* `PRAGMA quick_check` reads every page of the file once, whichever tables the plan concerns; 0.3 s for a
/// million rows in 58 MB, where copying them takes 1.3 s without any verification.
/// See [PRAGMA quick_check](https://sqlite.org/pragma.html#pragma_quick_check).
///
/// Before 3.41, SQLite does not ask whether to stop while it looks at the pages, the first third of the time; only an
/// interrupt from another thread (`InterruptHandle`) stops it there.
package struct FileCheck {
  let connection: any SQLConnection
  /// Called before the file is read and while it is being read.
  let onProgress: (ApplyProgress) -> Void
  let isCancelled: () -> Bool

  package init(
    connection: any SQLConnection, onProgress: @escaping (ApplyProgress) -> Void = { _ in },
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.connection = connection
    self.onProgress = onProgress
    self.isCancelled = isCancelled
  }

  /// Throws if the file is damaged and the plan touches rows. Files opened by another library are left to that library,
  /// and those of an engine elsewhere to that engine.
  ///
  /// - Throws: a `SQLiteError` that is `isCorrupt` and names the first problem; `ApplyError.cancelled`.
  func run(before plan: MigrationPlan) throws {
    guard plan.touchesRows, let local = ownFile else { return }
    if let step = plan.steps.first {
      onProgress(ApplyProgress(activity: .fileCheck, stepIndex: 0, stepCount: plan.steps.count, step: step))
    }
    try refuseDamage(of: local, telling: plan)
  }

  /// Throws if the file is damaged, before a program works on its rows.
  package func run() throws {
    guard let local = ownFile else { return }
    try refuseDamage(of: local, telling: nil)
  }

  /// The connection, if it has a file that SchemaKit opened.
  private var ownFile: (any LocalEngine)? {
    guard let local = connection as? any LocalEngine, !local.isBorrowed, !local.isInMemory else { return nil }
    return local
  }

  private func refuseDamage(of local: any LocalEngine, telling plan: MigrationPlan?) throws {
    if isCancelled() { throw ApplyError(reason: .cancelled) }
    var damage: [String]
    do {
      damage = try local.damage(isCancelled: isCancelled) { connection, check in
        guard let plan else { return try check() }
        let meter = WorkMeter(connection: connection, plan: plan, onProgress: onProgress)
        return try meter.measure(.fileCheck, at: 0, check)
      }
    } catch let error as SQLiteError where error.isInterrupted {
      throw ApplyError(reason: .cancelled)
    }
    // From 3.53 on, SQLite counts the entries of indexes as well. One that lacks rows is no reason to leave the rows alone.
    damage.removeAll(where: StorageCheck.isOnlyAboutIndex)
    guard let first = damage.first else { return }
    let others = damage.count > 1 ? " (and \((damage.count - 1).counted("other problem")))" : ""
    var error = SQLiteError(code: Self.corrupt, message: "quick_check says: \(Self.oneLine(first))\(others)")
    error.advice =
      "Nothing was changed; restore the file from a backup, or save what can be read with the .recover command of the "
      + "sqlite3 shell"
    throw error
  }

  private static let corrupt: Int32 = 11

  private static func oneLine(_ text: String) -> String {
    String(text.split(separator: "\n").joined(separator: " ").prefix(300))
  }
}

extension MigrationPlan {
  /// True if rows are copied, rewritten, dropped or worked on by the program, or written into an index anew.
  var touchesRows: Bool {
    steps.contains { $0.strategy.copiesRows || $0.sortsIndexes || $0.strategy.isProgramWork || ($0.rows ?? 0) > 0 }
      || hazards.contains { $0.hazardClass == .lossy || $0.hazardClass == .destructive }
  }
}

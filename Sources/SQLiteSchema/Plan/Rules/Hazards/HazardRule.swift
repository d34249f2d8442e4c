/// Puts into words what one code stands for: the object, the cause and the way out.
package protocol HazardRule {
  /// The code, whose class decides what the hazard needs.
  static var code: HazardCode { get }

  /// The hazard of rows that were examined, or nil where there is none.
  func counted(_ rows: ConcernedRows) -> Hazard?

  /// The hazard that rows could be in for when nobody looked at them: what may be lost needs consent as if it were, and
  /// what may be refused is left to the apply where that is sure to notice.
  func uncounted(_ rows: ConcernedRows) -> Hazard?
}

extension HazardRule {
  /// The option that lets a plan run all the same.
  package func consent(_ rows: ConcernedRows) -> String {
    let object = rows.table.quotedIfNeeded + (rows.column.map { ".\($0.quotedIfNeeded)" } ?? "")
    return "--allow \("\(Self.code.rawValue):\(object)".shellWord)"
  }

  /// Rows were found.
  package func found(_ rows: ConcernedRows, _ message: String, _ remedy: String, consented: Bool = false) -> Hazard {
    Hazard(
      Self.code, table: rows.table, column: rows.column, count: rows.count, samples: rows.finding.samples,
      message: message, remedy: remedy, isConsentedByDeclaration: consented)
  }

  /// Nobody looked, and something may be lost.
  package func lost(_ rows: ConcernedRows, _ message: String, hint: String = "", consented: Bool = false) -> Hazard {
    var hazard = Hazard(
      Self.code, table: rows.table, column: rows.column, message: message,
      remedy: rows.rules.isForRecording
        ? "\(hint)Allow it with \(consent(rows)), and the step consents for every database."
        : "\(hint)Plan without --quick to count, or allow it with \(consent(rows)).",
      isConsentedByDeclaration: consented)
    hazard.isCounted = false
    return hazard
  }

  /// Nobody looked, and a judge may refuse the rows while the plan runs.
  package func refused(
    _ rows: ConcernedRows, _ message: String, by judge: String = "SQLite", isNoticed: Bool = true
  ) -> Hazard {
    // A step that is recorded is always applied with a look at the rows.
    let isNoticed = isNoticed || rows.rules.isForRecording
    var hazard = Hazard(
      Self.code, table: rows.table, column: rows.column, message: message,
      remedy: rows.rules.isForRecording
        ? "Apply looks at the rows of each database, and changes nothing where there are such rows."
        : isNoticed
          ? "\(judge) refuses such rows while the plan runs, and everything is then rolled back; plan without --quick to "
            + "know before."
          : "SQLite would not refuse such rows here; plan without --quick.", isNote: isNoticed)
    hazard.isCounted = false
    return hazard
  }
}

/// Describes a hazard of one code as text: the object, the cause and the remedy.
package protocol HazardRule {
  /// The code, whose class decides what the hazard requires.
  static var code: HazardCode { get }

  /// The hazard of rows that were examined; nil if there is none.
  func counted(_ rows: ConcernedRows) -> Hazard?

  /// The possible hazard of rows that were not examined: what may be lost requires consent as if it were, and what may
  /// be rejected is left to the apply where that is sure to notice.
  func uncounted(_ rows: ConcernedRows) -> Hazard?
}

extension HazardRule {
  /// The option that allows a plan to run anyway.
  package func consent(_ rows: ConcernedRows) -> String {
    let object = rows.table.quotedIfNeeded + (rows.column.map { ".\($0.quotedIfNeeded)" } ?? "")
    return "--allow \("\(Self.code.rawValue):\(object)".shellWord)"
  }

  /// A hazard of rows that were found.
  package func found(_ rows: ConcernedRows, _ message: String, _ remedy: String, consented: Bool = false) -> Hazard {
    var hazard = Hazard(
      Self.code, table: rows.table, column: rows.column, count: rows.count, samples: rows.finding.samples,
      message: message, remedy: remedy)
    hazard.isConsentedByDeclaration = consented
    return hazard
  }

  /// A hazard of rows that were not examined, of which something may be lost.
  package func lost(_ rows: ConcernedRows, _ message: String, hint: String = "", consented: Bool = false) -> Hazard {
    var hazard = Hazard(
      Self.code, table: rows.table, column: rows.column, message: message,
      remedy: rows.rules.isForRecording
        ? "\(hint)Allow it with \(consent(rows)), and the step consents for every database."
        : "\(hint)Plan without --quick to count, or allow it with \(consent(rows)).")
    hazard.isConsentedByDeclaration = consented
    hazard.isCounted = false
    return hazard
  }

  /// A hazard of rows that were not examined, and that may be rejected while the plan runs.
  package func refused(
    _ rows: ConcernedRows, _ message: String, by judge: String = "SQLite", isNoticed: Bool = true
  ) -> Hazard {
    // Applying a recorded step always examines the rows.
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

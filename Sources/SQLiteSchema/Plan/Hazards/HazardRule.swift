/// Decides, from the rows that a check found, whether there is a hazard of one code.
///
/// A rule is a value: the hazard carries it as its cause, with the values that its sentences need.
package protocol HazardRule: HazardWording {
  /// The code, whose class decides what the hazard requires.
  static var code: HazardCode { get }

  /// The rule for what a check found; nil if it is another's.
  static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)?

  /// The hazard of rows that were examined; nil if there is none.
  func counted(_ rows: ConcernedRows) -> Hazard?

  /// The possible hazard of rows that were not examined: what may be lost requires consent as if it were, and what may
  /// be rejected is left to the apply where that is sure to notice.
  func uncounted(_ rows: ConcernedRows) -> Hazard?
}

extension HazardRule {
  /// The rule as the cause of a hazard.
  package var cause: HazardCause { HazardCause(self) }

  /// A hazard of rows that were found.
  package func found(_ rows: ConcernedRows, isNote: Bool = false) -> Hazard {
    var hazard = Hazard(
      Self.code, table: rows.table, column: rows.column, count: rows.count, samples: rows.finding.samples,
      cause: cause, isNote: isNote)
    hazard.isForRecording = rows.rules.isForRecording
    hazard.isUndo = rows.rules.isUndo
    return hazard
  }

  /// A hazard of rows that were not examined, of which something may be lost.
  package func lost(_ rows: ConcernedRows) -> Hazard {
    var hazard = found(rows)
    hazard.count = nil
    hazard.samples = []
    hazard.isCounted = false
    return hazard
  }

  /// A hazard of rows that were not examined, and that may be rejected while the plan runs.
  ///
  /// - Parameter isNoticed: True if whatever rejects them is sure to see them.
  package func refused(_ rows: ConcernedRows, isNoticed: Bool = true) -> Hazard {
    var hazard = lost(rows)
    // Applying a recorded step always examines the rows.
    hazard.isNote = isNoticed || rows.rules.isForRecording
    return hazard
  }
}

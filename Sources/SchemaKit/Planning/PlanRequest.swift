/// The request of a caller for a plan, whoever makes it: what may be lost, which ways may be taken, how closely rows are
/// examined.
package struct PlanRequest: Sendable {
  /// Consent, and the strategies that may be chosen.
  package var policy = PlanPolicy.lossless
  /// True if a different column order counts as a change.
  package var isOrderStrict = false
  /// True if the plan is made without examining rows.
  package var isQuick = false
  /// True if tables that are empty here count as filled, because the rows are elsewhere.
  package var assumesRows = false
  /// The level to which copied rows are verified.
  package var verification = VerificationLevel.full
  /// True if the plan is to be recorded for other files: with rows in every table, on any SQLite of the last years.
  package var isForRecording = false
  /// The engine that the plan is for; nil for the connection's own.
  package var profile: EngineProfile.Name?
  /// True if the plan is made and proved for all that the file has, and not for what a change can touch.
  var plansWhole = false
  /// True if the change is recorded in the file.
  package var recording = HistoryRecording.ledger

  package init() {}
}

/// The outcome of migrating a database.
public struct ApplyReport: Sendable {
  /// The way it ended.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The database already had the declared schema, and its ledger recorded that.
    case unchanged
    /// The database already had the declared schema; a ledger row was added.
    case baselined
    /// The plan was applied, verified and committed.
    case applied
    /// The plan was applied and verified, then rolled back as requested.
    case rehearsed
  }
  /// The plan.
  public let plan: MigrationPlan
  /// The way it ended.
  public let outcome: Outcome
  /// The time it took, planning included.
  public let milliseconds: Int
  /// The part of that time that verifying the copied rows took; nil if none were copied.
  public var verificationMilliseconds: Int?
  /// True if a copy beside writers that was killed stays in the file, since another program kept the lock.
  package var leavesOnlineCopy: Bool
  /// Further remarks, one sentence each.
  public var notes: [String] = []

  package init(
    plan: MigrationPlan, outcome: Outcome, milliseconds: Int, verificationMilliseconds: Int? = nil,
    notes: [String] = [], leavesOnlineCopy: Bool = false
  ) {
    self.plan = plan
    self.outcome = outcome
    self.milliseconds = milliseconds
    self.verificationMilliseconds = verificationMilliseconds
    self.notes = notes
    self.leavesOnlineCopy = leavesOnlineCopy
  }
}

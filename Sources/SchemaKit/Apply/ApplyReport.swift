/// What happened to a database.
public struct ApplyReport: Sendable {
  /// How it ended.
  public enum Outcome: String, Sendable, Hashable, Codable {
    /// The database had the declared schema already and its ledger knew.
    case unchanged
    /// The database had the declared schema already; a ledger row was added.
    case baselined
    /// The plan was applied, verified and committed.
    case applied
    /// The plan was applied and verified, then rolled back because that was asked for.
    case rehearsed
  }
  /// The plan.
  public let plan: MigrationPlan
  /// How it ended.
  public let outcome: Outcome
  /// How long it took, planning included.
  public let milliseconds: Int
  /// How much of it the proof of the copied rows took; nil when none were copied.
  public var verificationMilliseconds: Int?
  /// What is worth saying beside, a sentence each.
  public var notes: [String] = []
}

/// A plan that cannot be made or is not allowed to run. Nothing was changed.
public struct PlanError: Error, Sendable {
  /// Why the plan failed.
  public enum Reason: Sendable {
    /// Hazards without consent, or that no consent can allow; the plan is attached.
    case refused(MigrationPlan, hazards: [Hazard])
    /// No plan was found that SQLite accepts on an empty clone of the catalog.
    case unprovable(String)
    /// The database needs changes and the mode forbids making them; the plan is attached.
    case pending(MigrationPlan)
    /// The database needs a different plan from the saved one. The current plan is attached, with what has changed.
    case stale(MigrationPlan, differences: [String])
  }
  /// Why the plan failed.
  public let reason: Reason

  package init(reason: Reason) { self.reason = reason }
}

/// A plan that cannot be made or is not allowed to run. Nothing was changed.
public struct PlanError: Error, Sendable {
  /// The reason why the plan failed.
  public enum Reason: Sendable {
    /// Hazards without consent, or that no consent can allow; the plan is attached.
    case refused(MigrationPlan, hazards: [Hazard])
    /// No plan was found that SQLite accepts on an empty clone of the catalog.
    case unprovable(Failure)
    /// The database needs changes and the mode forbids making them; the plan is attached.
    case pending(MigrationPlan)
    /// The plan would drop columns that nothing declares, and the configuration refuses that; the plan is attached.
    case undeclaredColumns(MigrationPlan, columns: [String])
    /// A column that nothing declares is to be kept, and cannot stand in the declared table.
    case cannotKeep(column: String, because: KeepObstacle)
    /// The database needs a different plan from the saved one. The current plan is attached, with what has changed.
    case stale(MigrationPlan, differences: [Difference])
    /// The database cannot serve both the program that it has and the newer one.
    case cannotExpand([ExpandObstacle])
  }
  /// A reason why no plan could be made.
  public enum Failure: Sendable, Hashable {
    /// The database could not be read.
    case unreadable
    /// SQLite accepts no order of the steps.
    case noOrder
    /// SQLite refuses a statement, with its message.
    case statement(String, message: String)
    /// The result would differ from the declared schema in these objects.
    case otherThanDeclared([SQLName])
  }
  /// A reason why a column cannot stay beside the declared ones.
  public enum KeepObstacle: Sendable, Hashable {
    /// It is in the primary key of the file's table.
    case primaryKey
    /// The declared table is STRICT and does not take its type, which is empty if there is none.
    case type(String)
    /// It uses a column that the declaration removes, or a constraint uses both.
    case uses(SQLName)
  }
  /// The reason why the plan failed.
  public let reason: Reason

  package init(reason: Reason) { self.reason = reason }
}

extension PlanError {
  /// A difference since a plan was saved.
  public enum Difference: Sendable, Hashable {
    /// The database has another schema.
    case schema(changed: [ObjectReference], created: [ObjectReference], dropped: [ObjectReference])
    /// The plan was made for another version of SQLite, and does something else on this one.
    case engine(planned: SQLiteVersion, current: SQLiteVersion)
    /// A hazard is new, where `planned` is nil, or concerns more than it did.
    case hazard(HazardCode, table: SQLName, column: SQLName?, planned: Extent?, current: Extent)
    /// The plan drops these objects or writes them anew, and would undo what changed in them since.
    case redefined([SQLName])
    /// Other steps are needed for an object.
    case steps(SQLName, planned: [StepSummary], current: [StepSummary])
    /// The same steps for an object, with other statements.
    case statements(SQLName)
    /// The same steps in a different order.
    case order
  }

  /// The number of objects and rows that a hazard concerns.
  public struct Extent: Sendable, Hashable {
    /// The number of objects that it concerns as they are, whatever their rows.
    public var objects = 0
    /// The number of rows that it concerns.
    public var rows = 0
    /// False if the rows were not counted.
    public var isCounted = true

    package init() {}
  }

  /// A step without its statements.
  public struct StepSummary: Sendable, Hashable {
    public var strategy: MigrationStep.Strategy
    public var edits: [SchemaEdit]
    /// True if it only puts back what another object's change dropped.
    public var isRestoration: Bool

    package init(_ step: MigrationStep) {
      strategy = step.strategy
      edits = step.edits
      isRestoration = step.onBehalfOf != nil
    }
  }
}

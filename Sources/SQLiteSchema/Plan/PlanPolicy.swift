/// The risks that a plan may take without asking: consent by class, by code, or by object.
public struct PlanPolicy: Sendable, Hashable {
  /// A single allowance.
  public struct Allowance: Sendable, Hashable {
    /// The hazards that are allowed.
    public enum Scope: Sendable, Hashable {
      case hazardClass(HazardClass)
      case code(HazardCode)
    }
    /// The hazards that are allowed.
    public var scope: Scope
    /// The table it is allowed for; nil for every table.
    public var table: SQLName?
    /// The column it is allowed for; nil for every column.
    public var column: SQLName?

    /// Creates consent for everything of a class or code, or for one table or column.
    public init(_ scope: Scope, table: SQLName? = nil, column: SQLName? = nil) {
      self.scope = scope
      self.table = table
      self.column = column
    }
  }

  /// The consent that was given.
  public var allowances: [Allowance]
  /// True if a schema that this file has moved on from may be applied again.
  public var allowsDowngrade: Bool
  /// True if the rows of dropped tables and the values of dropped columns are kept in the file, so that undoing the
  /// migration restores them. The drop then needs no consent.
  public var keepsDropped = false
  /// The strategies that may be used to change a table.
  public var strategy = StrategyChoice.auto

  /// Creates a policy from allowances.
  public init(allowing allowances: [Allowance] = [], allowsDowngrade: Bool = false) {
    self.allowances = allowances
    self.allowsDowngrade = allowsDowngrade
  }

  /// Consents to nothing beyond what is lossless.
  public static let lossless = PlanPolicy()

  /// Consents to everything that consent can allow: values may change, rows may be lost, and what the declaration
  /// breaks may be broken.
  public static let everything = PlanPolicy(
    allowing: [.lossy, .destructive, .fault].map { Allowance(.hazardClass($0)) })
}

extension PlanPolicy {
  /// True if a hazard is permitted: it requires no consent, or has it.
  public func permits(_ hazard: Hazard) -> Bool {
    switch hazard.hazardClass {
    case .note: true
    case .blocked: false
    case .lossy, .destructive, .fault:
      hazard.isConsentedByDeclaration || allowances.contains { $0.covers(hazard) }
    }
  }
}

extension PlanPolicy.Allowance {
  /// True if this allowance applies to a hazard.
  public func covers(_ hazard: Hazard) -> Bool {
    switch scope {
    case .hazardClass(let allowed): guard hazard.ownClass == allowed else { return false }
    case .code(let allowed): guard hazard.code == allowed else { return false }
    }
    if let table, table != SQLName(hazard.table) { return false }
    if let column, hazard.column.map({ SQLName($0) }) != column { return false }
    return true
  }
}

/// A decision about files that do not have the declared schema: what of a change is allowed, and which plan.
package protocol MigrationPermission: Sendable {
  /// True if a file that contains exactly the declared SQL may be taken for one with the declared schema, without a plan.
  var takesSameText: Bool { get }
  /// True if a file may be written.
  var mayWrite: Bool { get }
  /// The part of it that needs a local file; nil if a database on a server will do.
  var localWork: RemoteError.LocalWork? { get }

  /// Sets what a change may do, and returns true if a migration is allowed at all.
  func grant(_ request: inout ChangeRequest, for target: TargetSchema) -> Bool

  /// Accepts a plan, unless another one was agreed on.
  ///
  /// - Throws: `PlanError.stale`, `MigrationError.otherModels`, and what a permission throws of its own.
  func check(_ plan: MigrationPlan, on connection: any SQLConnection) throws

  /// Applies the steps that a file lacks before it is compared with the declared schema.
  ///
  /// - Returns: The reports on the steps; empty if there was none.
  func applySteps(
    to connection: SQLiteConnection, for schema: ModelSchema, _ configuration: Configuration
  ) throws -> [RecordedMigrationReport]
}

extension MigrationPermission {
  package var takesSameText: Bool { true }
  package var mayWrite: Bool { true }
  package var localWork: RemoteError.LocalWork? { nil }

  package func check(_ plan: MigrationPlan, on connection: any SQLConnection) throws {}

  package func applySteps(
    to connection: SQLiteConnection, for schema: ModelSchema, _ configuration: Configuration
  ) throws -> [RecordedMigrationReport] { [] }
}

/// A recorded step that was applied when a file was opened.
public struct RecordedMigrationReport: Sendable {
  /// The name of the step.
  public let name: String
  /// The report on the step.
  public let report: ApplyReport

  package init(name: String, report: ApplyReport) {
    self.name = name
    self.report = report
  }
}

extension Configuration.Migration {
  /// A file is migrated before the open returns, as far as the policy allows.
  public static func automatic(_ policy: PlanPolicy) -> Self { Self(AutomaticMigration(policy: policy)) }

  /// A file is left unchanged, and opening throws `PlanError` with the plan.
  public static var refuse: Self { Self(NoMigration()) }
}

/// Allows every plan that a policy allows.
struct AutomaticMigration: MigrationPermission {
  var policy: PlanPolicy

  func grant(_ request: inout ChangeRequest, for target: TargetSchema) -> Bool {
    request.plan.policy = policy
    return true
  }
}

/// Allows no migration.
private struct NoMigration: MigrationPermission {
  var mayWrite: Bool { false }

  func grant(_ request: inout ChangeRequest, for target: TargetSchema) -> Bool { false }
}

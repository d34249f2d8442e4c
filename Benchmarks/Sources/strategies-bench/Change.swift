import SchemaKit

/// A change of the large table.
struct Change: Sendable {
  let key: String
  let title: String
  let schema: ModelSchema
  /// Whether it is made in the file whose items refer to their makers.
  var refers = false
  /// The columns whose values must be the same afterwards.
  var unchanged = Self.columns
  /// What every row must fulfil afterwards.
  var condition = "1"

  static let columns = [
    "id", "name", "code", "qty", "price", "category", "created", "updated", "rating", "note", "maker", "body",
  ]

  static let all = [
    Change(key: "drop-check", title: "drop a CHECK", schema: CheckDropped.schema),
    Change(key: "drop-not-null", title: "drop NOT NULL", schema: NotNullDropped.schema),
    Change(key: "type", title: "another type of the same affinity", schema: TypeChanged.schema),
    Change(key: "action", title: "another foreign key action", schema: ActionChanged.schema, refers: true),
    Change(key: "add-not-null", title: "add NOT NULL", schema: NotNullAdded.schema),
    Change(key: "add-check", title: "add a CHECK", schema: CheckAdded.schema),
    mixed,
  ]

  static let mixed = Change(
    key: "mixed", title: "the mixed change", schema: Mixed.schema,
    unchanged: columns.filter { $0 != "qty" && $0 != "code" },
    condition: "qty IS NOT NULL AND typeof(code) = 'integer'")
}

/// Who carries out a change, and how.
enum Contender: String, Sendable {
  case rebuild, floor, standard, counts, grdb

  /// Those of a change; the first is what the others are compared with.
  static func of(_ change: Change) -> [Contender] {
    change.key == Change.mixed.key ? [.floor, .standard, .counts, .grdb] : [.rebuild, .standard]
  }

  var title: String {
    switch self {
    case .rebuild: "SchemaKit, rebuild"
    case .floor: "floor: twelve steps in C"
    case .standard: "SchemaKit"
    case .counts: "SchemaKit, counts"
    case .grdb: "GRDB, twelve steps"
    }
  }

  /// Carries out a change; returns the strategies that were taken.
  func run(_ change: Change, on path: String) throws -> String {
    switch self {
    case .rebuild: try migrate(path, change.schema, .rebuild, .full)
    case .standard: try migrate(path, change.schema, .auto, .full)
    case .counts: try migrate(path, change.schema, .auto, .counts)
    case .floor: try FloorFile(path).copy()
    case .grdb: try GRDBCopy.run(on: path)
    }
  }

  private func migrate(
    _ path: String, _ schema: ModelSchema, _ strategy: StrategyChoice, _ verification: VerificationLevel
  ) throws -> String {
    let session = try Session(at: path, schema: schema) { configuration in
      var policy = PlanPolicy.everything
      policy.strategy = strategy
      configuration.migration = .automatic(policy)
      configuration.verification = verification
    }
    guard case .compared(let report) = session.openReport, report.outcome == .applied else {
      throw BenchmarkError("\(path) was not migrated")
    }
    return Set(report.plan.steps.filter { $0.onBehalfOf == nil }.map(\.strategy.rawValue)).sorted().joined(
      separator: "+")
  }
}

struct BenchmarkError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

public import SchemaKit
import SchemaKitFoundation
package import SchemaKitOperations

/// A schema that a test migrates from or to: SQL, models, or the content of a path.
///
/// A string literal is SQL.
public struct TestedSchema: Sendable, ExpressibleByStringLiteral {
  private enum Kind: Sendable {
    case source(LoadedOnce)
    case models(ModelSchema)
    case target(TargetSchema, isOrderStrict: Bool)
    case recorded(RecordedTarget)
  }
  private let kind: Kind

  /// The schema that SQL declares: CREATE, ALTER and DROP statements, with hints in comments.
  ///
  /// - Parameter source: The name of its origin, for messages.
  public static func sql(_ text: String, source: String = "schema.sql") -> TestedSchema {
    TestedSchema(kind: .source(LoadedOnce { .sql(text, source: source) }))
  }

  /// The schema that models declare, with its data steps.
  public static func models(_ schema: ModelSchema) -> TestedSchema { TestedSchema(kind: .models(schema)) }

  /// The schema at a path: a `.sql` file, a database, a snapshot, or a folder of recorded migrations.
  public static func file(at path: String) -> TestedSchema {
    TestedSchema(kind: .source(LoadedOnce { try SchemaSource.at(path: path) }))
  }

  /// The schema that the first recorded steps of a folder lead to.
  static func steps(_ steps: [Migration]) -> TestedSchema {
    TestedSchema(kind: .source(LoadedOnce { .steps(steps) }))
  }

  /// A schema that was loaded already.
  package static func target(_ target: TargetSchema, isOrderStrict: Bool = false) -> TestedSchema {
    TestedSchema(kind: .target(target, isOrderStrict: isOrderStrict))
  }

  /// The schema after a recorded step, to which files are brought by the steps they lack.
  package static func recorded(_ target: RecordedTarget) -> TestedSchema { TestedSchema(kind: .recorded(target)) }

  public init(stringLiteral text: String) { self = .sql(text) }

  private init(kind: Kind) { self.kind = kind }
}

extension TestedSchema {
  /// Migrates a database to the schema, as a program or `schemactl apply` would.
  func bring(_ connection: SQLiteConnection, allowing policy: PlanPolicy) throws {
    switch kind {
    case .source(let source):
      _ = try Change(over: connection, to: try source.target(), ChangeRequest(allowing: policy)).apply()
    case .models(let schema):
      _ = try Session(over: connection, schema: schema) { $0.migration = .automatic(policy) }
    case .target(let target, let isOrderStrict):
      var request = ChangeRequest(allowing: policy)
      request.plan.isOrderStrict = isOrderStrict
      _ = try Change(over: connection, to: target, request).apply()
    case .recorded(let target): try target.bring(connection, allowing: policy)
    }
  }

  /// The steps that a database still needs.
  func plan(for connection: SQLiteConnection) throws -> MigrationPlan {
    switch kind {
    case .source(let source): try Change(over: connection, to: try source.target()).plan()
    case .models(let schema):
      try Change(over: connection, to: SchemaLoader(source: schema.name).load(schema.declaration()).target).plan()
    case .target(let target, let isOrderStrict):
      try Self.plan(to: target, isOrderStrict: isOrderStrict, for: connection)
    case .recorded(let target): try target.plan(for: connection)
    }
  }
}

extension TestedSchema {
  private static func plan(
    to target: TargetSchema, isOrderStrict: Bool, for connection: SQLiteConnection
  ) throws -> MigrationPlan {
    var request = ChangeRequest()
    request.plan.isOrderStrict = isOrderStrict
    return try Change(over: connection, to: target, request).plan()
  }

  /// One of the recorded steps that a file lacks, with the schema before it.
  ///
  /// - Returns: nil for schemas to which files are brought at once, and for a file that has every step.
  func missingStep(for path: String, seed: UInt64) throws -> (before: TestedSchema, step: TestedSchema)? {
    guard case .recorded(let target) = kind else { return nil }
    let connection = try SQLiteConnection(path: path, mode: .readWrite)
    let has = try target.appliedCount(of: connection)
    guard has < target.count else { return nil }
    var chance = SeededChance(seed: seed)
    let chosen = Int.random(in: (has + 1)...target.count, using: &chance)
    return (.recorded(target.shortened(to: chosen - 1)), .recorded(target.shortened(to: chosen)))
  }

  /// Leaves out the objects that are ignored.
  func removingIgnored(_ schema: DatabaseSchema) -> DatabaseSchema {
    switch kind {
    case .source, .models: schema
    case .target(let target, _): schema.removing(target.ignores)
    case .recorded(let target): schema.removing(target.ignores)
    }
  }
}

/// A target that is loaded once, however many migrations lead to it.
///
/// It has identity because copies of a schema share what was loaded.
private final class LoadedOnce: @unchecked Sendable {
  private let source: @Sendable () throws -> SchemaSource
  // `lock` guards `loaded`.
  private let lock = Lock()
  private var loaded: TargetSchema?

  init(_ source: @escaping @Sendable () throws -> SchemaSource) { self.source = source }

  func target() throws -> TargetSchema {
    try lock.withLock {
      if let loaded { return loaded }
      let target = try source().load().target
      loaded = target
      return target
    }
  }
}

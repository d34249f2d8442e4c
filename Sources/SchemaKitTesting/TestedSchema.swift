public import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// A schema that a test migrates from or to: SQL, models, or the content of a path.
///
/// A string literal is SQL.
public struct TestedSchema: Sendable, ExpressibleByStringLiteral {
  private enum Kind: Sendable {
    case source(LoadedOnce)
    case models(ModelSchema)
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
    }
  }

  /// The steps that a database still needs.
  func plan(for connection: SQLiteConnection) throws -> MigrationPlan {
    switch kind {
    case .source(let source): try Change(over: connection, to: try source.target()).plan()
    case .models(let schema):
      try Change(over: connection, to: SchemaLoader(source: schema.name).load(schema.declaration()).target).plan()
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

import SchemaKitFoundation

/// Many database files that are to have one schema.
///
/// ```swift
/// var fleet = try Fleet(FleetFiles(at: ["tenants/*.db"]), schema: schema)
/// let plan = try fleet.plan()
/// let report = try fleet.apply(plan, journal: "tenants.fleet-journal")
/// print(report.counts)
/// ```
///
/// Every file is planned, proved, changed and verified as alone. A plan is made and proved once for all files that have
/// the same schema; what it could lose is counted on the rows of each.
public struct Fleet: Sendable {
  public let files: FleetFiles
  package let target: TargetSchema
  /// The models whose functions and data steps the migration may call.
  let models: ModelSchema
  /// The options for the work on the files.
  public var options = FleetOptions()
  /// The options for each plan, without consent.
  package var request = PlanRequest()
  /// The patterns of the names that are ignored on either side, which the target leaves out.
  package var ignored: [String] = []
  /// The memory that is shared by the files.
  var memory = PlanningMemory()

  /// Prepares work on files.
  ///
  /// - Parameter schema: The schema that each is to have.
  public init(_ files: FleetFiles, schema: ModelSchema) throws {
    self.init(files, target: try SchemaLoader(source: schema.name).load(schema.declaration()).target, models: schema)
  }

  package init(_ files: FleetFiles, target: TargetSchema, models: ModelSchema?) {
    self.files = files
    self.target = target
    self.models = models ?? ModelSchema {}
  }
}

extension Fleet {
  /// Works on every file, on several threads.
  func forEachFile(_ body: @escaping @Sendable (FleetFiles.File) -> Void) {
    let counter = Shared(0)
    let (files, onProgress) = (files.files, options.onProgress)
    WorkerPool(size: options.jobs).forEach(files.count, until: options.isCancelled) { index in
      body(files[index])
      onProgress(
        counter.change {
          $0 += 1
          return $0
        }, files.count)
    }
  }
}

/// A value that several threads change.
final class Shared<Value: Sendable>: @unchecked Sendable {
  // `lock` guards the value.
  private let lock = Lock()
  private var stored: Value

  init(_ value: Value) { stored = value }

  var value: Value { lock.withLock { stored } }

  func change<T>(_ body: (inout Value) throws -> T) rethrows -> T { try lock.withLock { try body(&stored) } }
}

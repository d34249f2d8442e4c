import SchemaKitFoundation

/// The memory of planning from file to file, so that files which are alike are planned for, and their plan is proved, once.
///
/// An entry is found by all of the values that it was made from, never by a digest of them. The memory is for one target
/// and one request.
///
/// It has identity because several threads add to it.
package final class PlanningMemory: @unchecked Sendable {
  /// A catalog that was read before.
  struct Catalog {
    let number: Int
    let schema: DatabaseSchema
  }

  /// All that a plan depends on but the rows.
  struct Key: Hashable {
    /// The catalog, by its number.
    var catalog: Int
    var owned: Set<SQLName>
    var hints: MigrationHints
    var doneDataSteps: Set<String>
    /// The number of the first table for what is kept.
    var firstKept: Int
  }

  /// The knowledge of the files that have a key.
  enum Knowledge {
    /// There is nothing to be done.
    case current(MigrationPlan)
    /// The checks of their rows, and the plans by the results.
    case changes(RowChecks, plans: [[SQLName: RowClass]: RememberedPlan])
  }

  /// The properties that a plan depends on of the rows of a table where nothing was found that it could lose or break.
  struct RowClass: Hashable {
    var isEmpty: Bool
    var isCounted: Bool
    var findings: [RowCheckResults.Finding]
    var stored: [SQLName: Set<StoredClasses>]
  }

  /// A plan with the rows that it was made for.
  struct RememberedPlan {
    var plan: MigrationPlan
    var results: [SQLName: RowCheckResults]
    /// The tables that were counted because the plan copies them.
    var counted: [RowChecks.TableChecks]
    /// The checks of rows that the plan copies or updates, all of which keep what their tables declare.
    var standingChecks: [StandingChecks]
  }

  // `lock` guards the variables below it.
  private let lock = Lock()
  private var catalogs: [[ExactText]: Catalog] = [:]
  private var number = 0
  private var knowledge: [Key: Knowledge] = [:]
  private var proofs: [Proof: Dependencies] = [:]
  private var probes: [ProbeKey: [WriteProbes.Probe: WriteProbes.Failure]] = [:]
  private var reached: Set<ReachedKey> = []
  private var storedProfile: EngineProfile?
  /// Held while a plan is made that others may wait for.
  private let making = Lock()
  private let onProof: @Sendable () -> Void

  /// The number of catalogs that are remembered; then all are forgotten, so that many different ones take no more memory.
  private static let capacity = 256
  /// The number of plans that are remembered for one key, where tables are empty in one file and not in another.
  private static let planCapacity = 32

  /// - Parameter onProof: Called before each proof of a plan.
  package init(onProof: @escaping @Sendable () -> Void = {}) { self.onProof = onProof }
}

extension PlanningMemory {
  /// One that remembers nothing yet.
  package func emptied() -> PlanningMemory { PlanningMemory(onProof: onProof) }
}

// MARK: - Catalogs

extension PlanningMemory {
  /// A file's schema with its cookie.
  package func catalog(of connection: any SQLConnection) throws -> KnownCatalog {
    let cookie = try connection.integer("PRAGMA main.schema_version") ?? -1
    let catalog = try read(connection)
    return KnownCatalog(schema: catalog.schema, cookie: cookie, number: catalog.number)
  }

  /// A file's schema.
  func read(_ connection: any SQLConnection) throws -> Catalog {
    let entries = try CatalogReader(connection: connection).entries()
    // Swift takes texts for equal that SQLite does not.
    let texts = entries.flatMap { [$0.type, $0.name, $0.table, $0.sql ?? ""].map { ExactText($0) } }
    if let catalog = lock.withLock({ catalogs[texts] }) { return catalog }
    // The answers of SQLite's pragmas about an object follow from the statements of the catalog alone.
    let schema = try SchemaReader.read(entries, of: connection)
    return lock.withLock {
      if catalogs.count >= Self.capacity {
        catalogs = [:]
        knowledge = [:]
        proofs = [:]
        probes = [:]
        reached = []
      }
      number += 1
      let catalog = catalogs[texts] ?? Catalog(number: number, schema: schema)
      catalogs[texts] = catalog
      return catalog
    }
  }

  /// The profile of the engine, which is the same for every file that this process opens itself.
  func profile(of connection: any SQLConnection, for name: EngineProfile.Name?) throws -> EngineProfile {
    if let profile = lock.withLock({ storedProfile }) { return profile }
    let profile = try EngineProfile(of: connection, for: name)
    lock.withLock { storedProfile = profile }
    return profile
  }
}

// MARK: - Plans

extension PlanningMemory {
  func knowledge(_ key: Key) -> Knowledge? { lock.withLock { knowledge[key] } }

  /// Makes a plan while no other thread does.
  func make<T>(_ body: () throws -> T) rethrows -> T { try making.withLock(body) }

  /// To be called before a plan is proved.
  func countProof() { onProof() }

  func remember(_ plan: MigrationPlan, asCurrent key: Key) { lock.withLock { knowledge[key] = .current(plan) } }

  func remember(_ plan: RememberedPlan, after checks: RowChecks, _ rows: [SQLName: RowClass], for key: Key) {
    lock.withLock {
      var plans: [[SQLName: RowClass]: RememberedPlan] = [:]
      if case .changes(let former, let known) = knowledge[key], former == checks, known.count < Self.planCapacity {
        plans = known
      }
      plans[rows] = plan
      knowledge[key] = .changes(checks, plans: plans)
    }
  }
}

// MARK: - Verification

extension PlanningMemory {
  struct ProbeKey: Hashable {
    var catalog: Int
    var objects: Set<SQLName>
  }

  struct ReachedKey: Hashable {
    var catalog: Int
    var owned: Set<SQLName>
  }

  /// The writes and views that do not compile, which follows from the catalog.
  ///
  /// - Parameter catalog: The number of the catalog.
  func failures(of probes: WriteProbes, in schema: DatabaseSchema, _ catalog: Int, objects: Set<SQLName>)
    -> [WriteProbes.Probe: WriteProbes.Failure]
  {
    let key = ProbeKey(catalog: catalog, objects: objects)
    if let failures = lock.withLock({ self.probes[key] }) { return failures }
    let failures = probes.failures(in: schema, objects: objects)
    // A failure may lie with this file.
    if failures.isEmpty { lock.withLock { self.probes[key] = failures } }
    return failures
  }

  /// True if a catalog was found to be the target before, with what the schema owned in the file.
  func isReached(_ key: ReachedKey) -> Bool { lock.withLock { reached.contains(key) } }

  func remember(reached key: ReachedKey) { lock.withLock { _ = reached.insert(key) } }
}

// MARK: - Proofs

extension PlanningMemory {
  /// The values that a proof on a clone depends on.
  struct Proof: Hashable {
    struct Step: Hashable {
      var strategy: MigrationStep.Strategy
      var object: ObjectReference
      var statements: [PlannedStatement]
    }
    var key: Key
    var steps: [Step]

    init(_ key: Key, _ plan: MigrationPlan) {
      self.key = key
      steps = plan.steps.map { Step(strategy: $0.strategy, object: $0.object, statements: $0.statements) }
    }
  }

  /// The dependencies that were found by a proof that found no hazard; nil if there was none.
  func dependencies(_ proof: Proof) -> Dependencies? { lock.withLock { proofs[proof] } }

  func remember(_ dependencies: Dependencies, for proof: Proof) { lock.withLock { proofs[proof] = dependencies } }
}

extension PlanningMemory.RowClass {
  /// The classes of the rows of some tables; nil if anything was found in one of them, which only its own plan can tell of.
  static func of(_ results: [SQLName: RowCheckResults]) -> [SQLName: PlanningMemory.RowClass]? {
    guard results.values.allSatisfy({ $0.findings.allSatisfy { $0.count == 0 } }) else { return nil }
    return results.mapValues {
      PlanningMemory.RowClass(
        isEmpty: $0.rowCount == 0, isCounted: $0.isCounted, findings: $0.findings, stored: $0.stored)
    }
  }
}

extension PlanningMemory.RememberedPlan {
  /// The plan for other rows of the same classes.
  func plan(for results: [SQLName: RowCheckResults]) -> MigrationPlan {
    var plan = plan
    for index in plan.steps.indices {
      let name = plan.steps[index].object.name
      guard let before = self.results[name], let now = results[name] else { continue }
      if plan.steps[index].rows == before.countedRows { plan.steps[index].rows = now.countedRows }
      guard plan.steps[index].bytes == before.byteCount else { continue }
      // Rows that were not measured are taken to be as large as those of the first file.
      plan.steps[index].bytes =
        now.byteCount > 0 || before.rowCount == 0 ? now.byteCount : before.byteCount / before.rowCount * now.rowCount
    }
    return plan
  }
}

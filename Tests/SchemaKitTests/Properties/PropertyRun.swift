import Foundation

/// Migrates many random schema pairs with a change under test and has the second judge look at every one.
struct PropertyRun {
  enum Outcome {
    case applied
    case refused(String)
    /// Refused although the rows fit, as a strategy may say; the reason.
    case unavailable(String)
    /// Ended by what others wrote meanwhile, and judged by whoever ran it.
    case stopped(String)
    case failed(String)
  }

  /// Brings a file to the schema of a script, given rename hints.
  typealias Migrate = (_ file: URL, _ script: String, _ hints: [String]) throws -> Outcome
  typealias PlanIsEmpty = (_ file: URL, _ script: String, _ hints: [String]) throws -> Bool

  let pairs: Int
  let baseSeed: Int
  let migrate: Migrate
  let planIsEmpty: PlanIsEmpty
  /// Makes the pair of a seed.
  var makePair: (Int) throws -> SchemaPair = { try SchemaPair.make(seed: $0) }

  /// Refusals that the rows do not explain, with how many there were for each reason.
  private(set) var unavailable: [String: Int] = [:]
  private(set) var applied = 0
  private(set) var refused = 0
  /// Refusals because of a view that was broken before, which the rows can't confirm.
  private(set) var excused = 0
  private(set) var failureCount = 0
  /// The first few failures, each with all that is needed to see it again.
  private(set) var failures: [String] = []

  init(
    pairs: Int, baseSeed: Int, migrate: @escaping Migrate, planIsEmpty: @escaping PlanIsEmpty
  ) {
    self.pairs = pairs
    self.baseSeed = baseSeed
    self.migrate = migrate
    self.planIsEmpty = planIsEmpty
  }

  /// The share of pairs that were applied, from 0 to 1.
  var appliedShare: Double { pairs == 0 ? 0 : Double(applied) / Double(pairs) }

  var summary: String {
    let percent = Int((appliedShare * 1_000).rounded())
    return
      "property test: base seed \(baseSeed), \(pairs) pairs, \(applied) applied (\(percent / 10).\(percent % 10) %), "
      + "\(refused) refused and confirmed, \(excused) refused for a broken view, \(failureCount) failed"
  }

  /// Runs all pairs; read the counts and failures afterwards.
  mutating func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "schemakit-property-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for offset in 0..<pairs {
      let pair = try makePair(baseSeed &+ offset)
      let file = folder.appendingPathComponent("\(offset).db")
      let problems: [String]
      do {
        problems = try judge(pair, file)
      } catch {
        problems = ["threw: \(error)"]
      }
      for suffix in ["", "-wal", "-shm", "-journal"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
      if problems.isEmpty { continue }
      failureCount += 1
      if failures.count < 5 {
        failures.append(
          "\(problems.joined(separator: "\n"))\n"
            + "SCHEMAKIT_PROPERTY_SEED=\(pair.seed) SCHEMAKIT_PROPERTY_PAIRS=1\n\(pair)"
        )
      }
    }
  }

  private mutating func judge(_ pair: SchemaPair, _ file: URL) throws -> [String] {
    let writer = try RawSQLite(file.path)
    try writer.exec("PRAGMA synchronous = OFF")
    try pair.fill(writer)
    writer.close()
    let original = try Data(contentsOf: file)
    // A copy of the file, not a second filling: SQLite itself may choose rowids at random.
    let copy = file.deletingPathExtension().appendingPathExtension("before")
    try original.write(to: copy)
    defer { try? FileManager.default.removeItem(at: copy) }
    let before = try RawSQLite(copy.path)
    defer { before.close() }

    switch try migrate(file, pair.newScript, pair.hints) {
    case .applied:
      applied += 1
      return try judgeApplied(pair, file, before)
    case .refused(let reason):
      var problems = try Data(contentsOf: file) == original ? [] : ["refused, but the file changed: \(reason)"]
      if try SchemaOracle.targetRejects(before: before, pair: pair) {
        refused += 1
      } else if let view = pair.brokenView, reason.contains(view) {
        excused += 1
      } else {
        problems.append("refused, but a fresh target takes every row: \(reason)")
      }
      return problems
    case .unavailable(let reason):
      unavailable[reason, default: 0] += 1
      return try Data(contentsOf: file) == original ? [] : ["not available, but the file changed: \(reason)"]
    case .stopped(let reason):
      unavailable[reason, default: 0] += 1
      return []
    case .failed(let reason):
      return ["failed: \(reason)"]
    }
  }

  private func judgeApplied(_ pair: SchemaPair, _ file: URL, _ before: RawSQLite) throws -> [String] {
    var problems: [String] = []
    let after = try RawSQLite(file.path)
    problems += try SchemaOracle.sameSchema(file: after, targetDDL: pair.newDDL).map { "schema: " + $0 }
    problems += try SchemaOracle.sameData(before: before, after: after, pair: pair).map { "data: " + $0 }
    problems += try SchemaOracle.integrityProblems(of: after).map { "integrity: " + $0 }
    problems += try SchemaOracle.newOrphans(before: before, after: after, pair: pair).map { "orphan: " + $0 }
    after.close()
    if try !planIsEmpty(file, pair.newScript, pair.hints) { problems.append("the second plan is not empty") }

    let bytes = try Data(contentsOf: file)
    let cookie = try schemaVersion(of: file)
    if case .applied = try migrate(file, pair.newScript, pair.hints) {
    } else {
      problems.append("the second run did not succeed")
    }
    if try schemaVersion(of: file) != cookie { problems.append("the second run changed schema_version") }
    if try Data(contentsOf: file) != bytes { problems.append("the second run changed the bytes of the file") }
    return problems
  }

  private func schemaVersion(of file: URL) throws -> [[RawValue]] {
    let reader = try RawSQLite(file.path)
    defer { reader.close() }
    return try reader.rows("PRAGMA schema_version")
  }
}

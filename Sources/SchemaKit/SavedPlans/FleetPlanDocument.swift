public import SchemaKitFoundation

/// The JSON representation of a plan for a fleet. Its names are a contract.
struct FleetPlanDocument: Codable {
  static let kind = "schemakit-fleet-plan"

  var formatVersion = SavedPlanDocument.currentFormat
  var kind = Self.kind
  var checksum = ""
  var createdAt: String
  var library: String
  var engine: String
  /// Consent in the syntax of `--allow`.
  var consent: [String]
  var keepsDropped: Bool
  var strategy: StrategyChoice
  var target: SavedPlanDocument.Target
  var groups: [Group]
  /// How many files had the schema.
  var current: Int
  /// What was counted in each file that has hazards.
  var counts: [FileCounts]
  var problems: [FleetProblem]

  struct Group: Codable {
    var files: Int
    var example: String
    var hazards: [Gathered]
    var plan: SavedPlanDocument
  }

  struct Gathered: Codable {
    var hazard: SavedPlanDocument.HazardEntry
    var files: Int
    var rows: Int
    var examples: [String]
  }

  struct FileCounts: Codable {
    struct Count: Codable {
      var code: HazardCode
      var table: SQLName
      var column: SQLName?
      var rows: Int
      var objects: Int
      /// Absent where the rows were counted.
      var uncounted: Bool?
    }
    var file: String
    var hazards: [Count]
  }
}

extension FleetPlanDocument {
  init(_ plan: FleetPlan) {
    createdAt = plan.createdAt
    library = plan.library
    engine = plan.origin.engine.description
    consent = plan.consent.optionTexts
    keepsDropped = plan.consent.keepsDropped
    strategy = plan.consent.strategy
    target = SavedPlanDocument.Target(plan.target, fingerprint: plan.targetFingerprint)
    groups = plan.groups.map { group in
      var document = SavedPlanDocument(group.saved)
      document.target = nil
      return Group(
        files: group.fileCount, example: group.example,
        hazards: group.hazards.map {
          Gathered(
            hazard: SavedPlanDocument.HazardEntry($0.hazard), files: $0.fileCount, rows: $0.rowCount,
            examples: $0.examples)
        }, plan: document)
    }
    current = plan.currentCount
    counts = plan.extents.map { ($0.key.text, $0.value) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }.map
    { file, extents in
      FileCounts(
        file: file,
        hazards: extents.map { key, extent in
          FileCounts.Count(
            code: key.code, table: key.table, column: key.column, rows: extent.rows, objects: extent.objects,
            uncounted: extent.isCounted ? nil : true)
        }.sorted { ($0.code.rawValue, $0.table, $0.column ?? "") < ($1.code.rawValue, $1.table, $1.column ?? "") })
    }
    problems = plan.problems
  }
}

extension FleetPlan {
  /// The plan as JSON with sorted keys, and a checksum over all of it.
  public func json() -> String {
    var document = FleetPlanDocument(self)
    document.checksum = checksum
    return String(decoding: SavedPlan.encoded(document), as: UTF8.self) + "\n"
  }

  /// The checksum over all of the plan, which tells one plan from another.
  var checksum: String {
    // Only strings, integers and lists, whose encoding cannot fail.
    (try? SavedPlanSeal.of(SavedPlan.encoded(FleetPlanDocument(self)))) ?? ""
  }

  /// Whether data look like a plan for a fleet, whatever its version and however damaged.
  package static func isFleetPlan(_ data: Data) -> Bool {
    (try? JSONDecoder().decode(SavedPlan.Head.self, from: data))?.kind == FleetPlanDocument.kind
  }

  /// Parses a plan for a fleet.
  ///
  /// - Parameters:
  ///   - json: The result of `json()`.
  ///   - source: The name of its origin, for messages.
  /// - Throws: `SavedPlanError` for anything else, for another format, and for a plan that was changed by hand.
  public init(json: Data, source: String = "the fleet's plan") throws(SavedPlanError) {
    func problem(_ text: String) -> SavedPlanError { SavedPlanError(source: source, problem: text) }
    let head: SavedPlan.Head
    let seal: String
    do {
      seal = try SavedPlanSeal.of(json)
      head = try JSONDecoder().decode(SavedPlan.Head.self, from: json)
    } catch {
      throw problem("not a plan for a fleet: it is not JSON, or was cut short")
    }
    guard head.kind == FleetPlanDocument.kind, let format = head.formatVersion else {
      throw problem("not a plan for a fleet, which fleet plan --out writes")
    }
    guard format == SavedPlanDocument.currentFormat else {
      throw SavedPlanError(
        source: source,
        problem:
          "the plan has format \(format), and this SchemaKit reads \(SavedPlanDocument.currentFormat). Make it again "
          + "with fleet plan --out", isOutdated: format < SavedPlanDocument.currentFormat)
    }
    let document: FleetPlanDocument
    do { document = try JSONDecoder().decode(FleetPlanDocument.self, from: json) } catch {
      throw problem("the plan is damaged: a field is missing or is not what it should be")
    }
    guard document.checksum == seal else {
      throw problem(
        "the plan was changed after it was saved: its checksum does not fit. Make it again with fleet plan --out")
    }
    try self.init(document, source: source)
  }

  private init(_ document: FleetPlanDocument, source: String) throws(SavedPlanError) {
    var groups: [Group] = []
    var target: SavedTarget?
    var consent: PlanPolicy?
    for group in document.groups {
      var saved = try SavedPlan(group.plan, target: document.target, source: source)
      // One for all of them, as it is one in the document.
      saved.target = target ?? saved.target
      target = saved.target
      consent = saved.consent
      groups.append(
        Group(
          fileCount: group.files, example: group.example,
          hazards: group.hazards.map {
            GatheredHazard(
              hazard: $0.hazard.hazard, fileCount: $0.files, rowCount: $0.rows, examples: $0.examples)
          }, saved: saved))
    }
    var extents: [ExactText: [SavedPlan.HazardKey: PlanError.Extent]] = [:]
    for file in document.counts {
      extents[ExactText(file.file)] = Dictionary(
        file.hazards.map { count in
          var extent = PlanError.Extent()
          extent.rows = count.rows
          extent.objects = count.objects
          extent.isCounted = count.uncounted != true
          return (SavedPlan.HazardKey(code: count.code, table: count.table, column: count.column), extent)
        }, uniquingKeysWith: { first, _ in first })
    }
    guard let engine = SQLiteVersion(text: document.engine) else {
      throw SavedPlanError(source: source, problem: "\(document.engine) is not a version of SQLite")
    }
    if consent == nil {
      var policy = try PlanPolicy(texts: document.consent, source: source)
      policy.keepsDropped = document.keepsDropped
      policy.strategy = document.strategy
      consent = policy
    }
    self.init(
      groups: groups, currentCount: document.current, problems: document.problems,
      consent: consent ?? .lossless,
      origin: Origin(createdAt: document.createdAt, library: document.library, engine: engine),
      target: target ?? SavedTarget(document.target), targetFingerprint: document.target.fingerprint, extents: extents)
  }
}

public import SchemaKitFoundation

/// The JSON representation of a plan for a fleet, but for its long lists. Its names are a contract.
///
/// The lists are written and sealed an element at a time: of a document with thousands of plans, only the text is in memory.
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
  /// The number of files that had the schema.
  var current: Int
  var problems: [FleetProblem]

  /// The lists of the same object.
  struct Lists: Decodable {
    var groups: [Group]
    /// The counts of each file that has hazards.
    var counts: [FileCounts]
  }

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
    current = plan.currentCount
    problems = plan.problems
  }
}

extension FleetPlanDocument.Group {
  init(_ group: FleetPlan.Group) {
    plan = SavedPlanDocument(group.saved)
    plan.target = nil
    files = group.fileCount
    example = group.example
    hazards = group.hazards.map {
      FleetPlanDocument.Gathered(
        hazard: SavedPlanDocument.HazardEntry($0.hazard), files: $0.fileCount, rows: $0.rowCount, examples: $0.examples)
    }
  }
}

extension FleetPlanDocument.FileCounts {
  init(file: String, _ extents: [SavedPlan.HazardKey: PlanError.Extent]) {
    self.file = file
    hazards = extents.map { key, extent in
      Count(
        code: key.code, table: key.table, column: key.column, rows: extent.rows, objects: extent.objects,
        uncounted: extent.isCounted ? nil : true)
    }.sorted { ($0.code.rawValue, $0.table, $0.column ?? "") < ($1.code.rawValue, $1.table, $1.column ?? "") }
  }
}

extension FleetPlan {
  /// The plan as JSON, and a checksum over all of it.
  public func json() -> String { sealed().json }

  /// The plan as JSON, and its checksum, which tells one plan from another.
  func sealed() -> (json: String, checksum: String) {
    // Only strings, integers and lists, whose encoding cannot fail.
    (try? encoded()) ?? ("", "")
  }

  private func encoded() throws -> (json: String, checksum: String) {
    let files = extents.keys.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    let lists = [
      ("counts", try list(files) { FleetPlanDocument.FileCounts(file: $0.text, extents[$0] ?? [:]) }),
      ("groups", try list(groups) { FleetPlanDocument.Group($0) }),
    ]
    var document = FleetPlanDocument(self)
    var seal = try JSONDecoder().decode(SavedPlanSeal.self, from: SavedPlan.encoded(document))
    for (key, list) in lists { seal.add(list.digests, as: key) }
    document.checksum = seal.checksum
    // The lists come before the brace that ends the object.
    var text = String(decoding: SavedPlan.encoded(document).dropLast(), as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    for (key, list) in lists {
      text += ",\n  \"\(key)\" : [\n" + list.texts.joined(separator: ",\n") + "\n  ]"
    }
    return (text + "\n}\n", document.checksum)
  }

  private func list<T>(
    _ elements: [T], _ document: (T) -> some Encodable
  ) throws -> (texts: [String], digests: [SavedPlanSeal.ElementDigest]) {
    var list = (texts: [String](), digests: [SavedPlanSeal.ElementDigest]())
    for element in elements {
      let json = SavedPlan.encoded(document(element))
      list.digests.append(try JSONDecoder().decode(SavedPlanSeal.ElementDigest.self, from: json))
      list.texts.append(String(decoding: json, as: UTF8.self))
    }
    return list
  }

  /// True if data look like a plan for a fleet, whatever its version and however damaged.
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
      throw problem("not a plan for a fleet, which schemactl fleet plan writes")
    }
    guard format == SavedPlanDocument.currentFormat else {
      throw SavedPlanError(
        source: source,
        problem:
          "the plan has format \(format), and this SchemaKit reads \(SavedPlanDocument.currentFormat). Make it again",
        isOutdated: format < SavedPlanDocument.currentFormat)
    }
    let document: FleetPlanDocument
    let lists: FleetPlanDocument.Lists
    do {
      document = try JSONDecoder().decode(FleetPlanDocument.self, from: json)
      lists = try JSONDecoder().decode(FleetPlanDocument.Lists.self, from: json)
    } catch {
      throw problem("the plan is damaged: a field is missing or is not what it should be")
    }
    guard document.checksum == seal else {
      throw problem(
        "the plan was changed after it was saved: its checksum does not fit. Make the plan again")
    }
    try self.init(document, lists, source: source)
  }

  private init(
    _ document: FleetPlanDocument, _ lists: FleetPlanDocument.Lists, source: String
  ) throws(SavedPlanError) {
    var groups: [Group] = []
    var target: SavedTarget?
    var consent: PlanPolicy?
    for group in lists.groups {
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
    for file in lists.counts {
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

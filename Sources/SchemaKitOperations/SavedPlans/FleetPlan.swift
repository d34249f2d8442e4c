/// A plan for many files that are to have one schema: one plan for the files that have the same schema, with what each
/// could lose.
///
/// It is carried out only on files of these schemas, and only where no more is at stake than was planned for.
///
/// ```swift
/// let plan = try Fleet(FleetFiles(at: ["tenants/*.db"]), schema: schema).plan()
/// for group in plan.groups { print(group.fileCount, group.plan.steps.count) }
/// ```
public struct FleetPlan: Sendable {
  /// The plan of the files that have one schema.
  public struct Group: Sendable {
    /// The plan; its hazards are those of any of the files, each with the largest count.
    public var plan: MigrationPlan { saved.plan }
    /// The number of files that it is for.
    public internal(set) var fileCount: Int
    /// One of them.
    public internal(set) var example: String
    /// The hazards over all of the files.
    public internal(set) var hazards: [GatheredHazard] = []
    package internal(set) var saved: SavedPlan
  }

  /// A hazard over all files of a group.
  public struct GatheredHazard: Sendable, Hashable {
    /// The hazard as it is in the file that it concerns most.
    public internal(set) var hazard: Hazard
    /// The number of files that it concerns.
    public internal(set) var fileCount: Int
    /// The number of rows that it concerns in all of them.
    public internal(set) var rowCount: Int
    /// Some of the files, at most three.
    public internal(set) var examples: [String]
  }

  /// The plans, that of most files first.
  public let groups: [Group]
  /// The number of files that had the schema when the plan was made.
  public let currentCount: Int
  /// The files for which no plan could be made.
  public let problems: [FleetProblem]
  /// The consent that was given with the plan, for the hazards and counts that it has.
  public let consent: PlanPolicy
  /// When the plan was made, in UTC as ISO 8601.
  public var createdAt: String { origin.createdAt }
  /// The version of the library that made it.
  public var library: String { origin.library }
  let origin: Origin
  let target: SavedTarget
  let targetFingerprint: String
  /// The extents of the hazards that were planned for, by the path of each file that has hazards.
  let extents: [ExactText: [SavedPlan.HazardKey: PlanError.Extent]]
  private let indices: [Key: Int]

  /// The key that is equal for files that get the same plan.
  struct Key: Sendable, Hashable {
    let source: String
    let work: [MigrationStep.Work]

    init(_ plan: MigrationPlan) {
      source = plan.sourceFingerprint
      work = plan.work
    }
  }

  /// Where a plan comes from.
  struct Origin: Sendable, Hashable {
    var createdAt: String
    var library = SchemaKitVersion.current
    /// The version of SQLite.
    var engine: SQLiteVersion
  }

  init(
    groups: [Group], currentCount: Int, problems: [FleetProblem], consent: PlanPolicy, origin: Origin,
    target: SavedTarget, targetFingerprint: String, extents: [ExactText: [SavedPlan.HazardKey: PlanError.Extent]]
  ) {
    self.groups = groups
    self.currentCount = currentCount
    self.problems = problems
    self.consent = consent
    self.origin = origin
    self.target = target
    self.targetFingerprint = targetFingerprint
    self.extents = extents
    indices = Dictionary(
      groups.enumerated().map { (Key($0.element.plan), $0.offset) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of files that the plan is for.
  public var fileCount: Int { groups.reduce(0) { $0 + $1.fileCount } }

  /// The number of files when the plan was made.
  public var totalCount: Int { fileCount + currentCount + problems.count }

  /// The absolute paths of files with some problems.
  func pathsOfProblems(_ states: Set<FleetState>) -> Set<ExactText> {
    Set(problems.filter { states.contains($0.state) }.map { ExactText($0.absolutePath) })
  }

  /// The names of the data steps in the plans, which only the program that declares them can do.
  public var dataSteps: [String] { Set(groups.flatMap(\.saved.dataSteps)).sorted() }

  /// True if the plan leads to a declared schema, and for the program of that name.
  package func leads(to target: TargetSchema) -> Bool {
    self.target.name == target.name && target.isKnown(as: targetFingerprint)
  }

  /// The schema that the plan leads to, declared again from its statements.
  ///
  /// - Parameter source: The name of the place that the plan comes from, for messages.
  package func targetSchema(source: String) throws -> TargetSchema {
    try SavedPlan.targetSchema(target, fingerprint: targetFingerprint, engine: origin.engine, source: source)
  }

  /// True if a different order of columns counts as a difference.
  package var isOrderStrict: Bool { target.isOrderStrict }
}

extension FleetPlan {
  /// Accepts the plan of a file if it is one of these, and no more is at stake in the file than was planned for.
  ///
  /// - Parameter path: The file, by its absolute path.
  /// - Throws: ``FleetRefusal``.
  func check(_ current: MigrationPlan, of path: String) throws(FleetRefusal) {
    guard !current.isEmpty else { return }
    guard indices[Key(current)] != nil else { throw FleetRefusal(reason: .unplanned) }
    let worse = SavedPlan.worseHazards(in: current, than: extents[ExactText(path)] ?? [:])
    guard worse.isEmpty else { throw FleetRefusal(reason: .moreThanPlanned(worse)) }
  }
}

/// The refusal to carry out a plan for a fleet on a file. Nothing was changed.
public struct FleetRefusal: Error, Sendable, Hashable {
  /// The reason for the refusal.
  public enum Reason: Sendable, Hashable {
    /// The plan has nothing for the file's schema.
    case unplanned
    /// The file holds more of what needs consent than was planned for.
    case moreThanPlanned([PlanError.Difference])
    /// Another file has the path than when the files were found.
    case replaced(String)
    /// Something else has changed the file since the change that is to be undone.
    case changedSince
    /// The file is the journal of a run.
    case journal
  }
  /// The reason for the refusal.
  public let reason: Reason
}

extension FleetRefusal: CustomStringConvertible {
  public var description: String {
    switch reason {
    case .unplanned: FleetMessage.unplanned
    case .moreThanPlanned(let differences): FleetMessage.more(differences.map(\.sentence))
    case .replaced(let path): FleetMessage.replaced(path)
    case .changedSince: FleetMessage.changedSince
    case .journal: FleetMessage.journal
    }
  }
}

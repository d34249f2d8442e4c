import SchemaKitFoundation

extension Fleet {
  /// Makes a plan for each schema that the files have, and counts on the rows of each file what it could lose there.
  ///
  /// *Cost:* for each file what a plan costs alone, but that a plan which was made and proved for one file is taken for all
  /// with the same schema.
  ///
  /// - Parameter policy: The consent given with the plan. It counts for the hazards and the numbers of rows that are in the
  ///   plan, and for no more.
  public func plan(allowing policy: PlanPolicy = .lossless) -> FleetPlan {
    var fleet = self
    fleet.request.policy = policy
    // The memory is for one request.
    fleet.memory = memory.emptied()
    let gatherer = Shared(PlanGatherer(target: savedTarget, consent: policy))
    forEachFile { [fleet] file in
      do {
        let examination = try fleet.examine(file.path)
        gatherer.change { $0.add(examination, of: file) }
      } catch {
        let problem = fleet.options.problem(file.path, error, isNamed: file.isNamed)
        gatherer.change { $0.problems.append(problem) }
      }
    }
    var gathered = gatherer.value
    gathered.problems = problems(gathered.problems)
    return gathered.plan(targetFingerprint: target.fingerprint)
  }

  private var savedTarget: SavedTarget {
    SavedTarget(
      name: target.name, statements: target.schema.creationStatements, hints: target.hints,
      ownsWholeFile: target.ownsWholeFile, digest: target.digest, ignored: ignored,
      isOrderStrict: request.isOrderStrict)
  }
}

/// Gathers the plans of files.
private struct PlanGatherer {
  private struct HazardKey: Hashable {
    var subject: SavedPlan.HazardKey
    var hazardClass: HazardClass
  }

  let target: SavedTarget
  let consent: PlanPolicy
  let createdAt = Date().formatted(.iso8601)
  var problems: [FleetProblem] = []
  private var groups: [FleetPlan.Group] = []
  private var hazards: [[HazardKey: FleetPlan.GatheredHazard]] = []
  private var indices: [FleetPlan.Key: Int] = [:]
  private var extents: [ExactText: [SavedPlan.HazardKey: PlanError.Extent]] = [:]
  private var currentCount = 0

  init(target: SavedTarget, consent: PlanPolicy) {
    self.target = target
    self.consent = consent
  }

  mutating func add(_ examination: Fleet.Examination, of file: FleetFiles.File) {
    let plan = examination.plan
    guard !plan.isEmpty else {
      currentCount += 1
      return
    }
    let key = FleetPlan.Key(plan)
    let index = indices[key] ?? groups.count
    if index == groups.count {
      indices[key] = index
      var saved = SavedPlan(
        plan: plan, consent: consent, createdAt: createdAt, target: target,
        sourceObjects: SavedPlan.SourceObject.all(of: examination.schema))
      saved.target = target
      groups.append(FleetPlan.Group(fileCount: 0, example: file.path, saved: saved))
      hazards.append([:])
    }
    groups[index].fileCount += 1
    // The first by its name, whichever thread was first.
    if file.path < groups[index].example { groups[index].example = file.path }
    var seen: Set<HazardKey> = []
    for hazard in plan.hazards { add(hazard, of: file.path, to: index, &seen) }
    // A hazard that concerns nothing in this file counts as unplanned.
    let counts = SavedPlan.extents(of: plan).filter { $0.value != PlanError.Extent() }
    if !counts.isEmpty { extents[ExactText(file.absolutePath)] = counts }
  }

  /// - Parameter seen: The keys of the hazards that this file is already counted for.
  private mutating func add(_ hazard: Hazard, of path: String, to index: Int, _ seen: inout Set<HazardKey>) {
    let key = HazardKey(subject: SavedPlan.HazardKey(hazard), hazardClass: hazard.hazardClass)
    var gathered =
      hazards[index][key] ?? FleetPlan.GatheredHazard(hazard: hazard, fileCount: 0, rowCount: 0, examples: [])
    if seen.insert(key).inserted {
      gathered.fileCount += 1
      gathered.examples = Array((gathered.examples + [path]).sorted().prefix(3))
    }
    gathered.rowCount += hazard.count ?? 0
    if (hazard.count ?? 0) > (gathered.hazard.count ?? 0) { gathered.hazard = hazard }
    // The keys of one file's rows say nothing of the others'.
    gathered.hazard.samples = []
    hazards[index][key] = gathered
  }

  func plan(targetFingerprint: String) -> FleetPlan {
    let complete = groups.indices.map { index in
      var group = groups[index]
      group.hazards = hazards[index].values.sorted {
        ($0.hazard.code.rawValue, $0.hazard.object, $0.hazard.hazardClass.rawValue)
          < ($1.hazard.code.rawValue, $1.hazard.object, $1.hazard.hazardClass.rawValue)
      }
      group.saved.replaceHazards(with: group.hazards.map(\.hazard))
      return group
    }
    return FleetPlan(
      groups: complete.sorted { ($1.fileCount, $0.example) < ($0.fileCount, $1.example) }, currentCount: currentCount,
      problems: problems, consent: consent,
      origin: FleetPlan.Origin(
        createdAt: createdAt, engine: SQLiteVersion(text: SQLiteConnection.engineVersion) ?? SQLiteVersion(3, 0, 0)),
      target: target,
      targetFingerprint: targetFingerprint, extents: extents)
  }
}

extension SavedPlan {
  /// Accepts a newly made plan if it is equivalent to the saved one, or if there is nothing left to do.
  ///
  /// - Throws: `PlanError.stale` with what has changed.
  package func check(_ current: MigrationPlan, on connection: any SQLConnection) throws {
    guard !current.isEmpty else { return }
    let file = try SchemaReader.read(connection)
    guard !isSame(as: current, file: file) else { return }
    throw PlanError(reason: .stale(current, differences: differences(from: current, file: file)))
  }

  /// True if a plan does the same to the file, and no hazard is worse than it was.
  ///
  /// Objects that are dropped or rewritten must be unchanged: the same statements would undo later changes to them. Statements
  /// that only verify may differ, and so may those that keep what is dropped: how much is verified and kept is chosen
  /// when a plan is applied.
  package func isSame(as current: MigrationPlan, file: DatabaseSchema) -> Bool {
    plan.work == current.work && worseHazards(in: current).isEmpty && undoneObjects(in: file).isEmpty
  }

  /// The objects that have changed, and are dropped or get the definition that was planned for them.
  private func undoneObjects(in file: DatabaseSchema) -> [SQLName] {
    let redefined = plan.redefinedObjects
    let now = SourceObject.fingerprints(of: SourceObject.all(of: file))
    return sourceObjects.filter { object in
      redefined[object.kind]?.contains(SQLName(object.name)) == true
        && now[object.reference].map { $0 != object.fingerprint } ?? false
    }.map { SQLName($0.name) }.sorted()
  }

  /// Returns the differences since the plan was made.
  package func differences(from current: MigrationPlan, file: DatabaseSchema) -> [PlanError.Difference] {
    var differences = [schemaDifference(file: file)].compactMap(\.self)
    let differsInWork = plan.work != current.work
    if differsInWork, plan.engine != current.engine {
      differences.append(.engine(planned: plan.engine, current: current.engine))
    }
    differences += worseHazards(in: current)
    let undone = undoneObjects(in: file)
    if !undone.isEmpty { differences.append(.redefined(undone)) }
    if differsInWork { differences += stepDifferences(from: current) }
    return differences
  }

  /// The objects of the file that have changed; nil if none has.
  package func schemaDifference(file: DatabaseSchema) -> PlanError.Difference? {
    let before = SourceObject.fingerprints(of: sourceObjects)
    let after = SourceObject.fingerprints(of: SourceObject.all(of: file))
    func inOrder(_ objects: some Sequence<ObjectReference>) -> [ObjectReference] {
      objects.sorted { ($0.kind.rawValue, $0.name) < ($1.kind.rawValue, $1.name) }
    }
    let created = inOrder(after.keys.filter { before[$0] == nil })
    let dropped = inOrder(before.keys.filter { after[$0] == nil })
    let changed = inOrder(after.keys.filter { object in before[object].map { $0 != after[object] } ?? false })
    if created.isEmpty, dropped.isEmpty, changed.isEmpty { return nil }
    return .schema(changed: changed, created: created, dropped: dropped)
  }

  // MARK: - Hazards

  /// The subject of a hazard.
  struct HazardKey: Sendable, Hashable {
    var code: HazardCode
    var table: SQLName
    var column: SQLName?

    init(code: HazardCode, table: SQLName, column: SQLName?) {
      self.code = code
      self.table = table
      self.column = column
    }

    init(_ hazard: Hazard) {
      code = hazard.code
      table = SQLName(hazard.table)
      column = hazard.column.map { SQLName($0) }
    }
  }

  /// Hazards that are new, or affect more rows than before; notes are left out.
  private func worseHazards(in current: MigrationPlan) -> [PlanError.Difference] {
    Self.worseHazards(in: current, than: Self.extents(of: plan))
  }

  /// Hazards that are new, or affect more rows than was planned for; notes are left out.
  static func worseHazards(
    in current: MigrationPlan, than before: [HazardKey: PlanError.Extent]
  ) -> [PlanError.Difference] {
    let now = extents(of: current)
    return now.filter { $0.value.isWorse(than: before[$0.key] ?? PlanError.Extent()) }
      .sorted {
        ($0.key.code.rawValue, $0.key.table, $0.key.column ?? "")
          < ($1.key.code.rawValue, $1.key.table, $1.key.column ?? "")
      }
      .map { key, extent in
        .hazard(key.code, table: key.table, column: key.column, planned: before[key], current: extent)
      }
  }

  /// Returns the extent of each hazard of a plan; notes are left out.
  static func extents(of plan: MigrationPlan) -> [HazardKey: PlanError.Extent] {
    var extents: [HazardKey: PlanError.Extent] = [:]
    for hazard in plan.hazards where !hazard.isNote && hazard.code.hazardClass != .note {
      var extent = extents[HazardKey(hazard), default: PlanError.Extent()]
      extent.rows += hazard.count ?? 0
      if !hazard.isCounted {
        extent.isCounted = false
      } else if hazard.count == nil {
        extent.objects += 1
      }
      extents[HazardKey(hazard)] = extent
    }
    return extents
  }

  // MARK: - Steps

  /// The objects whose steps differ, with how each would be carried out.
  private func stepDifferences(from current: MigrationPlan) -> [PlanError.Difference] {
    func steps(of plan: MigrationPlan) -> [SQLName: [MigrationStep]] {
      Dictionary(grouping: plan.steps.filter(\.isWork)) { $0.onBehalfOf ?? $0.object.name }
    }
    let (before, now) = (steps(of: plan), steps(of: current))
    let names = Set(before.keys).union(now.keys).sorted()
    let differences = names.compactMap { name -> PlanError.Difference? in
      let (old, new) = (before[name] ?? [], now[name] ?? [])
      guard old.map(\.work) != new.map(\.work) else { return nil }
      let (former, present) = (old.map(PlanError.StepSummary.init), new.map(PlanError.StepSummary.init))
      // The steps of the object itself decide, unless there are none.
      let isSameWay = former.filter { !$0.isRestoration } == present.filter { !$0.isRestoration }
      return isSameWay && former.isEmpty == present.isEmpty
        ? .statements(name) : .steps(name, planned: former, current: present)
    }
    return differences.isEmpty ? [.order] : differences
  }
}

extension PlanError.Extent {
  fileprivate func isWorse(than other: PlanError.Extent) -> Bool {
    if objects > other.objects { return true }
    guard other.isCounted else { return false }
    return !isCounted || rows > other.rows
  }
}

extension SavedPlan.SourceObject {
  fileprivate var reference: ObjectReference { ObjectReference(kind, SQLName(name)) }

  fileprivate static func fingerprints(of objects: [SavedPlan.SourceObject]) -> [ObjectReference: String] {
    Dictionary(objects.map { ($0.reference, $0.fingerprint) }, uniquingKeysWith: { first, _ in first })
  }
}

extension MigrationPlan {
  /// The work of the plan on the file, without its checks, the rows it keeps and the statistics it carries over.
  var work: [MigrationStep.Work] { steps.filter(\.isWork).map(\.work) }
}

extension MigrationStep {
  /// The work of a step on the file.
  struct Work: Sendable, Hashable {
    var dataStep: String?
    var statements: [PlannedStatement]
  }

  fileprivate var work: Work {
    Work(
      dataStep: strategy.isProgramWork ? object.name.text : nil,
      statements: statements.filter { $0.role != .verification && $0.role != .statistics })
  }

  /// True if the step does more than keep values or carry statistics over.
  fileprivate var isWork: Bool {
    !strategy.putsAside && (statements.isEmpty || !statements.allSatisfy { $0.role == .statistics })
  }
}

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

  /// Whether a plan does the same to the file, and no hazard is worse than it was.
  ///
  /// What is dropped or rewritten must be unchanged: the same statements would undo later changes to it. Statements
  /// that only verify may differ, and so may those that keep what is dropped: how much is verified and kept is chosen
  /// when a plan is applied.
  package func isSame(as current: MigrationPlan, file: DatabaseSchema) -> Bool {
    plan.work == current.work && worseHazards(in: current).isEmpty && undoneObjects(in: file).isEmpty
  }

  /// The objects that have changed, and are dropped or get the definition that was planned for them.
  private func undoneObjects(in file: DatabaseSchema) -> [String] {
    let redefined = plan.redefinedObjects
    let now = SourceObject.all(of: file)
    return sourceObjects.filter { object in
      let same = now.first { $0.kind == object.kind && SQLName($0.name) == SQLName(object.name) }
      return ObjectReference.Kind(rawValue: object.kind).flatMap { redefined[$0] }?.contains(SQLName(object.name))
        == true
        && same.map { $0.fingerprint != object.fingerprint } ?? false
    }.map(\.name).sorted()
  }

  /// What has changed since the plan was made, in sentences without a full stop.
  package func differences(from current: MigrationPlan, file: DatabaseSchema) -> [String] {
    var sentences = sourceDifferences(file: file)
    let differsInWork = plan.work != current.work
    if differsInWork, plan.engine != current.engine {
      sentences.append("the plan was made for SQLite \(plan.engine), and this is \(current.engine)")
    }
    sentences += worseHazards(in: current)
    let undone = undoneObjects(in: file)
    if !undone.isEmpty {
      sentences.append(
        "the plan drops \(undone.joined(separator: ", ")) or writes it anew, without what changed in it since")
    }
    if differsInWork { sentences += stepDifferences(from: current) }
    return sentences
  }

  /// The objects of the file that have changed, as a sentence; empty if none has.
  package func sourceDifferences(file: DatabaseSchema) -> [String] {
    struct Name: Hashable {
      var kind: String
      var name: SQLName
    }
    func table(_ objects: [SourceObject]) -> [Name: SourceObject] {
      Dictionary(
        objects.map { (Name(kind: $0.kind, name: SQLName($0.name)), $0) }, uniquingKeysWith: { first, _ in first })
    }
    let now = SourceObject.all(of: file)
    let (before, after) = (table(sourceObjects), table(now))
    let words = { (name: Name, object: SourceObject) in "\(name.kind) \(object.name)" }
    let added = after.filter { before[$0.key] == nil }.map(words).sorted()
    let gone = before.filter { after[$0.key] == nil }.map(words).sorted()
    let changed = after.filter { name, object in
      before[name].map { $0.fingerprint != object.fingerprint } ?? false
    }.map(words).sorted()
    var parts: [String] = []
    if !changed.isEmpty { parts.append("\(changed.joined(separator: ", ")) changed") }
    if !added.isEmpty { parts.append("\(added.joined(separator: ", ")) came") }
    if !gone.isEmpty { parts.append("\(gone.joined(separator: ", ")) went") }
    return parts.isEmpty ? [] : ["the database has another schema: \(parts.joined(separator: "; "))"]
  }

  // MARK: - Hazards

  private struct HazardKey: Hashable {
    var code: HazardCode
    var table: SQLName
    var column: SQLName?

    init(_ hazard: Hazard) {
      code = hazard.code
      table = SQLName(hazard.table)
      column = hazard.column.map { SQLName($0) }
    }
  }

  /// The extent of the hazards of one code and object.
  private struct Extent {
    /// Hazards that concern an object as it is, whatever its rows.
    var objects = 0
    var rows = 0
    var isCounted = true

    var words: String {
      if !isCounted { return "rows not counted" }
      return rows == 0 && objects > 0 ? objects.counted("problem") : rows.counted("row")
    }

    func isWorse(than other: Extent) -> Bool {
      if objects > other.objects { return true }
      guard other.isCounted else { return false }
      return !isCounted || rows > other.rows
    }
  }

  /// Hazards that are new, or affect more rows than before; notes are left out.
  private func worseHazards(in current: MigrationPlan) -> [String] {
    let before = Self.extents(of: plan)
    let now = Self.extents(of: current)
    return now.keys.sorted {
      ($0.code.rawValue, $0.table, $0.column ?? "") < ($1.code.rawValue, $1.table, $1.column ?? "")
    }
    .compactMap { key in
      guard let extent = now[key], extent.isWorse(than: before[key] ?? Extent()) else { return nil }
      let object = key.column.map { "\(key.table).\($0)" } ?? key.table.text
      guard let former = before[key] else {
        return "\(key.code.rawValue) \(object) is new: \(extent.words)"
      }
      return "\(key.code.rawValue) \(object) concerned \(former.words), now \(extent.words)"
    }
  }

  private static func extents(of plan: MigrationPlan) -> [HazardKey: Extent] {
    var extents: [HazardKey: Extent] = [:]
    for hazard in plan.hazards where !hazard.isNote && hazard.code.hazardClass != .note {
      var extent = extents[HazardKey(hazard), default: Extent()]
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
  private func stepDifferences(from current: MigrationPlan) -> [String] {
    func steps(of plan: MigrationPlan) -> [SQLName: [MigrationStep]] {
      Dictionary(grouping: plan.steps.filter(\.isWork)) { $0.onBehalfOf ?? $0.object.name }
    }
    let (before, now) = (steps(of: plan), steps(of: current))
    let names = Set(before.keys).union(now.keys).sorted()
    let sentences = names.compactMap { name -> String? in
      let (old, new) = (before[name] ?? [], now[name] ?? [])
      guard old.map(\.work) != new.map(\.work) else { return nil }
      let (former, present) = (Method(old), Method(new))
      if former == present { return "the statements for \(name) are different" }
      return "the steps for \(name) were \(former.sentence), and are \(present.sentence) now"
    }
    return sentences.isEmpty ? ["the steps are in a different order"] : sentences
  }

  /// How the steps for an object change it, without their statements.
  private struct Method: Hashable {
    struct Part: Hashable {
      var strategy: MigrationStep.Strategy
      var edits: [SchemaEdit]
    }

    /// The steps that change the object, and not others that stand in its way.
    var own: [Part]
    var isEmpty: Bool

    init(_ steps: [MigrationStep]) {
      own = steps.filter { $0.onBehalfOf == nil }.map { Part(strategy: $0.strategy, edits: $0.edits) }
      isEmpty = steps.isEmpty
    }

    var sentence: String {
      guard !own.isEmpty else { return isEmpty ? "none" : "put back only" }
      return own.map { part in
        let edits = part.edits.map(\.sentence).joined(separator: ", ")
        return part.strategy.rawValue + (edits.isEmpty ? "" : " (\(edits))")
      }.joined(separator: ", ")
    }
  }
}

extension MigrationPlan {
  /// What the plan does to the file, without what it only checks, keeps, or carries over of the statistics.
  fileprivate var work: [MigrationStep.Work] { steps.filter(\.isWork).map(\.work) }
}

extension MigrationStep {
  /// What a step does to the file.
  fileprivate struct Work: Hashable {
    var dataStep: String?
    var statements: [PlannedStatement]
  }

  fileprivate var work: Work {
    Work(
      dataStep: strategy == .data ? object.name.text : nil,
      statements: statements.filter { $0.role != .verification && $0.role != .statistics })
  }

  /// Whether the step does more than keep values or carry statistics over.
  fileprivate var isWork: Bool {
    strategy != .keep && (statements.isEmpty || !statements.allSatisfy { $0.role == .statistics })
  }
}

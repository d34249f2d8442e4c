import SchemaKit

/// The steps of a plan as a reader counts them: what is put back after a change, and what is dropped only to be created
/// anew, is told with the change itself.
struct PlanOutline {
  /// What an entry does to its object.
  enum Action: String {
    case create, drop, native, catalog, update, swap, rebuild, replace, data, keep
  }

  /// One numbered line of a report.
  struct Entry {
    var action: Action
    var object: ObjectReference
    var changes: [String]
    /// Why it is done so, a clause for each reason.
    var reasons: [String]
    var rows: Int?
    var bytes: Int?
    var statements: [PlannedStatement]
    /// The steps that put back what this change takes away, by kind.
    var restored: [ObjectReference.Kind: Int] = [:]
    /// Whether the statistics of ANALYZE are carried over.
    var keepsStatistics = false
  }

  var entries: [Entry] = []
  /// The steps that belong to no entry, by kind: views and triggers that are suspended and restored.
  var restored: [ObjectReference.Kind: Int] = [:]
  /// Their statements.
  var loose: [PlannedStatement] = []

  init(_ plan: MigrationPlan) {
    let created = Set(plan.steps.filter { $0.strategy == .create && $0.onBehalfOf == nil }.map(\.object))
    var replaced: [ObjectReference: MigrationStep] = [:]
    // A name that is taken for a while comes right before the change that it makes way for.
    var detours: [PlannedStatement] = []
    for step in plan.steps where step.onBehalfOf == nil || step.isDetour {
      guard !step.isDetour else {
        detours += step.statements
        continue
      }
      let key = step.object
      if step.strategy == .drop, created.contains(key) {
        replaced[key] = step
        continue
      }
      let former = step.strategy == .create ? replaced[key] : nil
      entries.append(Entry(step, replacing: former))
      entries[entries.count - 1].statements.insert(contentsOf: detours, at: 0)
      detours = []
    }
    for step in plan.steps where step.onBehalfOf != nil && !step.isDetour { addUpkeep(step) }
  }

  private mutating func addUpkeep(_ step: MigrationStep) {
    let name = step.onBehalfOf ?? step.object.name
    let index =
      entries.firstIndex { [.swap, .rebuild].contains($0.action) && $0.object.name == name }
      ?? entries.firstIndex { $0.object.kind == .table && $0.object.name == name }
    guard let index else {
      if step.strategy == .create { restored[step.object.kind, default: 0] += 1 }
      loose += step.statements
      return
    }
    switch step.strategy {
    case .create where step.fillsIndex:
      let words = step.changes.joined(separator: ", ")
      let isOwn = entries[index].object.name == step.object.name
      entries[index].reasons.append(isOwn ? words : "\(step.object): \(words)")
    case .create: entries[index].restored[step.object.kind, default: 0] += 1
    case .native where step.statements.allSatisfy({ $0.role == .statistics }): entries[index].keepsStatistics = true
    case .native, .drop, .swap, .rebuild, .catalog, .update, .data, .keep: break
    }
    entries[index].statements += step.statements
  }
}

extension MigrationStep {
  /// Whether the step gives something a name for a while, because its new one is still taken.
  fileprivate var isDetour: Bool {
    onBehalfOf != nil && strategy == .native && !statements.allSatisfy { $0.role == .statistics }
  }
}

extension ObjectReference {
  /// The object as a line begins with it: a table by its name alone.
  var label: String { kind == .table ? "\(self)" : "\(kind) \(self)" }
}

extension PlanOutline.Entry {
  fileprivate init(_ step: MigrationStep, replacing former: MigrationStep?) {
    action = former == nil ? PlanOutline.Action(rawValue: step.strategy.rawValue) ?? .native : .replace
    object = step.object
    changes = step.changes.map {
      Self.withoutRepetition($0, of: [step.strategy.rawValue, "\(step.object.kind)", "\(step.object)"])
    }
    .filter { !$0.isEmpty }
    reasons = step.reasons
    rows = step.rows
    bytes = step.bytes
    statements = (former?.statements ?? []) + step.statements
  }

  /// A change without the words at its beginning that stand before it anyway.
  private static func withoutRepetition(_ change: String, of words: [String]) -> String {
    var rest = change[...]
    for word in words where rest.hasPrefix(word) {
      let after = rest.dropFirst(word.count)
      guard after.first.map({ $0 == " " }) ?? true else { continue }
      rest = after.drop { $0 == " " }
    }
    return String(rest)
  }
}

extension PlanOutline {
  /// How many single changes there are.
  var changeCount: Int { entries.reduce(0) { $0 + max(1, $1.changes.count) } }

  /// How many objects of each kind are concerned, in words: 2 tables and 1 index.
  var subjects: String {
    let kinds = [ObjectReference.Kind.table, .index, .view, .trigger, .dataStep]
    let counts = kinds.compactMap { kind -> String? in
      let names = Set(entries.map(\.object).filter { $0.kind == kind }.map(\.name))
      return names.isEmpty ? nil : Wording.counted(names.count, kind.rawValue)
    }
    return Wording.list(counts)
  }

  /// How many entries have one of the actions.
  func count(_ actions: Action...) -> Int { entries.count { actions.contains($0.action) } }

  /// What is put back, in words: 2 indexes and 1 trigger.
  static func words(for restored: [ObjectReference.Kind: Int]) -> String {
    Wording.list(
      [ObjectReference.Kind.index, .view, .trigger].compactMap { kind in
        restored[kind].map { Wording.counted($0, kind.rawValue) }
      })
  }
}

/// A change of one object, as a reader counts them: with all the steps that are only there for its sake.
///
/// A change includes the objects that are put back after it. A drop and a new creation of the same object are one change.
public struct PlannedChange: Sendable, Hashable {
  /// The strategy of the step, or that the object is dropped and created with its new definition.
  public var action: MigrationStep.Strategy
  public var object: ObjectReference
  /// The changes that action and object do not say.
  public var edits: [SchemaEdit]
  /// The reason for the chosen strategy; nil where there is none to give.
  public var motive: Motive?
  /// The cheaper strategies that were tried, with what stands against each.
  public var passedOver: [MigrationStep.PassedOver]
  /// The number of rows that are copied or rewritten; nil if no row is touched.
  public var rows: Int?
  /// About how many bytes are written; nil when no row is touched.
  public var bytes: Int?
  /// The statements that run before the change to make way for it: a temporary name, the drop of an old definition.
  public var preparation: [PlannedStatement]
  /// The statements of the change itself.
  public var statements: [PlannedStatement]
  /// The statements that put objects back afterwards: indexes, triggers, views, statistics.
  public var restoration: [PlannedStatement] = []
  /// The objects that are put back, in order.
  public var restored: [ObjectReference] = []
  /// The full-text indexes that are filled because of the change.
  public var filledIndexes: [MigrationStep] = []

  /// The former name of what is replaced, where its letter case is another; nil otherwise.
  package var formerSpelling: String?
  /// True if the object is dropped and created with its new definition.
  package let isReplacement: Bool
  /// True if the statistics of ANALYZE are carried over.
  package var keepsStatistics: Bool { restoration.contains { $0.role == .statistics } }

  fileprivate init(_ step: MigrationStep, replacing former: MigrationStep?, preparation: [PlannedStatement]) {
    isReplacement = former != nil
    action = former == nil ? step.strategy : .replace
    formerSpelling = former.flatMap { $0.object.name.text == step.object.name.text ? nil : $0.object.name.text }
    object = step.object
    edits = step.edits
    motive = step.motive
    passedOver = step.passedOver
    rows = step.rows
    bytes = step.bytes
    self.preparation = preparation + (former?.statements ?? [])
    statements = step.statements
  }
}

extension MigrationPlan {
  /// The changes that the plan makes, each with what is done for its sake. `steps` has the order in which all runs.
  public var changes: [PlannedChange] { grouped.changes }

  /// The steps that belong to no change of a table: views and triggers that are suspended and restored.
  public var suspensions: [MigrationStep] { grouped.suspensions }

  private var grouped: (changes: [PlannedChange], suspensions: [MigrationStep]) {
    let created = Set(steps.filter { $0.strategy.creates && $0.onBehalfOf == nil }.map(\.object))
    var changes: [PlannedChange] = []
    var replaced: [ObjectReference: MigrationStep] = [:]
    // A name that is taken for a while comes right before the change that it makes way for.
    var detours: [PlannedStatement] = []
    for step in steps where step.onBehalfOf == nil || step.isDetour {
      if step.isDetour {
        detours += step.statements
      } else if step.strategy.drops, created.contains(step.object) {
        replaced[step.object] = step
      } else {
        let former = step.strategy.creates ? replaced[step.object] : nil
        changes.append(PlannedChange(step, replacing: former, preparation: detours))
        detours = []
      }
    }
    var suspensions: [MigrationStep] = []
    for step in steps where step.onBehalfOf != nil && !step.isDetour {
      let name = step.onBehalfOf ?? step.object.name
      let index =
        changes.firstIndex { $0.action.copiesRows && $0.object.name == name }
        ?? changes.firstIndex { $0.object.kind == .table && $0.object.name == name && !$0.action.drops }
      if let index { changes[index].add(step) } else { suspensions.append(step) }
    }
    return (changes, suspensions)
  }
}

extension PlannedChange {
  /// Adds a step that is there for the sake of this change.
  fileprivate mutating func add(_ step: MigrationStep) {
    if step.strategy.drops {
      preparation += step.statements
      return
    }
    restoration += step.statements
    if step.fillsIndex {
      filledIndexes.append(step)
    } else if step.strategy.creates {
      restored.append(step.object)
    }
  }
}

extension MigrationStep {
  /// True if the step gives something a name for a while, because its new one is still taken.
  fileprivate var isDetour: Bool {
    onBehalfOf != nil && strategy.isPlainAlter && !statements.allSatisfy { $0.role == .statistics }
  }
}

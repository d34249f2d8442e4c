import SchemaKit
import SchemaKitOperations

extension PlanReport {
  /// The report for programs.
  package func json() -> String { JSONDocument.of(document) }

  /// The report as a line of a stream: what is going to be done, or what came of it.
  package func eventLine() -> String {
    switch ending {
    case .planned, .pending: JSONDocument.line(of: PlanEvent(plan: document))
    default: JSONDocument.line(of: ResultEvent(result: document))
    }
  }

  private var document: Document {
    let changes = plan.changes
    return Document(
      database: database,
      isNewFile: isNewFile,
      engine: plan.engine.description,
      profile: plan.profile?.name?.rawValue,
      outcome: outcome.word,
      rowsExamined: plan.areRowsExamined,
      milliseconds: outcome.milliseconds,
      verificationMilliseconds: verificationMilliseconds,
      differences: differences,
      rehearsal: rehearsal.map(RehearsalEntry.init),
      fingerprints: Fingerprints(source: plan.sourceFingerprint, target: plan.targetFingerprint),
      steps: plan.steps.map(Step.init),
      hazards: plan.hazards.map { HazardEntry($0, policy: policy) },
      refused: refusals.map { Refusal(code: $0.code.rawValue, object: $0.object) },
      impacts: plan.impacts.map(ImpactEntry.init),
      running: running.map(RunningDocument.init),
      unmanaged: plan.unmanaged,
      cost: plan.cost.map(Cost.init),
      summary: Summary(
        changes: changes.editCount, add: changes.count(.creation),
        change: changes.changeCount,
        rebuild: changes.count(where: \.action.copiesRows), drop: changes.count(.removal), copiedRows: plan.copiedRows))
  }

  private var verificationMilliseconds: Int? {
    if case .applied(_, let verifying) = ending { verifying } else { nil }
  }

  private var outcome: (word: String, milliseconds: Int?) {
    switch ending {
    case .planned, .pending: ("planned", nil)
    case .applied(let milliseconds, _): ("applied", milliseconds)
    case .rehearsed(let milliseconds): ("rehearsed", milliseconds)
    case .unchanged: ("unchanged", nil)
    case .baselined: ("baselined", nil)
    case .refused: ("refused", nil)
    case .newer: ("newer", nil)
    case .stale: ("stale", nil)
    }
  }

  /// The differences that make a saved plan stale; nil if it is not stale.
  private var differences: [String]? {
    if case .stale(let differences) = ending { differences.map(\.sentence) } else { nil }
  }
}

private struct PlanEvent: Encodable {
  var formatVersion = JSONDocument.formatVersion
  var event = "plan"
  var plan: Document
}

private struct ResultEvent: Encodable {
  var formatVersion = JSONDocument.formatVersion
  var event = "result"
  var result: Document
}

/// The form of the JSON. Its names are a contract.
private struct Document: Encodable {
  var formatVersion = JSONDocument.formatVersion
  var database: String
  var isNewFile: Bool
  var engine: String
  /// The engine that the plan is for; absent for a local file.
  var profile: String?
  var outcome: String
  var rowsExamined: Bool
  var milliseconds: Int?
  var verificationMilliseconds: Int?
  var differences: [String]?
  var rehearsal: RehearsalEntry?
  var fingerprints: Fingerprints
  var steps: [Step]
  var hazards: [HazardEntry]
  var refused: [Refusal]
  var impacts: [ImpactEntry]
  /// Absent unless it was asked for.
  var running: RunningDocument?
  var unmanaged: [String]
  var cost: Cost?
  var summary: Summary
}

private struct Cost: Encodable {
  var writtenBytes: Int
  var journalBytes: Int
  var freeBytes: Int
  var milliseconds: Int?

  init(_ cost: MigrationCost) {
    writtenBytes = cost.writtenBytes
    journalBytes = cost.journalBytes
    freeBytes = cost.freeBytes
    milliseconds = cost.milliseconds
  }
}

private struct Fingerprints: Encodable {
  var source: String
  var target: String
}

private struct Refusal: Encodable {
  var code: String
  var object: String
}

private struct ImpactEntry: Encodable {
  var kind: String
  var object: String
  var needs: [String]
  var outcome: String

  init(_ impact: PlanImpact) {
    kind = impact.kind
    object = impact.object
    needs = impact.needs
    outcome = impact.outcome.rawValue
  }
}

private struct Summary: Encodable {
  var changes: Int
  var add: Int
  var change: Int
  var rebuild: Int
  var drop: Int
  var copiedRows: Int
}

private struct Step: Encodable {
  struct StatementEntry: Encodable {
    var role: String
    var sql: String
    var leavesReferences: Bool
    /// Absent where it is tested against CHECK constraints as usual.
    var ignoresChecks: Bool?
  }
  struct PassedOverEntry: Encodable {
    var strategy: String
    var rejections: [Rejection]
    var reason: String
  }
  var strategy: String
  var kind: String
  var object: String
  var changes: [SchemaEditDocument]
  var motive: Motive?
  var reason: String?
  var passedOver: [PassedOverEntry]
  var rows: Int?
  var bytes: Int?
  var onBehalfOf: String?
  var statements: [StatementEntry]

  init(_ step: MigrationStep) {
    strategy = step.strategy.rawValue
    kind = "\(step.object.kind)"
    object = "\(step.object)"
    changes = step.edits.map(SchemaEditDocument.init)
    motive = step.motive
    reason = step.reason
    passedOver = step.passedOver.map {
      PassedOverEntry(
        strategy: $0.strategy.rawValue, rejections: $0.rejections, reason: $0.sentenceOfRejections)
    }
    rows = step.rows
    bytes = step.bytes
    onBehalfOf = step.onBehalfOf?.text
    statements = step.statements.map {
      StatementEntry(
        role: $0.role.rawValue, sql: $0.sql, leavesReferences: $0.leavesReferences,
        ignoresChecks: $0.ignoresChecks ? true : nil)
    }
  }
}

private struct HazardEntry: Encodable {
  var code: String
  var title: String
  var `class`: String
  var object: String
  var table: String
  var column: String?
  var count: Int?
  var counted: Bool
  var samples: [String]
  var message: String
  var remedy: String?
  var potential: Bool
  var consented: Bool

  init(_ hazard: Hazard, policy: PlanPolicy) {
    code = hazard.code.rawValue
    title = hazard.code.title
    `class` = hazard.isNote ? HazardClass.note.rawValue : hazard.ownClass.rawValue
    object = hazard.object
    table = hazard.table
    column = hazard.column
    count = hazard.count
    counted = hazard.isCounted
    samples = hazard.samples
    message = hazard.message
    remedy = hazard.remedy
    potential = hazard.isPotential
    consented = policy.permits(hazard)
  }
}

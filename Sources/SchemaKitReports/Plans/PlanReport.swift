public import SchemaKit
package import SchemaKitOperations

/// A plan in words: as text for people, as SQL for the sqlite3 shell, as JSON for programs.
package struct PlanReport: Sendable {
  /// The outcome for the database.
  package enum Ending: Sendable, Hashable {
    /// The plan was made and nothing else.
    case planned
    /// The plan is about to run; the last line is still to come.
    case pending
    /// The plan was applied; the proof of the copied rows took a part of the time.
    case applied(milliseconds: Int, verifying: Int? = nil)
    /// Everything ran and was rolled back, because that was asked for.
    case rehearsed(milliseconds: Int)
    case unchanged
    /// The database had the schema, and only the ledger was written.
    case baselined
    /// Hazards without consent, or that no consent can allow.
    case refused
    /// The file has moved on from the schema.
    case newer(String)
    /// The database needs a different plan from the saved one; with what has changed.
    case stale([PlanError.Difference])
  }

  /// A form of a report.
  package enum Format: String, Sendable, CaseIterable { case text, sql, json }

  package var plan: MigrationPlan
  /// The name of the database, as its user calls it.
  package var database: String
  /// True if the database does not exist yet.
  package var isNewFile: Bool
  /// The text after the last line of a plan that changes nothing; nil for none.
  package var notice: String?
  /// The consent that was given.
  package var policy: PlanPolicy
  package var ending: Ending
  /// The measurements of carrying the plan out on a copy.
  package var rehearsal: Rehearsal.Result?
  /// The notes about a program that runs already; nil if nobody asked.
  package var running: RunningProgram?

  package init(
    _ plan: MigrationPlan, database: String, isNewFile: Bool = false, policy: PlanPolicy = .lossless,
    ending: Ending = .planned
  ) {
    self.plan = plan
    self.database = database
    self.isNewFile = isNewFile
    self.policy = policy
    self.ending = ending
  }
}

extension PlanReport {
  /// The hazards with those first that keep the plan from running, then those that have consent, then notes.
  var orderedHazards: [Hazard] {
    let refused = plan.hazards.filter { !policy.permits($0) }
    let rest = plan.hazards.filter { policy.permits($0) }
    return refused + rest.filter { $0.hazardClass != .note } + rest.filter { $0.hazardClass == .note }
  }

  /// The hazards that keep the plan from running.
  package var refusals: [Hazard] { plan.refusals(under: policy) }

  /// One line that says how much there is to do.
  package var headline: String {
    let name = isNewFile ? "\(database) (new file)" : database
    if plan.isEmpty { return "\(name): no changes, SQLite \(plan.engine)" }
    let profile = plan.profile?.name.map { ", for \($0.rawValue)" } ?? ""
    return "\(name): \(changeCount), SQLite \(plan.engine)\(profile)"
  }

  /// The number of changes, and the objects that they are in.
  var changeCount: String {
    let changes = plan.changes
    let subjects = changes.subjects.isEmpty ? "" : " in \(changes.subjects)"
    return "\(Wording.counted(changes.editCount, "change"))\(subjects)"
  }

  /// The reason why the plan may not run, by codes: SK102 needs consent, SK104 is blocked.
  package var refusalSummary: String {
    func codes(_ hazards: [Hazard]) -> [String] { Set(hazards.map(\.code.rawValue)).sorted() }
    let blocked = codes(refusals.filter { $0.hazardClass == .blocked })
    let waiting = codes(refusals.filter { $0.hazardClass != .blocked })
    var parts: [String] = []
    if !blocked.isEmpty { parts.append("\(Wording.list(blocked)) \(blocked.count == 1 ? "blocks" : "block") it") }
    if !waiting.isEmpty { parts.append("\(Wording.list(waiting)) \(waiting.count == 1 ? "needs" : "need") consent") }
    return parts.joined(separator: "; ")
  }
}

/// A form in which a plan can be printed.
public enum PlanReportFormat: Sendable, Hashable {
  /// For people.
  case text
  /// A script for the sqlite3 shell that gives the same schema and rows.
  case sql
  /// For programs; `formatVersion` says which form.
  case json
}

extension MigrationPlan {
  /// Prints the plan.
  ///
  /// - Parameters:
  ///   - format: The form.
  ///   - database: The name of the database, for the first line.
  ///   - policy: The consent that the report takes into account.
  public func report(
    _ format: PlanReportFormat = .text, database: String = "database", policy: PlanPolicy = .lossless
  ) -> String {
    let report = PlanReport(self, database: database, policy: policy)
    return switch format {
    case .text: report.text()
    case .sql: report.sql()
    case .json: report.json()
    }
  }
}

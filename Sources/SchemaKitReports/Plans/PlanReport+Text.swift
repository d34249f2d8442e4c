import OrderedCollections
import SchemaKit

extension PlanReport {
  /// The report for people.
  ///
  /// - Parameters:
  ///   - style: The style that sets words apart.
  ///   - isVerbose: True if every statement is shown, not only those of native steps.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    let changes = plan.changes
    var blocks = [style.bold(headline)]
    if !plan.areRowsExamined, !plan.isEmpty { blocks.append(Self.quickNotice) }
    if !plan.isEmpty {
      blocks.append(steps(of: changes, style: style, isVerbose: isVerbose))
    }
    if !plan.impacts.isEmpty { blocks.append(impactLines(isVerbose: isVerbose).joined(separator: "\n")) }
    if !plan.hazards.isEmpty {
      blocks.append(hazardLines(style: style, isVerbose: isVerbose).joined(separator: "\n"))
    }
    if let running { blocks.append(running.lines(style: style).joined(separator: "\n")) }
    let last = lastLines(of: changes, style: style)
    if !last.isEmpty { blocks.append(last.joined(separator: "\n")) }
    return
      (plan.isEmpty && plan.hazards.isEmpty && running == nil
      ? blocks.joined(separator: "\n") : blocks.joined(separator: "\n\n"))
      + "\n"
  }

  /// The notice about the questions that a plan without rows leaves open.
  static let quickNotice = """
    Rows were not examined: what could be lost counts as lost, and what rows could
    refuse is left to the apply, which then rolls everything back.
    """

  /// The line that says what happened to the file; empty while the plan is about to run.
  package func lastLine(style: Style = .plain) -> String {
    switch ending {
    case .pending: ""
    case .planned:
      (refusals.isEmpty
        ? "" : style.red("\(plan.profile == nil ? "apply would refuse" : "refused"): \(refusalSummary).") + " ")
        + "Nothing was changed."
        + (notice.map { " \($0)" } ?? "")
    case .refused: style.red("refused: \(refusalSummary).") + " Nothing was changed."
    case .newer(let sentence): style.red("refused:") + " \(sentence) Nothing was changed."
    case .stale(let differences):
      style.red("stale:") + " \(differences.map(\.sentence).joined(separator: "; ")). Nothing was changed."
    case .applied(let milliseconds, let verifying):
      style.green(
        "Applied in \(Wording.duration(milliseconds: milliseconds))"
          + (verifying.flatMap { $0 < 100 ? nil : ", \(Wording.duration(milliseconds: $0)) of it for the proof" } ?? "")
          + "; verified.")
    case .rehearsed where rehearsal != nil: "Applied to the copy and verified. \(database) was not changed."
    case .rehearsed(let milliseconds):
      "Applied and verified in \(Wording.duration(milliseconds: milliseconds)), then rolled back. Nothing was changed."
    case .unchanged: "Nothing was changed."
    case .baselined: "No table was changed; the schema was noted in the database's history."
    }
  }

  /// A line for each view or trigger that needs what changes.
  private func impactLines(isVerbose: Bool) -> [String] {
    let shown = isVerbose ? plan.impacts[...] : plan.impacts.prefix(8)
    let lines = shown.map { impact in
      let outcome =
        switch impact.outcome {
        case .kept:
          faults(of: impact).map { faults in
            let words = faults.allSatisfy(\.isOfMeaning) ? "would mean something else" : "would not work any more"
            return "\(words) (\(HazardCode.brokenObject.rawValue))"
          } ?? "kept, compiled again as proof"
        case .rewritten: "rewritten by SQLite"
        case .replaced: "replaced"
        case .dropped: "dropped"
        }
      let needs =
        isVerbose ? impact.needs.joined(separator: ", ") : Wording.excerpt(impact.needs, of: impact.needs.count)
      return "  \(impact.kind) \(impact.object) needs \(needs): \(outcome)"
    }
    let hidden = plan.impacts.count - shown.count
    return hidden == 0 ? lines : lines + ["  and \(hidden) more; -v shows all"]
  }

  /// The hazards of a view or trigger that keep the plan from running; nil if there are none.
  private func faults(of impact: PlanImpact) -> [Hazard]? {
    let faults = plan.hazards.filter { hazard in
      hazard.code == .brokenObject && hazard.hazardClass != .note
        && (SQLName(hazard.table) == SQLName(impact.object)
          || hazard.readers.contains(impact))
    }
    return faults.isEmpty ? nil : faults
  }

  /// The measurements of the rehearsal, and the outcome for the file.
  package func rehearsalText(style: Style = .plain) -> String {
    let lines = rehearsal.map { $0.lines(style: style) + "\n\n" } ?? ""
    return lines + lastLine(style: style) + "\n"
  }

  func lastLines(of changes: [PlannedChange], style: Style) -> [String] {
    var lines: [String] = []
    if !plan.isEmpty {
      lines.append(
        "\(changes.count(.creation)) to add, \(changes.changeCount) to change, "
          + "\(changes.count(where: \.action.copiesRows)) to rebuild, \(changes.count(.removal)) to drop")
    }
    if let cost = plan.cost, let milliseconds = cost.milliseconds {
      lines.append(
        "\(lockTime(milliseconds)), writes \(Wording.bytes(cost.writtenBytes)), needs "
          + "\(Wording.bytes(cost.freeBytes)) of room, \(Wording.bytes(cost.journalBytes)) of it for the journal")
    }
    if !plan.unmanaged.isEmpty {
      let names = Wording.excerpt(plan.unmanaged, of: plan.unmanaged.count, limit: 8)
      let count = plan.unmanaged.count
      let words =
        count == 1 ? "is not managed by this schema; left unchanged" : "are not managed by this schema; left unchanged"
      lines.append(style.dim("\(Wording.counted(count, "object")) of the file \(words): \(names)"))
    }
    let last = lastLine(style: style)
    return last.isEmpty ? lines : lines + [last]
  }
}

// MARK: - Steps

extension PlanReport {
  /// The time that the change takes, and the part of it for which other programs cannot write.
  private func lockTime(_ milliseconds: Int) -> String {
    let time = Wording.duration(milliseconds: milliseconds)
    return plan.steps.contains { $0.strategy.isOnline }
      ? "takes about \(time) in transactions of about 10 ms (apply --max-lock)"
      : "keeps other writers waiting for about \(time)"
  }

  /// The steps of the plan, each with its details.
  func steps(style: Style, isVerbose: Bool) -> String { steps(of: plan.changes, style: style, isVerbose: isVerbose) }

  private func steps(of changes: [PlannedChange], style: Style, isVerbose: Bool) -> String {
    let digits = String(changes.count).count
    let width = min(36, changes.map { $0.object.label.count }.max() ?? 0)
    let actionWidth = max(7, changes.map { $0.action.rawValue.count }.max() ?? 0)
    let margin = 2 + digits + 2 + 3 + 1 + actionWidth + 2
    var lines: [String] = []
    for (index, change) in changes.enumerated() {
      let number = String(index + 1)
      let head =
        "  " + String(repeating: " ", count: digits - number.count) + number + "  "
        + Self.symbol(change.action, style: style) + " " + change.action.rawValue.padded(to: actionWidth) + "  "
      var details = Self.details(of: change, style: style)
      let label = change.object.label
      let first = label.count <= width && !details.isEmpty ? details.removeFirst() : ""
      lines.append(head + (first.isEmpty ? style.bold(label) : style.bold(label.padded(to: width)) + "  " + first))
      lines += details.map { $0.indented(by: margin + width + 2) }
      if !plan.areRowsExamined, change.action.copiesRows, change.rows == nil {
        lines.append("all rows copied; they were not counted".indented(by: margin + width + 2))
      }
      if isVerbose || change.action.isPlainAlter {
        lines += change.allStatements.map { style.dim($0.sql).indented(by: margin + (isVerbose ? 0 : width + 2)) }
      }
    }
    let suspended = plan.suspendedInWords
    if !suspended.isEmpty {
      lines.append(style.dim("suspends and restores \(suspended)").indented(by: digits + 4))
    }
    if isVerbose {
      lines += plan.suspensions.flatMap(\.statements).map { style.dim($0.sql).indented(by: margin) }
    }
    return lines.joined(separator: "\n")
  }

  /// The details of a change, a line each.
  static func details(of change: PlannedChange, style: Style) -> [String] {
    var lines = change.changes
    if let rows = change.rows {
      let verb = change.action.kind != .change ? "copied" : "rewritten"
      let size = change.bytes.map { $0 > 0 ? ", about \(Wording.bytes($0))" : "" } ?? ""
      lines.append(rows == 0 ? "the table is empty" : "\(Wording.counted(rows, "row")) \(verb)\(size)")
    }
    lines += change.reasons.map { style.dim($0) }
    let restored = change.restored.inWords
    if !restored.isEmpty { lines.append(style.dim("restores \(restored)")) }
    if change.keepsStatistics { lines.append(style.dim("keeps the statistics of ANALYZE")) }
    return lines
  }

  private static func symbol(_ action: MigrationStep.Strategy, style: Style) -> String {
    switch action.kind {
    case .creation: style.green(" + ")
    case .removal: style.red(" - ")
    case .change: style.yellow(" ~ ")
    case .work: style.cyan(" * ")
    case .copy: style.cyan("-/+")
    }
  }
}

// MARK: - Hazards

extension PlanReport {
  /// The hazards, of those with one code and status the first, and how many more there are. A remedy of several in a row
  /// stands under the last of them.
  private func hazardLines(style: Style, isVerbose: Bool) -> [String] {
    let kinds = OrderedDictionary(grouping: orderedHazards) { "\($0.code.rawValue)  \(status(of: $0))" }
    return kinds.flatMap { kind, hazards in
      let shown = isVerbose || hazards.count <= Self.mostAlike + 1 ? hazards[...] : hazards.prefix(Self.mostAlike)
      let hidden = hazards.count - shown.count
      let rest = style.dim("and \(Wording.number(hidden)) more alike (\(kind)); -v shows all".indented(by: 4))
      let blocks = shown.map { (lines: lines(for: $0, style: style), ending: ending(for: $0, style: style)) }
      let texts = blocks.indices.map { at in
        // An ending that the next hazard has as well is printed there.
        let isRepeated = at + 1 < blocks.count && blocks[at].ending == blocks[at + 1].ending
        return (blocks[at].lines + (isRepeated ? [] : blocks[at].ending)).joined(separator: "\n")
      }
      return texts + (hidden > 0 ? [rest] : [])
    }
  }

  /// The number of hazards of one kind that are shown if there are more.
  private static let mostAlike = 12

  /// Describes a hazard, without its remedy.
  private func lines(for hazard: Hazard, style: Style) -> [String] {
    let isRefused = !policy.permits(hazard)
    let mark = isRefused ? style.red("!") : hazard.hazardClass == .note ? "·" : style.green("✓")
    let code = isRefused ? style.red(hazard.code.rawValue) : hazard.code.rawValue
    var lines = style.paragraph("\(status(of: hazard)): \(hazard.object)\(hazard.rowsInWords)", indent: 11)
    lines[0] = "  \(mark) \(style.bold(code))  " + lines[0].dropFirst(11)
    return lines + style.paragraph(hazard.message, indent: 11)
  }

  /// The remedy for a hazard, as printed; empty if nothing needs to be done.
  private func ending(for hazard: Hazard, style: Style) -> [String] {
    guard let remedy = hazard.remedy, !policy.permits(hazard) || hazard.isPotential || hazard.isNote else { return [] }
    return style.paragraph(remedy, indent: 11).map(style.dim)
  }

  /// The class of a hazard and whether it may pass.
  func status(of hazard: Hazard) -> String {
    let code = hazard.ownClass
    if !hazard.isCounted, hazard.isNote, code == .blocked { return "left to the apply" }
    if hazard.isPotential, code != .note {
      return "\(code.rawValue) \(hazard.code == .lossyConversion ? "for other values" : "where rows exist")"
    }
    switch hazard.hazardClass {
    case .note: return "note"
    case .blocked: return "blocked"
    case .lossy, .destructive, .fault:
      if hazard.isConsentedByDeclaration { return "\(code.rawValue), allowed by the declaration" }
      return policy.permits(hazard) ? "\(code.rawValue), allowed" : "\(code.rawValue), needs consent"
    }
  }
}

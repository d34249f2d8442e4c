import SchemaKit
package import SchemaKitOperations

/// A plan for a fleet in words.
package struct FleetPlanReport: Sendable {
  let plan: FleetPlan
  let files: FleetFiles
  let title: String
  /// True if the plan is carried out next.
  package var isBeforeApply = false

  /// - Parameter title: The user's name for the files.
  package init(_ plan: FleetPlan, of files: FleetFiles, title: String) {
    self.plan = plan
    self.files = files
    self.title = title
  }

  /// True if no file needs a change, as far as they could be examined.
  package var isInSync: Bool { plan.groups.isEmpty }

  /// True if files would be left out pending a decision.
  package var isRefused: Bool { plan.groups.contains { $0.hazards.contains { !plan.consent.permits($0.hazard) } } }

  /// The report for people.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    let counts = [
      plan.currentCount == 0 ? nil : "\(Wording.number(plan.currentCount)) in sync",
      plan.fileCount == 0 ? nil : "\(Wording.number(plan.fileCount)) to change",
      plan.problems.isEmpty ? nil : "\(Wording.number(plan.problems.count)) with problems",
    ].compactMap { $0 }
    var blocks = [style.bold("\(title): \(Wording.counted(files.files.count, "file")): \(Wording.list(counts))")]
    for group in plan.groups {
      let report = PlanReport(group.plan, database: group.example, policy: plan.consent)
      let count = Wording.counted(group.fileCount, "file")
      let like = group.fileCount == 1 ? group.example : "\(count) with the schema of \(group.example)"
      blocks.append(style.bold("\(like): \(report.changeCount)"))
      blocks.append(report.steps(style: style, isVerbose: isVerbose))
      if !group.hazards.isEmpty {
        let shown = isVerbose ? group.hazards[...] : group.hazards.prefix(12)
        var lines = shown.flatMap { self.lines(for: $0, of: group, report, style: style) }
        if group.hazards.count > shown.count {
          lines.append("and \(Wording.number(group.hazards.count - shown.count)) more; -v shows all".indented(by: 4))
        }
        blocks.append(lines.joined(separator: "\n"))
      }
    }
    blocks += FleetText.problems(plan.problems, style: style, isVerbose: isVerbose)
    blocks += FleetText.others(files, isVerbose: isVerbose)
    let last = lastLine(style: style)
    if !last.isEmpty { blocks.append(last) }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func lastLine(style: Style) -> String {
    let codes = Set(
      plan.groups.flatMap(\.hazards).filter { !plan.consent.permits($0.hazard) }.map(\.hazard.code.rawValue))
    let refused = codes.isEmpty ? "" : style.red("Files with \(Wording.list(codes.sorted())) would be left out.") + " "
    return refused + (isBeforeApply ? "" : "Nothing was changed.")
  }

  private func lines(
    for gathered: FleetPlan.GatheredHazard, of group: FleetPlan.Group, _ report: PlanReport, style: Style
  ) -> [String] {
    let hazard = gathered.hazard
    let isRefused = !plan.consent.permits(hazard)
    let mark = isRefused ? style.red("!") : hazard.hazardClass == .note ? "·" : style.green("✓")
    let code = isRefused ? style.red(hazard.code.rawValue) : hazard.code.rawValue
    var subject = "\(report.status(of: hazard)): \(hazard.object)"
    let isEach = gathered.fileCount == group.fileCount
    if gathered.rowCount > 0 { subject += ", \(Wording.counted(gathered.rowCount, "row"))" }
    subject +=
      isEach
      ? " in all \(Wording.counted(group.fileCount, "file"))" : " in \(Wording.counted(gathered.fileCount, "file"))"
    if group.fileCount == 1 { subject = subject.replacing(" in all 1 file", with: "") }
    var lines = style.paragraph(subject, indent: 11)
    lines[0] = "  \(mark) \(style.bold(code))  " + lines[0].dropFirst(11)
    let message =
      gathered.fileCount > 1 && gathered.rowCount > 0 ? "The most in one file: \(hazard.message)" : hazard.message
    lines += style.paragraph(message, indent: 11)
    if !isEach {
      let names = Wording.excerpt(gathered.examples, of: gathered.fileCount, limit: 3)
      lines += style.paragraph("In \(names).", indent: 11)
    }
    if isRefused, let remedy = hazard.remedy { lines += style.paragraph(remedy, indent: 11).map(style.dim) }
    return lines
  }

  /// The report for programs.
  package func json() -> String {
    JSONDocument.of(
      Document(
        files: files.files.count, current: plan.currentCount, isRefused: isRefused,
        groups: plan.groups.map { Document.Group($0, consent: plan.consent) }, problems: plan.problems,
        excluded: FleetText.counts(files.excluded), sameFiles: FleetText.sameFiles(files)))
  }
}

private struct Document: Encodable {
  struct Group: Encodable {
    var files: Int
    var example: String
    var fingerprint: String
    var steps: [String]
    var hazards: [GatheredEntry]

    init(_ group: FleetPlan.Group, consent: PlanPolicy) {
      files = group.fileCount
      example = group.example
      fingerprint = group.plan.sourceFingerprint
      steps = group.plan.summaryLines
      hazards = group.hazards.map { GatheredEntry($0, consent: consent) }
    }
  }

  struct GatheredEntry: Encodable {
    var code: String
    var hazardClass: String
    var object: String
    var files: Int
    var rows: Int
    var isRefused: Bool
    var message: String
    var remedy: String?
    var examples: [String]

    enum CodingKeys: String, CodingKey {
      case code
      case hazardClass = "class"
      case object, files, rows, isRefused, message, remedy, examples
    }

    init(_ gathered: FleetPlan.GatheredHazard, consent: PlanPolicy) {
      code = gathered.hazard.code.rawValue
      hazardClass = gathered.hazard.hazardClass.rawValue
      object = gathered.hazard.object
      files = gathered.fileCount
      rows = gathered.rowCount
      isRefused = !consent.permits(gathered.hazard)
      message = gathered.hazard.message
      remedy = gathered.hazard.remedy
      examples = gathered.examples
    }
  }
  var formatVersion = JSONDocument.formatVersion
  var files: Int
  var current: Int
  var isRefused: Bool
  var groups: [Group]
  var problems: [FleetProblem]
  var excluded: [String: Int]
  var sameFiles: [[String]]
}

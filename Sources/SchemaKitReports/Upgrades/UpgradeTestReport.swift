import SchemaKit
package import SchemaKitOperations

/// The results of a test of upgrades.
package struct UpgradeTestReport: Sendable {
  /// A case with its outcome.
  package struct Case: Sendable {
    package var name: String
    /// The folder of the case.
    package var path: String
    /// The name of the schema that its file is to have.
    package var target: String
    package var outcome: UpgradeOutcome

    package init(name: String, path: String, target: String, outcome: UpgradeOutcome) {
      self.name = name
      self.path = path
      self.target = target
      self.outcome = outcome
    }
  }

  /// The folder of the cases, as it was named.
  package var folder: String
  /// The number that chose the moments of interruptions.
  package var seed: UInt64
  package var cases: [Case]

  package init(folder: String, seed: UInt64, cases: [Case] = []) {
    self.folder = folder
    self.seed = seed
    self.cases = cases
  }

  package var passed: Int { cases.count { $0.outcome.hasPassed } }
  package var failed: Int { cases.count - passed }
}

// MARK: - Text

extension UpgradeTestReport {
  /// The report for people.
  ///
  /// - Parameter isVerbose: True if the rows that a query gave are shown.
  package func text(style: Style = .plain, isVerbose: Bool = false) -> String {
    let width = cases.map(\.name.count).max() ?? 0
    let lines = cases.flatMap { Self.lines(of: $0, width: width, style: style, isVerbose: isVerbose) }
    return (lines + [lastLine(style: style)]).joined(separator: "\n") + "\n"
  }

  /// The cases that failed alone, for those who want to see nothing else.
  package func failures(style: Style = .plain) -> String {
    let lines = cases.filter { !$0.outcome.hasPassed }.flatMap {
      Self.lines(of: $0, width: 0, style: style, isVerbose: false)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func lastLine(style: Style) -> String {
    let words = failed == 0 ? style.green("\(passed) passed") : style.red("\(failed) failed") + ", \(passed) passed"
    return "\(words); --seed \(seed) stops at the same moments"
  }

  private static func lines(of tested: Case, width: Int, style: Style, isVerbose: Bool) -> [String] {
    let outcome = tested.outcome
    let name = tested.name + String(repeating: " ", count: max(0, width - tested.name.count))
    let word = outcome.hasPassed ? style.green("passed") : style.red("FAILED")
    var figures = [Wording.counted(outcome.rows, "row")]
    if outcome.expectations > 0 { figures.append(Wording.counted(outcome.expectations, "expectation")) }
    let ways = outcome.ways.map(\.words).joined(separator: ", ")
    var lines = ["\(word)  \(style.bold(name))  to \(tested.target): \(figures.joined(separator: ", "))"]
    if !ways.isEmpty { lines[0] += "; \(ways)" }
    for finding in outcome.findings {
      let place = [finding.file, finding.line.map(String.init)].compactMap { $0 }.joined(separator: ":")
      let head = place.isEmpty ? "" : "\(place): "
      lines += style.paragraph("\(finding.code.rawValue)  \(finding.way.words): \(head)\(finding.message)", indent: 2)
      guard isVerbose, !finding.values.isEmpty else { continue }
      lines += ["the query gives:".indented(by: 4)] + finding.values.map { $0.indented(by: 6) }
    }
    lines += outcome.losses.flatMap { style.paragraph("note  \($0)", indent: 2) }
    return lines
  }
}

// MARK: - Other programs

extension UpgradeTestReport {
  /// The report for programs.
  package func json() -> String { JSONDocument.of(Document(self)) }

  /// JUnit's XML, with a test case for each way of each case.
  package func junit(program: String) -> String {
    FindingsReport(program: program, title: "test", questions: cases.flatMap(Self.questions)).junit()
  }

  private static func questions(of tested: Case) -> [CheckedQuestion] {
    let outcome = tested.outcome
    return UpgradeWay.allCases.compactMap { way in
      let findings = outcome.findings.filter { $0.way == way }
      guard outcome.ways.contains(way) || !findings.isEmpty else { return nil }
      return CheckedQuestion(
        "\(tested.name) \(way.words)",
        findings: findings.map { finding in
          ReportFinding(
            code: finding.code.rawValue, level: .error, title: finding.code.title, message: finding.message,
            object: finding.object, file: finding.file ?? tested.path, line: finding.line)
        })
    }
  }
}

private struct Document: Encodable {
  struct Finding: Encodable {
    var code: String
    var title: String
    var way: UpgradeWay
    var message: String
    var object: String?
    var file: String?
    var line: Int?
    var hazards: [String]
  }
  struct Case: Encodable {
    var name: String
    var path: String
    var target: String
    var status: String
    var ways: [UpgradeWay]
    var migrations: Int
    var interruptions: Int
    var rows: Int
    var expectations: Int
    var findings: [Finding]
    var losses: [String]
  }
  var formatVersion = JSONDocument.formatVersion
  var folder: String
  /// A text, since not every reader of JSON knows numbers of 64 bits.
  var seed: String
  var passed: Int
  var failed: Int
  var cases: [Case]

  init(_ report: UpgradeTestReport) {
    folder = report.folder
    seed = "\(report.seed)"
    passed = report.passed
    failed = report.failed
    cases = report.cases.map { tested in
      let outcome = tested.outcome
      return Case(
        name: tested.name, path: tested.path, target: tested.target,
        status: outcome.hasPassed ? "passed" : "failed", ways: outcome.ways,
        migrations: outcome.migrations, interruptions: outcome.interruptions, rows: outcome.rows,
        expectations: outcome.expectations,
        findings: outcome.findings.map {
          Finding(
            code: $0.code.rawValue, title: $0.code.title, way: $0.way, message: $0.message, object: $0.object,
            file: $0.file, line: $0.line, hazards: $0.hazards.map(\.rawValue))
        }, losses: outcome.losses)
    }
  }
}

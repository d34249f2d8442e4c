import ArgumentParser
import SchemaKit
import SchemaKitOperations
import SchemaKitReports

/// Looks for likely mistakes in a schema.
struct LintCommand<Tool: SchemaCommandLine>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "lint", abstract: "Look for likely mistakes in a schema.",
      discussion: """
        Exits with 0 when there are no warnings and with 2 when there are; notes do not count. In SQL, a comment such as \
        -- schemakit: ignore SL101 on the line of a definition passes it over. Rules of your own stand in schemactl.toml, as \
        [[lint.rule]].
        """)
  }

  @Argument(
    help: ArgumentHelp(
      "A schema: SQL, in one file or several, database, snapshot, folder of migrations, or -. When this is missing, a "
        + "program with models takes them, and others the setting schema.", valueName: "schema"), completion: .file())
  var schema: [String] = []
  @Option(help: MigrationLayout.help)
  var layout: MigrationLayout?
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Look for what these rules forbid as well: synchronised, for a file that several devices replicate.",
      valueName: "rules"), completion: .list(SchemaRules.named.keys.sorted()))
  var rules: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Look for this only, such as SL101. May be repeated.", valueName: "code"),
    completion: .list(LintCode.allCases.map(\.rawValue)))
  var rule: [String] = []
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Pass this over, everywhere or for one object: SL101:orders.customer. May be repeated.",
      valueName: "code[:object]"), completion: .list(LintCode.allCases.map(\.rawValue)))
  var skip: [String] = []
  @OptionGroup var findings: FindingOptions
  @OptionGroup(visibility: .shared) var output: OutputOptions

  func run() throws {
    let console = Console(program: Tool.programName, options: output)
    try reporting(console, options: output) { try outcome(console) }
  }

  private func outcome(_ console: Console) throws -> Outcome {
    let rules = output.settings.rules
    var selection = LintSelection(projectRules: rules.map(\.rule))
    for text in rule { try selection.add(rule: text) }
    for text in self.rules { try selection.add(rules: text) }
    for text in skip { try selection.add(skip: text) }
    let unreadable = UnreadableReport(
      findings: findings, program: Tool.programName, title: "lint", console: console, lockTimeout: output.lockTimeout)
    let loaded = try unreadable.telling {
      let loaded = try TargetLoading(console: console, output: output).schema(
        at: schema, models: Tool.models, layout: layout)
      try selection.add(ignores: loaded.target.hints.ignores)
      return loaded
    }
    selection.rules.formUnion(loaded.target.hints.rules)
    let (found, idle) = try rules.locating {
      try SchemaLint.findings(
        in: loaded.target.schema, selection: selection,
        locators: loaded.scripts.map { LintLocator($0.text, file: $0.source) })
    }
    // The settings' exceptions are for all schemas of the project.
    for skip in idle where !output.settings.taken.contains(.skip) {
      console.warn("--skip \(skip.text) passes nothing over.")
    }
    let report = LintReport(schema: loaded.name, findings: found)
    let threshold = findings.givenFailOn ?? .warning
    let results = found.map { ReportFinding($0, in: loaded.name) }
    switch findings.format {
    case .text:
      if !output.quiet { console.print(report.text(style: console.style, isVerbose: output.verbose)) }
    case .json: console.print(report.json())
    case .github, .sarif, .junit, .markdown:
      let question = CheckedQuestion(
        "\(loaded.name) has no likely mistake", denial: "\(loaded.name) has likely mistakes",
        findings: results)
      console.print(findings.text([question], program: Tool.programName, title: "lint", failOn: threshold))
    }
    return results.contains { threshold.fails($0.level) } ? .pending : .done
  }
}

extension ReportFinding {
  /// A finding as other programs take it.
  fileprivate init(_ finding: Finding, in schema: String) {
    self.init(
      code: finding.code, level: Level(rawValue: finding.severity.rawValue) ?? .error, title: finding.title,
      message: "\(finding.message) \(finding.fix)", object: finding.object, file: finding.file ?? schema,
      line: finding.line, column: finding.column)
  }
}

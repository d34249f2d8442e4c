import SchemaKit
import SchemaKitOperations
import SchemaKitReports

/// Checks a folder of recorded migrations: its files, where it leads, and what is new in it.
struct FolderCheck {
  var path: String
  var isOrderStrict: Bool
  var models: ModelSchema?

  func run(
    against target: TargetLoading.Named, base: String?, into report: inout CheckReport, console: Console
  ) throws {
    let folder: MigrationFolder
    let replay: MigrationReplay
    do {
      folder = try MigrationFolder(reading: path)
      guard !folder.steps.isEmpty else { throw SchemaError(source: path, problem: "the folder holds no .sql file") }
      replay = try MigrationReplay(folder.steps)
    } catch let error as SchemaError where error.line != nil {
      // A line that somebody has to look at: conflict marks of a merge, or SQL that SQLite refuses.
      report.folder = (path, [ReportFinding(error)])
      return
    }
    if folder.isRecorded {
      let problems = try folder.problems + replay.problems + [folder.snapshotProblem(replay)].compactMap { $0 }
      report.folder = (path, problems.map(ReportFinding.init))
    } else {
      console.note(
        replay.notes + ["\(folder.path) has no \(MigrationChecksums.fileName); schemactl migrations hash writes it."])
    }
    report.migrations = DiffReport(
      from: (path, replay.schema), to: (target.name, target.target.schema), isOrderStrict: isOrderStrict)
    if let base { report.newSteps = try news(in: folder, replay, base: base) }
  }

  private func news(
    in folder: MigrationFolder, _ replay: MigrationReplay, base: String
  ) throws -> (base: String, names: [String], findings: [ReportFinding]) {
    let other = BaseFolder(base, of: path)
    let known = try other.stepNames()
    var findings: [ReportFinding] = []
    let folded = Set(folder.steps.flatMap { step in step.directives.replaces.flatMap(Migration.fileNames) })
    for file in try other.changedFiles(of: folder) where !folded.contains(file) {
      findings.append(
        ReportFinding(
          .stepNotOfBase,
          "\(base) has this step with different contents, and databases may have it. Revert the change and record "
            + "another step.", file: "\(path)/\(file)"))
    }
    var names: [String] = []
    for (index, step) in folder.steps.enumerated() where !known.contains(step.name) {
      names.append(step.name)
      findings += try self.findings(of: step, at: index, in: folder, replay)
    }
    return (base, names, findings)
  }

  /// Returns the findings about what a step could lose, and what depends on the rows of each database.
  private func findings(
    of step: Migration, at index: Int, in folder: MigrationFolder, _ replay: MigrationReplay
  ) throws -> [ReportFinding] {
    var policy = PlanPolicy.lossless
    for text in step.directives.allowances { try policy.add(allow: text) }
    let state = replay.states[index]
    let target = TargetSchema(
      name: MigrationRunner.schemaName, schema: state.schema, hints: state.hints, ownsWholeFile: true)
    let recording = MigrationRecording(replay: try MigrationReplay(Array(folder.steps[..<index])), models: models)
    let plan = try recording.plan(target, policy: policy)
    var findings = plan.hazards.compactMap { hazard -> ReportFinding? in
      guard [.lossy, .destructive, .blocked].contains(hazard.code.hazardClass) else { return nil }
      let isLoss = hazard.hazardClass == .lossy || hazard.hazardClass == .destructive
      let consent =
        !isLoss
        ? "" : policy.permits(hazard) ? " The step consents." : " The step does not consent: apply needs --allow."
      return ReportFinding(
        code: hazard.code.rawValue, level: isLoss ? .warning : .note, title: hazard.code.title,
        message: hazard.message + consent, object: hazard.object, file: step.path,
        line: isLoss ? step.line(allowing: hazard) : nil)
    }
    for (script, isBefore) in [(step.before, true), (step.after, false)] where script != nil {
      findings.append(
        ReportFinding(
          .workOnRows,
          "Step \(step.name) works on rows \(isBefore ? "before" : "after") the schema changes; undo does not take "
            + "that back.", level: .note, file: step.dataPath(isBefore: isBefore)))
    }
    return findings
  }
}

extension Migration {
  /// The line that consents to a hazard, from 1; nil where none does.
  fileprivate func line(allowing hazard: Hazard) -> Int? {
    let lines = sql.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    return lines.firstIndex { $0.hasPrefix("-- schemakit: allow \(hazard.code.rawValue):\(hazard.object)") }.map {
      $0 + 1
    }
  }
}

extension ReportFinding {
  /// A file of the folder that cannot be read.
  fileprivate init(_ error: SchemaError) {
    self.init(
      .unreadableStep, error.problem, file: error.source, line: error.line)
  }

  /// Creates a finding for a problem with a folder, under a code of its own.
  init(_ problem: FolderProblem) {
    let code: CheckCode =
      switch problem.cause {
      case .changedStep, .addedDataFile: .changedStep
      case .noChecksums, .unrecordedStep: .stepWithoutChecksum
      case .missingStep: .missingStep
      case .otherOrder, .sameNumber, .replacedStepRemains: .stepOrder
      case .misplacedStatement: .failingStatement
      case .noSnapshot, .otherSnapshot: .staleSnapshot
      }
    self.init(code, problem.message, file: problem.file, line: problem.line)
  }
}

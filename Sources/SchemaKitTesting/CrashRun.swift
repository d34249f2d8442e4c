import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations

/// One run of a matrix, from the making of the old file to the report.
struct CrashRun {
  let matrix: CrashMatrix
  let onProgress: (CrashMatrix.Progress) -> Void
  let isCancelled: () -> Bool
  private let workplace: TestFolder
  private let fileSystem: String

  static let fileName = "database.db"

  init(
    _ matrix: CrashMatrix, onProgress: @escaping (CrashMatrix.Progress) -> Void, isCancelled: @escaping () -> Bool
  ) throws {
    guard let name = RecordingFileSystem.name else { throw CrashMatrixError.noFileSystem }
    fileSystem = name
    self.matrix = matrix
    self.onProgress = onProgress
    self.isCancelled = isCancelled
    workplace = try TestFolder()
  }

  func report() throws -> CrashReport {
    let path = workplace.path(of: Self.fileName)
    try connect(to: path, mode: .readWriteCreate) { connection in
      _ = try connection.value("PRAGMA journal_mode = \(matrix.journal.rawValue)")
      try matrix.prepare(connection)
    }
    let original = try workplace.files()
    let old = try dump(path)
    try workplace.replaceFiles(with: original)

    let recorder = RecordedFolder(path: workplace.path, isRecording: true)
    try RecordingFileSystem.observing(recorder) { try migrate(path) }
    let operations = recorder.operations
    guard operations.contains(where: \.changesContent) else { throw CrashMatrixError.nothingWritten }
    let new = try dump(path)

    var judge = try StateOracle(
      old: old, new: new, dump: dump, recover: recover, migrate: migrate, verify: matrix.verify)
    var report = CrashReport()
    report.operations = operations.count
    try visitCrashPoints(of: operations, from: original, judge: &judge, report: &report)
    try visitFaultPoints(of: operations, from: original, judge: &judge, report: &report)
    report.recoveredFiles = judge.recoveredFiles
    guard report.violations.isEmpty else { throw CrashMatrixError.violated(report) }
    return report
  }

  // MARK: - Points

  private func visitCrashPoints(
    of operations: [FileOperation], from original: [String: Data], judge: inout StateOracle, report: inout CrashReport
  ) throws {
    var disk = SimulatedDisk(original.mapValues { [UInt8]($0) })
    var seen: Set<[String: Int]> = []
    var sampling = matrix.sample.map { CrashSample.Choice($0, of: operations.count) }
    for number in 0...operations.count {
      if isCancelled() { throw CancellationError() }
      let last = number == 0 ? nil : operations[number - 1]
      var states: [DiskState] = []
      let isChosen = sampling?.includes(number) ?? true
      if isChosen, let torn = last?.firstHalf { states.append(disk.torn(torn)) }
      if let last { disk.apply(last) }
      guard isChosen else { continue }
      states += disk.states
      if let one = sampling?.one(of: states) { states = [one] }
      for state in states {
        if let versions = state.versions, !seen.insert(versions).inserted { continue }
        report.diskStates += 1
        let files = state.files.mapValues { Data($0.bytes) }
        let done =
          last.map { "stopped after operation \(number) of \(operations.count) (\($0))" }
          ?? "before the first operation"
        note(try judge.outcome(of: files, after: .crashed), at: "\(done), \(state.name)", in: &report)
      }
      report.crashPoints += 1
      onProgress(CrashMatrix.Progress(stage: .crashPoints, done: number + 1, total: operations.count + 1))
    }
  }

  private func visitFaultPoints(
    of operations: [FileOperation], from original: [String: Data], judge: inout StateOracle, report: inout CrashReport
  ) throws {
    let points = operations.indices.flatMap { index in
      matrix.faults.filter { $0.applies(to: operations[index]) }.map { FaultPoint(fault: $0, number: index + 1) }
    }
    for point in points {
      if isCancelled() { throw CancellationError() }
      try workplace.replaceFiles(with: original)
      let folder = RecordedFolder(path: workplace.path, fault: point)
      var ending = CrashMatrix.Ending.returned
      do {
        try RecordingFileSystem.observing(folder) { try migrate(workplace.path(of: Self.fileName)) }
      } catch {
        ending = .threw
      }
      let place =
        "fault \(point.fault.rawValue) at operation \(point.number) of \(operations.count) "
        + "(\(operations[point.number - 1]))"
      note(try judge.outcome(of: workplace.files(), after: ending), at: place, in: &report)
      if ending == .returned { report.survivedFaults += 1 }
      report.faultPoints += 1
      onProgress(CrashMatrix.Progress(stage: .faultPoints, done: report.faultPoints, total: points.count))
    }
  }

  private func note(_ outcome: StateOracle.Outcome, at point: String, in report: inout CrashReport) {
    switch outcome {
    case .old: report.leftOld += 1
    case .new: report.leftNew += 1
    case .wrong(let problem): report.violations.append(CrashReport.Violation(point: point, problem: problem))
    }
  }

  // MARK: - Connections

  private func connect<Value>(
    to path: String, mode: SQLiteConnection.Mode = .readWrite, _ body: (SQLiteConnection) throws -> Value
  ) throws -> Value {
    let connection = try SQLiteConnection(path: path, mode: mode, busyTimeout: 0, fileSystem: fileSystem)
    return try body(connection)
  }

  private func migrate(_ path: String) throws {
    try connect(to: path) { connection in
      if matrix.journal != .wal { _ = try connection.value("PRAGMA journal_mode = \(matrix.journal.rawValue)") }
      for pragma in matrix.pragmas { try connection.execute(pragma) }
      try matrix.migrate(connection)
    }
  }

  /// Lets SQLite roll back or take over what a crash left, which it does when the file is first read.
  private func recover(_ path: String) throws {
    try connect(to: path) { _ = try $0.integer("SELECT count(*) FROM sqlite_master") }
  }

  private func dump(_ path: String) throws -> DatabaseDump {
    try connect(to: path) { connection in
      let findings = try connection.texts("PRAGMA integrity_check")
      guard findings == ["ok"] else {
        throw SQLiteError(code: 11, message: "integrity_check says: \(findings.prefix(3).joined(separator: "; "))")
      }
      return try DatabaseDump(connection)
    }
  }
}

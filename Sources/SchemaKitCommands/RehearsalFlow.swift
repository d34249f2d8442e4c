import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

extension ApplyFlow {
  /// Carries the plan out on a copy of the database, says what that took, and leaves the database as it is.
  ///
  /// - Parameter freeBytes: Returns the number of free bytes in a folder; nil if it is not known.
  func rehearse(
    _ shown: PlanReport, _ options: RehearsalOptions,
    freeBytes: (String) -> Int? = RehearsalSpace.freeBytes
  ) throws -> Outcome {
    let source = access.isMissing ? nil : try access.openedForInspection()
    let interruption = Interruption()
    var rehearsal = Rehearsal(
      folder: try folder(of: options), name: URL(fileURLWithPath: access.path).lastPathComponent,
      busyTimeout: access.lockTimeout, queries: try options.queries.map(Self.queries))
    rehearsal.isCancelled = { interruption.isRequested }
    console.note(rehearsal.removeAbandonedCopies().map { "\($0) is removed, the copy of a rehearsal that was killed." })
    let needed = Rehearsal.neededBytes(for: shown.plan, databaseBytes: try source.map(Rehearsal.size) ?? 0)
    try RehearsalSpace.check(needed: needed, free: freeBytes(rehearsal.folder), in: rehearsal.folder)
    let progress = ProgressTeller(console: console, format: format)
    defer { progress.end() }
    let result: Rehearsal.Result
    do {
      result = try rehearsal.run(copying: source) { copy, observe in
        interruption.stop(copy.interruptHandle)
        var request = rehearsalRequest(on: copy)
        request.observer.onProgress = progress.tell
        observe(&request)
        return try Change(over: copy, to: target, request).apply()
      }
    } catch {
      let report = ErrorReport.of(
        error, path: "the copy of \(access.path)", lockTimeout: access.lockTimeout, isVerbose: console.isVerbose)
      throw CommandError(code: report.outcome, sentence: "the rehearsal failed: \(report.sentence)")
    }
    progress.end()
    finish(shown, result)
    guard result.isSound else {
      console.error("the changed copy does not pass integrity_check: \(result.integrity.joined(separator: "; "))")
      return .failed
    }
    let broken = result.queries.filter { $0.verdict == .broken }.count
    guard broken == 0 else {
      console.error("after the change, \(Wording.counted(broken, "query")) would not compile any more.")
      return .failed
    }
    return .done
  }

  private func finish(_ shown: PlanReport, _ result: Rehearsal.Result) {
    var report = shown
    report.plan = result.report.plan
    report.ending = .rehearsed(milliseconds: result.report.milliseconds)
    report.rehearsal = result
    switch format {
    case .json: console.print(report.json())
    case .ndjson: console.print(report.eventLine())
    case .text: if !console.isQuiet { console.print("\n" + report.rehearsalText(style: console.style)) }
    }
  }

  private func folder(of options: RehearsalOptions) throws -> String {
    let folder = options.rehearseIn ?? SQLiteConnection.folder(of: access.path)
    guard FileManager.default.folderExists(atPath: folder) else {
      throw CommandError(code: .failed, sentence: "\(folder) is not a folder; the copy cannot be made there.")
    }
    guard FileManager.default.isWritableFile(atPath: folder) else {
      throw CommandError(
        code: .failed,
        sentence:
          "\(folder) cannot be written; name another folder for the copy with --rehearse-in. Nothing was changed.")
    }
    return folder
  }

  private static func queries(at path: String) throws -> QueryScript {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandError(code: .failed, sentence: "\(path) cannot be read. Nothing was changed.")
    }
    return try QueryScript(SourceText.read(data, source: path), source: path)
  }
}

/// The room that a rehearsal needs on a disk.
enum RehearsalSpace {
  /// Returns the number of bytes that are free for this user in a folder; nil if it is not known.
  static func freeBytes(in folder: String) -> Int? {
    DiskSpace.free(at: folder + "/copy").map { Int($0) }
  }

  /// Refuses to begin what the disk has no room for.
  static func check(needed: Int, free: Int?, in folder: String) throws {
    guard let free, free < needed else { return }
    throw CommandError(
      code: .failed,
      sentence: "\(folder) has \(Wording.bytes(free)) free, and the rehearsal needs about \(Wording.bytes(needed)). "
        + "Nothing was changed; name a folder on another disk with --rehearse-in.")
  }
}

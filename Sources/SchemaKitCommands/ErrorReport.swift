import SchemaKit
import SchemaKitFoundation
import SchemaKitOperations
import SchemaKitReports

/// The message for an error on standard error, and the exit code that goes with it.
struct ErrorReport {
  var sentence: String
  var outcome: Outcome

  /// Anything that a command can throw, in one sentence.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - path: The file it is about; nil when that is not known.
  ///   - lockTimeout: The time that locks were waited for, in seconds.
  ///   - isVerbose: True if SQLite's code and statement are shown.
  static func of(_ error: any Error, path: String? = nil, lockTimeout: Double, isVerbose: Bool) -> ErrorReport {
    switch error {
    case let error as CommandError: ErrorReport(sentence: error.sentence, outcome: error.code)
    case let error as FileError: of(error.cause, path: error.path, lockTimeout: lockTimeout, isVerbose: isVerbose)
    case let error as SQLiteError: of(error, path: path, lockTimeout: lockTimeout, isVerbose: isVerbose)
    case let error as PlanError:
      ErrorReport(sentence: error.message.words(for: .commandLine), outcome: outcome(of: error))
    case let error as ApplyError: of(error, path: path, lockTimeout: lockTimeout, isVerbose: isVerbose)
    case let error as HistoryError:
      ErrorReport(sentence: error.message.words(for: .commandLine), outcome: outcome(of: error))
    case let error as MigrationError: ErrorReport(sentence: error.description, outcome: .newer)
    case let error as SavedPlanError:
      ErrorReport(sentence: error.description, outcome: error.isOutdated ? .newer : .failed)
    case let error as RemoteError: of(error, path: path)
    case let error as FleetError: ErrorReport(sentence: error.description, outcome: outcome(of: error))
    case is RenameOptionError, is AllowOptionError, is LintOptionError:
      ErrorReport(sentence: "\(error)", outcome: .usage)
    default: ErrorReport(sentence: ended("\(error)"), outcome: .failed)
    }
  }

  private static func of(_ error: RemoteError, path: String?) -> ErrorReport {
    let sentence = error.message.words(for: .commandLine)
    let words = (path.map { "\($0): " } ?? "") + sentence
    return switch error.reason {
    case .cancelled: ErrorReport(sentence: interruptedSentence, outcome: StopSignal.current.outcome)
    case .address, .insecure, .tokenInClear, .token: ErrorReport(sentence: sentence, outcome: .usage)
    case .lockTaken: ErrorReport(sentence: words, outcome: .busy)
    default: ErrorReport(sentence: words, outcome: .failed)
    }
  }

  /// A sentence with a full stop.
  private static func ended(_ text: String) -> String {
    text.last.map { ".!?)".contains($0) } ?? true ? text : text + "."
  }

  private static func of(_ error: SQLiteError, path: String?, lockTimeout: Double, isVerbose: Bool) -> ErrorReport {
    let outcome: Outcome = error.isInterrupted ? StopSignal.current.outcome : error.isBusy ? .busy : .failed
    let sentence = sentence(for: error, file: path ?? "the database", lockTimeout: lockTimeout)
    return ErrorReport(sentence: isVerbose ? "\(sentence)\n\(error)" : sentence, outcome: outcome)
  }

  private static var interruptedSentence: String {
    "\(StopSignal.current.words); everything was rolled back, and nothing was changed."
  }

  private static func sentence(for error: SQLiteError, file: String, lockTimeout: Double) -> String {
    if error.isInterrupted { return interruptedSentence }
    if error.isBusy {
      return "\(file) is locked by another program, and waiting for \(seconds(lockTimeout)) did not help. Nothing was "
        + "changed; try again, or wait longer with --lock-timeout."
    }
    if error.isNotADatabase {
      return
        "\(file) is encrypted, or not an SQLite database. Nothing was changed; give the key of an encrypted one with "
        + "--key-file or --ask-key."
    }
    if error.isCorrupt, let advice = error.advice { return "\(file) is damaged: \(error.message). \(advice)." }
    // The schema is whole, and only not trusted.
    if error.isUntrustedUse {
      return "SQLite cannot work with \(file): \(error.message). Nothing was changed."
    }
    if error.isOfVirtualTable {
      return "SQLite cannot read a virtual table of \(file): \(error.message). Nothing was changed. Run doctor to see "
        + "what is wrong with it."
    }
    if error.isCorrupt, let broken = UnreadableStatement.first(inFile: file) {
      return
        "\(file): SQLite cannot read the statement of \(broken.kind) \(broken.name) in sqlite_schema: \(broken.problem). The rows "
        + "are not damaged, and nothing was changed. Run doctor to see how to correct the statement."
    }
    if error.isOfIndex {
      return
        "\(file): an index does not have the entry of a row that this change writes. Everything was rolled back, and nothing "
        + "was changed. Run doctor to see which one, and make it anew by REINDEX."
    }
    if error.isCorrupt {
      return "\(file) is damaged or cut short (\(error.message)). Nothing was changed; restore it from a backup, or "
        + "try the .recover command of the sqlite3 shell."
    }
    if error.isReadOnly, error.isLackingSharedMemory, DatabaseAccess.isWAL(at: file) {
      return
        "\(file) is in WAL mode, and whoever reads it needs \(file)-shm beside it, which cannot be made or written there. "
        + "Nothing was changed; get permission to write in its folder, or work on a copy elsewhere."
    }
    if error.isReadOnly {
      return
        "\(file) cannot be written (\(error.message)). Nothing was changed; check its permissions and those of its "
        + "folder."
    }
    if error.isFull || error.isDiskFailure { return Self.sentence(forDisk: error, file: file) }
    if error.isCannotOpen {
      return error.names(file) ? "\(error.message)." : "cannot open \(file): \(error.message)."
    }
    if error.isMissingCollation || error.isMissingQueryPlan {
      return
        "SQLite cannot work with \(file): \(error.message). It lacks a collation that only another program adds: use that "
        + "program, or load it with --load-extension FILE. Nothing was changed."
    }
    if error.isLackingExtension {
      return
        "SQLite cannot work with \(file): \(error.message). Load what is missing with --load-extension FILE. Nothing was "
        + "changed."
    }
    return "SQLite cannot work with \(file): \(error.message). Nothing was changed."
  }

  /// Returns the sentence about a disk that is full or failed.
  private static func sentence(forDisk error: SQLiteError, file: String) -> String {
    let verb = error.isFailedWrite ? "written" : "used"
    let problem =
      error.isFull
      ? "the disk is full" : "a file that SQLite needs for \(file) could not be \(verb): \(error.message)"
    let words = "\(problem). \(state(ofDisk: file))"
    guard error.isFull || error.isFailedWrite else { return words }
    let limits = error.isFull ? "a quota or max_page_count" : "a quota or a limit of file sizes (ulimit -f)"
    return
      "\(words) Besides the disk itself, \(limits) can be used up; SQLite's temporary files go to \(DiskSpace.temporaryFolder) "
      + "(SQLITE_TMPDIR names another folder)."
  }

  /// Returns the sentence about the state of a file on a disk that failed.
  private static func state(ofDisk file: String) -> String {
    let journal = DatabaseDoctor.Journal(beside: file)
    guard journal.bytes != nil else { return "Everything was rolled back; nothing was changed in \(file)." }
    let name = FileManager.default.fileExists(atPath: file + "-journal") ? file : journal.path
    return
      "What was written to \(file) has not been rolled back yet, so the file alone is not a complete database: the "
      + "journal \(name)-journal holds the previous contents and must stay beside it. The next program that opens the "
      + "file for writing rolls everything back."
  }

  private static func of(_ error: ApplyError, path: String?, lockTimeout: Double, isVerbose: Bool) -> ErrorReport {
    switch error.reason {
    case .cancelled:
      ErrorReport(sentence: interruptedSentence, outcome: StopSignal.current.outcome)
    case .statement(_, _, let cause)
    where cause.isBusy || cause.isFull || cause.isDiskFailure || cause.isReadOnly || cause.isCorrupt:
      of(cause, path: path, lockTimeout: lockTimeout, isVerbose: isVerbose)
    case .onlineCopyLeft(_, let cause):
      ErrorReport(
        sentence: error.description,
        outcome: Self.of(cause, path: path, lockTimeout: lockTimeout, isVerbose: isVerbose).outcome)
    case .onlineCopyRunning, .logNotCheckpointed: ErrorReport(sentence: error.description, outcome: .busy)
    default: ErrorReport(sentence: error.description, outcome: .failed)
    }
  }

  private static func outcome(of error: PlanError) -> Outcome {
    switch error.reason {
    case .refused, .undeclaredColumns, .cannotKeep, .cannotExpand: .refused
    case .unprovable: .failed
    case .pending: .pending
    case .stale: .newer
    }
  }

  private static func outcome(of error: HistoryError) -> Outcome {
    switch error.reason {
    case .newerFormat, .newerFile, .newerForm, .notUndoable, .keptDataChanged, .expandedForAnother,
      .expandedSchemaChanged,
      .recordedStepsInPhases:
      .newer
    case .olderProgramWrites: .refused
    case .nothingToUndo, .damagedLedger: .failed
    case .severalSchemas, .existingHistory, .notExpanded: .usage
    }
  }

  private static func outcome(of error: FleetError) -> Outcome {
    switch error.reason {
    case .noMatch, .journalAmongFiles, .noWave, .noCanary: .usage
    case .running: .busy
    case .newerJournal: .newer
    case .unreadableFolder, .journal, .notAJournal, .otherRun: .failed
    }
  }

  private static func seconds(_ seconds: Double) -> String {
    if seconds == 1 { return "1 second" }
    return seconds == seconds.rounded() ? "\(Int(seconds)) seconds" : "\(seconds) seconds"
  }
}

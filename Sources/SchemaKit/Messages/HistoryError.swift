/// A state of the ledger that prevents the operation.
public struct HistoryError: Error, Sendable, Equatable {
  /// The reason an operation was refused.
  public enum Reason: Sendable, Equatable {
    /// The ledger was written by a newer SchemaKit.
    case newerFormat(found: Int, known: Int)
    /// The file is ahead of the declared schema.
    case newerFile(declared: String, current: String)
    /// The values of a column have been stored in another coding since the declared one was theirs.
    case newerForm(column: String, declared: String, current: String)
    /// No change is left to undo.
    case nothingToUndo
    /// Several schemas share the file, and none was named.
    case severalSchemas([String])
    /// One of SchemaKit's own tables is missing, or is not as SchemaKit created it.
    case damagedLedger(table: String, problem: LedgerProblem)
    /// The database has a history, and a change was not to be recorded there.
    case existingHistory
    /// The data that a database keeps for undo has changed since it was inspected.
    case keptDataChanged
    /// The file serves an older program and a newer one, and the declared schema is of neither.
    case expandedForAnother(since: String)
    /// The part of the file's schema for an older program is not as it was made.
    case expandedSchemaChanged(since: String)
    /// Recorded steps are to be applied in phases, or to a file that serves two programs.
    case recordedStepsInPhases
    /// The file serves no older program, and so has nothing to remove.
    case notExpanded
    /// The older program was seen to write, this many seconds ago, and was to be silent for longer.
    case olderProgramWrites(secondsAgo: Int, quietFor: Int)
    /// The last change cannot be undone.
    case notUndoable(entry: Int, problem: UndoProblem)
  }
  /// The reason a change cannot be undone.
  public enum UndoProblem: Sendable, Equatable {
    /// The SchemaKit that applied the change recorded nothing for undoing it.
    case notRecorded
    /// The record for undoing the change cannot be read.
    case unreadableRecord
    /// Something else has changed the schema since.
    case schemaChanged
    /// Something else has the name of a table whose rows were kept in another.
    case replacedTable(String, storage: String)
    /// Something else has the former name of a table.
    case takenName(String)
    /// It ended the service of an older program.
    case contraction
    /// A later change converted the key by which values of a column were kept.
    case convertedKey(String, column: String, storage: String, entry: Int)
  }
  /// The reason the operation was refused.
  public let reason: Reason

  package init(reason: Reason) { self.reason = reason }

  /// The error for a table of ours that is not as it should be.
  static func damaged(_ table: String, _ problem: LedgerProblem) -> HistoryError {
    HistoryError(reason: .damagedLedger(table: table, problem: problem))
  }
}

extension HistoryError {
  /// The message for a caller that only compares, and cannot grant anything.
  package var checkDescription: String {
    guard case .newerFile(let declared, let current) = reason else { return message.words(for: .commandLine) }
    let remedy: Remedy =
      "Compare it with the schema of the newer program; apply goes back to this one with \(.allowDowngrade)."
    return "\(Self.newer(than: declared, current)). \(remedy.words(for: .commandLine))"
  }

  private static func newer(than declared: String, _ current: String) -> String {
    "The database is newer than the declared schema: it has moved on from \(declared.prefix(8)) to \(current.prefix(8))"
  }
}

extension HistoryError: AdvisingError {
  public var description: String { message.words(for: .programs) }

  package var message: Remedy {
    switch reason {
    case .newerFormat(let found, let known):
      "The database's history has format \(found), this SchemaKit knows up to \(known). Use a newer SchemaKit."
    case .newerFile(let declared, let current):
      "\(Self.newer(than: declared, current)). Use the newer program, or allow the way back with \(.allowDowngrade)."
    case .newerForm(let column, let declared, let current):
      "The database is newer than the declared schema: the values of \(column) have moved on from \(declared) to "
        + "\(current). Use the newer program, or allow the way back with \(.allowDowngrade)."
    case .nothingToUndo: "The database has no change in its history that could be undone. Nothing was changed."
    case .severalSchemas(let names):
      "The database has several schemas: \(names.joined(separator: ", ")). Say which one \(.nameSchema). Nothing was changed."
    case .damagedLedger(let table, let problem):
      "The database's history is damaged: table \(table) is not what SchemaKit made: \(problem.sentence). Nothing was changed. "
        + "Restore the file from a backup, or drop every table whose name begins with _schemakit_ to go on without the "
        + "history, which forgets the way back, what was kept for it, and which data steps were done."
    case .existingHistory:
      "The database has a history, and would be changed without an entry there. Nothing was changed. \(.keepHistory)."
    case .keptDataChanged:
      "What the database keeps for undo has changed meanwhile. Nothing was changed; look again."
    case .expandedForAnother(let since):
      "The database has served two programs since \(since), and this schema is of neither. Apply it "
        + "\(.contractPhase) once no older program is left, or take the expansion back with undo. Nothing was changed."
    case .expandedSchemaChanged(let since):
      "The database has served two programs since \(since), and somebody has changed what it has for them. Apply the newer "
        + "schema \(.contractPhase): values that differ under two names are told then. Nothing was changed."
    case .recordedStepsInPhases:
      "Recorded steps go all the way: they are applied in no other phase, and not while the database serves an older program. "
        + "Apply the schema \(.contractPhase) first. Nothing was changed."
    case .notExpanded:
      "The database serves no older program, so there is nothing to remove for it. Apply the schema "
        + "\(.completePhase(insteadOf: "contract")). Nothing was changed."
    case .olderProgramWrites(let seconds, let quiet):
      "The older program was seen to write \(seconds.counted("second")) ago, or the database was expanded then. "
        + "It has to be quiet for \(quiet.counted("second")). Nothing was changed."
    case .notUndoable(let entry, let problem):
      "Entry \(entry) of the history cannot be undone: \(problem.sentence). Nothing was changed."
    }
  }
}

extension HistoryError.UndoProblem {
  /// The problem as a clause, without a full stop.
  var sentence: String {
    switch self {
    case .notRecorded: "the SchemaKit that applied it did not keep the way back"
    case .unreadableRecord:
      "column undo of table _schemakit_history, which keeps the way back, cannot be read; restore the file from a "
        + "backup, or apply the schema that you want instead"
    case .schemaChanged:
      "the schema was changed since by something else than SchemaKit; apply the schema that you want instead"
    case .replacedTable(let table, let storage):
      "something else made another \(table) since; the rows of the one before are kept in \(storage). Give the new one "
        + "another name, or drop it, and undo again"
    case .takenName(let name): "\(name) is another table now than before; give it another name first"
    case .contraction:
      "it removed what the database had for an older program, and rows written since have nothing there"
    case .convertedKey(let key, let column, let storage, let entry):
      "\(column) is kept in \(storage) by the key \(key), whose values entry \(entry) converted. Apply the schema that "
        + "you want instead, and take the values from there"
    }
  }
}

/// A migration that failed and was rolled back: the file is unchanged.
public struct ApplyError: Error, Sendable {
  /// The reason a migration failed.
  public enum Reason: Sendable {
    /// A statement failed.
    case statement(step: MigrationStep, sql: String, cause: SQLiteError)
    /// A check of a step returned rows: a copy differs from the original, or rows do not match the new definition.
    case verification(step: MigrationStep, sql: String, keys: [String])
    /// Foreign keys are violated that were valid before.
    case newViolations(child: String, parent: String, count: Int)
    /// A foreign key no longer matches a key of its parent.
    case foreignKeyMismatch(String)
    /// The result differs from the declared schema.
    case otherThanDeclared([String])
    /// A write on a table or view no longer compiles.
    case brokenWrite(object: String, problem: String)
    /// The program's own work on the rows failed.
    case dataStep(String, problem: String)
    /// The plan has a data step that this program does not know, because its models are not the ones planned for.
    case unknownDataStep(String)
    /// `integrity_check` finds the file damaged after the change.
    case damaged([String])
    /// Another process copies a table of the file online.
    case onlineCopyRunning(table: String)
    /// Somebody changed the schema while a table was copied online, or dropped what the copy needs.
    case onlineCopyDisturbed(table: String)
    /// A copy beside writers ended with an error, and what it has in the file could not be removed: the next apply does that.
    case onlineCopyLeft(table: String, cause: any Error)
    /// Readers kept the write-ahead log above its limit for longer than they were waited for: its size, the limit, and the
    /// processes that have the file open, as far as they are known.
    case logNotCheckpointed(bytes: Int64, limit: Int64, readers: [String])
    /// The caller asked to stop.
    case cancelled
  }
  /// The reason the migration failed.
  public let reason: Reason
  /// The advice on what to do about it, in full sentences; nil if the reason says enough.
  public let advice: String?

  package init(reason: Reason, advice: String? = nil) {
    self.reason = reason
    self.advice = advice
  }
}

extension ApplyError: CustomStringConvertible {
  public var description: String {
    if case .onlineCopyLeft(let table, let cause) = reason {
      let clause = (cause as? ApplyError)?.clause ?? (cause as? SQLiteError)?.message ?? "\(cause)"
      return
        "\(clause.clause). \(table) has its rows and its schema as before, but an unfinished copy of it stays in the file, in "
        + "tables and triggers that begin with _schemakit_online: they note each write. The next apply removes them."
    }
    return "\(clause). Everything was rolled back; nothing was changed.\(advice.map { " \($0)" } ?? "")"
  }

  /// A description of the failure, without a full stop.
  private var clause: String {
    switch reason {
    case .statement(let step, let sql, let cause):
      "The step for \(step.object.kind) \(step.object) failed: \(cause.message), in: \(sql.prefix(200))"
        + (cause.isMissingCollation
          ? ". SQLite renames nothing and drops no column while an index has a collation that is not registered: use the program "
            + "that has it" : "")
    case .verification(let step, _, let keys) where !step.strategy.copiesRows:
      "Rows of \(step.object) do not match its new definition (\(keys.prefix(10).joined(separator: ", ")))"
    case .verification(let step, _, let keys):
      "The copy of \(step.object) differs from the original (\(keys.prefix(10).joined(separator: ", ")))"
    case .newViolations(let child, let parent, let count):
      "\(count.counted("row")) of \(child) would refer to rows of \(parent) that do not exist"
    case .foreignKeyMismatch(let problem): "A foreign key does not fit its parent: \(problem)"
    case .otherThanDeclared(let objects):
      "The result differs from the declared schema in \(objects.joined(separator: ", "))"
    case .brokenWrite(let object, let problem): "Writing to \(object) would fail after the change: \(problem)"
    case .dataStep(let name, let problem):
      "The data step \(name) failed: \(problem.clause)"
    case .unknownDataStep(let name): "The data step \(name) is part of a program, and this is another one"
    case .damaged(let problems): "The file does not pass integrity_check: \(problems.joined(separator: "; "))"
    case .onlineCopyRunning(let table): "Another process copies \(table) online; wait until it has ended"
    case .onlineCopyDisturbed(let table):
      "Another program changed the schema, or rows that decide how \(table) is copied, during an online copy; run it again"
    case .logNotCheckpointed(let bytes, let limit, let readers):
      "The write-ahead log has \(bytes >> 10) KiB that cannot be checkpointed, too much for a limit of \(limit >> 20) MiB, because "
        + "a reader holds an old snapshot"
        + (readers.isEmpty ? "" : " (the file is open in \(readers.joined(separator: ", ")))")
        + "; run it again once that has ended, or with a longer wait"
    case .cancelled: "The migration was cancelled"
    case .onlineCopyLeft(let table, _): "A copy of \(table) was left unfinished"
    }
  }
}

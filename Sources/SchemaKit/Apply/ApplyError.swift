/// A migration that failed and was taken back: the file is as it was.
public struct ApplyError: Error, Sendable {
  /// Why.
  public enum Reason: Sendable {
    /// A statement failed.
    case statement(step: MigrationStep, sql: String, cause: SQLiteError)
    /// A check after a step returned rows: the copy differs from the original.
    case verification(step: MigrationStep, sql: String, keys: [String])
    /// Foreign keys are violated that were not before.
    case newViolations(child: String, parent: String, count: Int)
    /// Rows that undoing brings back would refer to a parent that is gone since; the way on is a sentence.
    case orphansAmongKept(child: String, parent: String, count: Int, way: String)
    /// A foreign key does not fit its parent any more.
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
    /// The caller asked to stop.
    case cancelled
  }
  /// Why.
  public let reason: Reason

  package init(reason: Reason) { self.reason = reason }
}

extension ApplyError: CustomStringConvertible {
  public var description: String {
    let cause =
      switch reason {
      case .statement(let step, let sql, let cause):
        "The step for \(step.kind) \(step.object) failed: \(cause.message), in: \(sql.prefix(200))"
          + (cause.message.contains("no such collation sequence")
            ? ". SQLite renames nothing and drops no column while an index has a collation that is not registered: use the program "
              + "that has it" : "")
      case .verification(let step, _, let keys):
        "The copy of \(step.object) differs from the original (\(keys.prefix(10).joined(separator: ", ")))"
      case .newViolations(let child, let parent, let count):
        Self.violation(child, parent, count)
      case .orphansAmongKept(let child, let parent, let count, let way):
        "\(Self.violation(child, parent, count)), among what was kept. \(way)"
      case .foreignKeyMismatch(let problem): "A foreign key does not fit its parent: \(problem)"
      case .otherThanDeclared(let objects):
        "The result differs from the declared schema in \(objects.joined(separator: ", "))"
      case .brokenWrite(let object, let problem): "Writing to \(object) would fail after the change: \(problem)"
      case .dataStep(let name, let problem):
        "The data step \(name) failed: \(problem.hasSuffix(".") ? String(problem.dropLast()) : problem)"
      case .unknownDataStep(let name): "The data step \(name) is part of a program, and this is another one"
      case .damaged(let problems): "The file does not pass integrity_check: \(problems.joined(separator: "; "))"
      case .cancelled: "The migration was cancelled"
      }
    return "\(cause). Everything was rolled back; nothing was changed."
  }

  private static func violation(_ child: String, _ parent: String, _ count: Int) -> String {
    "\(count.counted("row")) of \(child) would refer to rows of \(parent) that are not there"
  }
}

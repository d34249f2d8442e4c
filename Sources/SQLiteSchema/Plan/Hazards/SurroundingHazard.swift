/// A reason why a table is not copied while others write it.
package enum OnlineObstacle: Sendable, Hashable {
  /// The change itself; the step says why.
  case change
  /// The plan changes something else as well, as its rows were a while ago.
  case otherChange(ObjectReference)
  /// The file is not in WAL mode, but in this one.
  case journalMode(String)
  /// The connection is borrowed, has no file, or has a transaction open.
  case sharedConnection
}

/// SK202, SK204, SK209, SK211 to SK213 and SK301: what surrounds the tables in this file, on this connection and this disk.
package enum SurroundingHazard: HazardWording {
  /// A transaction is open with foreign keys on, which
  /// [cannot be switched off inside](https://sqlite.org/pragma.html#pragma_foreign_keys).
  ///
  /// - Parameter profile: The engine that the plan is for, if that is why they stay on.
  case openTransaction(profile: String?)
  /// The same, and rows violate a foreign key already: how that ends depends on the way the table is changed.
  case violatedWhileForeignKeysStayOn(parent: String, profile: String?)
  /// The same, and who opened it has deferred the foreign keys.
  case foreignKeysAreDeferred
  /// A TEMP trigger of the connection goes with the old table.
  case temporaryTrigger(name: String)
  /// Rows violate a foreign key already; SQLite may say that the key itself does not fit.
  case violatedBefore(parent: String, mismatch: String?)
  /// The change is not recorded in the file.
  case noHistory
  /// A table cannot be copied online, as was asked for.
  case notOnline(OnlineObstacle)
  /// The file serves an older program as well.
  ///
  /// - Parameters:
  ///   - lastWrite: The minutes since that program was last seen to write; nil if it never was.
  ///   - isEnding: True if the plan ends the service for that program.
  case servesOlderProgram(since: String, lastWrite: Int?, isEnding: Bool)
  /// There is not enough room for the copies.
  case lackingSpace(objects: [String], neededBytes: Int64, path: String, freeBytes: Int64)

  package func message(for hazard: Hazard) -> String {
    switch self {
    case .openTransaction(let profile):
      Self.place(profile)
        + "; dropping the old \(hazard.table) there would delete or change the rows that refer to it, "
        + "and no strategy is safe here."
    case .violatedWhileForeignKeysStayOn(let parent, let profile):
      Self.place(profile) + ", and rows of \(hazard.table) refer to rows of \(parent) that do not exist; they might be "
        + "changed or deleted."
    case .foreignKeysAreDeferred:
      "The open transaction defers its foreign keys (PRAGMA defer_foreign_keys); its own violations could not be told "
        + "from those of the change."
    case .temporaryTrigger(let name):
      "TEMP trigger \(name) goes with the old \(hazard.table) and is made again on this connection. "
        + "Other connections must make theirs again themselves."
    case .violatedBefore(let parent, let mismatch):
      "Violated before the change, and left as it is: "
        + (mismatch
          ?? "\(hazard.rowCount) of \(hazard.table) \(hazard.verb("refer")) to rows of \(parent) that do not exist")
        + "."
    case .noHistory:
      "The change is not recorded: undo cannot take it back, a schema that the file has left is applied without a "
        + "question, and a conversion that was done is not remembered."
    case .notOnline(.change): "Table \(hazard.table) has to be copied, and cannot be while others write it."
    case .notOnline(.otherChange(let object)):
      "\(object.label) changes in the same plan. Its rows would be changed by what they were before the copy, and others may "
        + "have written them since."
    case .notOnline(.journalMode(let mode)):
      "Table \(hazard.table) cannot be copied online: in journal mode \(mode), readers and writers wait for each other."
    case .notOnline(.sharedConnection):
      "Table \(hazard.table) cannot be copied online over a connection that is borrowed, in memory or inside a transaction."
    case .servesOlderProgram(let since, let minutes, let isEnding):
      "The database has served an older program as well since \(since). "
        + (minutes.map { "That program wrote \($0 == 0 ? "less than a minute" : $0.counted("minute")) ago." }
          ?? "That program was not seen to write since.")
        + (isEnding ? " One that only reads, or only writes what both know, cannot be seen." : "")
    case .lackingSpace(let objects, let needed, let path, let free):
      "Changing \(objects.joined(separator: ", ")) needs about \(needed >> 20) MiB beside \(path), where "
        + "\(free >> 20) MiB are free."
    }
  }

  /// Where foreign keys cannot be switched off.
  private static func place(_ profile: String?) -> String {
    profile.map { "Foreign keys stay on in this environment (\($0))" }
      ?? "A transaction is open on this connection with foreign keys on"
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    switch self {
    case .openTransaction(.some):
      "The plan says under the step what stands against each strategy. If you can, change that first, in a plan of its own."
    case .violatedWhileForeignKeysStayOn(_, .some): "Fix the rows first."
    case .openTransaction, .foreignKeysAreDeferred:
      "Commit or roll back first, or migrate over a connection of its own."
    case .violatedWhileForeignKeysStayOn:
      "Fix the rows, or commit or roll back first, or migrate over a connection of its own."
    case .temporaryTrigger: nil
    case .noHistory: "\(.keepHistory) to have a history in the file."
    case .notOnline(.change):
      "The plan says under the step what stands against it. Change that first, or \(.copyUnderLock)."
    case .notOnline(.otherChange):
      "Make that change in a plan of its own, and then this one; or \(.copyUnderLock)."
    case .notOnline(.journalMode): "Run PRAGMA journal_mode = WAL on the database first."
    case .notOnline(.sharedConnection): "Migrate over a connection of its own to a file."
    case .servesOlderProgram(_, _, true): nil
    case .servesOlderProgram:
      "Once no older program uses the database any more, \(.contract) removes what is there for it."
    case .violatedBefore: "Fix the rows when you can."
    case .lackingSpace: "Make room, or move the database to a larger disk."
    }
  }
}

extension OnlineObstacle {
  /// Finds the parts of a plan that cannot run while others write: copies that are not online, and beside an online
  /// copy every change that depends on rows which others may change until the end.
  ///
  /// - Parameter removed: The tables whose dropping the declaration consents to, whatever they hold.
  package static func hazards(of steps: [MigrationStep], removed: Set<SQLName>) -> [Hazard] {
    let isOnline = steps.contains { $0.strategy.isOnline }
    return steps.compactMap { step in
      if step.strategy.isOnline { return nil }
      if step.strategy.copiesRows {
        return Hazard(.notOnline, table: step.object.name, cause: HazardCause(SurroundingHazard.notOnline(.change)))
      }
      let isFree =
        step.strategy.creates || step.holdsForAnyRows
        || (step.strategy.drops && (step.object.kind != .table || removed.contains(step.object.name)))
      if !isOnline || isFree { return nil }
      return Hazard(
        .notOnline, table: step.object.name, cause: HazardCause(SurroundingHazard.notOnline(.otherChange(step.object))))
    }
  }
}

extension HazardCode {
  /// An open transaction of the lender prevents foreign keys from being switched off.
  public static let openTransaction = Self("SK202", .blocked, "an open transaction keeps foreign keys on")
  /// Temporary objects of the connection depend on a rebuilt table.
  public static let temporaryObject = Self("SK204", .note, "temporary objects on a rebuilt table")
  /// Foreign keys were violated before.
  public static let existingViolations = Self("SK209", .note, "foreign keys violated before")
  /// The change is not recorded in the file.
  public static let noHistory = Self("SK211", .note, "a change without a history")
  /// A table cannot be copied online, as was asked for.
  public static let notOnline = Self("SK212", .blocked, "a table that cannot be copied online")
  /// The file serves an older program as well, and nothing is done until that ends.
  public static let servesOlderProgram = Self("SK213", .note, "a file that serves an older program too")
  /// There is not enough disk space.
  public static let lackingSpace = Self("SK301", .blocked, "not enough room on the disk")
}

/// SK202, SK204, SK209, SK211 and SK301: what surrounds the tables in this file, on this connection and this disk.
package enum SurroundingHazard: HazardWording {
  /// A transaction is open with foreign keys on, which
  /// [cannot be switched off inside](https://sqlite.org/pragma.html#pragma_foreign_keys).
  case openTransaction
  /// A TEMP trigger of the connection goes with the old table.
  case temporaryTrigger(name: String)
  /// Rows violate a foreign key already; SQLite may say that the key itself does not fit.
  case violatedBefore(parent: String, mismatch: String?)
  /// The change is not recorded in the file.
  case noHistory
  /// There is not enough room for the copies.
  case lackingSpace(objects: [String], neededBytes: Int64, path: String, freeBytes: Int64)

  package func message(for hazard: Hazard) -> String {
    switch self {
    case .openTransaction:
      "A transaction is open on this connection with foreign keys on; dropping the old \(hazard.table) inside it would "
        + "delete the rows of its children."
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
    case .lackingSpace(let objects, let needed, let path, let free):
      "Copying \(objects.joined(separator: ", ")) needs about \(needed >> 20) MiB beside \(path), where "
        + "\(free >> 20) MiB are free."
    }
  }

  package func remedy(for hazard: Hazard) -> String? {
    switch self {
    case .openTransaction: "Commit or roll back first, or migrate over a connection of its own."
    case .temporaryTrigger: nil
    case .noHistory: "Leave out --no-ledger to have a history in the file."
    case .violatedBefore: "Fix the rows when you can."
    case .lackingSpace: "Make room, or move the database to a larger disk."
    }
  }
}

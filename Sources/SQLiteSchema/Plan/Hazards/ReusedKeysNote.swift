/// SK206: a new row may get the key of a deleted one.
///
/// Applies to a table that loses [AUTOINCREMENT](https://sqlite.org/autoinc.html) and keeps the key: the next number is then
/// one more than the largest that is there, which a deleted row may have had, or comes from the program, which nothing
/// keeps from giving one again. It only matters to what remembers keys outside of the file, such as a log or another system.
/// A note.
package struct ReusedKeysNote: SchemaHazardRule {
  package static func hazards(in change: ComparedSchemas) -> [Hazard] {
    change.diff.changedTables.compactMap { table in
      guard let former = table.from.primaryKey, former.isAutoincrement, let key = table.to.primaryKey,
        !key.isAutoincrement,
        let column = table.to.rowIDAlias?.name
          ?? (key.columns.map(\.name) == former.columns.map(\.name)
            ? key.columns[0].name : nil)
      else { return nil }
      return Hazard(
        .reusedKeys, table: table.to.name, column: column, cause: HazardCause(ReusedKeysNote()), isNote: true)
    }
  }

  package func message(for hazard: Hazard) -> String {
    "\(hazard.table) loses AUTOINCREMENT: a new row may get the key that a deleted row had in \(hazard.object)."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    "Keep AUTOINCREMENT where a log or another system remembers keys."
  }
}

extension HazardCode {
  /// A new row may get the key of a deleted one.
  public static let reusedKeys = Self("SK206", .note, "keys that may be given again")
}

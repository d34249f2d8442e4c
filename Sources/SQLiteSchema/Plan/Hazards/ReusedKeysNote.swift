/// SK206: a new row may get the key of a deleted one.
///
/// Applies to a table that loses [AUTOINCREMENT](https://sqlite.org/autoinc.html) and keeps an INTEGER PRIMARY KEY: the
/// next key is then one more than the largest that is there, which a deleted row may have had. It only matters to what
/// remembers keys outside of the file, such as a log or another system. A note.
package struct ReusedKeysNote: SchemaHazardRule {
  package static func hazards(in change: ComparedSchemas) -> [Hazard] {
    change.diff.changedTables.filter { table in
      table.from.primaryKey?.isAutoincrement == true && table.to.primaryKey?.isAutoincrement != true
        && table.to.rowIDAlias != nil
    }.map { table in
      Hazard(
        .reusedKeys, table: table.to.name, column: table.to.rowIDAlias?.name, cause: .reusedKeys(ReusedKeysNote()),
        isNote: true)
    }
  }

  package func message(for hazard: Hazard) -> String {
    "\(hazard.table) loses AUTOINCREMENT: a new row may get the key that a deleted row had in \(hazard.object)."
  }

  package func remedy(for hazard: Hazard) -> String? {
    "Keep AUTOINCREMENT where a log or another system remembers keys."
  }
}

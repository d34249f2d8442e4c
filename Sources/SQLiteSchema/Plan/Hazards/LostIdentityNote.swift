/// SK207: new rows get no number of their own any more.
///
/// Applies to a table whose INTEGER PRIMARY KEY, [another name of the rowid](https://sqlite.org/lang_createtable.html#rowid),
/// becomes an ordinary column: under another spelling of the type, such as BIGINT or INT, as `INTEGER PRIMARY KEY DESC`, in a key
/// of several columns, outside of the key, or in a table WITHOUT ROWID. The rows that are there keep their values; an INSERT
/// that leaves the column out then stores NULL, or fails. It is the program that breaks, so that this is a note.
package struct LostIdentityNote: SchemaHazardRule {
  /// The result of an INSERT that leaves the column out.
  package enum Outcome: Sendable, Hashable {
    case null, defaultValue, refused
  }

  package var outcome: Outcome
  /// The declared type where the type alone is why.
  package var misspelledType: String?

  package static func hazards(in change: ComparedSchemas) -> [Hazard] {
    change.diff.changedTables.compactMap { table in
      guard let former = table.from.rowIDAlias, let column = table.to.column(former.name), column.generation == nil,
        table.to.rowIDAlias?.name != column.name
      else { return nil }
      let hasDefault = column.defaultValue.map { !$0.isNull } ?? false
      let note = LostIdentityNote(
        outcome: hasDefault ? .defaultValue : column.isNotNull ? .refused : .null,
        misspelledType: table.to.isKey(column) && !table.to.isWithoutRowID && column.affinity == .integer
          && column.comparableType != "INTEGER" ? column.type : nil)
      return Hazard(
        .lostIdentity, table: table.to.name, column: column.name, cause: HazardCause(note), isNote: true)
    }
  }

  package func message(for hazard: Hazard) -> String {
    let end =
      switch outcome {
      case .null: "an INSERT that leaves it out stores NULL"
      case .defaultValue: "an INSERT that leaves it out stores its default"
      case .refused: "an INSERT that leaves it out fails"
      }
    return "New rows of \(hazard.table) get no \(hazard.column ?? "") of their own any more: \(end)."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    guard let misspelledType else {
      return "Let every program give the value, or keep \(hazard.object) INTEGER PRIMARY KEY."
    }
    return
      "Only INTEGER PRIMARY KEY numbers rows, and holds 64 bits as \(misspelledType) does: declare that, or let every "
      + "program give the value."
  }
}

extension TableSchema {
  /// True if a column is the whole primary key.
  fileprivate func isKey(_ column: ColumnSchema) -> Bool { primaryKey?.columns.map(\.name) == [column.name] }
}

extension HazardCode {
  /// New rows get no number of their own any more.
  public static let lostIdentity = Self("SK207", .note, "new rows without a number of their own")
}

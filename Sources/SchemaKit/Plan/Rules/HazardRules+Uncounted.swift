/// Hazards that rows could be in for, when nobody looked at the rows.
extension HazardRules {
  /// What a finding stands for without its rows: what may be lost needs consent as if it were, and what may be refused
  /// is left to the apply where that is sure to notice.
  func uncounted(_ finding: TableFacts.Finding, table: SQLName) -> Hazard? {
    let column = finding.column
    let object = column.map { "\(table).\($0)" } ?? table.text
    let path = table.quotedIfNeeded + (column.map { ".\($0.quotedIfNeeded)" } ?? "")
    func lost(_ code: HazardCode, _ message: String, hint: String = "", consented: Bool = false) -> Hazard {
      var hazard = Hazard(
        code, table: table, column: column, message: message,
        remedy: "\(hint)Plan without --quick to count, or allow it with --allow \(code.rawValue):\(path).",
        isConsentedByDeclaration: consented)
      hazard.isCounted = false
      return hazard
    }
    func refused(_ code: HazardCode, _ message: String, by judge: String = "SQLite", isNoticed: Bool = true) -> Hazard {
      var hazard = Hazard(
        code, table: table, column: column, message: message,
        remedy: isNoticed
          ? "\(judge) refuses such rows while the plan runs, and everything is then rolled back; plan without --quick to "
            + "know before."
          : "SQLite would not refuse such rows here; plan without --quick.", isNote: isNoticed)
      hazard.isCounted = false
      return hazard
    }
    switch finding.kind {
    case .droppedTable:
      return lost(
        .droppedTable, "Table \(table) is dropped with all rows; they were not counted.",
        hint: RenameGuess.table(table, in: diff).asRemedy, consented: hints.removedTables.contains(table))
    case .droppedColumn:
      let isConsented = column.map { hints.tables[table]?.removedColumns.contains($0) ?? false } ?? false
      return lost(
        .droppedColumn, "Column \(object) is dropped; its values were not counted.",
        hint: column.flatMap { RenameGuess.column($0, of: table, in: diff) }.asRemedy, consented: isConsented)
    case .lossyConversion(let from, let to):
      return lost(
        .lossyConversion,
        "Column \(object) changes from \(from.typeName) to \(to.typeName); whether every value survives was not examined."
      )
    case .emptiedByConversion:
      return lost(
        .lossyConversion, "Whether the conversion of \(object) gives NULL for a value was not examined.")
    case .nulls:
      return refused(
        .nullsUnderNotNull, "\(object) becomes NOT NULL; whether rows would have NULL there was not examined.",
        isNoticed: !isRowID(column, of: table) && (engineChecksRows || !isGenerated(column, in: table)))
    case .duplicates(let of):
      return refused(.duplicates, "Whether the rows of \(table) are distinct in \(of) was not examined.")
    case .orphans(let parent):
      return refused(
        .orphans,
        "Whether \(column?.text ?? "a foreign key") of \(table) always refers to a row of \(parent) was not examined.",
        by: "The check before the commit")
    case .failingCheck(let expression):
      return refused(
        .failingCheck, "Whether the rows of \(table) pass the new CHECK (\(expression)) was not examined.",
        isNoticed: engineChecksRows)
    case .notStorable(let type):
      return refused(
        .notStorable, "Whether \(type.typeName) can store every value of \(object) was not examined.",
        isNoticed: !isGenerated(column, in: table))
    case .renumberedRows(let wasKey):
      var hazard = lost(.renumberedRows, "Rows of \(table) may get another rowid; that was not examined.")
      hazard.isNote = wasKey
      return hazard
    case .droppedRowIDs(let isFollowed):
      var hazard = lost(.renumberedRows, "The rowids go: \(table) becomes WITHOUT ROWID.")
      hazard.isNote = !isFollowed
      return hazard
    case .filledNulls, .showsDefault, .computed, .unprovable:
      return nil
    }
  }

  private func declared(_ table: SQLName) -> TableSchema? { diff.changedTables.first { $0.to.name == table }?.to }

  /// Whether a column is the rowid, which SQLite invents in place of NULL.
  private func isRowID(_ column: SQLName?, of table: SQLName) -> Bool {
    column != nil && declared(table)?.rowIDAlias?.name == column
  }

  private func isGenerated(_ column: SQLName?, in table: SQLName) -> Bool {
    column.flatMap { declared(table)?.column($0)?.generation } != nil
  }
}

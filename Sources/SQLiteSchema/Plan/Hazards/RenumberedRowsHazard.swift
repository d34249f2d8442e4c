/// SK205: rows get a different rowid, or lose it.
///
/// Applies if another column becomes the [rowid](https://sqlite.org/lang_createtable.html#rowid), and if a table
/// becomes [WITHOUT ROWID](https://sqlite.org/withoutrowid.html). It only matters to what stores rowids outside of
/// declared keys: a [full-text index over it](https://sqlite.org/fts5.html#external_content_tables), or a program.
/// Lossy; a note if the rows keep their key and nothing in the file depends on rowids. The remedy is consent.
package enum RenumberedRowsHazard: HazardRule {
  /// Another column becomes the rowid; it may have been the key before.
  case renumbered(wasKey: Bool)
  /// The rowids are dropped; something in the file may depend on them.
  case dropped(isFollowed: Bool)

  package static let code = HazardCode.renumberedRows

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    switch kind {
    case .renumberedRows(let wasKey): Self.renumbered(wasKey: wasKey)
    case .droppedRowIDs(let isFollowed): Self.dropped(isFollowed: isFollowed)
    default: nil
    }
  }

  package func counted(_ rows: ConcernedRows) -> Hazard? { rows.count > 0 ? found(rows, isNote: isNote) : nil }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    var hazard = lost(rows)
    hazard.isNote = isNote
    return hazard
  }

  private var isNote: Bool {
    switch self {
    case .renumbered(let wasKey): wasKey
    case .dropped(let isFollowed): !isFollowed
    }
  }

  package func message(for hazard: Hazard) -> String {
    let (rows, table) = (hazard.rowCount, hazard.table)
    return switch (self, hazard.isCounted) {
    case (.renumbered(wasKey: true), true): "The key of \(table) becomes its rowid; \(rows) had another one."
    case (.renumbered(wasKey: false), true): "\(rows) of \(table) \(hazard.verb("get")) another rowid."
    case (.dropped, true): "The rowids of \(rows) go: \(table) becomes WITHOUT ROWID."
    case (.renumbered, false): "Rows of \(table) may get another rowid; that was not examined."
    case (.dropped, false): "The rowids go: \(table) becomes WITHOUT ROWID."
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    guard hazard.isCounted else { return remedyOfLoss(hazard) }
    if case .renumbered(wasKey: true) = self {
      return "Nothing in the file keeps rowids of \(hazard.table); a program that does must look them up again."
    }
    return "If nothing refers to them, allow it with \(consent(hazard))."
  }
}

extension HazardCode {
  /// Rowids change or are dropped.
  public static let renumberedRows = Self("SK205", .lossy, "row numbers that change or go")
}

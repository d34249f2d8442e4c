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

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    guard rows.count > 0 else { return nil }
    let remedy = "If nothing refers to them, allow it with \(consent(rows))."
    var hazard =
      switch self {
      case .renumbered(wasKey: true):
        found(
          rows, "The key of \(rows.table) becomes its rowid; \(rows.inWords) had another one.",
          "Nothing in the file keeps rowids of \(rows.table); a program that does must look them up again.")
      case .renumbered(wasKey: false):
        found(rows, "\(rows.inWords) of \(rows.table) \(rows.verb("get")) another rowid.", remedy)
      case .dropped:
        found(rows, "The rowids of \(rows.inWords) go: \(rows.table) becomes WITHOUT ROWID.", remedy)
      }
    hazard.isNote = isNote
    return hazard
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    var hazard =
      switch self {
      case .renumbered: lost(rows, "Rows of \(rows.table) may get another rowid; that was not examined.")
      case .dropped: lost(rows, "The rowids go: \(rows.table) becomes WITHOUT ROWID.")
      }
    hazard.isNote = isNote
    return hazard
  }

  private var isNote: Bool {
    switch self {
    case .renumbered(let wasKey): wasKey
    case .dropped(let isFollowed): !isFollowed
    }
  }
}

/// SK216: a full-text index finds rows that it did not find before.
///
/// An index over another table is fed by
/// [triggers](https://sqlite.org/fts5.html#external_content_tables), which may leave rows out: those that are deleted for
/// the user and kept in the table. Its command `rebuild` knows nothing of that. Applies where such an index has to be
/// filled anew and rows of its content are missing from it, or its triggers do not pass on every row as it is. Lossy; the
/// remedy is consent. A note where nothing but the program feeds it.
package struct NewlyFoundRowsHazard: HazardRule {
  package static let code = HazardCode.newlyFoundRows

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    if case .newlyFound(let filling) = kind { Self(filling: filling) } else { nil }
  }

  package var filling: FullTextFilling
  /// True if the content has no rows.
  package var isEmpty = false

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    var rule = self
    rule.isEmpty = rows.rowCount == 0
    // A program that feeds an index by itself may give it other texts than those of its content.
    let isFedByProgram = filling.feed == .noTrigger && rows.rowCount != 0
    guard rows.count > 0 || filling.feed.isSelective || filling.rowList == nil || isFedByProgram else { return nil }
    var hazard = rule.found(rows)
    if filling.rowList == nil { hazard.samples = [] }
    hazard.isPotential = rule.isEmpty
    // All rows are found already by what is undone.
    let isOnlyFedByProgram = isFedByProgram && !rule.isEmpty
    hazard.isNote = (rows.rules.isUndo || isOnlyFedByProgram) && filling.rowList != nil && rows.count == 0
    return hazard
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    // Applying a recorded step counts them, and asks for consent where there are any.
    let isCountedLater = rows.rules.isForRecording && !filling.feed.isSelective && filling.rowList != nil
    return isCountedLater ? refused(rows) : lost(rows)
  }

  package func message(for hazard: Hazard) -> String {
    let index = hazard.table
    let beginning =
      filling.isNew
      ? "Full-text index \(index) is new, and filled" : "Full-text index \(index) is filled anew"
    let feed = filling.feed.words(of: index, over: filling.content).map { " \($0)." } ?? ""
    guard hazard.isCounted else {
      return "\(beginning) from all rows of \(filling.content); those that it "
        + "\(filling.isNew ? "finds" : "does not find now") were not counted.\(feed)"
    }
    if isEmpty { return "\(beginning) from \(filling.content), which is empty here.\(feed)" }
    if filling.isNew { return "\(beginning) from all of \(filling.content), \(hazard.rowCount).\(feed)" }
    if filling.rowList == nil {
      return "\(beginning) from all of \(filling.content), \(hazard.rowCount); how many of them it does not find now "
        + "cannot be told, as it keeps no list of its rows.\(feed)"
    }
    return "\(beginning) from \(filling.content): a search would find "
      + "\(hazard.count == 0 ? "no row" : hazard.rowCount) that it does not find now.\(feed)"
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    if hazard.isForRecording, hazard.isNote {
      return "Apply counts them in each database, and asks for consent where there are such rows."
    }
    if hazard.isNote, !hazard.isPotential { return nil }
    return "If all rows of \(filling.content) may be found, allow it with \(consent(hazard))."
  }
}

extension FullTextFeed {
  /// Names the trigger or event that may leave rows or texts out, as a sentence without its full stop; nil if none does.
  fileprivate func words(of index: String, over content: SQLName) -> String? {
    if self == .noTrigger {
      return "No trigger feeds it: texts that a program gave it are replaced by those of \(content)"
    }
    guard case .selective(let selection) = self else { return nil }
    return switch selection {
    case .condition(let trigger): "Trigger \(trigger) feeds it under a condition"
    case .otherTexts(let trigger): "Trigger \(trigger) writes other texts into it than those of \(content)"
    case .otherTable(let trigger): "Trigger \(trigger) of another table feeds it"
    case .incomplete(let event): "No trigger follows every \(event) on \(content)"
    }
  }
}

extension HazardCode {
  /// A full-text index finds rows that it did not find before.
  public static let newlyFoundRows = Self("SK216", .lossy, "rows that a search newly finds")
}

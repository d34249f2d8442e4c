/// A note under SK104: a default or a fill replaces NULL in a column that becomes NOT NULL.
package struct FilledNullsNote: HazardWording {
  /// The source of the value that replaces NULL.
  package enum Replacement: Sendable, Hashable {
    case defaultValue(expression: String)
    case fill(expression: String)
    /// A value that Swift code computes.
    case swiftFill
  }

  /// A reason why undo cannot bring NULL back.
  package enum Obstacle: Sendable, Hashable {
    /// The table has no key that is NOT NULL, stays, and keeps its type and values.
    case noStableKey
    /// The program works on the rows in the same change.
    case programWork
    /// More rows hold NULL than are remembered.
    case tooManyRows
    /// The change is not recorded.
    case noHistory
    /// Others write the table while it is copied.
    case copiedOnline
  }

  package var replacement: Replacement
  package var obstacle: Obstacle?

  package func message(for hazard: Hazard) -> String {
    let end = "is replaced by \(words) under the new NOT NULL"
    guard hazard.isCounted else {
      return "NULL in \(hazard.object) \(end); whether rows hold NULL was not examined."
    }
    return "\(hazard.rowCount) of \(hazard.object) \(hazard.verb("hold")) NULL, which \(end)."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    guard hazard.isCounted else { return "\(.examineRows) to count them." }
    if hazard.isUndo { return "Nothing tells these rows from others afterwards." }
    if obstacle == .noHistory { return "Without a history, nothing tells these rows from others afterwards." }
    let reason: String? =
      switch obstacle {
      case .noStableKey: "\(hazard.table) has no key that is NOT NULL, stays, and keeps its type and values"
      case .programWork: "the program works on the rows in the same change"
      case .copiedOnline: "the table is copied while others write it"
      case .tooManyRows: "more than \(FilledColumn.mostRemembered.grouped) rows hold it"
      case .noHistory, nil: nil
      }
    return reason.map { "undo leaves what replaced it: \($0)." }
      ?? "undo brings NULL back in these rows, where they still hold what replaced it."
  }

  private var words: String {
    switch replacement {
    case .defaultValue(let expression): "the default \(expression)"
    case .fill(let expression): "the fill (\(expression))"
    case .swiftFill: "the fill in Swift"
    }
  }
}

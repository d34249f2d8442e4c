/// SK103: a value changes when it is stored under the new type, or a conversion turns it into NULL.
///
/// Applies to columns whose declared type changes, if a value would not be read back as it was under the old type, and
/// to values for which the declared conversion yields nothing. A type converts values by its
/// [affinity](https://sqlite.org/datatype3.html#type_affinity). Lossy; under a changed type, a note if every value
/// survives, as for text that stays text in a numeric column, and for text that a conversion turns into 0. The remedy
/// is a conversion, or consent.
package enum LossyConversionHazard: HazardRule {
  /// The declared type changes; `to` is nil for a column that becomes a computed one. A declared conversion may have been done in
  /// this file already.
  case changed(from: String, to: String?, isConversionApplied: Bool)
  /// The declared conversion returns NULL for a value that is not NULL.
  case emptied
  /// The declared conversion returns 0 for text that is not 0.
  case zeroed
  /// The declared conversion was already done in this file, and values are of a different kind than the new type's.
  case unconverted(type: String)
  /// The declared conversion was already done in this file, and the column has since regained its old type.
  case unconvertedSince(type: String)
  /// Text stays text in a numeric column.
  case stray(type: String)
  /// A value that was kept, or has stood under another name, is stored under the type of its column, which changes it.
  case restored(type: String)
  /// The column gets another coding, in which some values are others.
  case recoded(from: String, to: String)

  package static let code = HazardCode.lossyConversion

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    switch kind {
    case .lossyConversion(let from, let to):
      Self.changed(from: from.typeName, to: to?.typeName, isConversionApplied: false)
    case .emptiedByConversion: Self.emptied
    case .zeroedByConversion: Self.zeroed
    case .unconverted(let type): Self.unconverted(type: type.typeName)
    case .unconvertedSince(let type): Self.unconvertedSince(type: type.typeName)
    case .stray(let type): Self.stray(type: type.typeName)
    case .recoded(let from, let to): Self.recoded(from: from, to: to)
    case .restoredOtherwise(let type): Self.restored(type: type.typeName)
    default: nil
    }
  }

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .changed(let from, let to, _):
      // The message about a conversion that is not repeated already covers every value.
      if rows.count == 0, rows.isConversionApplied { return nil }
      var hazard = Self.changed(from: from, to: to, isConversionApplied: rows.isConversionApplied).found(rows)
      hazard.isPotential = rows.count == 0
      return hazard
    case .recoded:
      var hazard = found(rows)
      hazard.isPotential = rows.count == 0
      return hazard
    case .unconverted, .unconvertedSince: return found(rows, isNote: rows.count == 0)
    case .stray, .zeroed: return rows.count > 0 ? found(rows, isNote: true) : nil
    case .emptied, .restored: return rows.count > 0 ? found(rows) : nil
    }
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .unconverted, .unconvertedSince, .changed, .emptied, .recoded, .restored: lost(rows)
    case .stray, .zeroed: nil
    }
  }
}

// MARK: - Sentences

extension LossyConversionHazard {
  package func message(for hazard: Hazard) -> String {
    let (object, rows) = (hazard.object, "\(hazard.rowCount) of \(hazard.object)")
    guard hazard.isCounted else { return uncountedMessage(object) }
    switch self {
    case .changed(let from, _, _):
      return hazard.count == 0
        ? "Column \(object) changes from \(from) to \(newType); every value here survives."
        : "\(rows) \(hazard.verb("hold")) a value that changes when \(from) becomes \(newType)."
    case .recoded(let from, let to):
      return hazard.count == 0
        ? "\(object) is stored as \(to) instead of \(from); every value here reads back the same."
        : "\(rows) \(hazard.verb("hold")) a value that \(hazard.verb("read")) otherwise once it is stored as \(to) instead of \(from)."
    case .emptied:
      return
        "The conversion of \(object) gives NULL for the value\(hazard.count == 1 ? "" : "s") of \(hazard.rowCount)."
    case .restored(let type):
      return "\(rows) \(hazard.verb("get")) a value that changes when it is stored as \(type)."
    case .zeroed:
      return "\(rows) \(hazard.verb("hold")) text that is not a number, which the conversion turns into 0."
    case .stray(let type):
      return "\(rows) \(hazard.verb("hold")) a value that is not a number and stays as it is under \(type)."
    case .unconverted, .unconvertedSince:
      let message = "The conversion of \(object) counts as done in this file and is not done again"
      if hazard.count == 0 { return "\(message); the values are taken over as they are." }
      if case .unconvertedSince(let type) = self {
        return
          "\(message), but the column is \(type) again: of \(hazard.rowCount) with a value, those that were written "
          + "since are of the old kind."
      }
      return "\(message), but \(hazard.rowCount) \(hazard.verb("hold")) a value that is not \(newType)."
    }
  }

  private func uncountedMessage(_ object: String) -> String {
    switch self {
    case .changed(let from, _, _):
      "Column \(object) changes from \(from) to \(newType); whether every value survives was not examined."
    case .recoded(let from, let to):
      "\(object) is stored as \(to) instead of \(from); whether every value reads back the same was not examined."
    case .unconverted, .unconvertedSince:
      "The conversion of \(object) counts as done in this file and is not done again; whether every value is of the "
        + "new kind was not examined."
    case .restored(let type):
      "\(object) gets values of its own from elsewhere; whether each of them survives as \(type) was not examined."
    case .emptied, .zeroed, .stray: "Whether the conversion of \(object) gives NULL for a value was not examined."
    }
  }

  private var newType: String {
    switch self {
    case .changed(_, let type, _): type ?? "a computed column"
    case .unconverted(let type), .unconvertedSince(let type), .stray(let type),
      .restored(let type):
      type
    case .recoded(_, let form): form
    case .emptied, .zeroed: ""
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    guard hazard.isCounted else { return remedyOfLoss(hazard) }
    switch self {
    case .changed(_, nil, _):
      if hazard.count == 0 { return nil }
      return hazard.isUndo
        ? "Allow it with \(consent(hazard))."
        : "Keep the values in another column, or change the expression. Or allow it with \(consent(hazard))."
    case .changed(_, _, let isApplied):
      if hazard.count == 0 { return hazard.isUndo ? nil : "Where values would not survive, \(.convert)." }
      if hazard.isUndo { return "Allow it with \(consent(hazard))." }
      let conversion: Remedy = isApplied ? "Write another conversion." : "\(.convert)."
      return "\(conversion) Or allow it with \(consent(hazard))."
    case .recoded:
      if hazard.count == 0 { return nil }
      return "Keep the coding, give a conversion of your own (converting(from:) in the model), or allow it with "
        + "\(consent(hazard))."
    case .restored: return "Allow it with \(consent(hazard))."
    case .emptied:
      return "Let the conversion keep them, fix these rows first, or allow it with \(consent(hazard))."
    case .zeroed:
      return "Where that is not meant, let the conversion give NULL for such texts (CASE), or fix these rows first."
    case .stray:
      let effect: Remedy = "It sorts behind all numbers, and sums take the digits that it begins with."
      return hazard.isUndo ? effect : "\(effect) To change it, \(.convert)."
    case .unconverted, .unconvertedSince:
      let way = "write another expression, or give the function another version"
      return hazard.count == 0
        ? "If they must be converted once more, \(way)."
        : "To convert them, \(way). To keep them as they are, allow it with \(consent(hazard))."
    }
  }
}

extension HazardCode {
  /// A value changes when it is stored under the new type.
  public static let lossyConversion = Self("SK103", .lossy, "values changed by a conversion")
}

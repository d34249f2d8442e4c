/// SK103: a value changes when it is stored under the new type, or a conversion turns it into NULL.
///
/// Applies to columns whose declared type changes, if a value would not be read back as it was under the old type, and
/// to values for which the declared conversion yields nothing. What a type does to a value is its
/// [affinity](https://sqlite.org/datatype3.html#type_affinity). Lossy; under a changed type, a note if every value
/// survives, as for text that stays text in a numeric column, and for text that a conversion turns into 0. The remedy
/// is a conversion, or consent.
package enum LossyConversionHazard: HazardRule {
  /// The declared type changes.
  case changed(from: String, to: String)
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

  package static let code = HazardCode.lossyConversion

  /// Once the column has its type, a conversion comes too late.
  private static let advice =
    "give a conversion with this change: \"-- schemakit: convert EXPR\" on the line of the column, converting(sql:) in a model."

  package func counted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .changed(let from, let to): return changed(rows, from: from, to: to)
    case .unconverted, .unconvertedSince: return notConverted(rows)
    case .stray(let type):
      guard rows.count > 0 else { return nil }
      var note = found(
        rows,
        "\(rows.inWords) of \(rows.object) \(rows.verb("hold")) a value that is not a number and stays as it is under \(type).",
        "It sorts behind all numbers, and sums take the digits that it begins with."
          + (rows.rules.isUndo ? "" : " To change it, \(Self.advice)"))
      note.isNote = true
      return note
    case .zeroed:
      guard rows.count > 0 else { return nil }
      var note = found(
        rows,
        "\(rows.inWords) of \(rows.object) \(rows.verb("hold")) text that is not a number, which the conversion turns into 0.",
        "Where that is not meant, let the conversion give NULL for such texts (CASE), or fix these rows first.")
      note.isNote = true
      return note
    case .emptied:
      guard rows.count > 0 else { return nil }
      let values = rows.count == 1 ? "value" : "values"
      return found(
        rows,
        "The conversion of \(rows.object) gives NULL for the \(values) of \(rows.inWords).",
        "Let the conversion keep them, fix these rows first, or allow it with \(consent(rows)).")
    }
  }

  private func changed(_ rows: ConcernedRows, from: String, to: String) -> Hazard? {
    let undoes = rows.rules.isUndo
    guard rows.count > 0 else {
      // The message about a conversion that is not repeated already covers every value.
      if rows.isConversionSpent { return nil }
      var hazard = found(
        rows, "Column \(rows.object) changes from \(from) to \(to); every value here survives.",
        "Where values would not survive, \(Self.advice)")
      hazard.isPotential = true
      if undoes { hazard.remedy = nil }
      return hazard
    }
    let way = rows.isConversionSpent ? "Write another conversion." : "G\(Self.advice.dropFirst())"
    return found(
      rows,
      "\(rows.inWords) of \(rows.object) \(rows.verb("hold")) a value that changes when \(from) becomes \(to).",
      undoes ? "Allow it with \(consent(rows))." : "\(way) Or allow it with \(consent(rows)).")
  }

  private func notConverted(_ rows: ConcernedRows) -> Hazard {
    let message = "The conversion of \(rows.object) counts as done in this file and is not done again"
    let way = "write another expression, or give the function another version"
    let choice = "To convert them, \(way). To keep them as they are, allow it with \(consent(rows))."
    if case .unconvertedSince(let type) = self, rows.count > 0 {
      return found(
        rows,
        "\(message), but the column is \(type) again: of \(rows.inWords) with a value, those that were written since are of the "
          + "old kind.", choice)
    }
    guard case .unconverted(let type) = self, rows.count > 0 else {
      var note = found(
        rows, "\(message); the values are taken over as they are.", "If they must be converted once more, \(way).")
      note.isNote = true
      return note
    }
    return found(
      rows, "\(message), but \(rows.inWords) \(rows.verb("hold")) a value that is not \(type).", choice)
  }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .unconverted, .unconvertedSince:
      lost(
        rows,
        "The conversion of \(rows.object) counts as done in this file and is not done again; whether every value is of the "
          + "new kind was not examined.")
    case .changed(let from, let to):
      lost(
        rows, "Column \(rows.object) changes from \(from) to \(to); whether every value survives was not examined.")
    case .emptied:
      lost(rows, "Whether the conversion of \(rows.object) gives NULL for a value was not examined.")
    case .stray, .zeroed: nil
    }
  }
}

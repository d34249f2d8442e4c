/// SK103: a value changes when it is stored under the new type, or a conversion makes NULL of it.
///
/// Applies to columns whose declared type changes, as far as a value would not come back as it was under the old type,
/// and to values that the author's conversion has nothing for. What a type does to a value is its
/// [affinity](https://sqlite.org/datatype3.html#type_affinity). Lossy; under a changed type, a note where every value
/// survives. The way out is a conversion, or consent.
enum LossyConversionHazard: HazardRule {
  /// The declared type changes.
  case changed(from: String, to: String)
  /// The author's conversion gives NULL for a value that is not NULL.
  case emptied

  static let code = HazardCode.lossyConversion

  func counted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .changed(let from, let to):
      var hazard = found(
        rows,
        rows.count == 0
          ? "Column \(rows.object) changes from \(from) to \(to); every value here survives."
          : "\(rows.inWords) of \(rows.object) \(rows.verb("hold")) a value that changes when \(from) becomes \(to).",
        "Give a conversion, or allow it with \(consent(rows)).")
      hazard.isPotential = rows.count == 0
      return hazard
    case .emptied:
      guard rows.count > 0 else { return nil }
      let values = rows.count == 1 ? "value" : "values"
      return found(
        rows,
        "The conversion of \(rows.object) gives NULL for the \(values) of \(rows.inWords).",
        "Let the conversion keep them, mend these rows first, or allow it with \(consent(rows)).")
    }
  }

  func uncounted(_ rows: ConcernedRows) -> Hazard? {
    switch self {
    case .changed(let from, let to):
      lost(
        rows, "Column \(rows.object) changes from \(from) to \(to); whether every value survives was not examined.")
    case .emptied:
      lost(rows, "Whether the conversion of \(rows.object) gives NULL for a value was not examined.")
    }
  }
}

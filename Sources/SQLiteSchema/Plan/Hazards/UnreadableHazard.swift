/// SK110: the Swift type that reads a column cannot read existing values.
///
/// Applies to the columns of models whose Swift type or coding changes, or whose values a change converts or fills: each
/// value is read once by the declared type as it would be stored. Also where values are none of the coding that they are
/// said to have, or where nobody can say what they are in another coding. SQLite would store them, and every load would
/// fail or give another value. Blocked; a note where the coding that the values have was told by the values. The remedy is
/// a conversion, the former type or coding, or to fix the rows.
package enum UnreadableHazard: HazardRule {
  /// The declared type does not read the value that would be stored.
  case unreadable(form: String)
  /// The value is none of the form that the column has.
  case unreadBefore(form: String)
  /// No conversion between the two forms is known.
  case unknown(from: String, to: String)
  /// Nobody has recorded which form the values have.
  case assumed(form: String)

  package static let code = HazardCode.unreadable

  package static func rule(for kind: RowCheckResults.Finding.Kind) -> (any HazardRule)? {
    switch kind {
    case .unreadable(let form): Self.unreadable(form: form)
    case .unreadBefore(let form): Self.unreadBefore(form: form)
    case .unknownForm(let from, let to): Self.unknown(from: from, to: to)
    case .assumedForm(let form): Self.assumed(form: form)
    default: nil
    }
  }

  private var isAssumed: Bool { if case .assumed = self { true } else { false } }

  package func counted(_ rows: ConcernedRows) -> Hazard? { rows.count > 0 ? found(rows, isNote: isAssumed) : nil }

  package func uncounted(_ rows: ConcernedRows) -> Hazard? {
    isAssumed ? nil : refused(rows, isNoticed: false)
  }

  package func message(for hazard: Hazard) -> String {
    let (object, rows) = (hazard.object, "\(hazard.rowCount) of \(hazard.object)")
    guard hazard.isCounted else {
      return switch self {
      case .unreadable(let form), .assumed(let form):
        "Whether \(form) can read every value of \(object) was not examined."
      case .unreadBefore(let form): "Whether every value of \(object) is one of \(form) was not examined."
      case .unknown(let from, let to): Self.unknown(object, from: from, to: to)
      }
    }
    switch self {
    case .unreadable(let form): return "\(rows) \(hazard.verb("hold")) a value that \(form) cannot read."
    case .unreadBefore(let form):
      return "\(rows) \(hazard.verb("hold")) a value that is not one of \(form), as which the column is stored."
    case .unknown(let from, let to):
      return Self.unknown(object, from: from, to: to) + " \(hazard.rowCount) \(hazard.verb("hold")) a value."
    case .assumed(let form):
      return
        "The values of \(object) are taken for \(form), by their class and range: the file does not say what they are."
    }
  }

  private static func unknown(_ object: String, from: String, to: String) -> String {
    "\(object) changes from \(from) to \(to), and what its values are then is not known."
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    if isAssumed { return "If they are something else, give a conversion: converting(sql:) in the model." }
    guard hazard.isCounted else { return remedyOfRefusal(hazard, by: "Nobody") }
    if hazard.isUndo { return "Fix these rows first." }
    let keep =
      switch self {
      case .unreadable: "keep the type, or fix these rows first"
      case .unreadBefore: "or fix these rows first"
      case .unknown, .assumed: "or keep the type and its coding"
      }
    return "Give a conversion with this change, converting(sql:) or converting(from:) in the model, \(keep)."
  }
}

extension HazardCode {
  /// Values cannot be read by the Swift type of the column.
  public static let unreadable = Self("SK110", .blocked, "values that the Swift type cannot read")
}

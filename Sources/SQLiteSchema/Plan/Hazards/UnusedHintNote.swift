/// SK210, and notes under other codes: a hint of the declaration is not carried out.
///
/// A hint that has been used is not reported, however long it stays.
package enum UnusedHintNote: HazardWording {
  /// A conversion of a column that is new.
  case conversionOfNewColumn
  /// A conversion of a column whose type stays.
  case conversionOfSameType(type: String?)
  /// A fill of a column that is NOT NULL already, or one that may be NULL.
  case fillOfOldColumn(isNotNull: Bool)
  /// A removal of something that the declared schema has.
  case removalOfDeclared
  /// A removal of a table that is ignored.
  case removalOfIgnored
  /// Names that are declared as renamed from each other and match better as they are.
  case declinedExchange(names: [SQLName], areColumns: Bool)
  /// A column that was renamed from one that the file does not have, with the one that may be meant.
  case renameOfMissing(former: SQLName, likely: SQLName?)

  private static let update = "use UPDATE, in a recorded step or a data step, and take the hint out."

  package func message(for hazard: Hazard) -> String {
    switch self {
    case .conversionOfNewColumn:
      return
        "The conversion of \(hazard.object) is not done: the column is new, and no row has a value there to convert."
    case .conversionOfSameType(let type):
      return "The conversion of \(hazard.object) is not done: the column stays \(type ?? "without a type"), and a "
        + "conversion belongs to a change of the type."
    case .fillOfOldColumn(let isNotNull):
      let reason =
        isNotNull
        ? "the column is NOT NULL already"
        : "the column is there already and may be NULL; a fill belongs to a new column, or to a new NOT NULL"
      return "The fill of \(hazard.object) is not done: \(reason)."
    case .removalOfDeclared:
      return hazard.column == nil
        ? "Table \(hazard.table) is not removed: the declared schema has it."
        : "Column \(hazard.object) is not removed: the declared table has it."
    case .removalOfIgnored: return "Table \(hazard.table) is not removed: it is ignored."
    case .declinedExchange(let names, let areColumns):
      let list = Wording.list(names.map(\.text))
      return
        "\(areColumns ? "Columns \(list) of table \(hazard.table)" : "Tables \(list)") are declared as renamed from "
        + "each other and are not exchanged: they match the declaration better as they are."
    case .renameOfMissing(let former, _):
      return
        "\(hazard.object) is declared as renamed from \(former), but there is no column \(former) in \(hazard.table): "
        + "the column is new."
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? {
    switch self {
    case .conversionOfNewColumn:
      "Give its rows a value with \(.fill); or say which column it was "
        + "with \"-- schemakit: renamed from NAME\"."
    case .conversionOfSameType: "To change values of a type that stays, \(Self.update)"
    case .fillOfOldColumn: "To change values that are there, \(Self.update)"
    case .removalOfDeclared: "Take the \(hazard.column == nil ? "table" : "column") out of the schema, or the hint."
    case .removalOfIgnored: "Take the table out of what is ignored, or the hint out."
    case .declinedExchange:
      "If this file still needs the exchange, rename them through a third name in a recorded migration. "
        + "Otherwise remove the hints."
    case .renameOfMissing(_, let likely?): "Did you mean \(likely)? Correct the hint, or take it out."
    case .renameOfMissing: "Correct the hint, or take it out."
    }
  }
}

extension HazardCode {
  /// A hint of the declaration is not carried out.
  public static let unusedHint = Self("SK210", .note, "a hint that is not carried out")
}

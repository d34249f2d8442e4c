import OrderedCollections

/// SK103: rows that nobody has examined are copied in a way that may give them other values.
///
/// Applies to plans without a look at the rows. A copy that has its definition from the start converts what its columns hold by
/// their [affinity](https://sqlite.org/datatype3.html#type_affinity), and a stored column that reads a changed one is computed
/// anew. Lossy; the remedy is to look at the rows, or consent.
package enum UnexaminedCopyHazard: HazardWording {
  /// The table is copied under the types of its columns.
  case retyped
  /// The stored values of a column are computed anew.
  case recomputed

  package func message(for hazard: Hazard) -> String {
    switch self {
    case .retyped:
      "\(hazard.table) is copied under the types of its columns; whether its values are of these types was not examined."
    case .recomputed:
      "Column \(hazard.object) is computed anew; whether its stored values are those of its expression was not examined."
    }
  }

  package func remedy(for hazard: Hazard) -> Remedy? { remedyOfLoss(hazard) }
}

extension Planner {
  /// The hazards of steps that copy rows in another way than byte for byte, where nobody has examined the rows.
  package func hazardsOfUnexaminedCopies(in steps: [MigrationStep]) -> [Hazard] {
    steps.filter(\.strategy.copiesRows).flatMap { step -> [Hazard] in
      let isBare = step.statements.contains(where: \.editsCatalog)
      return step.copiedChildren.union([step.object.name]).sorted().flatMap { table -> [Hazard] in
        guard let former = source.tables[renames.formerTable(table)], checkResults[table]?.rowCount != 0 else {
          return []
        }
        let own = former.columns.filter { $0.name != former.rowIDAlias?.name && $0.affinity != .blob }
        let retyped = isBare || former.isStrict || own.isEmpty ? [] : [UnexaminedCopyHazard.retyped.hazard(table, nil)]
        let stored = target.tables[table]?.columns.filter {
          $0.generation?.isStored == true && former.column($0.name)?.generation != nil
        }
        let computed = isBare ? recomputedColumns(of: table) : Set((stored ?? []).map(\.name))
        return retyped + computed.sorted().map { UnexaminedCopyHazard.recomputed.hazard(table, $0) }
      }
    }
  }
}

extension UnexaminedCopyHazard {
  fileprivate func hazard(_ table: SQLName, _ column: SQLName?) -> Hazard {
    var hazard = Hazard(.lossyConversion, table: table, column: column, cause: HazardCause(self))
    hazard.isCounted = false
    return hazard
  }
}

/// Decides whether a column can get another affinity, or a table STRICT, without touching a row.
///
/// INTEGER and NUMERIC store the same. Either becomes REAL if every number is kept exactly and no text looks like a number: SQLite stores
/// a whole number in a REAL column as an integer where that is shorter, and reads it as a real
/// ([Record Format](https://sqlite.org/fileformat2.html#record_format)). STRICT comes and goes if every value is of the class that its column
/// declares ([STRICT Tables](https://sqlite.org/stricttables.html)); ANY has another affinity there, and is left to a copy.
///
/// *Cost:* none; the rows were examined for the plan.
package enum RetypeRule {
  /// The columns whose values stay as they are under another affinity.
  package static func retyped(in change: TableChange) -> Set<SQLName> {
    let numbers: Set<Affinity> = [.integer, .numeric]
    return Set(
      change.changedColumns.filter { column in
        let (before, after) = (column.from.affinity, column.to.affinity)
        return before != after && numbers.contains(before) && numbers.union([.real]).contains(after)
      }.map(\.to.name))
  }

  /// Returns why the rows cannot stay, or nil if they can.
  ///
  /// - Parameters:
  ///   - converted: The columns whose values a declared conversion changes.
  ///   - mismatches: The columns with values of another class than their type stores; nil if the rows were not examined.
  package static func rejection(
    to change: TableChange, checkResults: RowCheckResults, converted: Set<SQLName>, mismatches: Set<SQLName>?
  ) -> Rejection? {
    let isEmpty = checkResults.isCounted && checkResults.rowCount == 0
    for column in change.changedColumns where column.from.affinity != column.to.affinity {
      let name = column.to.name
      guard retyped(in: change).contains(name), change.to.rowIDAlias?.name != name, !converted.contains(name) else {
        return Rejection(.affinityChanges, name.text)
      }
      let isLossless = checkResults.findings.contains { finding in
        guard case .lossyConversion = finding.kind, finding.column == name else { return false }
        return finding.isCounted && finding.count == 0
      }
      guard isEmpty || isLossless, mismatches?.contains(name) != true else {
        return Rejection(.valuesWouldChange, name.text)
      }
    }
    guard change.isStrictnessChanged else { return nil }
    if let column = (change.from.columns + change.to.columns).first(where: { $0.comparableType == "ANY" }) {
      return Rejection(.strictDecidesStorage, column.name.text)
    }
    guard change.to.isStrict, !isEmpty else { return nil }
    let refused = checkResults.findings.first { finding in
      guard case .notStorable = finding.kind else { return false }
      return !finding.isCounted || finding.count > 0
    }
    return refused.map { Rejection(.valuesNotStorable, $0.column?.text ?? "") }
  }

  /// Conditions for rows with values that are not the same under the new types, or that STRICT refuses.
  package static func refusedRows(of change: TableChange) -> [String] {
    let retyped = retyped(in: change).sorted().map { name in
      let isRounded = "(typeof(\(name.quoted)) = 'integer' AND \(name.quoted) <> CAST(\(name.quoted) AS REAL))"
      return "(\(isRounded) OR (+\(name.quoted) >= '' COLLATE BINARY AND NOT \(name.quoted) >= '' COLLATE BINARY))"
    }
    guard change.isStrictnessChanged, change.to.isStrict else { return retyped }
    let columns = change.to.columns.filter {
      $0.name != change.to.rowIDAlias?.name && change.from.column($0.name) != nil
    }
    return retyped + columns.compactMap { $0.isRefusedByStrict($0.name.quoted) }
  }
}

/// Decides whether a column can get another affinity, or a table STRICT, without touching a row.
///
/// INTEGER and NUMERIC store the same. Either becomes REAL if every number is kept exactly and no text looks like a number: SQLite stores
/// a whole number in a REAL column as an integer where that is shorter, and reads it as a real
/// ([Record Format](https://sqlite.org/fileformat2.html#record_format)). REAL becomes either in the same way: what is stored as an integer
/// reads as one, and whole numbers that are stored as reals are updated after the edit. STRICT comes and goes if every value is of the class that its column
/// declares ([STRICT Tables](https://sqlite.org/stricttables.html)); ANY has another affinity there, and is left to a copy.
///
/// *Cost:* none, as the rows were examined for the plan; from REAL, one scan.
package enum RetypeRule {
  /// The columns whose values stay as they are under another affinity.
  package static func retyped(in change: TableChange) -> Set<SQLName> {
    let numbers: Set<Affinity> = [.integer, .numeric]
    return Set(
      change.changedColumns.filter { column in
        let (before, after) = (column.from.affinity, column.to.affinity)
        return before != after && numbers.union([.real]).isSuperset(of: [before, after])
      }.map(\.to.name))
  }

  /// The columns of reals whose whole numbers become integers.
  package static func narrowed(in change: TableChange) -> [SQLName] {
    change.changedColumns.filter { $0.from.affinity == .real && retyped(in: change).contains($0.to.name) }.map(
      \.to.name)
  }

  /// The statements that store whole numbers as integers, once the table has its text, and a look for those that are left.
  package static func statements(for change: TableChange) -> [PlannedStatement] {
    let table = "\"main\".\(change.to.name.quoted) \(change.to.rowOrder)"
    let key = change.to.rowKey ?? change.to.primaryKey?.columns.first?.name.quoted ?? "1"
    return narrowed(in: change).flatMap { column in
      let name = column.quoted
      let condition = "WHERE typeof(\(name)) = 'real' AND \(name) = CAST(\(name) AS INTEGER)"
      return [
        PlannedStatement("UPDATE OR ABORT \(table) SET \(name) = \(name) \(condition)", role: .update),
        PlannedStatement("SELECT \(key) FROM \(table) \(condition) LIMIT 10", role: .verification),
      ]
    }
  }

  /// Returns why the rows cannot stay, or nil if they can.
  ///
  /// - Parameters:
  ///   - converted: The columns whose values a declared conversion changes.
  ///   - mismatches: The columns with values of another class than their type stores; nil if the rows were not examined.
  ///   - obstacle: The reason against an update of rows after the edit.
  package static func rejection(
    to change: TableChange, checkResults: RowCheckResults, converted: Set<SQLName>, mismatches: Set<SQLName>?,
    obstacle: (SQLName) -> Rejection?
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
      let isNarrowed = column.from.affinity == .real
      if isNarrowed, let obstacle = obstacle(name) { return obstacle }
      guard isEmpty || isLossless || (isNarrowed && checkResults.isCounted), mismatches?.contains(name) != true else {
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

extension Expectation {
  /// Runs the query, and compares its rows with those that are expected.
  ///
  /// - Returns: The first difference; nil if there is none.
  package func finding(on connection: SQLiteConnection, _ way: UpgradeWay) -> UpgradeFinding? {
    var finding = UpgradeFinding(.expectation, way, "")
    (finding.file, finding.line) = (file, line)
    var found: [[SQLValue]]
    do {
      found = try connection.rows(sql)
    } catch let error as SQLiteError {
      finding.message = "the query fails: \(error.message)"
      return finding
    } catch {
      finding.message = "the query fails: \(error)"
      return finding
    }
    var expected = rows
    if !isOrdered { (expected, found) = Self.aligned(expected, found) }
    finding.values = found.map { "-- \(SQLLiteral.text($0))" }
    if found.isEmpty { finding.values = ["-- \(Self.noRows)"] }
    for (number, (row, other)) in zip(expected, found).enumerated() {
      guard let difference = Self.difference(row.values, other) else { continue }
      finding.line = row.line
      finding.message = "row \(number + 1) of \(found.count): \(difference)"
      return finding
    }
    guard expected.count != found.count else { return nil }
    finding.message = "the query gives \(Wording.counted(found.count, "row")), and \(expected.count) should be there"
    return finding
  }

  /// Puts rows that are there as expected first on both sides, since their order says nothing.
  private static func aligned(_ expected: [Row], _ found: [[SQLValue]]) -> ([Row], [[SQLValue]]) {
    var (same, others, rest) = ([Row](), [Row](), found)
    for row in expected {
      if let index = rest.firstIndex(of: row.values) {
        rest.remove(at: index)
        same.append(row)
      } else {
        others.append(row)
      }
    }
    return (same + others, same.map(\.values) + rest)
  }

  /// The first difference between two rows, without their values; nil for equal ones.
  private static func difference(_ expected: [SQLValue], _ found: [SQLValue]) -> String? {
    guard expected.count == found.count else {
      return "it has \(Wording.counted(found.count, "value")), and \(expected.count) should be there"
    }
    guard let column = expected.indices.first(where: { expected[$0] != found[$0] }) else { return nil }
    let place = expected.count == 1 ? "the value" : "value \(column + 1)"
    let (wanted, present) = (expected[column], found[column])
    return wanted.storageClass == present.storageClass
      ? "\(place) is another \(present.storageClass) than expected"
      : "\(place) is \(present.described), and should be \(wanted.described)"
  }
}

extension SQLValue {
  /// The storage class in words.
  fileprivate var described: String {
    switch self {
    case .null: "NULL"
    case .integer: "an integer"
    case .real: "a real number"
    case .text: "a text"
    case .blob: "a blob"
    }
  }
}

/// The condition that a term is one of several values, however many there are.
struct MembershipCondition {
  let term: SQL
  let values: [SQLValue]

  /// Up to here each value is a parameter of its own.
  private static let parameterLimit = 256

  var filter: Filter {
    let present = values.filter { !$0.isNull }
    let isNull = Filter(term + SQL(raw: " IS NULL"))
    guard !present.isEmpty else { return present.count < values.count ? isNull : .never }
    let condition = Filter(SQL(raw: "(") + membership(of: present) + SQL(raw: ")"))
    return present.count < values.count ? condition || isNull : condition
  }

  private func membership(of values: [SQLValue]) -> SQL {
    if values.count <= Self.parameterLimit { return parameters(values) }
    let integers = values.compactMap(\.integer)
    if integers.count == values.count { return list("[" + integers.map(String.init).joined(separator: ",") + "]") }
    let texts = values.compactMap(\.text).filter { !$0.utf8.contains(0) }
    if texts.count == values.count { return list("[" + texts.map(Self.json).joined(separator: ",") + "]") }
    // Reals would be rounded on their way through JSON and BLOBs cannot go there.
    return parameters(values)
  }

  /// As many parameters as a power of two, the last value repeated, so that few statements serve all counts.
  private func parameters(_ values: [SQLValue]) -> SQL {
    var padded = values
    if let last = values.last, values.count <= Self.parameterLimit {
      var count = 1
      while count < values.count { count *= 2 }
      padded += Array(repeating: last, count: count - values.count)
    }
    let marks = Array(repeating: "?", count: padded.count).joined(separator: ", ")
    return term + SQL(raw: " IN (\(marks))", stored: padded)
  }

  /// One parameter for all values. See [json_each](https://sqlite.org/json1.html#jeach).
  private func list(_ json: String) -> SQL {
    term + SQL(raw: " IN (SELECT value FROM json_each(?))", stored: [.text(json)])
  }

  private static func json(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        json += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }
}

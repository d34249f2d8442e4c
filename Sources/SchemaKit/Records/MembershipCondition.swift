/// The condition that a term is one of several values, however many there are.
struct MembershipCondition {
  let term: SQL
  let values: [SQLValue]

  /// Up to this number, each value is a parameter of its own.
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
    let blobs = values.compactMap { if case .blob(let bytes) = $0 { bytes } else { nil } }
    if blobs.count == values.count { return list(of: blobs) }
    let fractions = values.compactMap { if case .real(let number) = $0 { Self.fraction(number) } else { nil } }
    if fractions.count == values.count { return list(ofFractions: fractions) }
    return parameters(values)
  }

  /// Two parameters for all BLOBs: one with their concatenated bytes, and one with the position and length of each.
  private func list(of blobs: [[UInt8]]) -> SQL {
    var start = 1
    let places = blobs.map { blob in
      defer { start += blob.count }
      return "[\(start),\(blob.count)]"
    }
    return term
      + SQL(
        raw: " IN (SELECT substr(?, json_extract(value, '$[0]'), json_extract(value, '$[1]')) FROM json_each(?))",
        stored: [.blob(Array(blobs.joined())), .text("[" + places.joined(separator: ",") + "]")])
  }

  /// One parameter for all reals, each as four integers: as text they would be rounded.
  private func list(ofFractions fractions: [String]) -> SQL {
    term
      + SQL(
        raw: " IN (SELECT json_extract(value, '$[0]') * CAST(json_extract(value, '$[1]') AS REAL)"
          + " / json_extract(value, '$[2]') / json_extract(value, '$[3]') FROM json_each(?))",
        stored: [.text("[" + fractions.joined(separator: ",") + "]")])
  }

  /// A number as an integer and two powers of two; nil if SQLite's integers could not hold these.
  private static func fraction(_ number: Double) -> String? {
    if number.isZero { return "[0,1,1,1]" }
    guard number.isNormal else { return nil }
    let exponent = Int(number.exponent) - 52
    guard (-124...62).contains(exponent) else { return nil }
    let whole = Int64(number.significand * 0x1p52) * (number < 0 ? -1 : 1)
    let (times, first, second) = (max(0, exponent), min(62, max(0, -exponent)), max(0, -exponent - 62))
    return "[\(whole),\(Int64(1) << times),\(Int64(1) << first),\(Int64(1) << second)]"
  }

  /// A number of parameters that is a power of two, the last value repeated, so that few statements serve all counts.
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

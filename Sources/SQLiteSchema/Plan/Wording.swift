/// Formats numbers and lists for reports.
package enum Wording {
  /// A number with commas between groups of three digits: 412,003.
  package static func number(_ number: Int) -> String { number.grouped }

  /// A number with its noun, in the plural if needed.
  package static func counted(_ count: Int, _ noun: String) -> String {
    if count == 1 { return "1 \(noun)" }
    let plural = noun.hasSuffix("x") ? noun + "es" : noun.hasSuffix("ry") ? noun.dropLast() + "ies" : noun + "s"
    return "\(number(count)) \(plural)"
  }

  /// An approximate size: 96 KB, 1.4 MB.
  package static func bytes(_ count: Int) -> String {
    if count < 1024 { return counted(count, "byte") }
    var value = Double(count)
    var unit = "bytes"
    for larger in ["KB", "MB", "GB", "TB"] where value >= 1000 {
      value /= 1024
      unit = larger
    }
    if value >= 10 { return "\(number(Int(value.rounded()))) \(unit)" }
    let tenths = Int((value * 10).rounded())
    return tenths.isMultiple(of: 10) ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
  }

  /// The duration as text: 12 ms, 3.4 s.
  package static func duration(milliseconds: Int) -> String {
    guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
    let tenths = (milliseconds + 50) / 100
    return "\(number(tenths / 10)).\(tenths % 10) s"
  }

  /// An approximate time: 8 s, 3 min 20 s, 2 h 5 min.
  package static func span(_ duration: Duration) -> String {
    let seconds = Int((duration / .seconds(1)).rounded(.up))
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min" + (seconds % 60 == 0 ? "" : " \(seconds % 60) s") }
    let minutes = seconds / 60
    return "\(minutes / 60) h" + (minutes % 60 == 0 ? "" : " \(minutes % 60) min")
  }

  /// A text in lines of at most so many characters, broken at spaces; longer words stay whole.
  package static func wrapped(_ text: String, width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let words = paragraph.split(separator: " ", omittingEmptySubsequences: false)
      var line = String(words.first ?? "")
      for word in words.dropFirst() {
        if line.count + 1 + word.count > width {
          lines.append(line)
          line = String(word)
        } else {
          line += " " + word
        }
      }
      lines.append(line)
    }
    return lines
  }

  /// The members as a list: a, b and c.
  package static func list(_ members: [String]) -> String {
    guard members.count > 1, let last = members.last else { return members.first ?? "" }
    return members.dropLast().joined(separator: ", ") + " and " + last
  }

  /// The first members, and how many more there are.
  package static func excerpt(_ members: [String], of total: Int, limit: Int = 5) -> String {
    let shown = members.prefix(limit)
    return shown.joined(separator: ", ") + (total > shown.count ? ", …" : "")
  }
}

extension Int {
  /// The number with its noun, in the plural if needed.
  package func counted(_ noun: String) -> String { "\(grouped) \(noun)\(self == 1 ? "" : "s")" }

  /// The number with commas between groups of three digits: 412,003.
  package var grouped: String {
    let digits = String(magnitude)
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { grouped.append(",") }
      grouped.append(digit)
    }
    return self < 0 ? "-" + grouped : grouped
  }
}

extension String {
  /// The text padded with trailing spaces to a width in characters.
  package func padded(to width: Int) -> String {
    count < width ? self + String(repeating: " ", count: width - count) : self
  }

  /// The text with every line indented by the same width.
  package func indented(by width: Int) -> String {
    let space = String(repeating: " ", count: width)
    return split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : space + $0 }
      .joined(separator: "\n")
  }
}

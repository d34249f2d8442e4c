import SchemaKit

/// Pieces of Swift source.
enum SwiftText {
  /// The maximum number of characters in a line, unless a name or a text is longer.
  private static let width = 100

  /// A text as a string literal.
  ///
  /// - Parameter indent: The number of spaces before all lines but the first, if the text has several; without it the
  ///   literal is on one line.
  static func literal(_ text: String, indent: Int? = nil) -> String {
    let isBlock = indent != nil && text.unicodeScalars.contains("\n")
    let marks = String(repeating: "#", count: marksNeeded(for: text))
    var body = ""
    for scalar in text.unicodeScalars {
      if (isBlock && scalar == "\n") || !mustBeEscaped(scalar) {
        body.unicodeScalars.append(scalar)
      } else {
        body += "\\\(marks)u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    guard isBlock else { return "\(marks)\"\(body)\"\(marks)" }
    let margin = String(repeating: " ", count: indent ?? 0)
    // Scalars, because a line feed after a carriage return is not a character of its own.
    let lines = body.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.isEmpty ? "" : margin + String(line)
    }
    return "\(marks)\"\"\"\n\(lines.joined(separator: "\n"))\n\(margin)\"\"\"\(marks)"
  }

  /// A list of texts as an array literal.
  static func array(_ texts: [String]) -> String {
    "[" + texts.map { literal($0) }.joined(separator: ", ") + "]"
  }

  /// A call with its arguments, on lines of their own where one line is too short.
  static func call(_ name: String, _ arguments: [(label: String?, value: Value)], indent: Int) -> String {
    func written(_ argument: (label: String?, value: Value), at indent: Int) -> String {
      let value =
        switch argument.value {
        case .code(let code): code
        case .name(let name): literal(name)
        case .text(let text): literal(text, indent: indent)
        }
      return (argument.label.map { $0 + ": " } ?? "") + value
    }
    let line = "\(name)(\(arguments.map { written($0, at: indent + 2) }.joined(separator: ", ")))"
    if !line.unicodeScalars.contains("\n"), line.count + indent <= width { return line }
    let margin = "\n" + String(repeating: " ", count: indent + 2)
    return "\(name)("
      + arguments.map { margin + written($0, at: $0.label == nil ? indent + 2 : indent + 4) }.joined(separator: ",")
      + ")"
  }

  /// An argument of a call.
  enum Value {
    /// Swift, as it is.
    case code(String)
    /// A name, on one line.
    case name(String)
    /// A text, on as many lines as it has.
    case text(String)
  }

  /// A value with the methods that are called on it, on lines of their own where one line is too short.
  static func chain(_ pieces: [String], indent: Int) -> String {
    let line = pieces.joined()
    if pieces.count < 2 || (!line.unicodeScalars.contains("\n") && line.count + indent <= width) { return line }
    return pieces.joined(separator: "\n" + String(repeating: " ", count: indent + 2))
  }

  /// A text that can be put in a single-line comment.
  static func comment(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { mustBeEscaped($0) ? " " : $0 }))
  }

  /// The number of number signs that keep the quotes and backslashes of a text from being interpreted.
  private static func marksNeeded(for text: String) -> Int {
    var needed = 0
    var run: Int?
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
      case UInt8(ascii: "#"): run = run.map { $0 + 1 }
      default: run = nil
      }
      if let run { needed = max(needed, run + 1) }
    }
    return needed
  }

  /// True if a character would break a literal or make a reader see another text than the compiler does.
  private static func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

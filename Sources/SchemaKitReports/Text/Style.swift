import SchemaKit

/// The highlighting of text in a report on a terminal; plain if colour is off.
package struct Style: Sendable, Hashable {
  /// True if escape sequences are written.
  package var isColored: Bool
  /// The number of characters in a line of the terminal; nil if lines are not wrapped.
  package var columns: Int?

  package init(isColored: Bool, columns: Int? = nil) {
    self.isColored = isColored
    self.columns = columns
  }

  /// Text without any escape sequence.
  package static let plain = Style(isColored: false)

  /// See "select graphic rendition" in
  /// [ECMA-48](https://ecma-international.org/publications-and-standards/standards/ecma-48/).
  private func render(_ text: String, _ code: Int) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }

  /// Text behind a margin, in lines that fit the terminal.
  func paragraph(_ text: String, indent: Int) -> [String] {
    let lines = columns.map { Wording.wrapped(text, width: max(30, $0 - indent)) } ?? [text]
    return lines.map { $0.indented(by: indent) }
  }

  package func bold(_ text: String) -> String { render(text, 1) }
  package func dim(_ text: String) -> String { render(text, 2) }
  package func red(_ text: String) -> String { render(text, 31) }
  package func green(_ text: String) -> String { render(text, 32) }
  package func yellow(_ text: String) -> String { render(text, 33) }
  package func cyan(_ text: String) -> String { render(text, 36) }
}

/// Changes stretches of a text and leaves every other byte of it alone.
package enum SQLEditing {
  /// One stretch of a text and what comes in its place.
  package struct Edit: Sendable, Hashable {
    package var span: Span
    package var replacement: String

    package init(span: Span, replacement: String) {
      self.span = span
      self.replacement = replacement
    }
  }

  /// Puts another text in the place of one stretch.
  package static func replacing(_ span: Span, in text: String, with replacement: String) -> String {
    applying([Edit(span: span, replacement: replacement)], to: text)
  }

  /// Puts other texts in the place of several stretches at once.
  ///
  /// All spans count from the start of the text as it is given. They may come in any order but must not overlap.
  package static func applying(_ edits: [Edit], to text: String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var position = 0
    for edit in edits.sorted(by: { ($0.span.start, $0.span.end) < ($1.span.start, $1.span.end) }) {
      precondition(edit.span.start >= position && edit.span.end <= bytes.count, "the edits of a text overlap")
      result += bytes[position..<edit.span.start]
      result += edit.replacement.utf8
      position = edit.span.end
    }
    result += bytes[position...]
    return String(decoding: result, as: UTF8.self)
  }
}

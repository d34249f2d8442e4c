extension SQLEditing {
  /// The stretch of a text that a span covers.
  package static func text(at span: Span, in text: String) -> String {
    let utf8 = text.utf8
    let start = utf8.index(utf8.startIndex, offsetBy: span.start)
    let end = utf8.index(utf8.startIndex, offsetBy: span.end)
    return String(decoding: utf8[start..<end], as: UTF8.self)
  }
}

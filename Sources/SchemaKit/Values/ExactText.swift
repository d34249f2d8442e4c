/// A text that equals another only if every byte does, as in SQLite.
///
/// Swift considers texts equal that are canonically equivalent, such as é as one character or as two.
struct ExactText: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

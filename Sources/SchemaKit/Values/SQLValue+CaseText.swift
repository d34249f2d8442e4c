extension SQLValue {
  /// A raw value as text that says what it is; nil for one that no enumeration has.
  var caseText: String? {
    switch self {
    case .integer(let number): "i\(number)"
    case .text(let text): "t\(text)"
    case .null, .real, .blob: nil
    }
  }

  /// Reads such a text.
  init?(caseText text: String) {
    if text.first == "i", let number = Int64(text.dropFirst()) {
      self = .integer(number)
    } else if text.first == "t" {
      self = .text(String(text.dropFirst()))
    } else {
      return nil
    }
  }
}

extension ColumnValueError: CustomStringConvertible {
  public var description: String { sentence(about: column.map { "Column \($0)" } ?? "A column") }

  /// The sentence about a value in a place, which may be in a row.
  func sentence(about subject: String, place: String = "") -> String {
    let article = "aeiouAEIO".contains(found.first ?? " ") ? "an" : "a"
    // A storage class is one word; anything else says by itself what it is.
    let what = found.contains(" ") ? found : found == "null" ? "NULL" : "\(article) \(found) value"
    return "\(subject) should hold \(expected), but has \(what)\(place)\(problem.map { " that \($0)" } ?? "")."
  }
}

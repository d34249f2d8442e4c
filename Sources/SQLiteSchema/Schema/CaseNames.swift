/// The cases of an enumeration, by their names, with what each is stored as.
package struct CaseNames: Sendable, Hashable {
  private static let prefix = "cases "
  private let stored: [String: String]

  /// Reads what a form says; nil where it lists no cases.
  package init?(_ form: ValueForm) {
    guard let shape = form.shape, form.coding == nil, shape.hasPrefix(Self.prefix) else { return nil }
    var stored: [String: String] = [:]
    for entry in shape.dropFirst(Self.prefix.count).split(separator: ",") {
      guard let middle = entry.firstIndex(of: "=") else { return nil }
      stored[Self.unescaped(entry[..<middle])] = Self.unescaped(entry[entry.index(after: middle)...])
    }
    self.stored = stored
  }

  /// The cases as the shape of a form; nil where two have one name.
  package static func shape(of cases: [(name: String, value: String)]) -> String? {
    guard !cases.isEmpty, Set(cases.map(\.name)).count == cases.count else { return nil }
    return prefix + cases.map { "\(escaped($0.name))=\(escaped($0.value))" }.sorted().joined(separator: ",")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing(",", with: "%2C").replacing("=", with: "%3D")
  }

  private static func unescaped(_ text: Substring) -> String {
    String(text).replacing("%3D", with: "=").replacing("%2C", with: ",").replacing("%25", with: "%")
  }

  /// The text that other cases store for the case with a stored value; nil if that case is gone.
  ///
  /// A value of a case that has another name now stays, unless it is that of another case which was there.
  package func value(of value: String, in other: CaseNames) -> String? {
    if let name = stored.first(where: { $0.value == value })?.key, let now = other.stored[name] { return now }
    guard let name = other.stored.first(where: { $0.value == value })?.key, stored[name] == nil else { return nil }
    return value
  }

  /// True if each stored value that is a case still is the same case.
  package func keepsValues(in other: CaseNames) -> Bool {
    stored.allSatisfy { name, value in
      other.stored[name].map { $0 == value }
        ?? !other.stored.contains { $0.value == value && stored[$0.key] != nil }
    }
  }
}

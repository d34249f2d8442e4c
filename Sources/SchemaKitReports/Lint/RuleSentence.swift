import SchemaKit

/// The sentence of a rule, with the places that values of a row fill: `{object}`, and `{{` and `}}` for braces.
struct RuleSentence: Sendable, Hashable {
  private enum Part: Sendable, Hashable {
    case text(String)
    case value(SQLName)
  }

  private let parts: [Part]

  /// Reads a text; nil for a brace without the other one, or with nothing in it.
  init?(_ text: String) {
    var parts: [Part] = []
    var plain = ""
    var rest = text[...]
    while let character = rest.popFirst() {
      switch character {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        plain.append(character)
      case "{":
        guard let end = rest.firstIndex(of: "}") else { return nil }
        let name = rest[..<end].trimmed
        guard !name.isEmpty, !name.contains("{") else { return nil }
        parts += [.text(plain), .value(SQLName(String(name)))]
        plain = ""
        rest = rest[rest.index(after: end)...]
      case "}": return nil
      default: plain.append(character)
      }
    }
    self.parts = parts + [.text(plain)]
  }

  /// The names of the values that it needs.
  var placeholders: [SQLName] { parts.compactMap { if case .value(let name) = $0 { name } else { nil } } }

  /// The sentence with values in its places.
  func filled(_ value: (SQLName) -> String) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .value(let name): value(name)
      }
    }.joined()
  }
}

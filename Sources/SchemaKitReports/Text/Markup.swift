import SchemaKit

/// Escapes text for HTML, SVG and the labels of Graphviz, so that both XML and HTML parsers accept it.
enum Markup {
  /// A text in which nothing is markup, inside of attributes too.
  ///
  /// Characters that XML has no way to write become U+FFFD.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      default:
        let isWritable = scalar.value >= 32 && scalar.value != 0x7F && scalar.value & 0xFFFE != 0xFFFE
        result.unicodeScalars.append(isWritable ? scalar : "\u{FFFD}")
      }
    }
    return result
  }

  /// An element; its content is markup already, its attributes are texts. Without content it ends where it begins.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ content: String? = nil
  ) -> String {
    let head = name + attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
    return content.map { "<\(head)>\($0)</\(name)>" } ?? "<\(head)/>"
  }

  /// A text in an element.
  static func text(_ name: String, _ attributes: KeyValuePairs<String, String> = [:], _ text: String) -> String {
    element(name, attributes, escaped(text))
  }
}

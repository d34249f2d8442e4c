/// Writes names and literals so that SQLite reads back exactly what was meant.
public enum SQLQuoting {
  /// Puts a name in double quotes, doubling any quote inside.
  public static func identifier(_ name: String) -> String { quote(name, with: "\"") }

  /// Puts a text in single quotes, doubling any quote inside.
  public static func literal(_ text: String) -> String { quote(text, with: "'") }

  private static func quote(_ text: String, with mark: Character) -> String {
    guard text.utf8.contains(where: { $0 == mark.asciiValue }) else { return "\(mark)\(text)\(mark)" }
    var quoted = String(mark)
    for character in text.unicodeScalars {
      quoted.unicodeScalars.append(character)
      if Character(character) == mark { quoted.unicodeScalars.append(character) }
    }
    quoted.append(mark)
    return quoted
  }
}

extension String {
  /// The text as a word for a shell: in quotes where it would take it for more.
  package var shellWord: String {
    let signs = "0123456789_.:=-,/".unicodeScalars
    let isPlain = unicodeScalars.allSatisfy { $0.properties.isAlphabetic || signs.contains($0) }
    return isPlain && !isEmpty ? self : "'" + replacing("'", with: #"'\''"#) + "'"
  }
}

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

/// A SQL text as tokens that are equal when the texts mean the same: no space or comments, folded case, bare names.
struct RawTokens: Hashable {
  private(set) var tokens: [String] = []

  init(_ sql: String) {
    let text = Array(sql.unicodeScalars)
    var at = 0
    func string(_ range: Range<Int>) -> String { String(String.UnicodeScalarView(text[range])) }
    while at < text.count {
      let start = at
      let next: UnicodeScalar? = at + 1 < text.count ? text[at + 1] : nil
      switch text[at] {
      case " ", "\n", "\t", "\r": at += 1
      case "-" where next == "-": while at < text.count, text[at] != "\n" { at += 1 }
      case "/" where next == "*":
        at += 2
        while at + 1 < text.count, !(text[at] == "*" && text[at + 1] == "/") { at += 1 }
        at += 2
      case "'", "\"", "`", "[":
        let close: UnicodeScalar = text[at] == "[" ? "]" : text[at]
        var content = ""
        at += 1
        while at < text.count {
          if text[at] == close {
            guard close != "]", at + 1 < text.count, text[at + 1] == close else { break }
            at += 1
          }
          content.unicodeScalars.append(text[at])
          at += 1
        }
        at += 1
        tokens.append(close == "'" ? "'" + content + "'" : asciiFolded(content))
      case let scalar where Self.isWord(scalar):
        while at < text.count, Self.isWord(text[at]) { at += 1 }
        let word = asciiFolded(string(start..<at))
        if word == "x", at < text.count, text[at] == "'" { tokens.append("blob") } else { tokens.append(word) }
      default:
        at += 1
        let pair = at < text.count ? string(start..<(at + 1)) : ""
        if ["<=", ">=", "<>", "!=", "==", "||", "<<", ">>", "->"].contains(pair) { at += 1 }
        tokens.append(string(start..<at))
      }
    }
  }

  init(tokens: [String]) { self.tokens = tokens }

  private static func isWord(_ scalar: UnicodeScalar) -> Bool {
    scalar.value > 127 || scalar == "_" || scalar == "$"
      || ("0"..."9").contains(scalar) || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
  }

  var text: String { tokens.joined(separator: " ") }

  func count(of phrase: String...) -> Int {
    guard tokens.count >= phrase.count else { return 0 }
    return (0...(tokens.count - phrase.count)).count { tokens[$0..<($0 + phrase.count)].elementsEqual(phrase) }
  }

  /// The same without the given words.
  func without(_ words: Set<String>) -> RawTokens { RawTokens(tokens: tokens.filter { !words.contains($0) }) }

  /// The same without parentheses around the whole.
  var unwrapped: RawTokens {
    guard tokens.first == "(", let end = closing(of: 0), end == tokens.count - 1 else { return self }
    return RawTokens(tokens: Array(tokens[1..<end])).unwrapped
  }

  /// What stands in parentheses right after each occurrence of a word.
  func groups(after word: String) -> [RawTokens] {
    tokens.indices.compactMap { at in
      guard tokens[at] == word, at + 1 < tokens.count, tokens[at + 1] == "(", let end = closing(of: at + 1) else {
        return nil
      }
      return RawTokens(tokens: Array(tokens[(at + 1)...end])).unwrapped
    }
  }

  /// The words that follow each occurrence of a phrase.
  func words(after phrase: String...) -> [String] {
    tokens.indices.compactMap { at in
      let end = at + phrase.count
      return end < tokens.count && tokens[at..<end].elementsEqual(phrase) ? tokens[end] : nil
    }
  }

  private func closing(of open: Int) -> Int? {
    var depth = 0
    for at in open..<tokens.count {
      if tokens[at] == "(" { depth += 1 }
      if tokens[at] == ")" { depth -= 1 }
      if depth == 0 { return at }
    }
    return nil
  }
}

/// The lines on which the keys of a TOML text stand, which its parser does not tell.
///
/// The elements of a list have the key of the list and their number, as in `["rules", "[0]", "id"]`.
///
/// The text is known to be valid; of another one the lines may be wrong, and nothing worse happens.
struct TOMLLines {
  private var lines: [[String]: Int] = [:]
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1
  /// The number of elements of each list so far.
  private var counts: [[String]: Int] = [:]
  /// The list of the element that is being read, and the key of that element.
  private var element: (list: [String], key: [String])?

  init(_ text: String) {
    bytes = Array(text.utf8)
    var table: [String] = []
    while position < bytes.count {
      skipBlanks(andLines: true)
      guard let byte = peek else { break }
      if byte == UInt8(ascii: "[") {
        let start = position
        while peek == UInt8(ascii: "[") { advance() }
        let isElement = position - start > 1
        let first = line
        table = key(in: [], endingAt: UInt8(ascii: "]"))
        while peek == UInt8(ascii: "]") { advance() }
        if isElement {
          beginElement(of: table, on: first)
        } else if let list = element?.list, !table.starts(with: list) {
          element = nil
        }
      } else {
        keyAndValue(in: table)
      }
    }
  }

  /// The line of a key, from 1.
  subscript(path: [String]) -> Int? { lines[path] }

  // MARK: - Reading

  private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func advance() {
    if peek == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  private mutating func beginElement(of list: [String], on line: Int) {
    let key = list + ["[\(counts[list, default: 0])]"]
    counts[list, default: 0] += 1
    lines[key] = line
    element = (list, key)
  }

  /// Goes on to what means something; comments mean nothing.
  private mutating func skipBlanks(andLines: Bool) {
    while let byte = peek {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), 0xEF, 0xBB, 0xBF: advance()
      case UInt8(ascii: "\n") where andLines: advance()
      case UInt8(ascii: "#") where andLines: while let byte = peek, byte != UInt8(ascii: "\n") { advance() }
      default: return
      }
    }
  }

  private mutating func keyAndValue(in table: [String]) {
    let path = key(in: table, endingAt: UInt8(ascii: "="))
    if peek == UInt8(ascii: "=") { advance() }
    value(of: path)
  }

  /// Reads a key, dotted or not, and notes its line.
  private mutating func key(in table: [String], endingAt end: UInt8) -> [String] {
    var path = table
    while let byte = peek, byte != end, byte != UInt8(ascii: "\n") {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): note(string(), in: &path)
      case UInt8(ascii: "."), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): advance()
      default:
        var word: [UInt8] = []
        while let byte = peek, byte != end, !Self.wordEnds.contains(byte) {
          word.append(byte)
          advance()
        }
        note(word, in: &path)
      }
    }
    return path
  }

  private static let wordEnds: Set<UInt8> = Set(". \t\r\n\"'".utf8)

  private mutating func note(_ word: [UInt8], in path: inout [String]) {
    path.append(String(decoding: word, as: UTF8.self))
    if lines[path] == nil { lines[path] = line }
    guard let element, path.count > element.list.count, path.starts(with: element.list) else { return }
    let own = element.key + path[element.list.count...]
    if lines[own] == nil { lines[own] = line }
  }

  private mutating func value(of path: [String]) {
    skipBlanks(andLines: false)
    switch peek {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = string()
    case UInt8(ascii: "["):
      let outer = element
      list(closedBy: UInt8(ascii: "]")) { reader in
        reader.beginElement(of: path, on: reader.line)
        reader.value(of: path)
      }
      element = outer
    case UInt8(ascii: "{"): list(closedBy: UInt8(ascii: "}")) { reader in reader.keyAndValue(in: path) }
    default: while let byte = peek, !Self.valueEnds.contains(byte) { advance() }
    }
  }

  private static let valueEnds: Set<UInt8> = Set(",]}#\n".utf8)

  private mutating func list(closedBy end: UInt8, _ element: (inout Self) -> Void) {
    advance()
    while true {
      skipBlanks(andLines: true)
      guard let byte = peek else { return }
      let start = position
      if byte == end { return advance() }
      if byte == UInt8(ascii: ",") { advance() } else { element(&self) }
      if position == start { advance() }
    }
  }

  /// Reads a string and returns what stands between its quotes.
  private mutating func string() -> [UInt8] {
    guard let quote = peek else { return [] }
    let isLong = bytes[position...].starts(with: [quote, quote, quote])
    let closing = isLong ? [quote, quote, quote] : [quote]
    for _ in closing { advance() }
    var content: [UInt8] = []
    while let byte = peek, !bytes[position...].starts(with: closing) {
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { advance() }
      if let byte = peek { content.append(byte) }
      advance()
    }
    for _ in closing where peek != nil { advance() }
    // Up to two quotes may stand before the closing ones.
    while isLong, peek == quote { advance() }
    return content
  }
}

extension SQLLexer {
  package static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  package static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  package static func isHexDigit(_ byte: UInt8) -> Bool {
    isDigit(byte) || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f"))
  }

  /// True if a bare word can start with the byte.
  package static func startsWord(_ byte: UInt8) -> Bool {
    (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")) || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  /// True if a bare word can go on with the byte.
  package static func continuesWord(_ byte: UInt8) -> Bool {
    startsWord(byte) || isDigit(byte) || byte == UInt8(ascii: "$")
  }

  /// Finds the kind of the token that starts here, and its end.
  package func scan(from start: Int, byte: UInt8) throws(SQLSyntaxError) -> (SQLToken.Kind, Int) {
    switch byte {
    case UInt8(ascii: "x"), UInt8(ascii: "X"):
      if self[start + 1] == UInt8(ascii: "'") { return (.blob, try endOfBlob(from: start)) }
      return (.word, endOfWord(from: start))
    case _ where Self.startsWord(byte):
      return (.word, endOfWord(from: start))
    case UInt8(ascii: "'"):
      return (.string, try endOfQuoted(from: start, mark: byte))
    case UInt8(ascii: "\""), UInt8(ascii: "`"):
      return (.quotedName, try endOfQuoted(from: start, mark: byte))
    case UInt8(ascii: "["):
      return (.quotedName, try endOfBracketed(from: start))
    case _ where Self.isDigit(byte):
      return try number(from: start)
    case UInt8(ascii: ".") where Self.isDigit(self[start + 1]):
      return try number(from: start)
    case UInt8(ascii: "?"):
      var end = start + 1
      while Self.isDigit(self[end]) { end += 1 }
      return (.variable, end)
    case UInt8(ascii: ":"), UInt8(ascii: "@"), UInt8(ascii: "$"), UInt8(ascii: "#"):
      return (.variable, try endOfVariable(from: start))
    default:
      return (.symbol, try endOfSymbol(from: start, byte: byte))
    }
  }

  private func endOfWord(from start: Int) -> Int {
    var end = start + 1
    while end < bytes.count, Self.continuesWord(bytes[end]) { end += 1 }
    return end
  }

  private func endOfQuoted(from start: Int, mark: UInt8) throws(SQLSyntaxError) -> Int {
    var end = start + 1
    while self[end] != 0 {
      if bytes[end] == mark {
        if self[end + 1] != mark { return end + 1 }
        end += 1
      }
      end += 1
    }
    let mark = Character(UnicodeScalar(mark))
    throw SQLSyntaxError("a quoted text starts here but its closing \(mark) is missing", at: start, in: bytes)
  }

  private func endOfBracketed(from start: Int) throws(SQLSyntaxError) -> Int {
    var end = start + 1
    while self[end] != 0 {
      if bytes[end] == UInt8(ascii: "]") { return end + 1 }
      end += 1
    }
    throw SQLSyntaxError("a name in brackets starts here but its closing ] is missing", at: start, in: bytes)
  }

  private func endOfBlob(from start: Int) throws(SQLSyntaxError) -> Int {
    var end = start + 2
    while Self.isHexDigit(self[end]) { end += 1 }
    guard self[end] == UInt8(ascii: "'"), (end - start) % 2 == 0 else {
      throw SQLSyntaxError("a blob literal needs an even number of hexadecimal digits in quotes", at: start, in: bytes)
    }
    return end + 1
  }

  private func number(from start: Int) throws(SQLSyntaxError) -> (SQLToken.Kind, Int) {
    var kind = SQLToken.Kind.integer
    var end = start
    if bytes[start] == UInt8(ascii: "0"), self[start + 1] | 0x20 == UInt8(ascii: "x"), Self.isHexDigit(self[start + 2])
    {
      end = endOfDigits(from: start + 2, Self.isHexDigit)
    } else {
      end = endOfDigits(from: start, Self.isDigit)
      if self[end] == UInt8(ascii: ".") {
        kind = .float
        end = endOfDigits(from: end + 1, Self.isDigit)
      }
      if self[end] | 0x20 == UInt8(ascii: "e") {
        let hasSign = self[end + 1] == UInt8(ascii: "+") || self[end + 1] == UInt8(ascii: "-")
        let digits = end + (hasSign ? 2 : 1)
        if Self.isDigit(self[digits]) {
          kind = .float
          end = endOfDigits(from: digits, Self.isDigit)
        }
      }
    }
    guard !Self.continuesWord(self[end]) else {
      throw SQLSyntaxError(
        "\"\(String(decoding: bytes[start..<endOfWord(from: end)], as: UTF8.self))\" is neither a number nor a name",
        at: start,
        in: bytes
      )
    }
    return (kind, end)
  }

  /// Digits with single underscores between them, which SQLite reads since 3.46.
  private func endOfDigits(from start: Int, _ isDigit: (UInt8) -> Bool) -> Int {
    var end = start
    while isDigit(self[end])
      || (end > start && self[end] == UInt8(ascii: "_") && isDigit(self[end - 1]) && isDigit(self[end + 1]))
    {
      end += 1
    }
    return end
  }

  private func endOfVariable(from start: Int) throws(SQLSyntaxError) -> Int {
    var end = start + 1
    var length = 0
    scan: while true {
      switch self[end] {
      case let byte where Self.continuesWord(byte):
        end += 1
        length += 1
      case UInt8(ascii: "(") where length > 0:
        while self[end] != 0, self[end] != UInt8(ascii: ")"), !Self.isSpace(self[end]) { end += 1 }
        guard self[end] == UInt8(ascii: ")") else { break scan }
        return end + 1
      case UInt8(ascii: ":") where self[end + 1] == UInt8(ascii: ":"):
        end += 2
      default:
        if length > 0 { return end }
        break scan
      }
    }
    let isCast = self[start] == UInt8(ascii: ":") && self[start + 1] == UInt8(ascii: ":")
    throw SQLSyntaxError(
      self[start] == UInt8(ascii: "#")
        ? "# begins no comment here; comments begin with --"
        : isCast
          ? "SQLite has no cast by ::; write CAST(value AS type), or the value alone"
          : "a parameter starts here but its name is missing or not closed", at: start, in: bytes)
  }

  private func endOfSymbol(from start: Int, byte: UInt8) throws(SQLSyntaxError) -> Int {
    let second = Character(UnicodeScalar(self[start + 1]))
    switch Character(UnicodeScalar(byte)) {
    case "(", ")", ",", ";", ".", "+", "*", "%", "&", "~", "/": return start + 1
    case "-" where second == ">": return self[start + 2] == UInt8(ascii: ">") ? start + 3 : start + 2
    case "-": return start + 1
    case "=": return second == "=" ? start + 2 : start + 1
    case "<": return second == "=" || second == ">" || second == "<" ? start + 2 : start + 1
    case ">": return second == "=" || second == ">" ? start + 2 : start + 1
    case "|": return second == "|" ? start + 2 : start + 1
    case "!" where second == "=": return start + 2
    default:
      let found = byte < 0x20 ? "the byte \(byte)" : "\"\(Character(UnicodeScalar(byte)))\""
      throw SQLSyntaxError("\(found) has no meaning in SQL", at: start, in: bytes)
    }
  }
}

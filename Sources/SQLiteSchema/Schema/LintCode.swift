/// The permanent code of a rule of `lint`, which comments of a schema and settings refer to.
package enum LintCode: String, Sendable, Hashable, CaseIterable {
  case foreignKeyIndex = "SL101"
  case foreignKeyTarget = "SL102"
  case foreignKeyUniqueness = "SL103"
  case foreignKeyType = "SL104"
  case foreignKeyNull = "SL105"
  case integerKey = "SL106"
  case nullableKey = "SL107"
  case duplicateIndex = "SL201"
  case prefixIndex = "SL202"
  case textType = "SL301"
  case integerType = "SL302"
  case dateType = "SL303"
  case defaultValue = "SL304"
  case constraintInType = "SL305"
  case doubleQuotes = "SL401"
  case keywordName = "SL402"
  case unnamedCheck = "SL403"
  case brokenView = "SL501"
  case brokenTrigger = "SL502"
  case readsClock = "SL503"
  case synchronisedKey = "SL601"
  case synchronisedUnique = "SL602"
  case synchronisedValue = "SL603"
  case synchronisedDelete = "SL604"
}

/// The ids of rules that a project has of its own.
package enum ProjectRuleID {
  /// True if a text can be an id: a letter, and then up to 63 letters, digits, hyphens and underscores.
  package static func isValid(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= 64 else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
  }

  /// True if a text has the form of SchemaKit's own codes: S, a letter and a digit.
  package static func isReserved(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8.prefix(3))
    return bytes.count == 3 && bytes[0] | 0x20 == UInt8(ascii: "s") && isLetter(bytes[1]) && isDigit(bytes[2])
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}

extension SQLToken {
  /// One spelling for all spellings of the same thing, given what stands around it.
  ///
  /// - Parameter hasRowID: False in a table WITHOUT ROWID, where the names of the rowid name nothing.
  package func canonical(
    after previous: SQLToken?, before next: SQLToken?, columns: Set<SQLName>?, hasRowID: Bool = true
  ) -> String {
    if let name, name.isMeantOtherwise, columns?.contains(name) == true, next?.isSymbol("(") != true,
      previous?.isKeyword("COLLATE") != true, previous?.isKeyword("AS") != true
    {
      return SQLQuoting.identifier(name.folded)
    }
    switch kind {
    case .word:
      return SQLName.fold(text)
    case .quotedName:
      if let columns, isDoubleQuotedText(after: previous, before: next, columns: columns, hasRowID: hasRowID) {
        return SQLQuoting.literal(unquotedText)
      }
      return canonicalName
    case .string:
      return isNameByPlace(after: previous, before: next) ? canonicalName : text
    case .blob:
      return "x" + SQLName.fold(String(text.dropFirst()))
    case .integer:
      return canonicalInteger
    case .float:
      return canonicalFloat
    case .symbol:
      if text == "==" { return "=" }
      return text == "<>" ? "!=" : text
    case .variable:
      return text
    }
  }

  /// True if this is a name in double quotes that SQLite takes for a text, because no column has it.
  package func isDoubleQuotedText(
    after previous: SQLToken?, before next: SQLToken?, columns: Set<SQLName>, hasRowID: Bool = true
  ) -> Bool {
    kind == .quotedName && text.utf8.first == UInt8(ascii: "\"") && !isNameByPlace(after: previous, before: next)
      && !columns.contains(SQLName(unquotedText)) && !(hasRowID && SQLName(unquotedText).isNameOfRowID)
  }

  /// The value of a DEFAULT clause that consists of this token.
  package var canonicalDefault: String {
    switch kind {
    case .word:
      if isKeyword("TRUE") { return "1" }
      if isKeyword("FALSE") { return "0" }
      let isValue = ["NULL", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP"].contains(where: isKeyword)
      return isValue ? SQLName.fold(text) : SQLQuoting.literal(text)
    case .quotedName:
      return SQLQuoting.literal(unquotedText)
    default:
      return canonical(after: nil, before: nil, columns: nil)
    }
  }

  package var isSignOrNumber: Bool { kind == .integer || kind == .float || isSymbol("+") || isSymbol("-") }

  /// True if what stands around a text in quotes leaves it no choice but to be a name.
  private func isNameByPlace(after previous: SQLToken?, before next: SQLToken?) -> Bool {
    if let next, next.isSymbol(".") || (kind == .quotedName && next.isSymbol("(")) { return true }
    guard let previous else { return false }
    return previous.isSymbol(".") || previous.isKeyword("COLLATE") || previous.isKeyword("AS")
  }

  /// A name in small letters; in quotes when without them it would be something else.
  private var canonicalName: String {
    let name = SQLName.fold(unquotedText)
    if SQLKeywords.isPlainIdentifier(name), !SQLKeywords.hasMeaningInExpressions(name) { return name }
    return SQLQuoting.identifier(name)
  }

  private var canonicalInteger: String {
    let digits = text.filter { $0 != "_" }
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      // SQLite reads sixteen hexadecimal digits as the bits of a signed number.
      guard let bits = UInt64(digits.dropFirst(2), radix: 16) else { return SQLName.fold(digits) }
      return String(Int64(bitPattern: bits))
    }
    guard let value = Int64(digits) else {
      let significant = digits.drop { $0 == "0" }
      return String(significant)
    }
    return String(value)
  }

  private var canonicalFloat: String {
    let digits = text.filter { $0 != "_" }
    return Double(digits.hasPrefix(".") ? "0" + digits : digits).map { "\($0)" } ?? digits
  }
}

extension SQLName {
  /// True for a name of the rowid, which a column may have too.
  package var isNameOfRowID: Bool { Self.namesOfRowID.contains(self) }

  /// The names of the rowid.
  package static let namesOfRowID: [SQLName] = ["rowid", "oid", "_rowid_"]

  /// True for a truth value, which a column may have as its name. SQLite drops such a name of a query's result column and calls
  /// it `column1` or the like.
  package var isTruthValue: Bool { folded == "true" || folded == "false" }

  /// True for a word that means something in a table without a column of that name: the
  /// [rowid](https://sqlite.org/lang_createtable.html#rowid), or a [truth value](https://sqlite.org/datatype3.html#boolean_datatype).
  package var isMeantOtherwise: Bool { isNameOfRowID || isTruthValue }
}

import CSQLite

extension SQLiteConnection {
  /// Runs a body while SQL may call a function that is true for a row with a value that its column would not store as it is:
  /// two letters for each value, the values; nil if SQLite does not take the function now.
  func withClassFunction<T>(_ quotedName: String, _ body: () throws -> T) rethrows -> T? {
    let name = quotedName.replacing("\"", with: "")
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLFunction.CallSite.statements.flag
    guard sqlite3_create_function_v2(handle, name, -1, flags, nil, breaksRules, nil, nil, nil) == SQLITE_OK else {
      return nil
    }
    defer { removeFunction(name, arity: -1) }
    return try body()
  }
}

/// Called for each row, so that nothing here calls another module: the letters are those of the kinds in the questions.
private func breaksRules(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let arguments, count > 1, let letters = sqlite3_value_text(arguments[0]),
    sqlite3_value_bytes(arguments[0]) == 2 * (count - 1)
  else { return sqlite3_result_error(context, "letters for each value", -1) }
  for index in 0..<Int(count) - 1 {
    let value = arguments[index + 1]
    let type = sqlite3_value_type(value)
    let isFault =
      type == SQLITE_NULL
      ? letters[2 * index + 1] == UInt8(ascii: "!") : breaks(value, of: type, letters[2 * index])
    if isFault { return sqlite3_result_int(context, 1) }
  }
  sqlite3_result_int(context, 0)
}

/// True if a column would store a value otherwise, or not at all.
private func breaks(_ value: OpaquePointer?, of type: Int32, _ letter: UInt8) -> Bool {
  // SQLite takes a text for a number by the rules of affinity: https://sqlite.org/c3ref/value_blob.html
  func isNumber() -> Bool { type != SQLITE_BLOB && sqlite3_value_numeric_type(value) != SQLITE_TEXT }
  func isLarge() -> Bool { isNumber() && abs(sqlite3_value_double(value)) >= 0x1p53 }
  switch letter {
  case UInt8(ascii: "t"): return type == SQLITE_INTEGER || type == SQLITE_FLOAT
  case UInt8(ascii: "n"):
    guard type == SQLITE_FLOAT else { return type == SQLITE_TEXT && isNumber() }
    let number = sqlite3_value_double(value)
    return number.rounded(.towardZero) == number && (abs(number) < 0x1p63 || number == -0x1p63)
  case UInt8(ascii: "r"):
    if type == SQLITE_TEXT { return isNumber() }
    let isNegativeZero = type == SQLITE_FLOAT && sqlite3_value_double(value).bitPattern == 1 << 63
    return isNegativeZero || isLarge()
  case UInt8(ascii: "I"): return type != SQLITE_INTEGER
  case UInt8(ascii: "w"): return type != SQLITE_INTEGER || isLarge()
  case UInt8(ascii: "R"): return type != SQLITE_FLOAT || isLarge()
  case UInt8(ascii: "T"): return type != SQLITE_TEXT
  case UInt8(ascii: "B"): return type != SQLITE_BLOB
  default: return false
  }
}

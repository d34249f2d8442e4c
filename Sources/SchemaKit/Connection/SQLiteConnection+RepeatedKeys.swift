import CSQLite

extension SQLiteConnection {
  /// Runs a body while SQL may call a function that is true for a key which it may have been called with before: a letter for
  /// the collation of each value, the values; nil if SQLite does not take the function now. Begin anew for each query.
  ///
  /// - Parameter most: The number of keys that it remembers, in 16 bytes each; with more it is true.
  func withRepeatedKeys<T>(_ quotedName: String, most: Int, _ body: () throws -> T) rethrows -> T? {
    let name = quotedName.replacing("\"", with: "")
    let keys = SeenKeys(most: most)
    let flags = SQLITE_UTF8 | SQLFunction.CallSite.statements.flag
    let context = Unmanaged.passUnretained(keys).toOpaque()
    guard sqlite3_create_function_v2(handle, name, -1, flags, context, isRepeated, nil, nil, nil) == SQLITE_OK else {
      return nil
    }
    defer { withExtendedLifetime(keys) { removeFunction(name, arity: -1) } }
    return try body()
  }
}

/// The hashes of keys, in a table with open addressing.
///
/// It has identity because the C function writes into it.
private final class SeenKeys {
  /// Hashes at their places; 0 where there is none.
  private var slots: UnsafeMutableBufferPointer<UInt64>
  private var count = 0
  private let most: Int

  init(most: Int) {
    self.most = most
    slots = .allocate(capacity: 1 << 11)
    slots.initialize(repeating: 0)
  }

  deinit { slots.deallocate() }

  /// Adds a hash. Returns true if the table already has it, or is full.
  func insert(_ hash: UInt64) -> Bool {
    if 2 * count >= slots.count, !grow() { return true }
    guard place(hash == 0 ? 1 : hash) else { return true }
    count += 1
    return false
  }

  private func place(_ hash: UInt64) -> Bool {
    let mask = slots.count - 1
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0 {
      if slots[place] == hash { return false }
      place = (place + 1) & mask
    }
    slots[place] = hash
    return true
  }

  private func grow() -> Bool {
    guard slots.count < 2 * most else { return false }
    let former = slots
    slots = .allocate(capacity: 4 * former.count)
    slots.initialize(repeating: 0)
    for hash in former where hash != 0 { _ = place(hash) }
    former.deallocate()
    return true
  }
}

private func isRepeated(
  _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
) {
  guard let arguments, count > 1, let letters = sqlite3_value_text(arguments[0]),
    sqlite3_value_bytes(arguments[0]) == count - 1, let data = sqlite3_user_data(context)
  else { return sqlite3_result_error(context, "a letter for each value", -1) }
  var hash = KeyHash()
  for index in 0..<Int(count) - 1 { hash.add(arguments[index + 1], collatedBy: letters[index]) }
  let keys = Unmanaged<SeenKeys>.fromOpaque(data).takeUnretainedValue()
  sqlite3_result_int(context, keys.insert(hash.value) ? 1 : 0)
}

/// A hash that is the same for keys that SQLite calls equal.
private struct KeyHash {
  private(set) var value: UInt64 = 0x9E37_79B9_7F4A_7C15

  mutating func add(_ word: UInt64) {
    let product = (value ^ word).multipliedFullWidth(by: 0xD6E8_FEB8_6659_FD93)
    value = product.high ^ product.low &+ 0xA076_1D64_78BD_642F
  }

  mutating func add(_ argument: OpaquePointer?, collatedBy letter: UInt8) {
    switch sqlite3_value_type(argument) {
    case SQLITE_NULL: add(0)
    case SQLITE_INTEGER: addInteger(sqlite3_value_int64(argument))
    case SQLITE_FLOAT:
      // SQLite compares an integer and a real by their exact values.
      let number = sqlite3_value_double(argument)
      if let integer = Int64(exactly: number) { return addInteger(integer) }
      add(2)
      add(number.bitPattern)
    case SQLITE_TEXT:
      guard let bytes = sqlite3_value_text(argument) else { return add(0) }
      addText(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_value_bytes(argument))), collatedBy: letter)
    default:
      let count = Int(sqlite3_value_bytes(argument))
      add(4)
      add(UnsafeRawBufferPointer(start: sqlite3_value_blob(argument), count: count))
    }
  }

  private mutating func addInteger(_ integer: Int64) {
    add(1)
    add(UInt64(bitPattern: integer))
  }

  private mutating func addText(_ text: UnsafeBufferPointer<UInt8>, collatedBy letter: UInt8) {
    add(3)
    switch letter {
    case UInt8(ascii: "n"):
      // NOCASE folds the letters of ASCII, compares up to a NUL, and then the lengths.
      for byte in text.prefix(while: { $0 != 0 }) { add(UInt64(byte | (65...90 ~= byte ? 32 : 0))) }
      add(UInt64(text.count))
    case UInt8(ascii: "r"):
      var count = text.count
      while count > 0, text[count - 1] == UInt8(ascii: " ") { count -= 1 }
      add(UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: text[..<count])))
    default: add(UnsafeRawBufferPointer(text))
    }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = 0
    for byte in bytes[offset...] { rest = rest << 8 | UInt64(byte) }
    add(rest)
    add(UInt64(bytes.count))
  }
}

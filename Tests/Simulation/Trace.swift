/// A hash over everything that a simulation observes, in order (64-bit FNV-1a).
struct Trace: Sendable {
  private(set) var value: UInt64

  init(value: UInt64 = 0xcbf2_9ce4_8422_2325) { self.value = value }

  mutating func add(_ number: Int) {
    var rest = UInt64(bitPattern: Int64(number))
    for _ in 0..<8 {
      value = (value ^ (rest & 0xff)) &* 0x100_0000_01b3
      rest >>= 8
    }
  }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  mutating func add(_ text: String) { add(text.utf8) }

  /// Sixteen hexadecimal digits.
  var digits: String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}

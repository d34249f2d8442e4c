/// Makes new inputs of old ones, the same ones for the same seed.
package struct InputMutator {
  private var state: UInt64
  private let words: [[UInt8]]

  /// - Parameters:
  ///   - seed: Where the sequence begins.
  ///   - words: Pieces that mean something in the inputs.
  package init(seed: UInt64, words: [String] = []) {
    state = seed
    self.words = words.map { Array($0.utf8) }
  }

  /// The next number below a limit. See [SplitMix64](https://prng.di.unimi.it/splitmix64.c).
  package mutating func number(below limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, limit)))
  }

  /// An input with one to five small accidents, pieces of another input among them.
  package mutating func mutated(_ input: [UInt8], with other: [UInt8]) -> [UInt8] {
    var bytes = input
    for _ in 0...number(below: 5) {
      let place = number(below: bytes.count + 1)
      switch number(below: 7) {
      case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(number(below: 8))
      case 1 where place < bytes.count: bytes[place] = UInt8(number(below: 256))
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + number(below: 12)))
      case 3 where !words.isEmpty: bytes.insert(contentsOf: words[number(below: words.count)], at: place)
      case 4:
        let start = number(below: other.count + 1)
        bytes.insert(contentsOf: other[start..<min(other.count, start + number(below: 40))], at: place)
      case 5:
        let start = number(below: bytes.count + 1)
        bytes.insert(contentsOf: Array(bytes[start..<min(bytes.count, start + number(below: 40))]), at: place)
      case 6 where number(below: 4) == 0: bytes.removeSubrange(place...)
      default: continue
      }
    }
    return bytes
  }
}

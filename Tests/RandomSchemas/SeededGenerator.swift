/// A random source that gives the same numbers for the same seed on every machine and in every run (splitmix64).
package struct SeededGenerator: RandomNumberGenerator, CustomStringConvertible {
  package let seed: Int
  private var state: UInt64

  package init(seed: Int) {
    self.seed = seed
    state = UInt64(bitPattern: Int64(seed))
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// True in about this many of a hundred calls.
  package mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }

  /// One of the elements, which must not be empty.
  package mutating func pick<C: RandomAccessCollection>(_ elements: C) -> C.Element {
    let offset = Int.random(in: 0..<elements.count, using: &self)
    return elements[elements.index(elements.startIndex, offsetBy: offset)]
  }

  /// One of the elements, or nothing when there is none.
  package mutating func any<C: RandomAccessCollection>(_ elements: C) -> C.Element? {
    elements.isEmpty ? nil : pick(elements)
  }

  /// A whole number within the bounds.
  package mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  package var description: String { "seed \(seed)" }
}

/// A few crash points out of all of them, chosen by chance that a number repeats.
struct CrashSample: Sendable {
  var seed: UInt64
  /// The number of points.
  var count: Int
}

extension CrashSample {
  /// The points that were chosen among those of one migration, and for each a state of the disk.
  struct Choice {
    private let points: Set<Int>
    private var chance: SeededChance

    init(_ sample: CrashSample, of operations: Int) {
      var chance = SeededChance(seed: sample.seed)
      points = Set((1...max(1, operations)).shuffled(using: &chance).prefix(sample.count))
      self.chance = chance
    }

    func includes(_ point: Int) -> Bool { points.contains(point) }

    mutating func one(of states: [DiskState]) -> DiskState? { states.randomElement(using: &chance) }
  }
}

/// Chance that begins anew with the same number.
///
/// See Steele, Lea and Flood, [Fast Splittable Pseudorandom Number
/// Generators](https://doi.org/10.1145/2714064.2660195).
struct SeededChance: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

import FloorRecords
import Foundation

/// The row that all implementations write and read; each has a type of its own with these properties.
protocol BenchRecord: Sendable {
  var id: Int64 { get }
  var title: String { get }
  var author: String { get }
  var place: String { get }
  var note: String { get }
  var rank: Int64 { get }
  var visits: Int64 { get }
  var price: Double { get }
  var weight: Double { get }
  var payload: Data? { get }

  init(
    id: Int64, title: String, author: String, place: String, note: String, rank: Int64, visits: Int64, price: Double,
    weight: Double, payload: Data?)
}

/// The record in its simplest form, which no library knows.
struct PlainRecord: BenchRecord {
  let id: Int64
  var title: String
  var author: String
  var place: String
  var note: String
  var rank: Int64
  var visits: Int64
  var price: Double
  var weight: Double
  var payload: Data?
}

/// What is written and asked for: the same in every run and for every implementation.
struct Workload: Sendable {
  /// The rows to insert.
  let records: [PlainRecord]
  /// Half of the keys, shuffled.
  let keys: [Int64]
  /// New values for half of the rows, shuffled.
  let changes: [PlainRecord]
  /// One range of ranks that holds about a tenth of the rows.
  let wideRange: Range<Int64>
  /// Ranges that hold about twenty rows each.
  let narrowRanges: [Range<Int64>]

  init(rows: Int) {
    var random = SplitMix(state: 0x5EED)
    let ranks = Int64(rows) * 10
    records = (0..<rows).map { Self.record(Int64($0) + 1, ranks: ranks, &random) }
    keys = Array(records.map(\.id).shuffled(using: &random).prefix(rows / 2))
    changes = records.map(\.id).shuffled(using: &random).prefix(rows / 2)
      .map { Self.record($0, ranks: ranks, &random) }
    wideRange = ranks * 45 / 100..<ranks * 55 / 100
    narrowRanges = (0..<max(10, rows / 200)).map { _ in
      let start = Int64.random(in: 0..<ranks - 200, using: &random)
      return start..<start + 200
    }
  }

  private static func record(_ id: Int64, ranks: Int64, _ random: inout SplitMix) -> PlainRecord {
    PlainRecord(
      id: id,
      title: text(&random),
      author: text(&random),
      place: text(&random),
      note: text(&random),
      rank: .random(in: 0..<ranks, using: &random),
      visits: .random(in: 0..<1_000_000_000_000, using: &random),
      price: .random(in: 0..<1000, using: &random),
      weight: .random(in: 0..<1, using: &random),
      payload: random.next() % 4 == 0
        ? nil
        : Data((0..<Int.random(in: 24...40, using: &random)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    )
  }

  private static let letters = Array("etaoin shrdlu cmfwyp vbgkjqxz ET".utf8)

  // Ten to forty characters, in one text of eight not all of them ASCII.
  private static func text(_ random: inout SplitMix) -> String {
    let length = Int.random(in: 10...40, using: &random)
    let text = String(unsafeUninitializedCapacity: length) { buffer in
      for index in 0..<length { buffer[index] = letters[Int(random.next() % UInt64(letters.count))] }
      return length
    }
    return random.next() % 8 == 0 ? "é" + text.dropFirst() : text
  }
}

/// A small generator whose sequence depends on its seed alone.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

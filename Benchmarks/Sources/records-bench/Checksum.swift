import FloorRecords
import Foundation

/// What a phase read, to be checked after the clock has stopped.
protocol Fetched {
  var checksum: Checksum { get }
}

/// A number and a sum over all values of rows; their order does not matter.
struct Checksum: Equatable, CustomStringConvertible {
  private(set) var count = 0
  private(set) var sum: UInt64 = 0

  var description: String { "\(count) rows, \(String(sum, radix: 16))" }

  mutating func add(_ digest: RowDigest) {
    count += 1
    sum &+= digest.state
  }
}

/// A hash over the values of one row, with their lengths.
struct RowDigest {
  private(set) var state: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ number: Int64) {
    state = withUnsafeBytes(of: number.littleEndian) { floor_hash(state, $0.baseAddress, $0.count) }
  }

  mutating func add(_ number: Double) { add(Int64(bitPattern: number.bitPattern)) }

  mutating func add(_ bytes: UnsafeRawBufferPointer?) {
    add(Int64(bytes?.count ?? -1))
    if let bytes { state = floor_hash(state, bytes.baseAddress, bytes.count) }
  }

  mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0)) }
  }

  mutating func add(_ data: Data?) {
    guard let data else { return add(nil as UnsafeRawBufferPointer?) }
    data.withUnsafeBytes { add($0) }
  }
}

extension BenchRecord {
  var digest: RowDigest {
    var digest = RowDigest()
    digest.add(id)
    for text in [title, author, place, note] { digest.add(text) }
    digest.add(rank)
    digest.add(visits)
    digest.add(price)
    digest.add(weight)
    digest.add(payload)
    return digest
  }
}

extension Array: Fetched where Element: BenchRecord {
  var checksum: Checksum { reduce(into: Checksum()) { $0.add($1.digest) } }
}

extension Workload {
  /// What every implementation must have read in a phase.
  func expected(in phase: Phase) -> Checksum? {
    switch phase {
    case .insert, .update: nil
    case .fetchAll: records.checksum
    case .fetchByKey: keys.map { records[Int($0) - 1] }.checksum
    case .filter: checksum(in: [wideRange])
    case .smallFilters: checksum(in: narrowRanges)
    }
  }

  /// What the table must hold at the end.
  var expectedAtEnd: Checksum {
    var rows = records
    for change in changes { rows[Int(change.id) - 1] = change }
    return rows.checksum
  }

  private func checksum(in ranges: [Range<Int64>]) -> Checksum {
    let sorted = records.sorted { $0.rank < $1.rank }
    return ranges.reduce(into: Checksum()) { sum, range in
      let start = sorted.partitioningIndex { $0.rank >= range.lowerBound }
      for record in sorted[start...].prefix(while: { $0.rank < range.upperBound }) { sum.add(record.digest) }
    }
  }
}

extension Array {
  /// Where the elements begin that fulfil a condition, when those that do not come first.
  func partitioningIndex(where belongsToSecond: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongsToSecond(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

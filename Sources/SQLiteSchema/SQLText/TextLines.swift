/// A place in a text.
package struct TextPlace: Sendable, Hashable {
  /// The line, from 1.
  package var line: Int
  /// The column, from 1, in Unicode scalars.
  package var column: Int
}

/// Finds the line and column of a byte of a text.
package struct TextLines: Sendable {
  private let bytes: [UInt8]
  /// Where each line begins, in bytes.
  private let starts: [Int]

  package init(_ text: String) {
    let bytes = Array(text.utf8)
    self.bytes = bytes
    starts = [0] + bytes.indices.filter { bytes[$0] == 10 }.map { $0 + 1 }
  }

  /// The place of a byte, from 0.
  package func place(of offset: Int) -> TextPlace {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    // Each scalar has one byte that does not continue another.
    let before = bytes[starts[low]..<min(offset, bytes.count)].count { $0 & 0xC0 != 0x80 }
    return TextPlace(line: low + 1, column: before + 1)
  }
}

/// The work on rows that a way of changing a table takes.
///
/// The unit is the work of copying a row, with the search for faults before and the comparison with its copy afterwards.
/// `make bench-costs` measures the others as multiples of it, over 1,000,000 rows of 20 columns.
package struct StrategyCost: Sendable, Hashable {
  /// Rows that are copied.
  package var copied = 0
  /// Rows that are read once more.
  package var scanned = 0
  /// Rows that are updated where they are.
  package var updated = 0
  /// Rows on pages that an update writes, changed or not.
  package var onWrittenPages = 0
  /// Entries of indexes that an update takes out and puts in elsewhere.
  package var movedEntries = 0
  /// Rows that DROP COLUMN writes anew, once for each column that is stored.
  package var dropped = 0
  /// Entries of indexes that are sorted.
  package var sortedEntries = 0

  /// The cost in rows that are copied.
  package var total: Double {
    Double(copied) + 0.05 * Double(scanned) + 0.2 * Double(updated) + 0.25 * Double(onWrittenPages)
      + 1.5 * Double(movedEntries) + 0.33 * Double(dropped) + 0.2 * Double(sortedEntries)
  }

  /// Returns this cost as a multiple of another, with one digit; nil if that costs nothing, or about the same.
  package func ratio(to other: StrategyCost) -> String? {
    guard other.total > 0 else { return nil }
    let tenths = Int((total / other.total * 10).rounded())
    guard tenths > 10 else { return nil }
    return tenths.isMultiple(of: 10) || tenths >= 100 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  /// The cost of updating rows that are spread over a table.
  ///
  /// - Parameters:
  ///   - rows: The number of rows of the table.
  ///   - rowBytes: The size of a row.
  ///   - indexes: The number of indexes that read the updated columns.
  package static func updating(_ updated: Int, of rows: Int, rowBytes: Int, indexes: Int) -> StrategyCost {
    StrategyCost(
      updated: updated,
      onWrittenPages: min(rows, updated * max(1, 4_096 / max(1, rowBytes))), movedEntries: updated * indexes)
  }
}

/// The keys of the rows that were saved together, in the order of the objects.
public struct RecordKeys: Sendable, Hashable, RandomAccessCollection {
  let width: Int
  var values: [SQLValue] = []

  public var startIndex: Int { 0 }
  public var endIndex: Int { values.count / width }
  public subscript(position: Int) -> RecordKey {
    RecordKey(Array(values[position * width..<(position + 1) * width]))
  }

  /// The keys as integers; keys that are not integers are left out.
  public var integers: [Int64] { width == 1 ? values.compactMap(\.integer) : [] }
}

import SchemaKitFoundation

/// The source of a ``RowReader``'s values: a statement with a current row, or an array.
///
/// A class rather than a protocol, so that the reader can refer to it without counting references for each column. The
/// functions for one storage class return nil if the value has another.
package class RowSource {
  func isNull(at index: Int) -> Bool { true }
  func integer(at index: Int) -> Int64? { nil }
  func real(at index: Int) -> Double? { nil }
  /// Throws if the text is not valid UTF-8: what cannot be read intact must not be written back.
  func text(at index: Int) throws -> String? { nil }
  /// Lends the bytes of a BLOB.
  func withBlob(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool { false }
  func data(at index: Int) -> Data? { nil }
  func sqlValue(at index: Int) throws -> SQLValue { .null }
}

// The generic parts are inlined into the client's module, where the types of the columns are known. The code that calls
// SQLite stays here and is called with concrete types.

/// A row being read, column by column.
public struct RowReader {
  /// Not retained: its statement is in use while a row is read, and `owned` keeps any other source.
  private let unretained: Unmanaged<RowSource>
  private let owned: RowSource?
  /// The column of the source that is the row's first.
  let base: Int
  let count: Int
  let codings: [(any AnyColumnCoding)?]
  /// True if every column is stored as its type says.
  @usableFromInline let isPlain: Bool
  /// The number of columns that have been read.
  public internal(set) var position = 0
  /// True if a value was asked for after the last.
  private(set) var hasReadBeyond = false

  /// Reads a source that outlives the reader.
  init(
    lent source: RowSource, from base: Int = 0, count: Int, codings: [(any AnyColumnCoding)?] = [],
    owned: RowSource? = nil
  ) {
    unretained = .passUnretained(source)
    self.owned = owned
    self.base = base
    self.count = count
    self.codings = codings
    isPlain = codings.isEmpty
  }

  /// Reads a source that the reader keeps.
  init(owning source: RowSource, count: Int, codings: [(any AnyColumnCoding)?] = []) {
    self.init(lent: source, count: count, codings: codings, owned: source)
  }

  /// Starts at the first of the values.
  public init(_ values: [SQLValue]) { self.init(owning: ValueRow(values), count: values.count) }

  /// Where the values come from.
  var source: RowSource { unretained.takeUnretainedValue() }

  @inline(__always)
  private func reading<T>(_ body: (RowSource) throws -> T) rethrows -> T {
    try unretained._withUnsafeGuaranteedRef { try body($0) }
  }
}

extension RowReader {
  /// Reads a value from the next column, or from the next columns if it is a fragment.
  ///
  /// - Throws: ``ColumnValueError`` if the stored value is not of the type.
  @inlinable @inline(__always)
  public mutating func read<Value: RowValue>(_ type: Value.Type = Value.self) throws -> Value {
    isPlain ? try Value(row: &self) : try readCoded(type)
  }

  @usableFromInline
  mutating func readCoded<Value: RowValue>(_ type: Value.Type) throws -> Value {
    guard codings.indices.contains(position), let coding = codings[position] as? ColumnCoding<Value> else {
      return try Value(row: &self)
    }
    return try coding.decode(next())
  }

  /// Consumes the next column's value.
  ///
  /// - Throws: ``ColumnValueError`` if the row has no more columns.
  public mutating func next() throws -> SQLValue {
    guard position < count else {
      hasReadBeyond = true
      throw ColumnValueError(expected: "a row of more than \(count) columns", found: "its end")
    }
    position += 1
    let index = base + position - 1
    return try reading { try $0.sqlValue(at: index) }
  }

  /// Consumes the next column's value if it is NULL; otherwise leaves it.
  public mutating func nextIsNull() -> Bool {
    let index = base + position
    guard position < count, reading({ $0.isNull(at: index) }) else { return false }
    position += 1
    return true
  }

  /// Consumes the next column's value if it is an integer; otherwise leaves it and returns nil.
  public mutating func nextInteger() -> Int64? {
    let index = base + position
    guard position < count, let value = reading({ $0.integer(at: index) }) else { return nil }
    position += 1
    return value
  }

  /// Consumes the next column's value if it is a real; otherwise leaves it and returns nil.
  public mutating func nextReal() -> Double? {
    let index = base + position
    guard position < count, let value = reading({ $0.real(at: index) }) else { return nil }
    position += 1
    return value
  }

  /// Consumes the next column's value if it is text; otherwise leaves it and returns nil.
  ///
  /// - Throws: ``ColumnValueError`` for text that is not valid UTF-8.
  public mutating func nextText() throws -> String? {
    guard position < count else { return nil }
    let index = base + position
    position += 1
    if let value = try reading({ try $0.text(at: index) }) { return value }
    position -= 1
    return nil
  }

  /// Lends the bytes of the next column's value if it is a BLOB; otherwise leaves it and returns false.
  public mutating func nextBlob(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    let index = base + position
    guard position < count, reading({ $0.withBlob(at: index, body) }) else { return false }
    position += 1
    return true
  }

  /// Consumes the next column's value if it is a BLOB; otherwise leaves it and returns nil.
  mutating func nextData() -> Data? {
    let index = base + position
    guard position < count, let value = reading({ $0.data(at: index) }) else { return nil }
    position += 1
    return value
  }

  /// True if the row has that many more columns.
  func has(_ columns: Int) -> Bool { position + columns <= count }

  /// True if the value of a column after the next is NULL; the next one is 0 columns ahead.
  func isNull(ahead columns: Int) -> Bool { reading { $0.isNull(at: base + position + columns) } }

  /// True if all columns have been read.
  @usableFromInline var isAtEnd: Bool { position == count }

  /// Goes back to the first column, for the next row of the same source.
  @usableFromInline
  mutating func rewind() { position = 0 }
}

/// Values in memory as the source of a row. It has identity because the source is shared with its reader.
final class ValueRow: RowSource {
  private let values: [SQLValue]

  init(_ values: [SQLValue]) { self.values = values }

  override func isNull(at index: Int) -> Bool { values[index].isNull }
  override func integer(at index: Int) -> Int64? { values[index].integer }
  override func real(at index: Int) -> Double? { if case .real(let value) = values[index] { value } else { nil } }
  override func text(at index: Int) -> String? { values[index].text }
  override func sqlValue(at index: Int) -> SQLValue { values[index] }

  override func withBlob(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard case .blob(let bytes) = values[index] else { return false }
    bytes.withUnsafeBytes(body)
    return true
  }

  override func data(at index: Int) -> Data? { if case .blob(let bytes) = values[index] { Data(bytes) } else { nil } }
}

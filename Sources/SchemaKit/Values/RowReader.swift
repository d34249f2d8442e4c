/// The source of a ``RowReader``'s values: a statement with a current row, or an array.
///
/// The functions for one storage class return nil if the value has another.
protocol RowSource: AnyObject {
  func isNull(at index: Int) -> Bool
  func integer(at index: Int) -> Int64?
  func real(at index: Int) -> Double?
  /// Throws if the text is not valid UTF-8: what cannot be read intact must not be written back.
  func text(at index: Int) throws -> String?
  /// Lends the bytes of a BLOB.
  func withBlob(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool
  func sqlValue(at index: Int) throws -> SQLValue
}

// The generic parts are inlined into the client's module, where the types of the columns are known. The code that calls
// SQLite stays here and is called with concrete types.

/// A row being read, column by column.
public struct RowReader {
  let source: any RowSource
  /// The column of the source that is the row's first.
  let base: Int
  let count: Int
  let codings: [(any AnyColumnCoding)?]
  /// Whether every column is stored as its type says.
  @usableFromInline let isPlain: Bool
  /// How many columns have been read.
  public internal(set) var position = 0

  init(_ source: any RowSource, from base: Int = 0, count: Int, codings: [(any AnyColumnCoding)?] = []) {
    self.source = source
    self.base = base
    self.count = count
    self.codings = codings
    isPlain = codings.isEmpty
  }

  /// Starts at the first of the values.
  public init(_ values: [SQLValue]) { self.init(ValueRow(values), count: values.count) }
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
      throw ColumnValueError(expected: "a row of more than \(count) columns", found: "its end")
    }
    position += 1
    return try source.sqlValue(at: base + position - 1)
  }

  /// Consumes the next column's value if it is NULL; otherwise leaves it.
  public mutating func nextIsNull() -> Bool {
    guard position < count, source.isNull(at: base + position) else { return false }
    position += 1
    return true
  }

  /// Consumes the next column's value if it is an integer; otherwise leaves it and returns nil.
  public mutating func nextInteger() -> Int64? {
    guard position < count, let value = source.integer(at: base + position) else { return nil }
    position += 1
    return value
  }

  /// Consumes the next column's value if it is a real; otherwise leaves it and returns nil.
  public mutating func nextReal() -> Double? {
    guard position < count, let value = source.real(at: base + position) else { return nil }
    position += 1
    return value
  }

  /// Consumes the next column's value if it is text; otherwise leaves it and returns nil.
  ///
  /// - Throws: ``ColumnValueError`` for text that is not valid UTF-8.
  public mutating func nextText() throws -> String? {
    guard position < count else { return nil }
    position += 1
    if let value = try source.text(at: base + position - 1) { return value }
    position -= 1
    return nil
  }

  /// Lends the bytes of the next column's value if it is a BLOB; otherwise leaves it and returns false.
  public mutating func nextBlob(_ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard position < count, source.withBlob(at: base + position, body) else { return false }
    position += 1
    return true
  }

  /// Whether all columns have been read.
  @usableFromInline var isAtEnd: Bool { position == count }

  /// Goes back to the first column, for the next row of the same source.
  @usableFromInline
  mutating func rewind() { position = 0 }
}

/// Values in memory as the source of a row. It has identity because the source is shared with its reader.
final class ValueRow: RowSource {
  private let values: [SQLValue]

  init(_ values: [SQLValue]) { self.values = values }

  func isNull(at index: Int) -> Bool { values[index].isNull }
  func integer(at index: Int) -> Int64? { values[index].integer }
  func real(at index: Int) -> Double? { if case .real(let value) = values[index] { value } else { nil } }
  func text(at index: Int) -> String? { values[index].text }
  func sqlValue(at index: Int) -> SQLValue { values[index] }

  func withBlob(at index: Int, _ body: (UnsafeRawBufferPointer) -> Void) -> Bool {
    guard case .blob(let bytes) = values[index] else { return false }
    bytes.withUnsafeBytes(body)
    return true
  }
}

/// The destination of a ``RowWriter``'s values: the parameters of a statement, or an array.
protocol RowSink: AnyObject {
  func putNull(at index: Int)
  func put(_ value: Int64, at index: Int)
  func put(_ value: Double, at index: Int)
  func put(_ value: String, at index: Int)
  func put(_ value: UnsafeRawBufferPointer, at index: Int)
}

/// A row being written, column by column.
public struct RowWriter {
  let sink: any RowSink
  let codings: [(any AnyColumnCoding)?]
  /// True if every column is stored as its type says.
  @usableFromInline let isPlain: Bool
  /// The number of columns that have been written.
  public internal(set) var position = 0

  init(_ sink: any RowSink, codings: [(any AnyColumnCoding)?] = []) {
    self.sink = sink
    self.codings = codings
    isPlain = codings.isEmpty
  }
}

extension RowWriter {
  /// Appends a value: one column, or the columns of a fragment.
  ///
  /// - Throws: ``ColumnValueError`` if SQLite cannot store it.
  @inlinable @inline(__always)
  public mutating func append<Value: RowValue>(_ value: Value) throws {
    if isPlain { try value.write(to: &self) } else { try appendCoded(value) }
  }

  @usableFromInline
  mutating func appendCoded<Value: RowValue>(_ value: Value) throws {
    guard codings.indices.contains(position), let coding = codings[position] as? ColumnCoding<Value> else {
      try value.write(to: &self)
      return
    }
    append(try coding.encode(value))
  }

  /// Appends the value of the next column as stored.
  public mutating func append(_ value: SQLValue) {
    sink.put(value, at: position)
    position += 1
  }

  /// Appends NULL.
  public mutating func appendNull() {
    sink.putNull(at: position)
    position += 1
  }

  /// Appends an integer.
  public mutating func append(integer value: Int64) {
    sink.put(value, at: position)
    position += 1
  }

  /// Appends a real, which must not be NaN: SQLite would store NULL for it.
  public mutating func append(real value: Double) {
    sink.put(value, at: position)
    position += 1
  }

  /// Appends text.
  public mutating func append(text value: String) {
    sink.put(value, at: position)
    position += 1
  }

  /// Appends a BLOB.
  public mutating func append(blob value: UnsafeRawBufferPointer) {
    sink.put(value, at: position)
    position += 1
  }

  /// Goes back to the first column, for the next row into the same sink.
  mutating func rewind() { position = 0 }
}

extension RowSink {
  func put(_ value: SQLValue, at index: Int) {
    switch value {
    case .null: putNull(at: index)
    case .integer(let value): put(value, at: index)
    case .real(let value): put(value, at: index)
    case .text(let value): put(value, at: index)
    case .blob(let value): value.withUnsafeBytes { put($0, at: index) }
    }
  }
}

/// Collects the values of a row. It has identity because the sink is shared with its writer.
final class ValueSink: RowSink {
  private(set) var values: [SQLValue] = []

  init(capacity: Int) { values.reserveCapacity(capacity) }

  func putNull(at index: Int) { values.append(.null) }
  func put(_ value: Int64, at index: Int) { values.append(.integer(value)) }
  func put(_ value: Double, at index: Int) { values.append(.real(value)) }
  func put(_ value: String, at index: Int) { values.append(.text(value)) }
  func put(_ value: UnsafeRawBufferPointer, at index: Int) { values.append(.blob([UInt8](value))) }
}

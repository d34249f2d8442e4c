/// Columns that an initializer consumes: those of a table, or those of a ``Fragment``.
public struct ColumnGroup<Root: Sendable>: Sendable {
  let columns: [DeclaredColumn]
  /// The columns in which a value of the type is never NULL, whatever it is.
  private let required: [Int]
  /// Creates a value from the next columns of a row.
  let make: @Sendable (inout RowReader) throws -> Root
  /// Creates a value from each row, advancing to the next row with a function that returns false after the last.
  let makeAll: @Sendable (inout RowReader, () throws -> Bool) throws -> [Root]
  /// Appends the value's columns to a row.
  let write: @Sendable (Root, inout RowWriter) throws -> Void
  /// True if the model's author wrote the functions that read and write, which may forget a column.
  let isCodedByHand: Bool

  /// Declares columns and the initializer that takes their values in the same order.
  @inlinable @inline(__always)
  public init<each Value: RowValue>(
    as make: @escaping @Sendable (repeat each Value) throws -> Root,
    @ColumnBuilder<Root> columns: () -> Columns<Root, repeat each Value>
  ) {
    // Inlined into the client's module, where the compiler sees the types and reads a row without key paths.
    let list = columns()
    var writers: [ColumnWriter] = []
    for column in repeat each list.columns { writers.append(Self.writer(for: column.path)) }
    let columnWriters = writers
    self.init(
      list.declared,
      make: { row in try make(repeat row.read((each Value).self)) },
      makeAll: { row, next in
        var all: [Root] = []
        while try next() {
          row.rewind()
          all.append(try make(repeat row.read((each Value).self)))
        }
        return all
      },
      write: { root, row in
        try withUnsafePointer(to: root) { root in
          for write in columnWriters { try write(root, &row) }
        }
      }
    )
  }

  /// Appends one property of a value to a row.
  @usableFromInline typealias ColumnWriter = @Sendable (UnsafePointer<Root>, inout RowWriter) throws -> Void

  /// A stored property of a structure is read at its memory offset, which takes a fifth of the time of a key path; any
  /// other property has no such offset, and is read through the key path.
  @inlinable @inline(__always)
  static func writer<Value: RowValue>(for path: any KeyPath<Root, Value> & Sendable) -> ColumnWriter {
    if let offset = MemoryLayout<Root>.offset(of: path) {
      return { root, row in
        try row.append((UnsafeRawPointer(root) + offset).assumingMemoryBound(to: Value.self).pointee)
      }
    }
    return { root, row in try row.append(root.pointee[keyPath: path]) }
  }

  @usableFromInline
  init(
    _ columns: [DeclaredColumn],
    make: @escaping @Sendable (inout RowReader) throws -> Root,
    makeAll: @escaping @Sendable (inout RowReader, () throws -> Bool) throws -> [Root],
    write: @escaping @Sendable (Root, inout RowWriter) throws -> Void,
    isCodedByHand: Bool = false
  ) {
    self.isCodedByHand = isCodedByHand
    self.columns = columns
    required = columns.indices.filter { columns[$0].isRequired }
    self.make = make
    self.makeAll = makeAll
    self.write = write
  }
}

extension ColumnGroup {
  /// Reads a value, or nil from columns that are all NULL. Generated columns are not checked for NULL.
  ///
  /// - Throws: ``ColumnValueError`` for a row that has only a part of a value, with the reader at the missing part.
  func readOptional(from row: inout RowReader) throws -> Root? {
    let start = row.position
    guard row.has(columns.count), required.first.map({ row.isNull(ahead: $0) }) ?? true else {
      do { return try make(&row) } catch { throw incomplete(&row, from: start) ?? error }
    }
    if columns.indices.contains(where: { columns[$0].generated == nil && !row.isNull(ahead: $0) }),
      let error = incomplete(&row, from: start)
    {
      throw error
    }
    row.position = start + columns.count
    return nil
  }

  /// The error for the first part of a value that is missing; nil if none is.
  private func incomplete(_ row: inout RowReader, from start: Int) -> ColumnValueError? {
    let end = row.position
    row.position = start
    guard row.has(columns.count), let missing = required.first(where: { row.isNull(ahead: $0) }) else {
      // The error of a part of it stays where it was met.
      row.position = end
      return nil
    }
    row.position = start + missing + 1
    return ColumnValueError(expected: "a value, like the other columns of \(Root.self)", found: .null)
  }
}

/// The columns in a builder's braces, with their types.
public struct Columns<Root, each Value: RowValue>: Sendable {
  @usableFromInline let columns: (repeat Column<Root, each Value>)

  @usableFromInline
  init(_ columns: repeat Column<Root, each Value>) { self.columns = (repeat each columns) }

  @usableFromInline
  var declared: [DeclaredColumn] {
    var all: [DeclaredColumn] = []
    for column in repeat each columns { all += column.declared }
    return all
  }
}

/// Collects the columns in a builder's braces.
@resultBuilder
public enum ColumnBuilder<Root> {
  public static func buildExpression<Value>(_ column: Column<Root, Value>) -> Column<Root, Value> { column }

  public static func buildBlock<each Value: RowValue>(
    _ columns: repeat Column<Root, each Value>
  ) -> Columns<Root, repeat each Value> {
    Columns(repeat each columns)
  }
}

/// Columns that an initializer consumes: those of a table, or those of a ``Fragment``.
public struct ColumnGroup<Root: Sendable>: Sendable {
  let columns: [DeclaredColumn]
  /// Makes a value from the next columns of a row.
  let make: @Sendable (inout RowReader) throws -> Root
  /// Appends the value's columns to a row.
  let write: @Sendable (Root, inout RowWriter) throws -> Void

  /// Declares columns and the initializer that takes their values in the same order.
  @inlinable @inline(__always)
  public init<each Value: RowValue>(
    as make: @escaping @Sendable (repeat each Value) throws -> Root,
    @ColumnBuilder<Root> columns: () -> Columns<Root, repeat each Value>
  ) {
    // Inlined into the author's module, where the compiler sees the types and reads a row without key paths.
    let list = columns()
    let paths = (repeat (each list.columns).path)
    self.init(
      list.declared,
      make: { row in try make(repeat row.read((each Value).self)) },
      write: { root, row in
        repeat try row.append(root[keyPath: each paths])
      }
    )
  }

  @usableFromInline
  init(
    _ columns: [DeclaredColumn],
    make: @escaping @Sendable (inout RowReader) throws -> Root,
    write: @escaping @Sendable (Root, inout RowWriter) throws -> Void
  ) {
    self.columns = columns
    self.make = make
    self.write = write
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

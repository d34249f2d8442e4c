/// Columns that are declared one at a time, for a table or a ``Fragment``.
///
/// The compiler checks each column alone, so that a mistake in a wide model is reported at once, at its own line. The
/// macro `@Model` writes this form; by hand:
///
/// ```swift
/// static let table = ModelTable<Note>(
///   "notes",
///   columns: { columns in
///     columns.add(Column("id", \.id).primaryKey())
///     columns.add(Column("title", \.title))
///   },
///   decode: { row in Note(id: try row.read(), title: try row.read()) },
///   encode: { note, row in
///     try row.append(note.id)
///     try row.append(note.title)
///   }
/// )
/// ```
///
/// Both functions take the columns in the order in which they are added. Opening a database with the schema checks
/// that, with sample values, and names the column where it is not so.
public struct TableColumns<Root: Sendable> {
  @usableFromInline var declared: [DeclaredColumn] = []

  @usableFromInline init() {}

  /// Adds a column, or those of an embedded fragment.
  public mutating func add<Value>(_ column: Column<Root, Value>) { declared += column.declared }
}

extension ColumnGroup {
  /// Declares columns one at a time, with functions that read and write them in the same order.
  @inlinable @inline(__always)
  public init(
    columns: (inout TableColumns<Root>) -> Void,
    decode: @escaping @Sendable (inout RowReader) throws -> Root,
    encode: @escaping @Sendable (Root, inout RowWriter) throws -> Void
  ) {
    // Inlined into the client's module, where the objects have a known size.
    var list = TableColumns<Root>()
    columns(&list)
    self.init(
      list.declared,
      make: decode,
      makeAll: { row, next in
        var all: [Root] = []
        while try next() {
          row.rewind()
          all.append(try decode(&row))
          // The caller can tell from the reader's position that a row was not read to its end.
          guard row.isAtEnd else { break }
        }
        return all
      },
      write: encode,
      isCodedByHand: true
    )
  }
}

extension ModelTable {
  /// Declares a table whose columns are added one at a time, with functions that read and write them in the same order.
  ///
  /// - Parameters:
  ///   - name: The name in the database.
  ///   - columns: Adds the columns; see ``TableColumns``.
  ///   - decode: Creates an object from the values of all columns.
  ///   - encode: Appends the values of all columns, including computed columns, to a row.
  ///   - constraints: Constraints over the whole row or over several columns.
  ///   - indexes: The indexes.
  ///   - triggers: The triggers.
  @inlinable @inline(__always)
  public init(
    _ name: String,
    columns: (inout TableColumns<Root>) -> Void,
    decode: @escaping @Sendable (inout RowReader) throws -> Root,
    encode: @escaping @Sendable (Root, inout RowWriter) throws -> Void,
    constraints: [Constraint<Root>] = [],
    indexes: [Index<Root>] = [],
    triggers: [Trigger] = []
  ) {
    self.init(
      name, group: ColumnGroup(columns: columns, decode: decode, encode: encode), constraints: constraints,
      indexes: indexes, triggers: triggers, removed: [])
  }
}
